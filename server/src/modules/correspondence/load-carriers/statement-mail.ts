import { isDeepStrictEqual } from 'node:util'
import type { FastifyReply } from 'fastify'
import { sql } from 'kysely'
import type { z } from 'zod'
import { LOAD_CARRIER_STATEMENT } from '@waybill/contract/email/email-rules'
import type { Holder } from '@waybill/contract/load-carrier/account'
import {
  STATEMENT_ANSWER_DAYS,
  type sendStatement as sendEndpoint,
  type Statement,
} from '@waybill/contract/load-carrier/statement'
import { STATEMENT_LINK_DAYS, type StatedLines } from '@waybill/contract/public/statement-page'
import type { Language } from '@waybill/contract/errors'
import { addDays, localOf } from '@waybill/contract/kit/local-time'
import { actorOf, nowOf, type Ctx } from '../../../kit/context/context.ts'
import { AppError, fieldError } from '../../../kit/context/errors.ts'
import { newSecret } from '../../../kit/context/secrets.ts'
import { escapeHtml, mailBody, wrapMail } from '../../../kit/mail/mail-html.ts'
import { filled, textsOf } from '../../../kit/texts/texts.ts'
import { answerWithFile, keepFile, removeStray, storeDocument, type KeptFile } from '../../document/index.ts'
import { queueMail } from '../../email/index.ts'
import {
  accountStatement,
  balancesOf,
  holderAddress,
  noteStatement,
  OWNER_KINDS,
  refuseChanged,
  slipsOf,
  type AccountStatement,
} from '../../load-carrier/index.ts'
import { formatDate, formatNumber } from '../document-words.ts'
import { footerLines, salutationOf } from '../mail/mail-data.mail.ts'
import type { PaperFacts } from '../order-paper.query.ts'
import { balanceSentence, movementText, renderLoadCarrierStatement, statementName } from './statement.document.ts'

const WORDS = textsOf('load-carrier-statement')
const DAY_MS = 86_400_000

interface Sender {
  companyId: number
  us: PaperFacts['us']
  logo: Buffer | null
  department: { title: string; phone: string | null; email: string | null }
  caseWorker: PaperFacts['caseWorker']
}

/** Who writes: the caller, with department and company. */
async function senderOf(ctx: Ctx): Promise<Sender> {
  const { rows } = await sql<Sender>`
    select f.id as "companyId",
        (select to_json(row) from (select f.title, f.address, f.postal, f.city, k.code as "countryCode",
          f."vatNumber", f.email, f.phone, f."timeZone") row) as us,
        (select logo.png from company_logo logo where logo."companyId" = f.id) as logo,
        json_build_object('title', d.abbreviation, 'phone', d.phone, 'email', d.email) as department,
        json_build_object('name', u."fullName", 'email', u.email, 'phone', u.phone) as "caseWorker"
      from "user" u join department d on d.id = coalesce(u."departmentId",
          (select one.id from department one where one.state = 'active' order by one.id limit 1))
        join company f on f.id = d."companyId" join country k on k.id = f."countryId"
      where u.id = ${actorOf(ctx).userId}
  `.execute(ctx.db)
  if (!rows[0]) throw new AppError('conflict')
  return rows[0]
}

const cell = (look: string, text: string): string => `<td data-look="${look}">${escapeHtml(text)}</td>`

/** A day is not broken over two lines. */
const whole = (text: string): string => `<td data-look="cell"><span data-look="whole">${escapeHtml(text)}</span></td>`

/** The movements of each type, as the holder sees them: what they took from us, and what they gave back. */
function tableOf({ title, broughtForward, movements, pieces }: AccountStatement['types'][number], language: Language) {
  const words = WORDS[language]
  const pieceText = (value: number): string => (value === 0 ? '' : formatNumber(value, language))
  const head = [words.date, words.where, words.note].map((text) => `<th data-look="head">${escapeHtml(text)}</th>`)
  const numbers = [words.took, words.gave, words.balance].map(
    (text) => `<th data-look="headNumber">${escapeHtml(text)}</th>`,
  )
  const first =
    broughtForward === 0
      ? ''
      : `<tr>${cell('cell', '')}${cell('cell', words.broughtForward)}${cell('cell', '')}${cell('cellNumber', '')}${cell(
          'cellNumber',
          '',
        )}${cell('cellNumber', formatNumber(broughtForward, language))}</tr>`
  const lines = movements.map(
    ({ movedOn, stop, invoice, note, noteNumber, given, received, balance }) =>
      `<tr>${whole(formatDate(movedOn, language))}${cell(
        'cell',
        movementText({ stop, invoice, note }, language),
      )}${cell('cell', noteNumber ?? '–')}${cell('cellNumber', pieceText(given))}${cell(
        'cellNumber',
        pieceText(received),
      )}${cell('cellNumber', formatNumber(balance, language))}</tr>`,
  )
  return (
    `<h3>${escapeHtml(title)}</h3><table data-look="full"><thead><tr>${head.join('')}${numbers.join('')}</tr></thead>` +
    `<tbody>${first}${lines.join('')}<tr><td data-look="sum" colspan="5">${escapeHtml(words.balance)}</td>` +
    `<td data-look="sumNumber">${escapeHtml(formatNumber(pieces, language))}</td></tr></tbody></table>`
  )
}

async function written(ctx: Ctx, statement: AccountStatement) {
  const { holder, types } = statement
  const { language } = holder
  const words = WORDS[language]
  const { companyId, us, department, caseWorker } = await senderOf(ctx)
  const { date } = localOf(nowOf(ctx), us.timeZone)
  const today = formatDate(date, language)
  const answerBy = formatDate(addDays(date, STATEMENT_ANSWER_DAYS), language)
  const subject = filled(words.subject, { day: today, company: us.title }).slice(0, 250).toWellFormed()
  const closing = [caseWorker?.name, caseWorker?.phone ?? department.phone, department.email, us.title]
  const html = [
    mailBody([
      { kind: 'paragraph', text: salutationOf(null, language) },
      { kind: 'paragraph', text: filled(words.intro, { day: today }) },
      {
        kind: 'paragraph',
        text: types.map(({ title, pieces }) => balanceSentence(pieces, title, language)).join('\n'),
      },
    ]),
    ...types.map((type) => tableOf(type, language)),
    mailBody([
      { kind: 'paragraph', text: filled(words.confirm, { day: answerBy }) },
      { kind: 'paragraph', text: `${words.regards}\n${closing.filter(Boolean).join('\n')}` },
    ]),
  ].join('\n')
  const frame = { language, sender: us.title, footer: footerLines({ us, department, caseWorker }) }
  const replyTo = caseWorker?.email ?? department.email ?? us.email
  return { companyId, subject, html, frame, label: words.button, replyTo }
}

/** What the page of its link shows of a statement. */
export const statementContent = ({ holder, types }: AccountStatement): StatedLines[] =>
  types.map(({ title, broughtForward, movements, pieces }) => ({
    title,
    broughtForward,
    movements: movements.map((one) => ({
      movedOn: one.movedOn,
      where: movementText(one, holder.language),
      noteNumber: one.noteNumber,
      given: one.given,
      received: one.received,
      balance: one.balance,
    })),
    pieces,
  }))

/** A statement as it would be sent; nothing is written. Errors: the contract's. */
export async function previewStatement(ctx: Ctx, holder: Holder): Promise<Statement> {
  const statement = await accountStatement(ctx, holder)
  const { subject, html, frame, label } = await written(ctx, statement)
  const button = { label, url: `${ctx.ports.publicUrl}/statement/` }
  const wrapped = await wrapMail({ ...frame, title: subject, html, button })
  const slips = await slipsOf(ctx, holder)
  return {
    to: statement.holder.email,
    language: statement.holder.language,
    subject,
    html: wrapped.html,
    balances: balancesOf(statement),
    slips: { count: slips.length, sizeBytes: slips.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) },
  }
}

interface Letter {
  /** the name of its file */
  title: string
  bytes: Buffer
}

async function drawLetter(ctx: Ctx, statement: AccountStatement): Promise<Letter> {
  const { holder, types } = statement
  const { us, logo, department, caseWorker } = await senderOf(ctx)
  const data = {
    us: { ...us, logo },
    contact: caseWorker && { ...caseWorker, phone: caseWorker.phone ?? department.phone },
    holder: await holderAddress(ctx, holder),
    asOf: localOf(nowOf(ctx), us.timeZone).date,
    types,
  }
  const bytes = await renderLoadCarrierStatement(ctx.ports.pdf, data, holder.language)
  return { title: statementName(data, holder.language), bytes }
}

/** Answers with the letter of a statement, as it would go along now. Errors: the contract's. */
export async function sendStatementLetter(ctx: Ctx, holder: Holder, reply: FastifyReply): Promise<void> {
  const { title, bytes } = await drawLetter(ctx, await accountStatement(ctx, holder))
  answerWithFile(reply, { title, contentType: 'application/pdf', sizeBytes: bytes.length }, bytes)
}

/** A letter in the store, and the statement that it shows. */
interface DrawnStatement {
  statement: AccountStatement
  title: string
  kept: KeptFile
}

type Wanted = z.output<typeof sendEndpoint.body>

/** Draws the letter of the statement that was looked at, into the store; no row names it yet. Errors: the same. */
export async function drawStatement(ctx: Ctx, { holder, balances }: Wanted): Promise<DrawnStatement> {
  const statement = await accountStatement(ctx, holder)
  refuseChanged(statement, balances)
  const { title, bytes } = await drawLetter(ctx, statement)
  return { statement, title, kept: await keepFile(ctx, bytes) }
}

/**
 * Sends the statement with the letter drawn of it and a link to answer it; where nothing is sent the letter goes.
 * Errors: the same.
 */
export async function sendStatement(
  ctx: Ctx,
  { holder, to }: Wanted,
  { statement: shown, title, kept }: DrawnStatement,
): Promise<{ emailId: number }> {
  const owner = { kind: OWNER_KINDS[holder.kind], id: holder.id }
  try {
    const statement = await accountStatement(ctx, holder)
    if (!isDeepStrictEqual(statement.types, shown.types)) throw fieldError('balances', 'balance_changed')
    const { companyId, subject, html, frame, label, replyTo } = await written(ctx, statement)
    const token = newSecret()
    const letter = { owner, documentType: 'OTHER_DOCUMENTS' as const, title, contentType: 'application/pdf', kept }
    const emailId = await queueMail(ctx, {
      owner,
      type: 'other_emails',
      variant: LOAD_CARRIER_STATEMENT,
      to: [to],
      cc: [],
      subject,
      html,
      frame,
      documentIds: [
        await storeDocument(ctx, letter),
        ...(await slipsOf(ctx, holder)).map(({ documentId }) => documentId),
      ],
      customerId: holder.kind === 'customer' ? holder.id : null,
      replyTo,
      secretButton: {
        label,
        url: `${ctx.ports.publicUrl}/statement/${token}`,
        expiresAt: new Date(Date.parse(nowOf(ctx)) + STATEMENT_LINK_DAYS * DAY_MS).toISOString(),
      },
    })
    await noteStatement(ctx, statement, { emailId, token, companyId, content: statementContent(statement) })
    return { emailId }
  } catch (error) {
    await removeStray(ctx, kept.fileKey)
    throw error
  }
}
