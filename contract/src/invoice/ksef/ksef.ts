import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { coded, id, idText, localDate, reference, text } from '../../kit/fields.ts'
import { can } from '../../permissions.ts'
import { Invoice } from '../invoice.ts'
import { isKsefNumber } from './numbers.ts'
import { KSEF_MODES, KSEF_STATES } from '../../e-invoice/ksef-states.ts'

const INVOICE_ACCESS = can('INVOICES_PROCESSING')
const byId = z.strictObject({ id: idText })

const Rate = z.object({
  day: z.string(),
  tableNumber: z.string(),
  /** ten-thousandths of a złoty for one euro */
  rateE4: z.number().int(),
})

/** What is known of an invoice in KSeF. */
export const InvoiceKsef = z.object({
  mode: z.enum(KSEF_MODES.filter((mode) => mode !== 'off')),
  /** null: a draft, which is not there yet */
  state: z.enum(KSEF_STATES).nullable(),
  number: z.string().nullable(),
  /** when the number was typed or given, or it was decided to send without */
  decidedAt: z.string().nullable(),
  /** the confirmation of one that was accepted through the interface */
  upo: z.object({ documentId: id, title: z.string() }).nullable(),
  /** why it was sent without a number, or what KSeF says of one that it rejected */
  reason: z.string().nullable(),
  /** where KSeF shows the invoice, once its XML is made */
  url: z.string().nullable(),
  /** by which VAT is said in złoty, and what of it by each; of a draft those that it would take */
  rates: z.array(Rate.extend({ grosz: z.number().int() })),
  /** the first day of which a rate is needed and not known */
  rateMissing: z.string().nullable(),
  /** VAT in grosz; null where none is charged, or a rate is missing */
  vatGrosz: z.number().int().nullable(),
  /** why it could not be handed over, last; `no_certificate` where there is none */
  trouble: z.string().nullable(),
  /** of one that was given out while KSeF was away; `submitBy`: until when KSeF must have it */
  offline: z.object({ at: z.string(), submitBy: z.string(), isLate: z.boolean() }).nullable(),
  /** of one that waits while KSeF is away: whether it can be given out, or what is missing for that */
  canGoOffline: z.enum(['yes', 'no_certificate']).nullable(),
  /** of one that was rejected: the number that is kept for it */
  reservedNumber: z.string().nullable(),
  /** of a draft: the original without its number, or another correction of it, which KSeF has to decide first */
  waitsFor: reference.nullable(),
})
export type InvoiceKsef = z.output<typeof InvoiceKsef>

/**
 * The number that KSeF gave to an invoice whose file was handed over by hand. Its PDF is made with it, and the mail
 * goes. Errors: `conflict` where no number is waited for, `invalid_ksef_number`, `taken`.
 */
export const typeKsefNumber = endpoint({
  method: 'POST',
  path: '/invoices/:id/ksef/number',
  access: INVOICE_ACCESS,
  summary: 'Enter the KSeF number of an invoice that was handed over as a file',
  params: byId,
  body: z.strictObject({
    number: z
      .string()
      .trim()
      .toUpperCase()
      .max(40)
      .refine((value) => isKsefNumber(value), coded('invalid_ksef_number')),
  }),
  reply: Invoice,
  needsVersion: true,
})

/** Sends an invoice whose KSeF number is not there, with the reason; the number can be entered no more. */
export const sendWithoutKsef = endpoint({
  method: 'POST',
  path: '/invoices/:id/ksef/without',
  access: INVOICE_ACCESS,
  summary: 'Send an invoice without its KSeF number',
  params: byId,
  body: z.strictObject({ reason: text(500) }),
  reply: Invoice,
  needsVersion: true,
})

/**
 * Gives an invoice out that KSeF does not have yet: it is sent, with both QR codes, and handed over later. Errors:
 * `conflict` where it is not on its way to KSeF, `ksef_no_offline_certificate`.
 */
export const issueKsefOffline = endpoint({
  method: 'POST',
  path: '/invoices/:id/ksef/offline',
  access: INVOICE_ACCESS,
  summary: 'Give an invoice out while KSeF is away, to be handed over by the next working day',
  params: byId,
  reply: Invoice,
  needsVersion: true,
})

/**
 * Hands an invoice over again that was given out offline and then rejected by KSeF: its content stays, the file is
 * another one (technical correction). Errors: `conflict` for any other.
 */
export const submitToKsefAgain = endpoint({
  method: 'POST',
  path: '/invoices/:id/ksef/again',
  access: INVOICE_ACCESS,
  summary: 'Hand an invoice over again that was issued offline and rejected (technical correction)',
  params: byId,
  reply: Invoice,
  needsVersion: true,
})

/** The euro rate of NBP’s table A of a day, as somebody reads it there; one that is there is replaced. */
export const putNbpRate = endpoint({
  method: 'PUT',
  path: '/nbp-rates/:day',
  access: INVOICE_ACCESS,
  summary: 'Enter the euro rate of NBP’s table A of a day',
  params: z.strictObject({ day: localDate }),
  body: z.strictObject({
    tableNumber: text(30).regex(/^\d{1,3}\/A\/NBP\/\d{4}$/, coded('invalid_value')),
    rateE4: z.number().int().min(10_000).max(1_000_000),
  }),
  reply: Rate,
})
