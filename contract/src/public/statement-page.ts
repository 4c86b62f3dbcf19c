import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { coded, language, optionalText, text } from '../kit/fields.ts'

/** Calls that one link takes in a minute. */
export const STATEMENT_TRIES_A_MINUTE = 30

/** So long the link of a statement shows it. */
export const STATEMENT_LINK_DAYS = 180

/** `open`: it can be answered; `replaced`: a newer one went out meanwhile. */
export const STATEMENT_PAGE_STATES = ['open', 'replaced', 'agreed', 'objected'] as const

const count = z.number().int()

/** One type of a statement as it was sent, in the language of the holder. */
export const StatedLines = z.object({
  title: z.string(),
  broughtForward: count,
  movements: z.array(
    z.object({
      movedOn: z.string(),
      /** the order and the stop, the invoice, or what was noted */
      where: z.string(),
      noteNumber: z.string().nullable(),
      /** the holder took them from us */
      given: count,
      received: count,
      /** after it */
      balance: count,
    }),
  ),
  /** more than nothing: they hold ours; less: we hold theirs */
  pieces: count,
})
export type StatedLines = z.output<typeof StatedLines>

/** What a holder reads of its statement, as it was sent: a movement that is corrected later changes nothing here. */
export const StatementPage = z.object({
  state: z.enum(STATEMENT_PAGE_STATES),
  /** of the holder */
  language,
  holder: z.string(),
  /** ours; `logo` is a PNG picture, base64 */
  company: z.object({
    title: z.string(),
    phone: z.string().nullable(),
    email: z.string().nullable(),
    logo: z.string().nullable(),
  }),
  contact: z.object({ name: z.string().nullable(), phone: z.string().nullable() }),
  sentOn: z.string(),
  /** until this day an answer is asked for */
  answerBy: z.string(),
  types: z.array(StatedLines),
  /** name and remark are told to who typed them by the link */
  answer: z.object({ at: z.string(), name: z.string().nullable(), remark: z.string().nullable() }).nullable(),
})
export type StatementPage = z.output<typeof StatementPage>

// Any text is one answer: what cannot be a token is told apart by nothing.
const byToken = z.strictObject({ token: z.string().max(500) })
const answer = z
  .strictObject({
    isAgreed: z.boolean(),
    /** who answers */
    name: text(100),
    /** who objects says what is wrong */
    remark: optionalText(1000),
  })
  .refine(({ isAgreed, remark }) => isAgreed || remark !== null, { ...coded('required'), path: ['remark'] })

/**
 * What the page of a statement shows. Changes nothing: scanners of mails follow links. Unknown, changed and expired
 * links and those of other installations are one `not_found`.
 */
export const getStatementPage = endpoint({
  method: 'GET',
  path: '/statement/:token',
  access: 'public',
  summary: 'What the link of a statement of load carriers shows',
  params: byToken,
  reply: StatementPage,
})

/**
 * Agrees or objects to a statement; the same once more changes nothing. Errors: `required` at `remark` of an objection;
 * `conflict` where the other answer was given, or a newer statement went out.
 */
export const answerStatementPage = endpoint({
  method: 'POST',
  path: '/statement/:token/answer',
  access: 'public',
  summary: 'Agree or object to a statement of load carriers by its link',
  params: byToken,
  body: answer,
  reply: StatementPage,
})
