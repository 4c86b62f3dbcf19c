import type { z } from 'zod'
import { LATER_WORDS, type EmailDraft, type previewEmail, type writeEmail } from '@waybill/contract/email/by-hand'
import { templateWriteFor } from '@waybill/contract/email/template'
import type { Language } from '@waybill/contract/errors'
import type { Invoice } from '@waybill/contract/invoice/invoice'
import { wordsOfBlocks } from '@waybill/contract/mail-blocks'
import type { Ctx } from '../../../kit/context/context.ts'
import { AppError, fieldError } from '../../../kit/context/errors.ts'
import { parseInput } from '../../../kit/http/validation.ts'
import { LOGO_SOURCE, sanitise } from '../../../kit/mail/mail-html.ts'
import { queueMail, refuseIbans, refuseTwin } from '../../email/index.ts'
import { fileNameOf, goesAsXml, loadInvoice, sentFiles, xmlNameOf, type InvoiceMail } from '../../invoice/index.ts'
import { textToSend } from '../../mail-template/index.ts'
import {
  givenValues,
  invoiceMailData,
  invoiceReceiver,
  laterValues,
  type InvoiceSubject,
  type LaterValues,
} from '../mail/invoice-data.mail.ts'
import { invoiceFactsOf, type InvoiceFacts } from '../mail/invoice-facts.query.ts'
import { footerLines } from '../mail/mail-data.mail.ts'
import { mailText } from '../mail/mail-text.mail.ts'
import { filledBlocks, filledSubject } from './filled-blocks.mail.ts'
import {
  chosenFiles,
  knownValues,
  partsOf,
  refuseHoles,
  replyToOf,
  sameAddress,
  seenOf,
  WITH_OUR_COST,
  type Attachable,
} from './mail-page.ts'
import { proofsOfInvoice, recordFiles } from './mail-record.query.ts'

/*
 * The mail of an invoice. One that is not sent yet has no number: what the sending gives it stays open in the text, and
 * is put in with the number (decision 069).
 */

type Wish = Omit<z.output<typeof previewEmail.body>, 'orderId' | 'invoiceId'>
type Written = z.output<typeof writeEmail.body>

const VARIANT = 'standard'

interface Chosen extends Omit<InvoiceSubject, 'later'> {
  invoice: Invoice
  type: 'invoice' | 'invoice_correction'
}

async function chosen(ctx: Ctx, invoiceId: number, wanted: Language | null): Promise<Chosen> {
  const invoice = await loadInvoice(ctx, invoiceId)
  if (invoice.entityType !== 'customer') throw fieldError('invoiceId', 'invalid_value')
  return {
    invoice,
    facts: await invoiceFactsOf(ctx, invoice),
    language: wanted ?? (invoice.language as Language),
    type: invoice.correctionOfId === null ? 'invoice' : 'invoice_correction',
  }
}

/** An invoice has one kind of mail, about itself alone. */
function refuseOthers({ type, variant, name, routeId, locationId, customerId }: Wish, { type: own }: Chosen): void {
  if (type !== own) throw fieldError('type', 'invalid_value')
  if (variant !== null && variant !== VARIANT) throw fieldError('variant', 'invalid_value')
  if (name !== null) throw fieldError('name', 'invalid_value')
  for (const [path, id] of Object.entries({ routeId, locationId, customerId }))
    if (id !== null) throw fieldError(path, 'unknown_reference')
}

/** As it is shown before there is a number. */
const asShown = ({ invoice, language }: Chosen): LaterValues =>
  laterValues(invoice, (key) => LATER_WORDS[key][language])

const textOf = async (ctx: Ctx, { type, facts, language }: Chosen) =>
  // Without an order there is no department, and without one the standard is sent.
  (await textToSend(ctx, facts.departmentId ?? 0, { type, variant: VARIANT, name: null, language }))!.text

async function attachables(ctx: Ctx, invoice: Invoice): Promise<Attachable[]> {
  const files = [...(await recordFiles(ctx, 'invoice', invoice.id)), ...(await proofsOfInvoice(ctx, invoice.id))]
  const sent = await sentFiles(ctx, invoice.id)
  return files.map(({ orderCarrier: _carrier, acceptance: _acceptance, ...file }) => ({
    ...file,
    isProposed: file.documentId === invoice.documentId || sent.includes(file.documentId),
    refusedFor: WITH_OUR_COST.includes(file.documentType) ? 'not_for_customers' : null,
    // An invoice's paper is never made anew.
    state: null,
    sentAt: null,
  }))
}

function peopleOf({ invoiceEmail, contacts }: InvoiceFacts): EmailDraft['page']['people'] {
  const people = contacts.map(({ email, fullName: name }) => ({ email, name, role: 'contact' as const }))
  if (invoiceEmail === null) return people
  const known = people.find(({ email }) => sameAddress(email, invoiceEmail))
  return [
    { email: invoiceEmail, name: known?.name ?? null, role: 'invoiceAddress' },
    ...people.filter((one) => one !== known),
  ]
}

/** What the mail of an invoice would say now, and what its page works with. Errors as `previewEmail` names them. */
export async function previewInvoiceMail(ctx: Ctx, invoiceId: number, wish: Wish): Promise<EmailDraft> {
  const about = await chosen(ctx, invoiceId, wish.language)
  refuseOthers(wish, about)
  const { invoice, facts, language, type } = about
  const text = await textOf(ctx, about)
  const later = asShown(about)
  const data = invoiceMailData({ ...about, later })
  const said = mailText(text, data, language)
  const blocks = filledBlocks(text.blocks, data.values, said.leftOut, Object.keys(later))
  const shown = mailText({ subject: text.subject, blocks }, data, language)
  const documents = await attachables(ctx, invoice)
  const { email } = invoiceReceiver(facts)
  const named = { ...invoice, correction: facts.correction, buyer: invoice.billingCustomer }
  const title = fileNameOf(named, invoice.language as Language)
  const toCome = invoice.number !== null ? [] : (await goesAsXml(ctx, invoice)) ? [xmlNameOf(title), title] : [title]
  const paper = toCome.length === 0 ? null : { title: toCome.join(', ') }
  return {
    to: email === null ? [] : [email],
    cc: [],
    subject: filledSubject(text.subject, data.values),
    html: await sanitise(shown.html),
    attachments: [...toCome, ...documents.filter(({ isProposed }) => isProposed).map((file) => file.title)].map(
      (one) => ({ title: one }),
    ),
    page: {
      type,
      variant: VARIANT,
      name: null,
      language,
      routeId: null,
      locationId: null,
      customerId: null,
      record: { id: invoice.id, title: invoice.number ?? invoice.innerNumber, version: invoice.version },
      departmentId: facts.departmentId,
      isWanted: facts.wantsMail,
      customers: invoice.billingCustomer === null ? [] : [invoice.billingCustomer],
      routes: [],
      variants: [VARIANT],
      names: [],
      people: peopleOf(facts),
      withoutAddress: null,
      blocks,
      parts: await partsOf(blocks, data, about),
      holes: said.holes,
      values: knownValues(data, { type, variant: VARIANT }),
      documents,
      paper,
      makeable: [],
      sender: facts.us.title,
      replyTo: replyToOf(text.replyTo, facts),
      seen: seenOf(data, language),
    },
  }
}

// From the private use area: nobody types them, and no name of a company holds them.
const MARKS = { 'invoice.number': '\uE000n\uE001', 'invoice.date': '\uE000d\uE001', 'invoice.dueDate': '\uE000u\uE001' }

/** What comes in the place of the marks that `readyMail` leaves, in each language. */
export const wordsForMarks =
  (invoice: Parameters<typeof givenValues>[0]) =>
  (language: Language): (readonly [mark: string, words: string])[] => {
    const values = givenValues(invoice, language)
    return (Object.keys(MARKS) as (keyof typeof MARKS)[]).map((key) => [MARKS[key], values[key]])
  }

/** A subject was written before there was a number: the words that stand for it are written over. */
const withValues = (subject: string, values: LaterValues, language: Language): string =>
  (Object.keys(LATER_WORDS) as (keyof typeof LATER_WORDS)[]).reduce(
    (text, key) => text.replaceAll(LATER_WORDS[key][language], () => values[key] ?? ''),
    subject,
  )

/** A mail ready for the outbox, with marks in the place of a number to come. Errors as `writeEmail` names them. */
async function readyMail(ctx: Ctx, about: Chosen, mail: Omit<InvoiceMail, 'language'>) {
  const { invoice, facts, language, type } = about
  const proposed = invoiceReceiver(facts).email
  const to = mail.to ?? (proposed === null ? [] : [proposed])
  if (to.length === 0) throw fieldError('to', 'recipient_missing')
  const text = await textOf(ctx, about)
  const blocks =
    mail.blocks === null
      ? text.blocks
      : parseInput(templateWriteFor({ type, variant: VARIANT }), {
          subject: [{ type: 'text', text: mail.subject ?? '-' }],
          blocks: mail.blocks,
        }).blocks
  await refuseIbans(ctx, [
    { path: 'subject', text: mail.subject ?? '' },
    ...(mail.blocks === null ? [] : wordsOfBlocks(blocks, 'blocks')),
  ])
  const later = laterValues(invoice, (key) => MARKS[key])
  const data = invoiceMailData({ ...about, later })
  const inWords = invoice.number === null ? later : givenValues(invoice, language)
  const subject =
    mail.subject === null
      ? text.subject
      : [{ type: 'text' as const, text: withValues(mail.subject, inWords, language) }]
  const said = mailText({ subject, blocks }, data, language)
  refuseHoles(mail.subject ?? '', said.holes)
  const shown = invoiceMailData({ ...about, later: asShown(about) })
  if (mail.seen !== null && mail.seen !== seenOf(shown, language)) throw fieldError('seen', 'seen_before_change')
  chosenFiles(mail.documentIds, await attachables(ctx, invoice))
  return {
    owner: { kind: 'invoice' as const, id: invoice.id },
    type,
    variant: VARIANT,
    to,
    cc: mail.cc,
    subject: said.subject,
    html: said.html,
    frame: { language, sender: facts.us.title, footer: footerLines(facts) },
    replyTo: replyToOf(text.replyTo, facts),
    hasLogo: said.html.includes(LOGO_SOURCE),
  }
}

/**
 * Queues a further mail of an invoice that was sent; gives its id. Errors as `writeEmail` names them, `conflict` for
 * one without a number, `paper_missing`.
 */
export async function writeInvoiceMail(ctx: Ctx, invoiceId: number, mail: Written): Promise<number> {
  if (mail.to.length === 0) throw fieldError('to', 'recipient_missing')
  const about = await chosen(ctx, invoiceId, mail.language)
  refuseOthers(mail, about)
  const { number, paper } = about.invoice
  if (number === null) throw new AppError('conflict')
  if (paper !== 'made') throw new AppError('paper_missing')
  const ready = { ...(await readyMail(ctx, about, mail)), documentIds: mail.documentIds }
  await refuseTwin(ctx, ready)
  return queueMail(ctx, ready)
}

/**
 * The mail with which an invoice is sent: it waits for the PDF, and for its number. `isByRun`: nobody looked at it, so
 * a customer that wants no mails with invoices gets none; it is kept where there is an address.
 */
export async function queueSending(
  ctx: Ctx,
  invoiceId: number,
  { mail, isByRun }: { mail: InvoiceMail; isByRun: boolean },
): Promise<void> {
  const about = await chosen(ctx, invoiceId, mail.language)
  const isUnwanted = isByRun && !about.facts.wantsMail
  if (isUnwanted && invoiceReceiver(about.facts).email === null) return
  const ready = await readyMail(ctx, about, mail)
  await queueMail(ctx, { ...ready, documentIds: 'later', filesBehind: mail.documentIds, isUnwanted })
}
