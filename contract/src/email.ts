import { z } from 'zod'
import { endpoint } from './kit/endpoint.ts'
import { email as emailAddress, id, idText, reference } from './kit/fields.ts'
import {
  isNumberBeginning,
  listBase,
  MOST_IDS,
  pageOf,
  queryBoolean,
  queryEnum,
  queryIds,
  queryRange,
} from './kit/paging.ts'
import { can, ORDER_ACCESS } from './permissions.ts'

/** Spec §9. */
export const EMAIL_TYPES = [
  'order_created',
  'order_resolved',
  'driver_information',
  'loading_confirmation',
  'unloading_confirmation',
  'before_arriving',
  'pods',
  'invoice',
  'invoice_correction',
  'arrival_certificate',
  'export_certificate',
  'other_emails',
] as const
export type EmailType = (typeof EMAIL_TYPES)[number]

/**
 * Mails to one person of ours, about their access or what they look after: no order is concerned, no department writes
 * their text. A link into an account is never shown.
 */
export const ACCOUNT_EMAIL_TYPES = [
  'invitation',
  'password_recovery',
  'address_changed',
  'passkey_changed',
  'webhook_paused',
] as const
/** Those that hold a link into the account. */
export type AccountLinkType = Extract<(typeof ACCOUNT_EMAIL_TYPES)[number], 'invitation' | 'password_recovery'>

/**
 * `planned`: it waits for its time or its document. `waiting`: no mail server is configured; it goes out once there
 * is one. `sent`: the SMTP server accepted it (domain, Emails). `held`: something is missing, and somebody must see to
 * it. `suppressed`: it does not go, and says why.
 */
export const EMAIL_STATUSES = ['planned', 'queued', 'waiting', 'sent', 'failed', 'held', 'suppressed'] as const
export type EmailStatus = (typeof EMAIL_STATUSES)[number]
/** The mail server has taken it. */
export const SENT_EMAIL = 'sent' as const satisfies EmailStatus
/** Its words are fixed: it is on its way, or beyond. */
export const WRITTEN_STATUSES: readonly EmailStatus[] = ['queued', 'waiting', 'sent', 'failed']

/** Nothing more comes of it by itself. */
export const ENDED_EMAIL_STATUSES: readonly EmailStatus[] = ['sent', 'failed', 'suppressed']

/** The mail server has taken it. */
export const isSent = ({ status }: { status: EmailStatus }): boolean => status === SENT_EMAIL
/** Nobody tries it any more: it may be sent again. */
export const isTried = ({ status }: { status: EmailStatus }): boolean => status === SENT_EMAIL || status === 'failed'
/** It may be sent again, or though its customer wants none of its kind: its words are fixed. */
export const isResendable = (mail: Pick<Email, 'status' | 'reason' | 'isWritten'>): boolean =>
  isTried(mail) || (mail.status === 'suppressed' && mail.reason === 'preference' && mail.isWritten)
/** It can still be taken back: no try has been made. */
export const isInHand = ({ status, tries }: { status: EmailStatus; tries: number }): boolean =>
  tries === 0 && ['planned', 'held', 'waiting', 'queued'].includes(status)

/** Its words are made when it leaves: until then it is shown as it would be now. */
export const hasNoWords = ({
  status,
  waitsFor,
  isWritten,
}: Pick<Email, 'status' | 'waitsFor' | 'isWritten'>): boolean =>
  !isWritten && (status === 'held' || status === 'suppressed' || (status === 'planned' && waitsFor === 'time'))

/** Why a mail does not go. */
export const SUPPRESSED_REASONS = [
  'preference',
  'noAddress',
  'typeOff',
  'overtaken',
  'notOnTheWay',
  'tooLate',
  'orderCanceled',
  'merged',
  'canceled',
] as const
export type SuppressedReason = (typeof SUPPRESSED_REASONS)[number]

/** Why a mail waits for somebody. */
export const HELD_REASONS = ['noAddress', 'valueMissing', 'notWritten'] as const
export type HeldReason = (typeof HELD_REASONS)[number]

/** Why a mail that a person has let go stays so: the order does not call for it any more. */
export const AGAINST_UNDO = ['orderCanceled', 'merged', 'replaced', 'tooLate', 'overtaken'] as const
export type AgainstUndo = (typeof AGAINST_UNDO)[number]

/** What a planned mail waits for. */
export const WAITS_FOR = ['time', 'document'] as const

/** Spec §9: a mail before the arrival leaves this long before it. */
export const BEFORE_ARRIVING_MINUTES = 30

/** The record that a mail belongs to. */
const OWNER_KINDS = ['order', 'invoice', 'user', 'customer', 'carrierCompany', 'loadCarrierPlace', 'quote'] as const
const Owner = z.object({ kind: z.enum(OWNER_KINDS), id })
export type EmailOwner = z.output<typeof Owner>

/**
 * A mail in the outbox, with its tries. `html` is the body as it was written; the frame around it is added at
 * delivery.
 */
export const Email = z.object({
  id,
  type: z.enum([...EMAIL_TYPES, ...ACCOUNT_EMAIL_TYPES]),
  /** which of the type's texts; null where it has one, or none */
  variant: z.string().nullable(),
  status: z.enum(EMAIL_STATUSES),
  /** of a planned one */
  waitsFor: z.enum(WAITS_FOR).nullable(),
  /** of one that is held or suppressed */
  reason: z.enum([...SUPPRESSED_REASONS, ...HELD_REASONS]).nullable(),
  /** the variables without which a held one cannot go */
  missing: z.array(z.string()),
  /** by itself, not by hand */
  isAutomatic: z.boolean(),
  /** its words are fixed; else those are shown that it would have now */
  isWritten: z.boolean(),
  /** by its number */
  route: reference.nullable(),
  customer: reference.nullable(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  subject: z.string(),
  html: z.string(),
  /** `sha256` is of the bytes, in hexadecimal digits: what was sent can be told from what lies there */
  attachments: z.array(
    z.object({ documentId: id, title: z.string(), sizeBytes: z.number().int(), sha256: z.string() }),
  ),
  /** by its number or a person's name, and whose freight or invoice that is */
  owner: Owner.extend({ title: z.string(), customer: reference.nullable() }),
  tries: z.number().int(),
  /** each try, the newest first */
  attempts: z.array(z.object({ at: z.string(), isSent: z.boolean(), response: z.string().nullable() })),
  lastError: z.string().nullable(),
  createdAt: z.string(),
  /** it leaves no earlier than this: the pause after a failed try, or a planned time */
  notBefore: z.string(),
  sentAt: z.string().nullable(),
  /** of the whole mail as it left, with its files; null of one that has not left, or left before this was kept */
  mimeSizeBytes: z.number().int().nullable(),
  createdBy: reference.nullable(),
})
export type Email = z.output<typeof Email>

/** A line of a list. Only the mails of one record bring their words along; those of others are read one by one. */
export const EmailRow = Email.extend({ html: z.string().nullable() })
export type EmailRow = z.output<typeof EmailRow>

/** Who made a mail: by itself, or by hand. */
export const EMAIL_ORIGINS = ['automatic', 'byHand'] as const

const { state: _state, ...pagesAndSearch } = listBase

/**
 * Rights: those of the record the mail belongs to; one's own account's mails are always seen. `q` finds parts of the
 * receivers' addresses and of the number of the order or invoice.
 */
export const listEmails = endpoint({
  method: 'GET',
  path: '/emails',
  access: 'signedIn',
  summary: 'Mails, newest first (by number where its beginning is searched for): all one may see, or of one record',
  query: z.strictObject({
    ...pagesAndSearch,
    orderId: idText.optional(),
    invoiceId: idText.optional(),
    userId: idText.optional(),
    customerId: idText.optional(),
    carrierCompanyId: idText.optional(),
    loadCarrierPlaceId: idText.optional(),
    quoteId: idText.optional(),
    status: queryEnum(EMAIL_STATUSES).optional(),
    type: queryEnum([...EMAIL_TYPES, ...ACCOUNT_EMAIL_TYPES]).optional(),
    orderIds: queryIds.optional(),
    origin: queryEnum(EMAIL_ORIGINS).optional(),
    /** of orders among whose managers the caller is */
    mine: queryBoolean.optional(),
    createdAt: queryRange.optional(),
  }),
  reply: pageOf(EmailRow),
})

/**
 * What a page with the list of all mails needs to know of it: the newest first; where the beginning of a number is
 * searched for, the highest number first, as in the list of orders.
 */
export const emailApi = {
  path: 'emails',
  list: listEmails,
  sortOf: ({ q }: { q?: unknown }): string =>
    typeof q === 'string' && isNumberBeginning(q) ? '-number' : '-createdAt',
}

/** A mail with the link of an account is not sent again (`conflict`): a new one is asked for. */
export const resendEmail = endpoint({
  method: 'POST',
  path: '/emails/:id/resend',
  access: 'signedIn',
  summary: 'Send a mail again, to another address too',
  params: z.strictObject({ id: idText }),
  body: z.strictObject({ to: z.array(emailAddress).min(1).max(20).optional() }),
  reply: Email,
})

const Resent = z.object({
  id,
  /** the copy that goes out now; null where there is none */
  copyId: id.nullable(),
  /** why there is none */
  code: z.enum(['not_found', 'forbidden', 'conflict', 'validation']).nullable(),
})

/** Each by itself: what cannot be sent again is answered with the reason and hinders no other. */
export const resendEmails = endpoint({
  method: 'POST',
  path: '/emails/resend',
  access: 'signedIn',
  summary: 'Send several mails again, and say of each what became of it',
  body: z.strictObject({ ids: z.array(id).min(1).max(MOST_IDS) }),
  reply: z.object({ items: z.array(Resent) }),
})

const byId = z.strictObject({ id: idText })

/** Who has moved a planned arrival, when, from and to which instant. */
const PlanMove = z.object({
  at: z.string(),
  actor: reference.nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
})

/** What the page of one mail says beside it, of one that has no words yet. */
export const OpenedEmail = Email.extend({
  /** of one before an arrival: the stop by its place on the route, when it is reached by plan, and how that moved */
  arrival: z
    .object({
      place: z.number().int().positive(),
      city: z.string().nullable(),
      timeZone: z.string(),
      at: z.string(),
      /** the oldest first; null: not planned */
      moves: z.array(PlanMove),
    })
    .nullable(),
  /** of one without a receiver: the customer's contact person who has no address */
  withoutAddress: reference.nullable(),
  /**
   * of one that a person has let go: when it would leave if that were undone (null: at once, with the words that it
   * has), or why it cannot be
   */
  undo: z.object({ against: z.enum(AGAINST_UNDO).nullable(), leavesAt: z.string().nullable() }).nullable(),
})
export type OpenedEmail = z.output<typeof OpenedEmail>

/** One that has no words yet is answered with those that it would have now. */
export const getEmail = endpoint({
  method: 'GET',
  path: '/emails/:id',
  access: 'signedIn',
  summary: 'One mail of any state',
  params: byId,
  reply: OpenedEmail,
})

/** One that has no words yet is answered as it would be now. The link of an account's mail is never in it. */
export const renderEmail = endpoint({
  method: 'GET',
  path: '/emails/:id/rendered',
  access: 'signedIn',
  summary: 'The whole mail as mail programs show it, and as plain text',
  params: byId,
  reply: z.object({ html: z.string(), text: z.string() }),
})

/** Errors: `conflict` where it has left. */
export const cancelEmail = endpoint({
  method: 'POST',
  path: '/emails/:id/cancel',
  access: 'signedIn',
  summary: 'Take back a mail that has not left',
  params: byId,
  reply: Email,
})

/**
 * One that is written by itself is planned anew, its words are made when it leaves; one that a person wrote leaves with
 * its words. Errors: `conflict` where nobody has canceled it, `mail_not_wanted` where the order no longer calls for it.
 */
export const undoCancelEmail = endpoint({
  method: 'POST',
  path: '/emails/:id/undo-cancel',
  access: 'signedIn',
  summary: 'Take back that a mail was canceled',
  params: byId,
  reply: Email,
})

/**
 * Errors: `conflict` where it has left, `recipient_missing`, `value_missing`; `reminder_changed` of a reminder of which
 * nothing is due any more.
 */
export const sendEmailNow = endpoint({
  method: 'POST',
  path: '/emails/:id/send-now',
  access: 'signedIn',
  summary: 'Send a planned, held or suppressed mail at once',
  params: byId,
  body: z.strictObject({ to: z.array(emailAddress).min(1).max(20).optional() }),
  reply: Email,
})

/** The parts of a transport order, as far as a carrier must hear that one has changed. */
export const COPY_PARTS = ['driver', 'plate', 'vehicle', 'cost', 'stops', 'times', 'cargo', 'instructions'] as const
export type CopyPart = (typeof COPY_PARTS)[number]

/** What the carrier of a route was told last. */
const CarrierCopy = z.object({
  routeId: id,
  carrier: z.string(),
  toldAt: z.string(),
  /** empty: the carrier has the transport order as it is now */
  differs: z.array(z.enum(COPY_PARTS)),
  /** a mail with the change waits already */
  isPlanned: z.boolean(),
})
export type CarrierCopy = z.output<typeof CarrierCopy>

/** Routes whose carrier has been told, and still has them. */
export const listCarrierCopies = endpoint({
  method: 'GET',
  path: '/orders/:id/carrier-copies',
  access: ORDER_ACCESS,
  summary: 'Which carriers have an older version of their transport order, and what differs',
  params: byId,
  reply: z.object({ items: z.array(CarrierCopy) }),
})

/** Eight seconds later, so that it can be taken back. Errors: `conflict` where nothing differs. */
export const sendCarrierChange = endpoint({
  method: 'POST',
  path: '/routes/:id/send-change',
  access: ORDER_ACCESS,
  summary: 'Send the carrier of a route what has changed since it was told',
  params: byId,
  reply: Email,
})

/** Who deals with addresses of firms. */
const ADDRESS_ACCESS = can(
  'ORDERS_MANAGEMENT',
  'ASSIGNED_ORDERS',
  'INVOICES_PROCESSING',
  'CUSTOMER_MANAGEMENT',
  'CARRIER_MANAGEMENT',
)

/** An address that a mail server refused for good, until it takes a mail again. */
const EmailRefusal = z.object({
  /** in small letters */
  address: z.string(),
  at: z.string(),
  /** the server's own */
  words: z.string(),
})
export type EmailRefusal = z.output<typeof EmailRefusal>

/** Compared without regard to capitals. */
export const listEmailRefusals = endpoint({
  method: 'GET',
  path: '/email-refusals',
  access: ADDRESS_ACCESS,
  summary: 'Which of these addresses a mail server refused for good',
  query: z.strictObject({ address: z.array(z.string().max(320)).max(100) }),
  reply: z.object({ items: z.array(EmailRefusal) }),
})
