import { sql } from 'kysely'
import { DOCUMENT_RENEWAL } from '@waybill/contract/email/email-rules'
import type { Language } from '@waybill/contract/errors'
import { formatVatNumber } from '@waybill/contract/kit/vat-number'
import type { Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import type { Events } from '../../../kit/context/events.ts'
import { linkPlace } from '../../../kit/mail/link-places.ts'
import { LOGO_SOURCE } from '../../../kit/mail/mail-html.ts'
import { textsOf } from '../../../kit/texts/texts.ts'
import { queueMail } from '../../email/index.ts'
import { textToSend } from '../../mail-template/index.ts'
import { replyToOf } from '../by-hand/mail-page.ts'
import { formatDay, town } from '../document-words.ts'
import type { Firm, PaperFacts } from '../order-paper.query.ts'
import { footerLines, given, greetingOf, ourValues } from './mail-data.mail.ts'
import type { MailFacts } from './mail-facts.query.ts'
import { mailText, type MailData } from './mail-text.mail.ts'

const WORDS = textsOf('mail')

interface Facts {
  us: PaperFacts['us']
  department: MailFacts['department']
  caseWorker: PaperFacts['caseWorker']
  carrier: Firm & { language: Language }
  companyId: number
  hasLogo: boolean
}

/** Who asks, and whom: the department of the mail, and the person who pressed the button where it was one. */
async function factsOf(ctx: Ctx, carrierCompanyId: number, departmentId: number): Promise<Facts> {
  const firm = sql.raw(`f.title, f.address, f.postal, f.city, k.code as "countryCode", f."vatNumber"`)
  const { rows } = await sql<Facts>`
    select
      (select to_json(row) from (select ${firm}, f.email, f.phone, f."timeZone" from company f
        join country k on k.id = f."countryId" where f.id = d."companyId") row) as us,
      json_build_object('title', d.abbreviation, 'phone', d.phone, 'email', d.email) as department,
      (select json_build_object('name', u."fullName", 'email', u.email, 'phone', u.phone) from "user" u
        where u.id = ${ctx.actor?.userId ?? null}::bigint) as "caseWorker",
      (select to_json(row) from (select ${firm}, coalesce(f.language, k.language, 'en') as language
        from carrier_company f join country k on k.id = f."countryId" where f.id = ${carrierCompanyId}) row) as carrier,
      d."companyId", exists (select 1 from company_logo logo where logo."companyId" = d."companyId") as "hasLogo"
    from department d where d.id = ${departmentId}
  `.execute(ctx.db)
  if (!rows[0]) throw new AppError('not_found')
  return rows[0]
}

type Stays = NonNullable<Parameters<typeof queueMail>[1]['stays']>

/** Why the mail does not go; null where it does. */
function whyNot(email: string | null, isOn: boolean, holes: readonly string[]): Stays | null {
  if (email === null) return { status: 'suppressed', reason: 'noAddress' }
  if (!isOn) return { status: 'suppressed', reason: 'typeOff' }
  return holes.length > 0 ? { status: 'held', reason: 'valueMissing', missing: holes } : null
}

/**
 * Reaction to `paper.asked`: the mail with the link, into the outbox of the same transaction. Without an address, where
 * the department has this text off, and where the text speaks of what is not known, it is written and does not go.
 * Error: `value_missing` for who asks by hand.
 */
export async function queuePaperMail(
  ctx: Ctx,
  { carrierCompanyId, documentType, endsOn, departmentId, linkId, email, name, isAutomatic }: Events['paper.asked'],
): Promise<void> {
  const facts = await factsOf(ctx, carrierCompanyId, departmentId)
  const { carrier, us, department, caseWorker, companyId } = facts
  const { language } = carrier
  const { text } = (await textToSend(ctx, departmentId, {
    type: 'other_emails',
    variant: DOCUMENT_RENEWAL,
    name: null,
    language,
  }))!
  const url = linkPlace(ctx.ports.publicUrl, 'paper', linkId)
  const values: MailData['values'] = {
    ...ourValues(facts),
    ...given({
      'carrier.title': carrier.title,
      'carrier.address': [carrier.address, town(carrier)].filter(Boolean).join(', '),
      'carrier.vatNumber': formatVatNumber(carrier.vatNumber),
      'disponent.salutation': greetingOf(name, language),
      'disponent.name': name,
      'disponent.email': email,
      'link.upload': url,
      'renewal.document': WORDS[language].renewedPapers[documentType],
      'renewal.validUntil': formatDay(endsOn, language),
    }),
  }
  const { subject, html, holes } = mailText(
    text,
    {
      values,
      stops: [],
      cargo: [],
      cargoTotals: null,
      signature: {
        caseWorker: values['caseWorker.name'],
        phone: values['caseWorker.phone'] ?? values['department.phone'] ?? values['company.phone'],
        email: values['caseWorker.email'] ?? values['department.email'] ?? values['company.email'],
        department: [us.title, department.title].filter(Boolean).join(', '),
        company: values['company.address'],
      },
      links: { upload_link: url },
      logoOf: facts.hasLogo ? us.title : null,
    },
    language,
  )
  if (!isAutomatic && holes.length > 0)
    throw new AppError('validation', {
      fields: holes.map((variable) => ({ path: 'documentType', code: 'value_missing', params: { variable } })),
    })
  await queueMail(ctx, {
    owner: { kind: 'carrierCompany', id: carrierCompanyId },
    type: 'other_emails',
    variant: DOCUMENT_RENEWAL,
    to: email === null ? [] : [email],
    cc: [],
    subject,
    html,
    frame: { language, sender: us.title, footer: footerLines(facts) },
    documentIds: [],
    hasLogo: html.includes(LOGO_SOURCE),
    companyId,
    isAutomatic,
    replyTo: replyToOf(text.replyTo, { us, department, caseWorker }),
    stays: whyNot(email, text.isOn || !isAutomatic, holes),
  })
}
