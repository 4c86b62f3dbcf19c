import { sql } from 'kysely'
import type { AccountEmailType } from '@waybill/contract/email'
import type { Language } from '@waybill/contract/errors'
import type { Ctx } from '../../kit/context/context.ts'
import { queueMail } from '../email/index.ts'
import { accountMail } from './account.mail.ts'

interface Source {
  fullName: string
  email: string
  language: Language
  /** our company: the one of the person's department, else the first */
  sender: string
}

/**
 * Reaction to `account.linkMade`: the mail with the link, in the person's language, into the outbox of the same
 * transaction.
 */
export async function queueAccountMail(
  ctx: Ctx,
  {
    userId,
    purpose,
    token,
    expiresAt,
  }: { userId: number; purpose: AccountEmailType; token: string; expiresAt: string },
): Promise<void> {
  const { rows } = await sql<Source>`
    select u."fullName", u.email, u."defaultLanguage" as language, coalesce(
      (select c.title from department d join company c on c.id = d."companyId" where d.id = u."departmentId"),
      (select c.title from company c where c.state = 'active' order by c.id limit 1),
      'Waybill'
    ) as sender
    from "user" u where u.id = ${userId}
  `.execute(ctx.db)
  const source = rows[0]!
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
