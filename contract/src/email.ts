import { z } from 'zod'
import { endpoint } from './kit/endpoint.ts'
import { email as emailAddress, id, idText, reference } from './kit/fields.ts'
import { listBase, pageOf } from './kit/paging.ts'

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
 * Mails about a person's own access: no order is concerned, no department writes their text. Their link is never
 * shown.
 */
export const ACCOUNT_EMAIL_TYPES = ['invitation', 'password_recovery', 'address_changed'] as const
/** Those that hold a link into the account. */
export type AccountLinkType = Exclude<(typeof ACCOUNT_EMAIL_TYPES)[number], 'address_changed'>

/**
 * `planned`: it waits for its document. `waiting`: no mail server is configured; it goes out once there is one.
 * `sent`: the SMTP server accepted it (domain, Emails).
 */
export const EMAIL_STATUSES = ['planned', 'queued', 'waiting', 'sent', 'failed'] as const

/**
 * A mail in the outbox, with its tries. `html` is the body as it was written; the frame around it is added at
 * delivery.
 */
export const Email = z.object({
  id,
  type: z.enum([...EMAIL_TYPES, ...ACCOUNT_EMAIL_TYPES]),
  status: z.enum(EMAIL_STATUSES),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  subject: z.string(),
  html: z.string(),
  attachments: z.array(z.object({ documentId: id, title: z.string(), sizeBytes: z.number().int() })),
  owner: z.object({ kind: z.enum(['order', 'invoice', 'user']), id }),
  tries: z.number().int(),
  /** each try, the newest first */
  attempts: z.array(z.object({ at: z.string(), isSent: z.boolean(), response: z.string().nullable() })),
  lastError: z.string().nullable(),
  createdAt: z.string(),
  /** it leaves no earlier than this: the pause after a failed try, or a planned time */
  notBefore: z.string(),
  sentAt: z.string().nullable(),
  createdBy: reference.nullable(),
})
export type Email = z.output<typeof Email>

/** Rights: those of the record the mail belongs to. */
export const listEmails = endpoint({
  method: 'GET',
  path: '/emails',
  access: 'signedIn',
  summary: 'Mails of one record (an order, an invoice or a user is named), newest first',
  query: z.strictObject({
    page: listBase.page,
    cursor: listBase.cursor,
    perPage: listBase.perPage,
    orderId: idText.optional(),
    invoiceId: idText.optional(),
    userId: idText.optional(),
  }),
  reply: pageOf(Email),
})

/** What the preview page holds and sends (api, Resources): nothing is added behind it. */
export const EmailDraft = z.object({
  to: z.array(z.string()),
  cc: z.array(z.string()),
  subject: z.string(),
  html: z.string(),
  attachments: z.array(z.object({ title: z.string() })),
})
export type EmailDraft = z.output<typeof EmailDraft>

export const previewEmail = endpoint({
  method: 'POST',
  path: '/emails/preview',
  access: 'signedIn',
  summary: 'What a mail of this type would say',
  body: z.strictObject({ type: z.enum(['invoice', 'invoice_correction']), invoiceId: id }),
  reply: EmailDraft,
})

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
