import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { coded, id, idText } from '../kit/fields.ts'

/** What is deleted at the end of a period of its own, in the order in which it is shown. */
export const PAPER_KINDS = ['mail', 'transportPaper', 'invoicePaper', 'payment'] as const
export type PaperKind = (typeof PAPER_KINDS)[number]

/** The calendar years that can be chosen; null: kept until somebody deletes them. */
export const PAPER_YEARS = [5, 6, 7, 8, 9, 10, 11, 12, 15, 20, 30] as const

type Years = Readonly<Record<PaperKind, (typeof PAPER_YEARS)[number]>>

const LETTERS = { mail: 6, transportPaper: 6 } as const
/** Germany: HGB § 257, AO § 147; Poland: Ordynacja podatkowa art. 86 and 70, ustawa o rachunkowości art. 74. */
const BY_COUNTRY: Readonly<Record<string, Years>> = {
  DE: { ...LETTERS, invoicePaper: 8, payment: 8 },
  PL: { ...LETTERS, invoicePaper: 5, payment: 5 },
}

/**
 * Years that papers are usually kept in a country, counted from the end of the calendar year; `country` is that of our
 * company, as two letters. A proposal: who answers for it may choose others.
 */
export const usualYears = (country: string): Years =>
  BY_COUNTRY[country] ?? { ...LETTERS, invoicePaper: 10, payment: 10 }

/** Why one stays: its period runs; its order, its invoice or the mail itself has not ended; a mail carries it. */
export const PAPER_STAY_REASONS = ['recent', 'open', 'carried'] as const
export type PaperStayReason = (typeof PAPER_STAY_REASONS)[number]

const count = z.number().int()
const years = z.literal(PAPER_YEARS).nullable()
const YearsOfKinds = z.record(z.enum(PAPER_KINDS), years)

const PaperPeriods = z.object({
  version: count,
  /** one for each country in which we have a company; `title`: its name in the language of the call */
  countries: z.array(z.object({ id, code: z.string(), title: z.string(), years: YearsOfKinds })),
  /** what the last night did; null: none has yet */
  lastRun: z.object({ at: z.string(), counts: z.record(z.enum(PAPER_KINDS), count) }).nullable(),
})
export type PaperPeriods = z.output<typeof PaperPeriods>

export const getPaperPeriods = endpoint({
  method: 'GET',
  path: '/operations/paper-periods',
  access: 'administrator',
  inPerson: true,
  summary: 'After how many calendar years mails and papers are deleted, by the country of our company',
  reply: PaperPeriods,
})

/** Errors: `stale_version` where somebody else has changed it; `unknown_reference` of a country without a company. */
export const setPaperPeriods = endpoint({
  method: 'PUT',
  path: '/operations/paper-periods',
  access: 'administrator',
  inPerson: true,
  summary: 'Say after how many calendar years mails and papers are deleted',
  needsVersion: true,
  body: z.strictObject({
    countries: z.array(z.strictObject({ id, years: YearsOfKinds })).max(100),
  }),
  reply: PaperPeriods,
})

const yearsText = idText
  .refine((value) => (PAPER_YEARS as readonly number[]).includes(value), coded('invalid_value'))
  .optional()

const PaperPreview = z.object({
  kinds: z.array(
    z.object({
      kind: z.enum(PAPER_KINDS),
      /** how many would be deleted tonight, and of which calendar years */
      dueCount: count,
      firstYear: count.nullable(),
      lastYear: count.nullable(),
      /** of their files, and of the mails as they left */
      dueBytes: count,
      stays: z.array(z.object({ reason: z.enum(PAPER_STAY_REASONS), count })),
    }),
  ),
})
export type PaperPreview = z.output<typeof PaperPreview>

/** Nothing is changed by it. Kinds without years are left out. */
export const previewPaperPeriods = endpoint({
  method: 'GET',
  path: '/operations/paper-periods/preview',
  access: 'administrator',
  inPerson: true,
  summary: 'How much would be deleted by these periods in one country, and what stays and why',
  query: z.strictObject({
    countryId: idText,
    mail: yearsText,
    transportPaper: yearsText,
    invoicePaper: yearsText,
    payment: yearsText,
  }),
  reply: PaperPreview,
})
