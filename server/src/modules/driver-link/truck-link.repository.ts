import { randomBytes } from 'node:crypto'
import { sql, type RawBuilder, type Selectable } from 'kysely'
import { DRIVER_LINK_DAYS, TRUCK_LINK_DAYS } from '@waybill/contract/public/driver-link'
import type { Language } from '@waybill/contract/errors'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { hashSecret } from '../../kit/context/secrets.ts'
import { truckToken } from '../../kit/context/vault.ts'
import { linkAddress } from '../../kit/mail/link-places.ts'
import type { Tables } from '../../kit/database/db.ts'
import type { DriverReport } from './driver-link.repository.ts'
import './driver-link.table.ts'

type Row = Selectable<Tables['truck_link']>

/** A link with what only a look at its truck can tell. */
export interface TruckLink extends Row {
  plate: string
  /** of who drives it as a rule; null: nobody is named */
  language: Language | null
  /** some days after the last of its days */
  endsAt: string
  /** revoked, ended, or of a truck that is ours no longer */
  isOver: boolean
}

type Made = Pick<Row, 'vehicleId' | 'day' | 'nonce'> & { tokenHash: Buffer | null }

export const truckTokenOf = (ctx: Pick<Ctx, 'ports'>, { vehicleId, day, ...made }: Made): string =>
  truckToken(ctx.ports.vault, [vehicleId, day], made)

export const truckUrlOf = (ctx: Pick<Ctx, 'ports'>, link: Made): string =>
  linkAddress(ctx.ports.publicUrl, 'driver', truckTokenOf(ctx, link))

/** When the link of a truck from a day on ends. */
const endOf = (day: RawBuilder<unknown>) =>
  sql`((${day} + ${sql.lit(TRUCK_LINK_DAYS + DRIVER_LINK_DAYS)}::int)::timestamp at time zone 'UTC')`

/** The links that meet a condition over `l`. */
async function linksWhere(ctx: Ctx, condition: RawBuilder<boolean>): Promise<TruckLink[]> {
  const { rows } = await sql<TruckLink>`
    select l.*, v.title as plate, u."defaultLanguage" as language, ${endOf(sql`l.day`)} as "endsAt",
      (l."revokedAt" is not null or ${endOf(sql`l.day`)} <= ${nowOf(ctx)} or v.state <> 'active' or v.kind <> 'truck')
        as "isOver"
    from truck_link l join vehicle v on v.id = l."vehicleId"
      left join "user" u on u.id = v."driverId" and u.state = 'active'
    where ${condition}
  `.execute(ctx.db)
  return rows
}

export const truckLinkWithHash = async (ctx: Ctx, tokenHash: Buffer): Promise<TruckLink | undefined> =>
  (await linksWhere(ctx, sql<boolean>`l."tokenHash" = ${tokenHash}`))[0]

/** The link, held until the transaction ends: who revokes it waits, and what is taken meanwhile was told before. */
export async function heldTruckLink(ctx: Ctx, id: number): Promise<TruckLink | undefined> {
  await ctx.db.selectFrom('truck_link').select('id').where('id', '=', id).forShare().execute()
  return (await linksWhere(ctx, sql<boolean>`l.id = ${id}`))[0]
}

/** The link of a truck from a day on that works. */
export const workingTruckLink = async (ctx: Ctx, vehicleId: number, day: string): Promise<TruckLink | null> =>
  (await linksWhere(ctx, sql<boolean>`l."vehicleId" = ${vehicleId} and l.day = ${day} and l."revokedAt" is null`)).find(
    ({ isOver }) => !isOver,
  ) ?? null

/** True where a link from that day on would be over by now. */
export async function isDayOver(ctx: Ctx, day: string): Promise<boolean> {
  const { rows } = await sql<{ isOver: boolean }>`
    select ${endOf(sql`${day}::date`)} <= ${nowOf(ctx)} as "isOver"
  `.execute(ctx.db)
  return rows[0]!.isOver
}

/** Writes a link, in the caller's transaction; the one before ends with it. */
export async function insertTruckLink(ctx: Ctx, { vehicleId, day }: Pick<Row, 'vehicleId' | 'day'>): Promise<void> {
  await revokeTruckLinks(ctx, vehicleId, day)
  const nonce = randomBytes(16)
  await ctx.db
    .insertInto('truck_link')
    .values({
      vehicleId,
      day,
      nonce,
      tokenHash: hashSecret(truckTokenOf(ctx, { vehicleId, day, nonce, tokenHash: null })),
      createdAt: nowOf(ctx),
      createdById: ctx.actor?.userId ?? null,
    })
    .execute()
}

/** Ends the link of a truck from a day on; false where there was none. */
export async function revokeTruckLinks(ctx: Ctx, vehicleId: number, day: string): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('truck_link')
    .set({ revokedAt: nowOf(ctx), revokedById: ctx.actor?.userId ?? null })
    .where('vehicleId', '=', vehicleId)
    .where('day', '=', day)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** What was told by a truck's link under a key of the telephone, of any route. */
export const truckReportWithKey = (ctx: Ctx, truckLinkId: number, key: string): Promise<DriverReport | undefined> =>
  ctx.db
    .selectFrom('driver_report')
    .selectAll()
    .where('truckLinkId', '=', truckLinkId)
    .where('key', '=', key)
    .executeTakeFirst()
