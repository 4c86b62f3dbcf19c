import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { id, idText, reference, text } from '../kit/fields.ts'
import { listBase, pageOf, queryBoolean, queryEnum, queryIds } from '../kit/paging.ts'
import { ORDER_ACCESS } from '../permissions.ts'
import { MOST_MAIL_SIGNS } from './limits.ts'
import { READING_KINDS } from './reading.ts'

/** How a mail came in. */
export const INTAKE_SOURCES = ['paste', 'file', 'mailbox'] as const
export type IntakeSource = (typeof INTAKE_SOURCES)[number]

/** `drafted`: somebody has it in hand; `saved`: it has its orders. */
export const INTAKE_STATES = ['new', 'drafted', 'saved', 'not_order'] as const
export type IntakeState = (typeof INTAKE_STATES)[number]

/** What still has to be done. */
const OPEN_INTAKE_STATES = ['new', 'drafted'] as const satisfies readonly IntakeState[]
export const isOpenMail = (state: IntakeState): boolean => (OPEN_INTAKE_STATES as readonly string[]).includes(state)

const count = z.number().int()

/** What was read, as the list shows it. */
const Summary = z.object({
  from: z.object({ countryCode: z.string().nullable(), city: z.string().nullable() }).nullable(),
  to: z.object({ countryCode: z.string().nullable(), city: z.string().nullable() }).nullable(),
  /** further orders of the mail */
  moreCount: count,
  /** local, at the first pick-up */
  loadingDate: z.string().nullable(),
  loadingTime: z.string().nullable(),
  sureCount: count,
  checkCount: count,
  missingCount: count,
  /** orders that a change is about, as the mail names them */
  references: z.array(z.string()),
})
export type IntakeSummary = z.output<typeof Summary>

const IntakeRow = z.object({
  id,
  version: count,
  state: z.enum(INTAKE_STATES),
  source: z.enum(INTAKE_SOURCES),
  /** when it was sent, else when it came in */
  receivedAt: z.string(),
  fromName: z.string().nullable(),
  fromAddress: z.string().nullable(),
  subject: z.string().nullable(),
  kind: z.enum(READING_KINDS),
  summary: Summary,
  /** whose mail it is, where that is known */
  customer: reference.nullable(),
  fileName: z.string().nullable(),
  /** why it is no order */
  reason: z.string().nullable(),
  assignedTo: reference.nullable(),
  broughtInBy: reference.nullable(),
  /** what it became, as far as the caller may know of it; `attachment` where the order stands in one of its own */
  orders: z.array(reference.extend({ attachment: z.object({ place: count, name: z.string() }).nullable().optional() })),
  /** the quotes that were made of it, as far as the caller may know of them */
  quotes: z.array(reference),
})
export type IntakeRow = z.output<typeof IntakeRow>

const IntakeMail = IntakeRow.extend({
  /** as it is shown and read; the texts of attachments stand behind that of the mail */
  text: z.string(),
  /** its file has more text than is kept and read */
  isCut: z.boolean(),
  /** where the texts of attachments begin, in UTF-16 units */
  parts: z.array(z.object({ name: z.string(), from: count, to: count })),
  /** attachments of which nothing could be read */
  unread: z.array(z.string()),
  /** all attachments, in the order of the file; those with a text in the order of `parts` */
  attachments: z.array(z.object({ name: z.string(), isRead: z.boolean() })),
  /** it is closed, and something in it became no order */
  mayReopen: z.boolean(),
  /** the newest mail before it with the same words, as far as the caller may know of it */
  sameText: z.object({ id, receivedAt: z.string(), orders: z.array(reference) }).nullable(),
})
export type IntakeMail = z.output<typeof IntakeMail>

const byId = z.strictObject({ id: idText })
const { state: _state, ...pages } = listBase

export const listIntakeMails = endpoint({
  method: 'GET',
  path: '/intake-mails',
  access: ORDER_ACCESS,
  summary: 'Mails with orders, the newest first unless asked otherwise',
  query: z.strictObject({
    ...pages,
    status: queryEnum(INTAKE_STATES).optional(),
    assignedToId: queryIds.optional(),
    /** assigned to the caller */
    mine: queryBoolean.optional(),
    /** still to be done by the caller: in hand, or new and nobody else's */
    waitsForMe: queryBoolean.optional(),
    sort: z.enum(['receivedAt', '-receivedAt']).default('-receivedAt'),
    orderId: queryIds.optional(),
    quoteId: queryIds.optional(),
  }),
  reply: pageOf(IntakeRow),
})

/** Why the mailbox cannot be read: no connection, a login that is refused, a folder that is not there. */
export const MAILBOX_FAULTS = ['unreachable', 'login', 'folder'] as const
export type MailboxFault = (typeof MAILBOX_FAULTS)[number]

/** The mailbox that mails are fetched from, and whether that goes well. */
const Mailbox = z.object({
  /** its address */
  name: z.string(),
  /** when it was read last; null: not yet */
  readAt: z.string().nullable(),
  fault: z.enum(MAILBOX_FAULTS).nullable(),
  faultSince: z.string().nullable(),
  /** how many mails lay in the folder of those that could not be taken in, at the last visit, and its name */
  refusedCount: count,
  refusedFolder: z.string(),
})
export type IntakeMailbox = z.output<typeof Mailbox>

/**
 * How many mails each state holds of those that the caller may know of; no count goes beyond 10,000. Beside them the
 * mailbox; null where none is set.
 */
export const countIntakeMails = endpoint({
  method: 'GET',
  path: '/intake-mails/counts',
  access: ORDER_ACCESS,
  summary: 'Mails with orders by state',
  reply: z.object({ byState: z.record(z.enum(INTAKE_STATES), count), mailbox: Mailbox.nullable() }),
})

export const getIntakeMail = endpoint({
  method: 'GET',
  path: '/intake-mails/:id',
  access: ORDER_ACCESS,
  summary: 'A mail with its text',
  params: byId,
  reply: IntakeMail,
})

/** What became of a mail that was brought in. `id` is null where it is there already and not the caller's to see. */
const BroughtIn = z.object({ id: id.nullable(), isNew: z.boolean() })
export type BroughtIn = z.output<typeof BroughtIn>

/**
 * Text from the clipboard. One that is there already is answered with the mail that it is of. Errors at `text`:
 * `mail_too_heavy`.
 */
export const pasteIntakeMail = endpoint({
  method: 'POST',
  path: '/intake-mails',
  access: ORDER_ACCESS,
  summary: 'Bring in a mail as text',
  body: z.strictObject({ text: text(MOST_MAIL_SIGNS) }),
  reply: BroughtIn,
  status: 201,
})

/**
 * A file: EML, MSG, PDF, TXT, HTML, XLSX, CSV, JPEG or PNG. What no text can be read in (a scan, a picture) comes in
 * with an empty text, for a person to look at the file. The same message comes in once. Errors:
 * `file_too_large`, `file_type_not_allowed`, `file_infected`, and at `file` `mail_unreadable`, `mail_too_heavy`,
 * `mail_empty`, `pdf_locked`, those of reading a table; `unavailable` where too many are read at
 * once.
 */
export const uploadIntakeMail = endpoint({
  method: 'POST',
  path: '/intake-mails/upload',
  access: ORDER_ACCESS,
  summary: 'Bring in a mail as a file (multipart: file)',
  reply: BroughtIn,
  shape: 'multipart',
  status: 201,
  location: null,
})

export const getIntakeFile = endpoint({
  method: 'GET',
  path: '/intake-mails/:id/file',
  access: ORDER_ACCESS,
  summary: 'The file as it came',
  params: byId,
  shape: 'file',
})

/** Errors: `not_found` where the file has no attachment at this place; those of bringing the file in. */
export const getIntakeAttachment = endpoint({
  method: 'GET',
  path: '/intake-mails/:id/attachments/:place',
  access: ORDER_ACCESS,
  summary: 'One attachment of a mail, by its place in the file',
  params: z.strictObject({
    id: idText,
    place: z
      .string()
      .regex(/^\d{1,2}$/)
      .transform(Number),
  }),
  shape: 'file',
})

const changed = { params: byId, reply: IntakeMail, needsVersion: true } as const

/** Errors: `conflict` at `assignedTo` with `mail_in_hand`, at `state` with `mail_settled`. */
export const takeIntakeMail = endpoint({
  method: 'POST',
  path: '/intake-mails/:id/take',
  access: ORDER_ACCESS,
  summary: 'Take a mail in hand',
  ...changed,
})

/** Whom it waits for; null gives it back to everybody. Errors: `unknown_reference` at `userId`, `mail_settled`. */
export const assignIntakeMail = endpoint({
  method: 'POST',
  path: '/intake-mails/:id/assign',
  access: ORDER_ACCESS,
  summary: 'Say who works on a mail',
  body: z.strictObject({ userId: id.nullable() }),
  ...changed,
})

/**
 * Nothing more is to be done with it. A mail that has become orders is saved by it. Errors: `mail_settled`,
 * `mail_in_hand`.
 */
export const closeIntakeMail = endpoint({
  method: 'POST',
  path: '/intake-mails/:id/close',
  access: ORDER_ACCESS,
  summary: 'Say that a mail is not an order, or holds no further one',
  body: z.strictObject({ reason: text(500).nullable().default(null) }),
  ...changed,
})

/**
 * Reads the text anew: our records, or what was learned of the sender, say more by now. Errors: `mail_settled`,
 * `mail_in_hand`.
 */
export const readIntakeMail = endpoint({
  method: 'POST',
  path: '/intake-mails/:id/read',
  access: ORDER_ACCESS,
  summary: 'Read a mail again',
  ...changed,
})

/**
 * The mail is about an order and becomes none: a change that was made there, or the same order again. Of a mail with
 * several orders `position` says which one is filed, the others stay open; one that changes several orders stays open
 * until it is with each of them. Errors: `unknown_reference` at `orderId`, `required` or `invalid_value` at
 * `position`; `conflict` with `mail_settled`, `mail_in_hand`, at `position` with `draft_saved`, at `orderId` with
 * `mail_filed`.
 */
export const fileIntakeMail = endpoint({
  method: 'POST',
  path: '/intake-mails/:id/file-with',
  access: ORDER_ACCESS,
  summary: 'File a mail with an order',
  body: z.strictObject({ orderId: id, position: z.number().int().min(0).nullable().default(null) }),
  ...changed,
})

/**
 * A mail that was closed, or filed with the wrong order: what was filed is with no order any more. Error:
 * `mail_settled` of a mail that is open, or whose orders are all saved.
 */
export const reopenIntakeMail = endpoint({
  method: 'POST',
  path: '/intake-mails/:id/reopen',
  access: ORDER_ACCESS,
  summary: 'Open a mail again that was closed or filed',
  ...changed,
})
