import { z } from 'zod'
import { Email, EMAIL_TYPES } from '../email.ts'
import { coded, email as emailAddress, id, language, line, reference, text } from '../kit/fields.ts'
import { endpoint } from '../kit/endpoint.ts'
import type { Language } from '../errors.ts'
import { MailBlock, MailBlocks } from '../mail-blocks.ts'
import type { VariableKey } from './variables.ts'

/** Most mail servers take 25 MB with the third that base64 adds. */
export const MAX_ATTACHED_BYTES = 18 * 1024 * 1024
export const MAX_ATTACHED_MB = 18

/** In a subject, in the place of a value that is not there: a mail with it is not sent. */
export const SUBJECT_HOLE = '[…]'

/** What somebody is to the record, whose address is proposed. */
export const MAIL_ROLES = [
  'contactPerson',
  'coCustomer',
  'contact',
  'disponent',
  'carrierContact',
  'driver',
  'invoiceAddress',
] as const

/**
 * What an invoice is given only as it is sent, by variable; these words stand in their place until then. In a subject
 * they are written over at sending.
 */
export const LATER_WORDS = {
  'invoice.number': { en: '[number]', de: '[Nummer]', pl: '[numer]' },
  'invoice.date': { en: '[date]', de: '[Datum]', pl: '[data]' },
  'invoice.dueDate': { en: '[due date]', de: '[Fälligkeit]', pl: '[termin]' },
} as const satisfies Partial<Record<VariableKey, Record<Language, string>>>
export type LaterKey = keyof typeof LATER_WORDS

/** Why a file of the record cannot go with this mail. */
const NOT_ATTACHED = ['not_for_customers', 'pod_not_accepted'] as const

/** Which mail is meant. What is null is chosen: the usual text, the only route, the first customer, their language. */
const wanted = {
  type: z.enum(EMAIL_TYPES),
  variant: z.string().min(1).max(60).nullable().default(null),
  /** of a text that the department has added, in place of `variant` */
  name: text(80).nullable().default(null),
  routeId: id.nullable().default(null),
  /** the drop-off that a mail before the arrival speaks of */
  locationId: id.nullable().default(null),
  customerId: id.nullable().default(null),
  language: language.nullable().default(null),
}

const ownerIds = { orderId: id.optional(), invoiceId: id.optional() }
const hasOneOwner = ({ orderId, invoiceId }: { orderId?: number | undefined; invoiceId?: number | undefined }) =>
  (orderId === undefined) !== (invoiceId === undefined)

const Person = z.object({
  email: z.string(),
  name: z.string().nullable(),
  role: z.enum(MAIL_ROLES),
})

const Attachable = z.object({
  documentId: id,
  documentType: z.string(),
  title: z.string(),
  sizeBytes: z.number().int(),
  /** it belongs to this kind of mail */
  isProposed: z.boolean(),
  /** null: it can go with it */
  refusedFor: z.enum(NOT_ATTACHED).nullable(),
  /** of a paper that was made of the order: whether the order says something else by now */
  state: z.enum(['current', 'outdated', 'replaced']).nullable(),
  /** when a mail with it left last */
  sentAt: z.string().nullable(),
})

/** A paper that the order does not have yet, or only as the order was before. */
const Makeable = z.object({
  documentType: z.enum([
    'CMR_NOTE',
    'ORDER_RESOLVED_DOCUMENT',
    'ORDER_ARRIVAL_CERTIFICATE',
    'ORDER_EXPORT_CERTIFICATE',
  ]),
  routeId: id.nullable(),
  /** what is sent to `generateOrderPaper`; left out, its type and route are all that it needs */
  wish: z.record(z.string(), z.unknown()).optional(),
  /** why it cannot be made from here: the order's window for documents asks what is missing */
  hindrance: z.string().optional(),
})

/** What the page of a mail by hand works with. */
const MailPage = z.object({
  ...z.object(wanted).shape,
  language,
  /** the order or invoice, by its number */
  record: z.object({ id, title: z.string(), version: z.number().int() }),
  /** whose texts and snippets are taken; null: an invoice without an order */
  departmentId: id.nullable(),
  /** false: the customer has switched mails of this type off; sent by hand, it goes all the same */
  isWanted: z.boolean(),
  customers: z.array(z.object({ id, title: z.string() })),
  routes: z.array(z.object({ id, title: z.string(), carrier: z.string().nullable() })),
  variants: z.array(z.string()),
  names: z.array(z.string()),
  /** whose address may be wanted, those that the mail goes to first */
  people: z.array(Person),
  /** the contact person of its customer whom the mail is for, where that person has no address */
  withoutAddress: reference.nullable(),
  /** the body: running text with its values written out, and the parts that the record gives */
  blocks: z.array(MailBlock),
  /** how the parts look that the record gives, by the id of their block */
  parts: z.record(z.string(), z.string()),
  /** variables that have no value here and no other words: they stand in the text, and `SUBJECT_HOLE` in a subject */
  holes: z.array(z.string()),
  /** the value of each variable that the text may hold */
  values: z.record(z.string(), z.string()),
  documents: z.array(Attachable),
  /** of an invoice that is not sent yet: its PDF, made and attached as the mail leaves (`invoices/{id}/send`) */
  paper: z.object({ title: z.string() }).nullable(),
  /** papers that the order does not have yet and can be made */
  makeable: z.array(Makeable),
  sender: z.string(),
  replyTo: z.string().nullable(),
  /** sent along with the mail: it is refused where the record says something else by then */
  seen: z.string(),
})
export type MailPage = z.output<typeof MailPage>

/** What a mail would say now (api, Resources): nothing is added behind it. */
export const EmailDraft = z.object({
  to: z.array(z.string()),
  cc: z.array(z.string()),
  subject: z.string(),
  html: z.string(),
  attachments: z.array(z.object({ title: z.string() })),
  page: MailPage,
})
export type EmailDraft = z.output<typeof EmailDraft>

/**
 * Nothing is stored. Errors: at `type` why this mail cannot be written (`route_missing`, `carrier_missing`,
 * `mail_of_invoice` …), `unknown_reference` for a route, stop or customer of another order, `required` at `routeId`
 * where there are several.
 */
export const previewEmail = endpoint({
  method: 'POST',
  path: '/emails/preview',
  access: 'signedIn',
  summary: 'What a mail of this type would say, to whom, and with which files',
  body: z.strictObject({ ...wanted, ...ownerIds }).refine(hasOneOwner, { ...coded('required'), path: ['orderId'] }),
  reply: EmailDraft,
})

/**
 * Fixed at this moment and queued. Beside the errors of the preview: `recipient_missing`, `value_missing` where a
 * value has a hole, `unknown_reference` for a file of another record, `not_for_customers`, `attachments_too_big`,
 * `seen_before_change`. Of an invoice that is not sent yet `conflict`: its mail leaves by `invoices/{id}/send`; of one
 * without its PDF `paper_missing`.
 */
export const writeEmail = endpoint({
  method: 'POST',
  path: '/emails',
  access: 'signedIn',
  summary: 'Send a mail that was written by hand',
  body: z
    .strictObject({
      ...wanted,
      ...ownerIds,
      to: z.array(emailAddress).max(20),
      cc: z.array(emailAddress).max(20).default([]),
      subject: line(),
      blocks: MailBlocks.min(1),
      documentIds: z.array(id).max(40).default([]),
      /** as the preview gave it; left out, whatever the record says now is sent */
      seen: z.string().max(80).nullable().default(null),
    })
    .refine(hasOneOwner, { ...coded('required'), path: ['orderId'] }),
  reply: Email,
  status: 201,
  location: null,
})
