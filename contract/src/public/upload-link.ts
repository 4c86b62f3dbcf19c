import { z } from 'zod'
import { iban } from '../kit/bank/bank.ts'
import { endpoint } from '../kit/endpoint.ts'
import {
  countryCode,
  id,
  idText,
  language,
  line,
  localDate,
  optionalText,
  positiveCents,
  vatBp,
} from '../kit/fields.ts'
import { vatOf } from '../kit/money.ts'
import { ORDER_ACCESS } from '../permissions.ts'
import { UploadRead } from './upload-read.ts'

/** Files of one link, drafts and sent ones together (decision 071). */
export const MOST_UPLOADS = 20

/** Calls that one link takes in a minute, and wrong links that one address may try in a minute. */
export const UPLOAD_TRIES_A_MINUTE = 30

/** What a carrier hands in through its link. */
export const UPLOAD_KINDS = ['pod', 'invoice'] as const
export type UploadKind = (typeof UPLOAD_KINDS)[number]

/** `open`: takes files and an invoice; `approved` and `paid` take nothing more, and say how it stands. */
export const UPLOAD_STATES = ['open', 'approved', 'paid'] as const
export type UploadState = (typeof UPLOAD_STATES)[number]

const POD_CHECKS = ['toCheck', 'accepted', 'refused'] as const

const UploadedFile = z.object({
  id,
  kind: z.enum(UPLOAD_KINDS),
  title: z.string(),
  sizeBytes: z.number().int(),
  /** uploaded, not sent yet: can still be taken away, and goes by itself after a week */
  isDraft: z.boolean(),
  createdAt: z.string(),
  submittedAt: z.string().nullable(),
  /** of a proof of delivery that was sent: whether it counts; null of others, and where it was taken away since */
  acceptance: z.enum(POD_CHECKS).nullable(),
  refusalReason: z.string().nullable(),
})

/** What the carrier may know of its transport, and no more (decision 071). */
export const UploadPage = z.object({
  state: z.enum(UPLOAD_STATES),
  /** of the carrier */
  language,
  carrier: z.string(),
  /** ours; `logo` is a PNG picture, base64 */
  company: z.object({
    title: z.string(),
    address: z.string().nullable(),
    postal: z.string().nullable(),
    city: z.string().nullable(),
    countryCode,
    phone: z.string().nullable(),
    email: z.string().nullable(),
    vatNumber: z.string().nullable(),
    logo: z.string().nullable(),
  }),
  /** who answers questions; the department's phone where the person has none */
  contact: z.object({ name: z.string().nullable(), phone: z.string().nullable() }),
  /** null where the department does not say for whom it drives */
  customer: z.string().nullable(),
  route: z.object({
    number: z.string(),
    plateNumber: z.string().nullable(),
    /** `day` by the stop's own clock: reached, else planned */
    stops: z.array(
      z.object({
        kind: z.enum(['loading', 'unloading', 'customs', 'other']),
        countryCode,
        city: z.string().nullable(),
        day: z.string().nullable(),
        isDone: z.boolean(),
      }),
    ),
  }),
  /** what the carrier can still invoice for this route; null where no cost is agreed yet */
  agreed: z
    .object({
      freightCents: z.number().int(),
      /** approved extras that we pay this carrier, as they were entered; the kinds are those of `order/extra` */
      extras: z.array(z.object({ kind: z.string(), netCents: z.number().int() })),
      /** what it has invoiced for this route before, without the invoice of this link */
      invoicedCents: z.number().int(),
      /** freight and extras less what was invoiced before */
      netCents: z.number().int(),
      vatBp: z.number().int(),
      vatCents: z.number().int(),
      totalCents: z.number().int(),
    })
    .nullable(),
  /** days after invoice and proof of delivery have arrived */
  paymentPeriodDays: z.number().int(),
  /** what the VAT of a carrier of this country is expected to be */
  expectedVatBp: z.number().int(),
  /** what is still missing */
  needs: z.array(z.enum(UPLOAD_KINDS)),
  /** the last four characters of the accounts that we know */
  knownAccounts: z.array(z.string()),
  files: z.array(UploadedFile),
  /** the invoice that came through this link; null: none yet */
  invoice: z
    .object({
      number: z.string(),
      documentCreationDate: z.string().nullable(),
      totalCents: z.number().int(),
      /** of the total */
      currency: z.string(),
      receivedAt: z.string(),
      dueDate: z.string().nullable(),
      /** the proof of delivery has not arrived, so that the days to the due date may begin later */
      isDueExpected: z.boolean(),
      isChecked: z.boolean(),
      /**
       * it was set aside; `kind` is what the carrier was written (those of `invoice/checking`), null where it was not,
       * or others have to answer
       */
      problem: z.object({ kind: z.string().nullable() }).nullable(),
      paidAt: z.string().nullable(),
      /** of one that no money was paid for: the carrier's credit notes, by their numbers; null of any other */
      setOffAgainst: z.array(z.string()).nullable(),
    })
    .nullable(),
})
export type UploadPage = z.output<typeof UploadPage>

/** What the carrier types of its invoice. `differenceReason`: why it is not what was agreed. */
export const UploadInvoice = z.strictObject({
  invoiceNumber: line(100),
  documentCreationDate: localDate,
  amountCents: positiveCents,
  vatBp,
  totalCents: positiveCents,
  iban,
  dueDate: localDate.nullable().default(null),
  differenceReason: optionalText(1000),
})
export type UploadInvoice = z.output<typeof UploadInvoice>

/** What is told and refuses nothing: page and server ask the same rule. */
export const UPLOAD_HINTS = ['amount_differs', 'total_does_not_fit', 'vat_unusual', 'iban_unknown'] as const
export type UploadHint = (typeof UPLOAD_HINTS)[number]

/** The VAT that a carrier charges us: at home the rate of the country, from abroad none, we declare it. */
export const expectedCarrierVatBp = <Rate extends number | null>(
  carrier: { countryCode: string | null; standardVatBp: Rate },
  companyCountryCode: string | null,
): Rate | 0 => (companyCountryCode === null || carrier.countryCode === companyCountryCode ? carrier.standardVatBp : 0)

/** What a carrier should look at before it sends its invoice. */
export function uploadHints(
  typed: Pick<UploadInvoice, 'amountCents' | 'vatBp' | 'totalCents' | 'iban'>,
  {
    agreed,
    expectedVatBp,
    knownAccounts,
  }: Pick<UploadPage, 'expectedVatBp' | 'knownAccounts'> & { agreed: { netCents: number } | null },
): UploadHint[] {
  const total = typed.amountCents + vatOf(typed.amountCents, typed.vatBp)
  return [
    ...(agreed !== null && agreed.netCents !== typed.amountCents ? (['amount_differs'] as const) : []),
    // Each rounds in its own way.
    ...(Math.abs(total - typed.totalCents) > 1 ? (['total_does_not_fit'] as const) : []),
    ...(typed.vatBp === expectedVatBp ? [] : (['vat_unusual'] as const)),
    ...(knownAccounts.includes(typed.iban.slice(-4)) ? [] : (['iban_unknown'] as const)),
  ]
}

// Any text is one answer: what cannot be a token is told apart by nothing.
const byToken = z.strictObject({ token: z.string().max(500) })

const Sent = z.object({ page: UploadPage, hints: z.array(z.enum(UPLOAD_HINTS)) })

/**
 * What the page of a carrier's link shows. Changes nothing: scanners of mails follow links. Unknown, changed, revoked
 * and expired links, and those of another installation, are one `not_found`.
 */
export const getUploadPage = endpoint({
  method: 'GET',
  path: '/upload-documents/:token',
  access: 'public',
  summary: 'What a carrier’s upload link shows',
  params: byToken,
  reply: UploadPage,
})

/** Told by the page itself, once a person has it open. */
export const openUploadPage = endpoint({
  method: 'POST',
  path: '/upload-documents/:token/opened',
  access: 'public',
  summary: 'Say that a person has opened a carrier’s upload link',
  params: byToken,
})

/**
 * Keeps a file as a draft. The same content again is the same file: a repeat after a lost connection doubles nothing.
 * `read` is what an electronic invoice says, told in this answer alone; null of other files.
 * Errors: `file_too_large`, `file_type_not_allowed`, `file_infected`, `conflict` with `upload_closed`; at `file` why a
 * picture or PDF is not taken, `upload_credit_note`, `too_many` beyond MOST_UPLOADS.
 */
export const uploadLinkFile = endpoint({
  method: 'POST',
  path: '/upload-documents/:token/files',
  access: 'public',
  summary: 'Upload a file through a carrier’s link (multipart: file, kind)',
  params: byToken,
  body: z.strictObject({ kind: z.enum(UPLOAD_KINDS) }),
  reply: UploadedFile.extend({ read: UploadRead.nullable() }),
  status: 201,
  shape: 'multipart',
  location: null,
})

/** Takes a draft away. Error: `not_found` for a file of another link, and for one that was sent. */
export const removeLinkFile = endpoint({
  method: 'DELETE',
  path: '/upload-documents/:token/files/:id',
  access: 'public',
  summary: 'Take back a file that was not sent yet',
  params: z.strictObject({ token: z.string().max(500), id: idText }),
})

/**
 * Sends the drafts and the invoice. One that came through this link before is corrected by it, as long as it is not
 * approved. Errors: `number_taken` at `invoiceNumber`, `invalid_iban`, `required` at `files` without a file of the
 * invoice, `reason_missing` at `differenceReason`; `conflict` with `upload_closed`.
 */
export const submitUpload = endpoint({
  method: 'POST',
  path: '/upload-documents/:token',
  access: 'public',
  summary: 'Send the invoice and all files of a carrier’s link',
  params: byToken,
  body: UploadInvoice,
  reply: Sent,
})

/** Sends the proofs of delivery alone. Error: `required` at `files` where there is none. */
export const submitProofs = endpoint({
  method: 'POST',
  path: '/upload-documents/:token/proofs',
  access: 'public',
  summary: 'Send the proofs of delivery of a carrier’s link, without an invoice',
  params: byToken,
  reply: Sent,
})

// ---------------------------------------------------------------- for staff

/** The link of a route's carrier as staff see it; times are null while it has not happened. */
export const RouteUploadLink = z.object({
  /** null: there is none, or the last one is over */
  link: z
    .object({
      id,
      url: z.string(),
      createdAt: z.string(),
      expiresAt: z.string(),
      /** with a mail to the carrier */
      sentAt: z.string().nullable(),
      openedFirstAt: z.string().nullable(),
      openedLastAt: z.string().nullable(),
      openedCount: z.number().int(),
      podArrivedAt: z.string().nullable(),
      invoiceArrivedAt: z.string().nullable(),
      state: z.enum(UPLOAD_STATES),
    })
    .nullable(),
  /** the carrier of the route; null: there is nobody to whom a link could go */
  carrier: z.string().nullable(),
})
export type RouteUploadLink = z.output<typeof RouteUploadLink>

const ofRoute = z.strictObject({ id: idText })

/** Rights of all three: those of the order. */
export const getRouteUploadLink = endpoint({
  method: 'GET',
  path: '/routes/:id/upload-link',
  access: ORDER_ACCESS,
  summary: 'The upload link of a route’s carrier, and what has come of it',
  params: ofRoute,
  reply: RouteUploadLink,
})

/**
 * Makes a link; the one before stops working. `linkId` is the one that the caller saw, null for none. The version is
 * the order's. Errors: `stale_version`, `conflict` where another link is there by now, `carrier_missing`.
 */
export const renewRouteUploadLink = endpoint({
  method: 'POST',
  path: '/routes/:id/upload-link',
  access: ORDER_ACCESS,
  summary: 'Make the upload link of a route’s carrier anew',
  params: ofRoute,
  body: z.strictObject({ linkId: id.nullable() }),
  reply: RouteUploadLink,
  needsVersion: true,
})

/** The link stops working at once. The version is the order's. Errors: `stale_version`, `not_found` without a link. */
export const revokeRouteUploadLink = endpoint({
  method: 'DELETE',
  path: '/routes/:id/upload-link',
  access: ORDER_ACCESS,
  summary: 'Revoke the upload link of a route’s carrier',
  params: ofRoute,
  needsVersion: true,
})
