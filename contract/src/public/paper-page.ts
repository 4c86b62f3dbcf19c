import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { centsText, id, idText, language, localDate } from '../kit/fields.ts'
import { RENEWED_PAPERS } from '../kit/expiry.ts'
import { can } from '../permissions.ts'

/** As long as a link takes a new paper, counted from the mail that brought it last. */
export const PAPER_LINK_DAYS = 30

/** Files that wait for us to look at them, through one link. */
export const MOST_PAPERS_WAITING = 5

const CHECKS = ['toCheck', 'accepted', 'refused'] as const

/** What the carrier may know: of which paper a new one is wanted, and what became of those that it has sent. */
export const PaperPage = z.object({
  /** of the carrier */
  language,
  carrier: z.string(),
  /** ours; `logo` is a PNG picture, base64 */
  company: z.object({
    title: z.string(),
    phone: z.string().nullable(),
    email: z.string().nullable(),
    logo: z.string().nullable(),
  }),
  contact: z.object({ name: z.string().nullable(), phone: z.string().nullable() }),
  documentType: z.enum(RENEWED_PAPERS),
  /** the last day of the one that counts now; null: there is none any more */
  endsOn: z.string().nullable(),
  /** what has come since this link was made, the newest first */
  files: z.array(
    z.object({
      id,
      title: z.string(),
      sizeBytes: z.number().int(),
      createdAt: z.string(),
      expiredAt: z.string().nullable(),
      acceptance: z.enum(CHECKS),
      refusalReason: z.string().nullable(),
    }),
  ),
})
export type PaperPage = z.output<typeof PaperPage>

// Any text is one answer: what cannot be a token is told apart by nothing.
const byToken = z.strictObject({ token: z.string().max(500) })

/**
 * What the page of a link for a new paper shows. Changes nothing. Unknown, changed and expired links, those that a
 * newer one replaced, and those of another installation are one `not_found`.
 */
export const getPaperPage = endpoint({
  method: 'GET',
  path: '/new-papers/:token',
  access: 'public',
  summary: 'What the link for a carrier’s new paper shows',
  params: byToken,
  reply: PaperPage,
})

/**
 * Hands in a new paper; it counts once somebody of us has accepted it. The same file again while it waits is the same
 * paper. Errors: `file_too_large`, `file_type_not_allowed`, `file_infected`; at `file` why a picture or PDF is not
 * taken, `too_many` beyond MOST_PAPERS_WAITING; `in_the_past` at `expiredAt`; `required` and `invalid_value` at
 * `insuredCents`, which insurances have and nothing else.
 */
export const sendPaper = endpoint({
  method: 'POST',
  path: '/new-papers/:token',
  access: 'public',
  summary: 'Hand in a carrier’s new paper (multipart: file, expiredAt, insuredCents of an insurance)',
  params: byToken,
  body: z.strictObject({ expiredAt: localDate, insuredCents: centsText.optional() }),
  reply: PaperPage,
  status: 201,
  shape: 'multipart',
  location: null,
})

/**
 * Asks a carrier for a new one of a paper, by a mail with a link of its own; a link that was sent for it before stops
 * working. Errors: `not_found`; `conflict` where none is on file that ends, or a new one waits to be looked at;
 * `recipient_missing` where the carrier has no address.
 */
export const askForPaper = endpoint({
  method: 'POST',
  path: '/carrier-companies/:id/paper-requests',
  access: can('CARRIER_MANAGEMENT'),
  summary: 'Ask a carrier by mail for a new licence or insurance',
  params: z.strictObject({ id: idText }),
  body: z.strictObject({ documentType: z.enum(RENEWED_PAPERS) }),
  reply: z.object({ to: z.string(), askedAt: z.string() }),
  status: 201,
  location: null,
})
