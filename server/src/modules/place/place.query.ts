import { sql } from 'kysely'
import { MAX_PLACES } from '@waybill/contract/place'
import type { Ctx } from '../../kit/context/context.ts'
import { shownTitle } from '../../kit/records/titles.ts'

/** A place without what is worked out from its coordinates. */
export interface FoundPlace {
  key: string
  title: string
  address: string | null
  postal: string | null
  city: string | null
  countryCode: string
  near: string | null
  latitude: number
  longitude: number
}

// A name that is typed in full counts as much as one ten times its size that only begins so: Most before Mostar.
const WHOLE_NAME = 10

/**
 * Places of the gazetteer whose name begins with `key`, then those with such a later word; within, those of our
 * countries first, then the largest.
 */
export async function townsByKey({ db }: Ctx, key: string, countryCode: string | null): Promise<FoundPlace[]> {
  const { rows } = await sql<FoundPlace>`
    with found as (
      select distinct on ("geonameId") *
      from place
      where key like ${`${key}%`} and (${countryCode}::text is null or "countryCode" = ${countryCode})
      order by "geonameId", "isLaterWord", key
    ), hits as (
      select f.*, row_number() over (order by f."isLaterWord", k.id is null, f.population::bigint * case
        when f.key = ${key} then ${WHOLE_NAME} else 1 end desc, f.title, f."geonameId") as place
      from found f left join country k on k.code = f."countryCode" and k.state = 'active'
      order by place limit ${sql.lit(MAX_PLACES)}
    )
    select 'geonames-' || h."geonameId" as key, h.title, null as address, null as postal, h.title as city,
      h."countryCode", h.latitude, h.longitude, n.title as near
    from hits h left join lateral (
      select l.title from place l
      where l."isLandmark" and l."countryCode" = h."countryCode" and l.population > h.population
        and l."geonameId" <> h."geonameId"
        and abs(l.latitude - h.latitude) < 1.5 and abs(l.longitude - h.longitude) < 2.5
      order by power(l.latitude - h.latitude, 2) + power((l.longitude - h.longitude) * cos(radians(h.latitude)), 2)
        limit 1
    ) n on h.population < 100000
    order by h.place
  `.execute(db)
  return rows
}

/** The active countries by their codes. */
export async function countriesByCode(
  { db, language }: Ctx,
  codes: readonly string[],
): Promise<Map<string, { id: number; title: string }>> {
  const { rows } = await sql<{ id: number; title: string; code: string }>`
    select id, ${shownTitle(language, 'country')} as title, code from country
    where state = 'active' and code = any(${[...new Set(codes)]}::text[])
  `.execute(db)
  return new Map(rows.map(({ code, ...country }) => [code, country]))
}

/** The code of a country; undefined where there is none. */
export async function codeOfCountry({ db }: Ctx, id: number): Promise<string | undefined> {
  const { rows } = await sql<{ code: string }>`select code from country where id = ${id}`.execute(db)
  return rows[0]?.code
}
