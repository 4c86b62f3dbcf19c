import { sql } from 'kysely'
import { inTransaction, type Ctx } from '../../kit/context/context.ts'
import { digraphKey, laterWords, placeKey } from './place-key.rules.ts'
import { KNOWN_NAMES } from './place-names.ts'
import { readGazetteerFile, readPlaces, type GazetteerPlace } from './read-places.ts'
import './place.table.ts'

const PART_OF_A_TOWN = 'PPLX'
const LANDMARK_POPULATION = 100_000
// Below it another place may bear the name: there are two Freiburg.
const LEAST_KNOWN = 5_000
const BATCH = 4_000

interface PlaceRow {
  geonameId: number
  key: string
  isLaterWord: boolean
  title: string
  countryCode: string
  latitude: number
  longitude: number
  population: number
  isLandmark: boolean
}

/** The rows under which a place is found: its names, and their later words. */
function rowsOf({ name, kind, ...place }: GazetteerPlace): PlaceRow[] {
  const known = place.population < LEAST_KNOWN ? undefined : KNOWN_NAMES.get(`${place.countryCode} ${name}`)
  const [title, ...otherNames] = known ?? [name]
  const names = [title!, name, ...otherNames]
    .flatMap((one) => [placeKey(one), digraphKey(one)])
    .filter((key) => key !== '')
  const whole = new Set(names)
  const later = new Set(names.flatMap(laterWords).filter((key) => !whole.has(key)))
  const isLandmark = place.population >= LANDMARK_POPULATION && kind !== PART_OF_A_TOWN
  return [
    ...[...whole].map((key, index) => ({
      ...place,
      title: title!,
      key,
      isLaterWord: false,
      isLandmark: isLandmark && index === 0,
    })),
    ...[...later].map((key) => ({ ...place, title: title!, key, isLaterWord: true, isLandmark: false })),
  ]
}

async function insertRows({ db }: Ctx, rows: readonly PlaceRow[]): Promise<void> {
  const column = <Name extends keyof PlaceRow>(name: Name) => rows.map((row) => row[name])
  await sql`
    insert into place ("geonameId", key, "isLaterWord", title, "countryCode", latitude, longitude, population,
      "isLandmark")
    select * from unnest(
      ${column('geonameId')}::int[], ${column('key')}::text[], ${column('isLaterWord')}::boolean[],
        ${column('title')}::text[], ${column('countryCode')}::text[],
      ${column('latitude')}::double precision[], ${column('longitude')}::double precision[],
        ${column('population')}::int[], ${column('isLandmark')}::boolean[]
    )
    on conflict do nothing
  `.execute(db)
}

const isLoaded = async ({ db }: Ctx): Promise<boolean> =>
  (await db.selectFrom('place').select('geonameId').limit(1).executeTakeFirst()) !== undefined

/**
 * Fills the gazetteer where it is empty. Of several who come at once, on several nodes, one works and the others
 * wait.
 */
export async function loadGazetteer(ctx: Ctx): Promise<void> {
  if (await isLoaded(ctx)) return
  const bytes = await readGazetteerFile()
  await inTransaction(ctx, async (inner) => {
    // Reading it takes as long as a slow machine needs: those who ask meanwhile wait for it, and nobody gives up.
    await sql`set local lock_timeout = 0`.execute(inner.db)
    await sql`set local statement_timeout = 0`.execute(inner.db)
    await sql`select pg_advisory_xact_lock(hashtext('gazetteer'))`.execute(inner.db)
    if (await isLoaded(inner)) return
    let batch: PlaceRow[] = []
    for (const place of readPlaces(bytes)) {
      batch.push(...rowsOf(place))
      if (batch.length < BATCH) continue
      await insertRows(inner, batch)
      batch = []
    }
    await insertRows(inner, batch)
  })
  // Until the database looks by itself, its plans would be made for an empty table.
  await sql`analyze place`.execute(ctx.db)
}
