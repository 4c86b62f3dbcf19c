import { sql } from 'kysely'
import type { AccountLinkType } from '@waybill/contract/email'
import type { Language } from '@waybill/contract/errors'
import type { Ctx } from '../../kit/context/context.ts'
import { queueMail } from '../email/index.ts'
import { accountMail, addressMail, passkeyMail, webhookMail } from './account.mail.ts'
import { formatDate } from './document-words.ts'

interface Source {
  fullName: string
  email: string
  language: Language
  /** our company: the one of the person's department, else the first */
  sender: string
}

async function sourceOf(ctx: Ctx, userId: number): Promise<Source> {
  const { rows } = await sql<Source>`
    select u."fullName", u.email, u."defaultLanguage" as language, coalesce(
      (select c.title from department d join company c on c.id = d."companyId" where d.id = u."departmentId"),
      (select c.title from company c where c.state = 'active' order by c.id limit 1),
      'Waybill'
    ) as sender
    from "user" u where u.id = ${userId}
  `.execute(ctx.db)
  return rows[0]!
}

/**
 * Reaction to `account.linkMade`: the mail with the link, in the person's language, into the outbox of the same
 * transaction.
 */
export async function queueAccountMail(
  ctx: Ctx,
  { userId, purpose, token, expiresAt }: { userId: number; purpose: AccountLinkType; token: string; expiresAt: string },
): Promise<void> {
  const source = await sourceOf(ctx, userId)
  await queueMail(ctx, {
    owner: { kind: 'user', id: userId },
    type: purpose,
    to: [source.email],
    cc: [],
    ...accountMail(purpose, source, source.sender, { publicUrl: ctx.ports.publicUrl, token, expiresAt }),
    frame: { language: source.language, sender: source.sender, footer: [] },
    documentIds: [],
  })
}

/** Reaction to `user.addressChanged`: the old address is told, so that a change by a stranger does not stay unseen. */
export async function queueAddressMail(
  ctx: Ctx,
  { userId, before, after }: { userId: number; before: string; after: string },
): Promise<void> {
  const source = await sourceOf(ctx, userId)
  await queueMail(ctx, {
    owner: { kind: 'user', id: userId },
    type: 'address_changed',
    to: [before],
    cc: [],
    ...addressMail(source, source.sender, before, after),
    frame: { language: source.language, sender: source.sender, footer: [] },
    documentIds: [],
  })
}

/** Reaction to `passkey.told`: one that the person did not add, or one that was copied, must not stay unseen. */
export async function queuePasskeyMail(
  ctx: Ctx,
  { userId, what, name }: { userId: number; what: 'added' | 'removed' | 'copied'; name: string },
): Promise<void> {
  const source = await sourceOf(ctx, userId)
  await queueMail(ctx, {
    owner: { kind: 'user', id: userId },
    type: 'passkey_changed',
    to: [source.email],
    cc: [],
    ...passkeyMail(source, source.sender, what, name),
    frame: { language: source.language, sender: source.sender, footer: [] },
    documentIds: [],
  })
}

/**
 * Reaction to `webhook.paused`: administrators may resume it and are told, for nobody looks at a page that works by
 * itself.
 */
export async function queueWebhookMails(
  ctx: Ctx,
  { title, host, since }: { title: string; host: string; since: string },
): Promise<void> {
  const administrators = await ctx.db
    .selectFrom('user')
    .select('id')
    .where('isAdmin', '=', true)
    .where('state', '=', 'active')
    .orderBy('id')
    .execute()
  for (const { id } of administrators) {
    const source = await sourceOf(ctx, id)
    await queueMail(ctx, {
      owner: { kind: 'user', id },
      type: 'webhook_paused',
      to: [source.email],
      cc: [],
      ...webhookMail(source, source.sender, {
        webhook: title,
        host,
        since: formatDate(since.slice(0, 10), source.language),
        page: `${ctx.ports.publicUrl}/webhooks`,
      }),
      frame: { language: source.language, sender: source.sender, footer: [] },
      documentIds: [],
    })
  }
}
