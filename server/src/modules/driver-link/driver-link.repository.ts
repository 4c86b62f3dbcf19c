import { randomBytes } from 'node:crypto'
import { sql, type RawBuilder, type Selectable } from 'kysely'
import { DRIVER_LINK_DAYS } from '@waybill/contract/public/driver-link'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { hashSecret } from '../../kit/context/secrets.ts'
import { driverToken } from '../../kit/context/vault.ts'
import { linkAddress } from '../../kit/mail/link-places.ts'
import type { Tables } from '../../kit/database/db.ts'
import './driver-link.table.ts'

type Row = Selectable<Tables['driver_link']>

/** A link with what only a look at its route can tell. */
export interface DriverLink extends Row {
  /** some days after the last stop: where that is moved, the end moves too */
  endsAt: string
  /** revoked, ended, or of a route that somebody else drives by now */
  isOver: boolean
}

export type DriverReport = Selectable<Tables['driver_report']>

const NONCE_BYTES = 16

/** Whom a link is for: who drives a route. */
export type LinkSubject = Pick<Row, 'orderId' | 'routeId' | 'assignmentId' | 'carrierCompanyId'>

type Made = Pick<Row, 'routeId' | 'assignmentId' | 'nonce'> & { tokenHash: Buffer | null }

export const tokenOf = (ctx: Pick<Ctx, 'ports'>, { routeId, assignmentId, ...made }: Made): string =>
  driverToken(ctx.ports.vault, [routeId, assignmentId], made)

export const urlOf = (ctx: Pick<Ctx, 'ports'>, link: Made): string =>
  linkAddress(ctx.ports.publicUrl, 'driver', tokenOf(ctx, link))

/** The links that meet a condition over `l`. */
async function linksWhere(ctx: Ctx, condition: RawBuilder<boolean>): Promise<DriverLink[]> {
  const { rows } = await sql<DriverLink>`
    select l.*, ends."endsAt", (l."revokedAt" is not null or ends."endsAt" <= ${nowOf(ctx)} or not exists (
        select 1 from assignment a where a.id = l."assignmentId" and a."routeId" = l."routeId"
          and (a."ownFleet" or a."carrierCompanyId" is not null)
          and a."carrierCompanyId" is not distinct from l."carrierCompanyId")) as "isOver"
      from driver_link l, lateral (
        select greatest(l."createdAt", max(coalesce(s."unloadedAt", s."loadedAt", greatest(s."plannedAt", s."endAt"))))
            + make_interval(days => ${DRIVER_LINK_DAYS}) as "endsAt"
          from location s where s."routeId" = l."routeId" and s."canceledAt" is null
      ) ends
      where ${condition}
  `.execute(ctx.db)
  return rows
}

export const linkWithHash = async (ctx: Ctx, tokenHash: Buffer): Promise<DriverLink | undefined> =>
  (await linksWhere(ctx, sql<boolean>`l."tokenHash" = ${tokenHash}`))[0]

export const linkWithId = async (ctx: Ctx, id: number): Promise<DriverLink | undefined> =>
  (await linksWhere(ctx, sql<boolean>`l.id = ${id}`))[0]

/** The link of a route that works. */
export const workingLink = async (ctx: Ctx, routeId: number): Promise<DriverLink | null> =>
  (await linksWhere(ctx, sql<boolean>`l."routeId" = ${routeId} and l."revokedAt" is null`)).find(
    ({ isOver }) => !isOver,
  ) ?? null

/** Writes a link, in the caller's transaction; the one before ends with it. */
export async function insertLink(ctx: Ctx, subject: LinkSubject): Promise<void> {
  await revokeLinks(ctx, subject.routeId)
  const nonce = randomBytes(NONCE_BYTES)
  await ctx.db
    .insertInto('driver_link')
    .values({
      ...subject,
      nonce,
      tokenHash: hashSecret(tokenOf(ctx, { ...subject, nonce, tokenHash: null })),
      createdAt: nowOf(ctx),
      createdById: ctx.actor?.userId ?? null,
    })
    .execute()
}

/** Ends the links of a route; false where there was none. */
export async function revokeLinks(ctx: Ctx, routeId: number): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('driver_link')
    .set({ revokedAt: nowOf(ctx), revokedById: ctx.actor?.userId ?? null })
    .where('routeId', '=', routeId)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** What was told of a route, the oldest first, by whichever of its links. */
export const reportsOf = (ctx: Ctx, routeId: number): Promise<DriverReport[]> =>
  ctx.db.selectFrom('driver_report').selectAll().where('routeId', '=', routeId).orderBy('id').execute()

/** A route in its order. */
export type RouteRef = Pick<Row, 'orderId' | 'routeId'>

/** What was told of a route under a key of the telephone, by whichever of its links: a renewed one goes on sending. */
export const reportWithKey = (ctx: Ctx, routeId: number, key: string): Promise<DriverReport | undefined> =>
  ctx.db
    .selectFrom('driver_report')
    .selectAll()
    .where('routeId', '=', routeId)
    .where('key', '=', key)
    .executeTakeFirst()

/** What a report says, beside whose it is. */
export type Told = Pick<DriverReport, 'locationId' | 'key' | 'kind' | 'at'> &
  Partial<Omit<DriverReport, 'id' | 'orderId' | 'linkId' | 'truckLinkId' | 'routeId' | 'receivedAt'>>

/** Writes what was told of a route by its own link or by that of its truck. */
export async function insertReport(
  ctx: Ctx,
  by: Pick<DriverReport, 'linkId' | 'truckLinkId'>,
  { orderId, routeId }: RouteRef,
  { exchange = null, ...told }: Told,
): Promise<void> {
  await ctx.db
    .insertInto('driver_report')
    .values({
      latitude: null,
      longitude: null,
      accuracyM: null,
      text: null,
      signedBy: null,
      documentId: null,
      isWritten: false,
      ...told,
      exchange: exchange === null ? null : JSON.stringify(exchange),
      ...by,
      orderId,
      routeId,
      receivedAt: nowOf(ctx),
    })
    .execute()
}
