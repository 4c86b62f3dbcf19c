import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { sumCents } from '@waybill/contract/kit/money'
import type { AccountStatementMail, sendAccountStatement as sendEndpoint } from '@waybill/contract/payment/open-items'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { mailBody, wrapMail } from '../../kit/mail/mail-html.ts'
import { filled, textsOf } from '../../kit/texts/texts.ts'
import { keepFile, removeStray, storeDocument, type KeptFile } from '../document/index.ts'
import { queueMail } from '../email/index.ts'
import { loadInvoice } from '../invoice/index.ts'
import { accountStatement, statementPdf, type AccountStatement } from '../payment/index.ts'
import { replyToOf } from './by-hand/mail-page.ts'
import { formatDate } from './document-words.ts'
import { invoiceFactsOf } from './mail/invoice-facts.query.ts'
import { footerLines, money, salutationOf } from './mail/mail-data.mail.ts'

const WORDS = textsOf('account-statement')

type Body = z.output<typeof sendEndpoint.body>
type Whose = Pick<Body, 'customerId' | 'companyId'>

/** What is owed less what is on the account; of claims of late payment nothing, as on the paper. */
const balanceOf = ({ data: { items, creditCents } }: AccountStatement): number =>
  sumCents([...items.map(({ openCents }) => openCents), -creditCents])

/** The words of the mail, with who signs it: whose invoice it belongs to. Errors: `not_found` without any invoice. */
async function written(ctx: Ctx, statement: AccountStatement) {
  if (statement.invoiceId === null) throw new AppError('not_found')
  const { language, data } = statement
  const { mail: words } = WORDS[language]
  const facts = await invoiceFactsOf(ctx, await loadInvoice(ctx, statement.invoiceId))
  const { us, department, caseWorker } = facts
  const day = formatDate(data.asOf, language)
  const balanceCents = balanceOf(statement)
  const said = balanceCents === 0 ? words.introEven : balanceCents > 0 ? words.intro : words.introCredit
  const closing = [caseWorker?.name, caseWorker?.phone ?? department.phone, department.email, us.title]
  const html = mailBody([
    { kind: 'paragraph', text: salutationOf(null, language) },
    { kind: 'paragraph', text: filled(said, { day, balance: money(Math.abs(balanceCents), language)! }) },
    { kind: 'paragraph', text: `${words.attached} ${words.confirm}` },
    { kind: 'paragraph', text: `${words.regards}\n${closing.filter(Boolean).join('\n')}` },
  ])
  return {
    invoiceId: statement.invoiceId,
    subject: filled(words.subject, { day, company: us.title }).slice(0, 250).toWellFormed(),
    html,
    frame: { language, sender: us.title, footer: footerLines(facts) },
    replyTo: replyToOf('caseWorker', facts),
    balanceCents,
  }
}

/** The mail of a statement as it would be sent; nothing is written. Errors: the contract’s. */
export async function previewStatementMail(ctx: Ctx, whose: Whose): Promise<AccountStatementMail> {
  const statement = await accountStatement(ctx, whose)
  const { subject, html, frame, balanceCents } = await written(ctx, statement)
  const wrapped = await wrapMail({ ...frame, title: subject, html })
  return { to: statement.to, language: statement.language, subject, html: wrapped.html, balanceCents }
}

/** A statement in the store, and what it shows. */
interface DrawnAccount {
  statement: AccountStatement
  title: string
  kept: KeptFile
}

/** Draws the statement that was looked at, into the store; no row names it yet. Errors: the contract’s. */
export async function drawAccountStatement(ctx: Ctx, { balanceCents, ...whose }: Body): Promise<DrawnAccount> {
  const statement = await accountStatement(ctx, whose)
  if (balanceOf(statement) !== balanceCents) throw fieldError('balanceCents', 'balance_changed')
  const { title, bytes } = await statementPdf(ctx, statement)
  return { statement, title, kept: await keepFile(ctx, bytes) }
}

/** Sends the statement that was drawn; where nothing is sent its file goes. Errors: the contract’s. */
export async function sendAccountStatement(
  ctx: Ctx,
  { to, ...whose }: Body,
  { statement: shown, title, kept }: DrawnAccount,
): Promise<{ emailId: number }> {
  try {
    const statement = await accountStatement(ctx, whose)
    if (!isDeepStrictEqual(statement.data, shown.data)) throw fieldError('balanceCents', 'balance_changed')
    const { invoiceId, subject, html, frame, replyTo } = await written(ctx, statement)
    const owner = { kind: 'invoice' as const, id: invoiceId }
    const file = { owner, documentType: 'OTHER_DOCUMENTS' as const, title, contentType: 'application/pdf', kept }
    const emailId = await queueMail(ctx, {
      owner,
      type: 'other_emails',
      to: [to],
      cc: [],
      subject,
      html,
      frame,
      documentIds: [await storeDocument(ctx, file)],
      customerId: whose.customerId,
      replyTo,
    })
    return { emailId }
  } catch (error) {
    await removeStray(ctx, kept.fileKey)
    throw error
  }
}
