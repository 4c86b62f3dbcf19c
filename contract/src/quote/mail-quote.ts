import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { idText } from '../kit/fields.ts'
import { ORDER_ACCESS } from '../permissions.ts'
import { Quote, QuoteWrite } from './quote.ts'

/**
 * Makes a quote of a draft of a mail that asks for a price. Each draft becomes one order or one quote. Errors: those of
 * making a quote; `conflict` at `state` with `mail_settled`, at `assignedTo` with `mail_in_hand`, at `position` with
 * `draft_saved`.
 */
export const quoteMailDraft = endpoint({
  method: 'POST',
  path: '/intake-mails/:id/drafts/:position/quote',
  access: ORDER_ACCESS,
  summary: 'Make a quote of a draft from a mail',
  params: z.strictObject({
    id: idText,
    position: z
      .string()
      .regex(/^\d{1,2}$/)
      .transform(Number),
  }),
  body: QuoteWrite,
  reply: Quote,
  status: 201,
  location: '/quotes',
})
