import { sql } from 'kysely'
import type { Language } from '@waybill/contract/errors'
import type { Ctx } from '../../../kit/context/context.ts'
import { mailBody } from '../../../kit/mail/mail-html.ts'
import { filled, textsOf } from '../../../kit/texts/texts.ts'
import { queueMail } from '../../email/index.ts'
import { findHolder, objectionTo, OWNER_KINDS } from '../../load-carrier/index.ts'
import { footerLines } from '../mail/mail-data.mail.ts'
import type { PaperFacts } from '../order-paper.query.ts'

const WORDS = textsOf('load-carrier-statement')

interface Reader {
  email: string
  language: Language
  us: PaperFacts['us']
}

/** Who sent the statement, while that person works here; else the company in whose name it went out. */
async function readerOf(ctx: Ctx, sentById: number | null, companyId: number): Promise<Reader | null> {
  const { rows } = await sql<Reader>`
    select coalesce(u.email, f.email) as email,
        coalesce(case when u.id is null then k.language else u."defaultLanguage" end, 'en') as language,
        (select to_json(row) from (select f.title, f.address, f.postal, f.city, k.code as "countryCode",
          f."vatNumber", f.email, f.phone, f."timeZone") row) as us
      from company f join country k on k.id = f."countryId"
        left join "user" u on u.id = ${sentById} and u.state = 'active'
      where f.id = ${companyId} and coalesce(u.email, f.email) is not null
  `.execute(ctx.db)
  return rows[0] ?? null
}

/**
 * Reaction to `loadCarriers.objected`: who sent the statement learns what its holder objects to. That holders agree is
 * told in the accounts alone: of a hundred statements it would be a hundred mails.
 */
export async function queueObjection(ctx: Ctx, { statementId }: { statementId: number }): Promise<void> {
  const { holder, name, remark, sentById, companyId } = await objectionTo(ctx, statementId)
  const reader = await readerOf(ctx, sentById, companyId)
  if (reader === null) return
  const { email, language, us } = reader
  const words = WORDS[language].objected
  const holes = { holder: (await findHolder(ctx, holder))!.title, name }
  await queueMail(ctx, {
    owner: { kind: OWNER_KINDS[holder.kind], id: holder.id },
    type: 'other_emails',
    to: [email],
    cc: [],
    subject: filled(words.subject, holes).replace(/\s+/g, ' ').slice(0, 250).toWellFormed(),
    html: mailBody([
      { kind: 'paragraph', text: filled(words.text, holes) },
      { kind: 'paragraph', text: `„${remark}“` },
      { kind: 'paragraph', text: `${ctx.ports.publicUrl}/load-carriers?holder=${holder.kind}&account=${holder.id}` },
    ]),
    frame: { language, sender: us.title, footer: footerLines({ us, department: us, caseWorker: null }) },
    documentIds: [],
  })
}
