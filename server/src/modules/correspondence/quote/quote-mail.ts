import type { FastifyReply } from 'fastify'
import { sql } from 'kysely'
import { QUOTE_MAIL } from '@waybill/contract/email/email-rules'
import type { Language } from '@waybill/contract/errors'
import { QUOTE_LINK_DAYS_AFTER, type Quote } from '@waybill/contract/quote/quote'
import { addDays, localOf } from '@waybill/contract/kit/local-time'
import { nowOf, type Ctx } from '../../../kit/context/context.ts'
import { AppError, fieldError } from '../../../kit/context/errors.ts'
import { mailBody, wrapMail, type MailBlock } from '../../../kit/mail/mail-html.ts'
import { shownTitle } from '../../../kit/records/titles.ts'
import { filled, textsOf } from '../../../kit/texts/texts.ts'
import {
  answerWithFile,
  keepFile,
  removeStray,
  sendDocument,
  storeDocument,
  type KeptFile,
} from '../../document/index.ts'
import { queueMail } from '../../email/index.ts'
import { noteSent, quoteView, sendableQuote } from '../../quote/index.ts'
import { formatCents, formatDate, formatNumber, formatUnits } from '../document-words.ts'
import { footerLines, salutationOf } from '../mail/mail-data.mail.ts'
import type { Contact } from '../mail/mail-facts.query.ts'
import type { PaperFacts } from '../order-paper.query.ts'
import { placeText, quotePaperName, renderQuote, type QuotePaperData } from './quote.document.ts'

const WORDS = textsOf('quote')

interface Facts {
  language: Language
  contact: Contact | null
  /** where such mails go: the contact's address, else that of the first contact who has one */
  to: string | null
  us: PaperFacts['us']
  logo: Buffer | null
  customer: QuotePaperData['customer']
  department: { title: string; phone: string | null; email: string | null }
  /** while that person works here */
  caseWorker: PaperFacts['caseWorker']
  /** who of us learns what the customer answers; null: nobody has an address */
  reader: { email: string; language: Language } | null
}

async function factsOf(ctx: Ctx, quoteId: number): Promise<Facts> {
  const { rows } = await sql<Facts>`
    select coalesce(c.language, k.language, 'en') as language,
        case when p.id is not null then json_build_object('fullName', p."fullName", 'lastName', p."lastName",
          'academicTitle', p."academicTitle", 'gender', s.gender, 'phone', p.phone, 'email', p.email) end as contact,
        coalesce(p.email, (select one.email from contact_person one where one."customerId" = c.id
          and one.email is not null order by one.position limit 1), c."invoiceEmail") as "to",
        (select to_json(row) from (select f.title, f.address, f.postal, f.city, fk.code as "countryCode",
          f."vatNumber", f.email, f.phone, f."timeZone") row) as us,
        (select logo.png from company_logo logo where logo."companyId" = f.id) as logo,
        json_build_object('title', c.title, 'address', c.address, 'postal', c.postal, 'city', c.city,
          'countryCode', k.code) as customer,
        json_build_object('title', d.abbreviation, 'phone', d.phone, 'email', d.email) as department,
        case when u.id is not null then json_build_object('name', u."fullName", 'email', u.email, 'phone', u.phone) end
          as "caseWorker",
        (select json_build_object('email', one.email, 'language', coalesce(one.language, 'en')) from (
          select 1 as place, u.email, u."defaultLanguage" as language
          union all select 2, made.email, made."defaultLanguage" from "user" made
            where made.id = q."createdById" and made.state = 'active'
          union all select 3, d.email, fk.language
          union all select 4, f.email, fk.language
        ) one where one.email is not null order by one.place limit 1) as reader
      from quote q join customer c on c.id = q."customerId" join country k on k.id = c."countryId"
        left join contact_person p on p.id = q."contactPersonId" left join salutation s on s.id = p."salutationId"
        join department d on d.id = q."departmentId" join company f on f.id = d."companyId"
        join country fk on fk.id = f."countryId" left join "user" u on u.id = q."caseWorkerId" and u.state = 'active'
      where q.id = ${quoteId}
  `.execute(ctx.db)
  return rows[0]!
}

const oneLine = (words: string): string => words.replace(/\s+/g, ' ').slice(0, 250).toWellFormed()

const laneOf = ({ from, to }: Quote): string =>
  [from, to].map(({ city, postal, countryCode }) => city ?? `${countryCode} ${postal}`).join(' – ')

/** The unit in the language of the reader, who is seldom the one who writes. */
async function unitIn(ctx: Ctx, { unitTypeId }: Quote, language: Language): Promise<string | null> {
  if (unitTypeId === null) return null
  const { rows } = await sql<{ title: string }>`select ${shownTitle(language, 't')} as title from unit_type t
    where t.id = ${unitTypeId}`.execute(ctx.db)
  return rows[0]?.title ?? null
}

/** What is to be carried, in the language of the reader. */
async function goodsOf(ctx: Ctx, quote: Quote, language: Language): Promise<string> {
  return [
    quote.quantity === null ? '' : formatUnits(quote.quantity, await unitIn(ctx, quote, language), language),
    quote.goods ?? '',
    quote.ldm === null ? '' : `${formatNumber(quote.ldm, language)} ${WORDS[language].ldm}`,
    quote.weightKg === null ? '' : `${formatNumber(quote.weightKg, language)} kg`,
  ]
    .filter(Boolean)
    .join(', ')
}

type Priced = Quote & { priceCents: number }

async function written(ctx: Ctx, quote: Priced) {
  const facts = await factsOf(ctx, quote.id)
  const { language, contact, us, department, caseWorker } = facts
  const words = WORDS[language]
  const goods = await goodsOf(ctx, quote, language)
  const closing = [caseWorker?.name, caseWorker?.phone ?? department.phone, caseWorker?.email ?? department.email]
  const blocks: MailBlock[] = [
    { kind: 'paragraph', text: salutationOf(contact, language) },
    { kind: 'paragraph', text: words.intro },
    {
      kind: 'facts',
      rows: [
        [words.number, quote.number],
        [words.from, placeText(quote.from, language)],
        [words.to, placeText(quote.to, language)],
        ...(goods === '' ? [] : [[words.goods, goods] as const]),
        [words.price, `${formatCents(quote.priceCents, language)} EUR`],
      ],
    },
    ...(quote.remark === null ? [] : [{ kind: 'paragraph' as const, text: quote.remark }]),
    { kind: 'paragraph', text: filled(words.terms, { day: formatDate(quote.validUntil, language) }) },
    { kind: 'paragraph', text: words.answer },
    { kind: 'paragraph', text: `${words.regards}\n${[...closing, us.title].filter(Boolean).join('\n')}` },
  ]
  return {
    to: facts.to,
    subject: oneLine(filled(words.subject, { number: quote.number, lane: laneOf(quote) })),
    html: mailBody(blocks),
    frame: { language, sender: us.title, footer: footerLines({ us, department, caseWorker }) },
    label: words.button,
    replyTo: caseWorker?.email ?? department.email ?? us.email,
  }
}

/** A quote as it would be sent; nothing is written. Errors: the contract's. */
export async function previewQuote(ctx: Ctx, id: number) {
  const { to, subject, html, frame, label } = await written(ctx, await sendableQuote(ctx, id))
  const button = { label, url: `${ctx.ports.publicUrl}/quote/` }
  return { to, subject, html: (await wrapMail({ ...frame, title: subject, html, button })).html }
}

interface DrawnPaper {
  /** the name of its file */
  title: string
  bytes: Buffer
}

async function drawPaper(ctx: Ctx, quote: Priced, isDraft: boolean): Promise<DrawnPaper> {
  const { language, contact, us, logo, customer, department, caseWorker } = await factsOf(ctx, quote.id)
  const data: QuotePaperData = {
    us: { ...us, logo },
    contact: caseWorker && { ...caseWorker, phone: caseWorker.phone ?? department.phone },
    customer,
    salutation: salutationOf(contact, language),
    quote,
    goods: await goodsOf(ctx, quote, language),
    writtenOn: localOf(quote.sentAt ?? nowOf(ctx), us.timeZone).date,
    isDraft,
  }
  return { title: quotePaperName(data, language), bytes: await renderQuote(ctx.ports.pdf, data, language) }
}

/**
 * Answers with a quote as PDF: the file that was sent, else drawn now; a draft is marked as one. Errors: the
 * contract's.
 */
export async function sendQuotePaper(ctx: Ctx, id: number, reply: FastifyReply): Promise<void> {
  const quote = await quoteView(ctx, id)
  const isDraft = quote.state === 'draft'
  // What was taken back to be changed is another quote than the one that was sent.
  const { rows } = isDraft
    ? { rows: [] }
    : await sql<{ id: number }>`select id from document
        where "ownerKind" = 'quote' and "ownerId" = ${id} and "createdAt" >= ${quote.sentAt} and "deletedAt" is null
        order by id desc limit 1`.execute(ctx.db)
  const [kept] = rows
  if (kept !== undefined) return sendDocument(ctx, kept.id, reply)
  const { priceCents } = quote
  if (priceCents === null) throw fieldError('priceCents', 'required')
  const { title, bytes } = await drawPaper(ctx, { ...quote, priceCents }, isDraft)
  answerWithFile(reply, { title, contentType: 'application/pdf', sizeBytes: bytes.length }, bytes)
}

/** The PDF of a version of a quote, in the store. */
interface KeptPaper {
  version: number
  title: string
  kept: KeptFile
}

/** Draws a quote that is to be sent, into the store; no row names it yet. Errors: the contract's. */
export async function drawQuote(ctx: Ctx, id: number): Promise<KeptPaper> {
  const quote = await sendableQuote(ctx, id)
  const { title, bytes } = await drawPaper(ctx, quote, false)
  return { version: quote.version, title, kept: await keepFile(ctx, bytes) }
}

/** Sends a quote with its link and its PDF; where nothing is sent the file goes. Errors: the contract's. */
export async function sendQuote(ctx: Ctx, id: number, version: number, to: string, paper: KeptPaper): Promise<Quote> {
  try {
    return await sendWith(ctx, id, version, to, paper)
  } catch (error) {
    await removeStray(ctx, paper.kept.fileKey)
    throw error
  }
}

async function sendWith(ctx: Ctx, id: number, version: number, to: string, paper: KeptPaper): Promise<Quote> {
  const quote = await sendableQuote(ctx, id)
  // It was changed while it was drawn.
  if (quote.version !== paper.version) throw new AppError('stale_version', { current: quote })
  const { subject, html, frame, label, replyTo } = await written(ctx, quote)
  const token = await noteSent(ctx, id, version, to)
  const file = {
    owner: { kind: 'quote' as const, id },
    documentType: 'OTHER_DOCUMENTS' as const,
    title: paper.title,
    contentType: 'application/pdf',
    kept: paper.kept,
  }
  await queueMail(ctx, {
    owner: { kind: 'quote', id },
    type: 'other_emails',
    variant: QUOTE_MAIL,
    to: [to],
    cc: [],
    subject,
    html,
    frame,
    documentIds: [await storeDocument(ctx, file)],
    customerId: quote.customerId,
    replyTo,
    secretButton: {
      label,
      url: `${ctx.ports.publicUrl}/quote/${token}`,
      expiresAt: `${addDays(quote.validUntil, QUOTE_LINK_DAYS_AFTER)}T23:59:59Z`,
    },
  })
  return quoteView(ctx, id)
}

/**
 * Reaction to `quote.answered`: who works on the quote learns what the customer said. Where nobody does, or that person
 * has left, who made it learns it, else the department, else the company: an accepted transport waits for an order.
 */
export async function queueQuoteAnswer(
  ctx: Ctx,
  { quoteId, isAccepted }: { quoteId: number; isAccepted: boolean },
): Promise<void> {
  const { rows } = await sql<{ number: string; customer: string; remark: string | null }>`
    select q.number, c.title as customer, q."answerRemark" as remark from quote q
      join customer c on c.id = q."customerId" where q.id = ${quoteId}
  `.execute(ctx.db)
  const { caseWorker, us, department, reader } = await factsOf(ctx, quoteId)
  if (reader === null) return
  const { language } = reader
  const { told } = WORDS[language]
  const { number, customer, remark } = rows[0]!
  const words = isAccepted ? told.accepted : told.refused
  await queueMail(ctx, {
    owner: { kind: 'quote', id: quoteId },
    type: 'other_emails',
    to: [reader.email],
    cc: [],
    subject: oneLine(filled(words.subject, { number, customer })),
    html: mailBody([
      { kind: 'paragraph', text: filled(words.text, { number, customer }) },
      ...(remark === null ? [] : [{ kind: 'paragraph' as const, text: `„${remark}“` }]),
      { kind: 'paragraph', text: `${ctx.ports.publicUrl}/quotes/edit/${quoteId}` },
    ]),
    frame: { language, sender: us.title, footer: footerLines({ us, department, caseWorker }) },
    documentIds: [],
  })
}
