import { sql, type RawBuilder } from 'kysely'
import type { AccountLinkType } from '@waybill/contract/email'
import type { Language } from '@waybill/contract/errors'
import type { Ctx } from '../../kit/context/context.ts'
import { queueMail } from '../email/index.ts'
import { accountMail, addressMail, passkeyMail, webhookMail } from './account.mail.ts'
import { formatDate } from './document-words.ts'

interface Source {
  id: number
  fullName: string
  email: string
  language: Language
  /** our company: the one of the person's department, else the first */
  sender: string
}

async function sourcesOf(ctx: Ctx, which: RawBuilder<boolean>): Promise<Source[]> {
  const { rows } = await sql<Source>`
    select u.id, u."fullName", u.email, u."defaultLanguage" as language, coalesce(
      (select c.title from department d join company c on c.id = d."companyId" where d.id = u."departmentId"),
      (select c.title from company c where c.state = 'active' order by c.id limit 1),
      'Waybill'
    ) as sender
    from "user" u where ${which} order by u.id
  `.execute(ctx.db)
  return rows
}

const sourceOf = async (ctx: Ctx, userId: number): Promise<Source> =>
  (await sourcesOf(ctx, sql<boolean>`u.id = ${userId}`))[0]!

/** A mail without files to a person of ours, in a frame of their language. */
const queue = (
  ctx: Ctx,
  { id, email, language, sender }: Source,
  mail: Pick<Parameters<typeof queueMail>[1], 'type' | 'subject' | 'html' | 'secretButton'> & { to?: string[] },
): Promise<unknown> =>
  queueMail(ctx, {
    owner: { kind: 'user', id },
    to: [email],
    cc: [],
    frame: { language, sender, footer: [] },
    documentIds: [],
    ...mail,
  })

/**
 * Reaction to `account.linkMade`: the mail with the link, in the person's language, into the outbox of the same
 * transaction.
 */
export async function queueAccountMail(
  ctx: Ctx,
  { userId, purpose, token, expiresAt }: { userId: number; purpose: AccountLinkType; token: string; expiresAt: string },
): Promise<void> {
  const source = await sourceOf(ctx, userId)
  const link = { publicUrl: ctx.ports.publicUrl, token, expiresAt }
  await queue(ctx, source, { type: purpose, ...accountMail(purpose, source, source.sender, link) })
}

/** Reaction to `user.addressChanged`: the old address is told, so that a change by a stranger does not stay unseen. */
export async function queueAddressMail(
  ctx: Ctx,
  { userId, before, after }: { userId: number; before: string; after: string },
): Promise<void> {
  const source = await sourceOf(ctx, userId)
  const words = addressMail(source, source.sender, before, after)
  await queue(ctx, source, { type: 'address_changed', to: [before], ...words })
}

/** Reaction to `passkey.told`: one that the person did not add, or one that was copied, must not stay unseen. */
export async function queuePasskeyMail(
  ctx: Ctx,
  { userId, what, name }: { userId: number; what: 'added' | 'removed' | 'copied'; name: string },
): Promise<void> {
  const source = await sourceOf(ctx, userId)
  await queue(ctx, source, { type: 'passkey_changed', ...passkeyMail(source, source.sender, what, name) })
}

/**
 * Reaction to `webhook.paused`: administrators may resume it and are told, for nobody looks at a page that works by
 * itself.
 */
export async function queueWebhookMails(
  ctx: Ctx,
  { title, host, since }: { title: string; host: string; since: string },
): Promise<void> {
  for (const source of await sourcesOf(ctx, sql<boolean>`u."isAdmin" and u.state = 'active'`)) {
    const words = webhookMail(source, source.sender, {
      webhook: title,
      host,
      since: formatDate(since.slice(0, 10), source.language),
      page: `${ctx.ports.publicUrl}/webhooks`,
    })
    await queue(ctx, source, { type: 'webhook_paused', ...words })
  }
}
