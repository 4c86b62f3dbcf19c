import { randomBytes } from 'node:crypto'
import { sql, type Selectable } from 'kysely'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { hashSecret } from '../../kit/context/secrets.ts'
import { uploadToken } from '../../kit/context/vault.ts'
import { linkAddress } from '../../kit/mail/link-places.ts'
import type { Tables } from '../../kit/database/db.ts'
import './upload-link.table.ts'

export type UploadLink = Selectable<Tables['upload_link']>

const NONCE_BYTES = 16
const LIFE_MONTHS = 12

/** What a link is about: whose papers, of which transport. */
export type LinkSubject = Pick<UploadLink, 'orderId' | 'routeId' | 'assignmentId' | 'carrierCompanyId'>

type Made = Pick<UploadLink, 'assignmentId' | 'nonce'> & { tokenHash: Buffer | null }

export const tokenOf = (ctx: Pick<Ctx, 'ports'>, link: Made): string => uploadToken(ctx.ports.vault, link)

export const urlOf = (ctx: Pick<Ctx, 'ports'>, link: Made): string =>
  linkAddress(ctx.ports.publicUrl, 'upload', tokenOf(ctx, link))

/** The newest link of an assignment that is not revoked, expired or not. */
export const currentLink = (ctx: Ctx, assignmentId: number): Promise<UploadLink | undefined> =>
  ctx.db
    .selectFrom('upload_link')
    .selectAll()
    .where('assignmentId', '=', assignmentId)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()

export const newNonce = (): Buffer => randomBytes(NONCE_BYTES)

/** Writes a link, in the caller's transaction; the one before ends with it. */
export async function insertLink(ctx: Ctx, subject: LinkSubject, nonce: Buffer): Promise<UploadLink> {
  await revokeLinks(ctx, subject.assignmentId)
  const now = ctx.clock.now()
  const expiresAt = new Date(now)
  expiresAt.setUTCMonth(expiresAt.getUTCMonth() + LIFE_MONTHS)
  return ctx.db
    .insertInto('upload_link')
    .values({
      ...subject,
      nonce,
      tokenHash: hashSecret(tokenOf(ctx, { ...subject, nonce, tokenHash: null })),
      createdAt: now.toISOString(),
      createdById: ctx.actor?.userId ?? null,
      expiresAt: expiresAt.toISOString(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Ends the links of an assignment; false where there was none. */
export async function revokeLinks(ctx: Ctx, assignmentId: number): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('upload_link')
    .set({ revokedAt: nowOf(ctx), revokedById: ctx.actor?.userId ?? null })
    .where('assignmentId', '=', assignmentId)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Locks a link until the transaction ends, so that what comes through it at once is taken one after the other. */
export const lockLink = (ctx: Ctx, id: number): Promise<UploadLink> =>
  ctx.db.selectFrom('upload_link').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()

/** Notes that a person has opened the page; true the first time. */
export async function noteOpened(ctx: Ctx, id: number): Promise<boolean> {
  const now = nowOf(ctx)
  const { openedCount } = await ctx.db
    .updateTable('upload_link')
    .set({
      openedCount: sql<number>`"openedCount" + 1`,
      openedFirstAt: sql<string>`coalesce("openedFirstAt", ${now}::timestamptz)`,
      openedLastAt: now,
    })
    .where('id', '=', id)
    .returning('openedCount')
    .executeTakeFirstOrThrow()
  return openedCount === 1
}

/** Counts a call of a subject in this minute, of all nodes together; answers how many there were, this one included. */
export async function countTry(ctx: Ctx, subject: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    insert into upload_try (subject, minute, count) values (${subject}, ${minuteOf(ctx)}, 1)
      on conflict (subject, minute) do update set count = upload_try.count + 1 returning count
  `.execute(ctx.db)
  return rows[0]!.count
}

/** How often `countTry` was asked for a subject in this minute. */
export async function triesOf(ctx: Ctx, subject: string): Promise<number> {
  const row = await ctx.db
    .selectFrom('upload_try')
    .select('count')
    .where('subject', '=', subject)
    .where('minute', '=', minuteOf(ctx))
    .executeTakeFirst()
  return row?.count ?? 0
}

const MINUTE_MS = 60_000
const minuteOf = (ctx: Ctx): string =>
  new Date(Math.floor(ctx.clock.now().getTime() / MINUTE_MS) * MINUTE_MS).toISOString()

/** Seconds until the next minute begins. */
export const untilNextMinute = (ctx: Ctx): number => 60 - (ctx.clock.now().getTime() % MINUTE_MS) / 1000

/** Notes that links have left with a mail. */
export async function noteSent(ctx: Ctx, ids: readonly number[]): Promise<void> {
  await ctx.db
    .updateTable('upload_link')
    .set({ sentAt: nowOf(ctx) })
    .where('id', 'in', ids)
    .execute()
}
