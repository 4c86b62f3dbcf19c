import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { coded, email, id, idText, optionalText, reference, text } from '../kit/fields.ts'
import { ACCOUNT_ACCESS, HOLDER_KINDS, STATEMENT_STATES, holder } from './account.ts'

/** Movements that a statement names, at most; the older ones are its balance brought forward. */
export const MOST_STATED = 100

/** Within so many days the holder is asked to answer. Who does not has agreed to nothing. */
export const STATEMENT_ANSWER_DAYS = 14

const balances = z.array(z.object({ typeId: id, pieces: z.number().int() }))

const Statement = z.object({
  /** the address that is known; null: none is */
  to: z.string().nullable(),
  language: z.enum(['en', 'de', 'pl']),
  subject: z.string(),
  /** as mail programs show it */
  html: z.string(),
  /** what the holder is asked to confirm; it comes back with the order to send */
  balances,
  /** pictures of pallet notes that go along: those that drivers took at the stops of its movements */
  slips: z.object({ count: z.number().int(), sizeBytes: z.number().int() }),
})
export type Statement = z.output<typeof Statement>

const ofHolder = z.strictObject({ holder: z.enum(HOLDER_KINDS), holderId: idText })

/** Nothing is written. Errors: `forbidden`, `not_found`, `required` at `holderId` where nothing was ever moved. */
export const previewStatement = endpoint({
  method: 'GET',
  path: '/load-carriers/statement',
  access: ACCOUNT_ACCESS,
  summary: 'The statement of an account as it would be sent',
  query: ofHolder,
  reply: Statement,
})

/** Errors: as the preview of the mail. */
export const getStatementLetter = endpoint({
  method: 'GET',
  path: '/load-carriers/statement/letter',
  access: ACCOUNT_ACCESS,
  summary: 'The letter that goes with the statement of an account, as PDF',
  query: ofHolder,
  shape: 'file',
})

/**
 * Sends the statement in the language of the holder, with its letter, the pictures of its pallet notes, and a link by
 * which the holder agrees or objects. Errors: as its preview; `balance_changed` at `balances` where it is another one
 * by now.
 */
export const sendStatement = endpoint({
  method: 'POST',
  path: '/load-carriers/statement',
  access: ACCOUNT_ACCESS,
  summary: 'Send the statement of an account by mail',
  body: z.strictObject({
    holder,
    to: email,
    balances: z.array(z.strictObject({ typeId: id, pieces: z.number().int() })).max(200),
  }),
  reply: z.object({ emailId: id }),
  status: 201,
  location: null,
})

/**
 * Notes what a holder said by telephone, or by the letter that it sent back. Of a statement that was objected to it may
 * be agreed later. Errors: `forbidden`, `not_found`; `conflict` for one that is agreed, or that a newer one replaced.
 */
export const answerStatement = endpoint({
  method: 'POST',
  path: '/load-carriers/statements/:id/answer',
  access: ACCOUNT_ACCESS,
  summary: 'Note what a holder said of a statement of load carriers',
  params: z.strictObject({ id: idText }),
  body: z
    .strictObject({
      isAgreed: z.boolean(),
      /** who said so */
      name: text(100),
      /** who objects says what is wrong */
      remark: optionalText(1000),
    })
    .refine(({ isAgreed, remark }) => isAgreed || remark !== null, { ...coded('required'), path: ['remark'] }),
  reply: z.object({ state: z.enum(STATEMENT_STATES) }),
})

const named = z.object({ kind: z.enum(HOLDER_KINDS), id, title: z.string(), detail: z.string().nullable() })

/** As many are listed; `total` counts all. */
export const MOST_LISTED = 500

/**
 * The last statement of each account that its holder objects to, or did not answer in time; objections first, then the
 * oldest. Accounts of kinds that the caller has no right to are left out.
 */
export const listNotAgreed = endpoint({
  method: 'GET',
  path: '/load-carriers/statements/not-agreed',
  access: ACCOUNT_ACCESS,
  summary: 'Statements of load carriers that their holders object to, or did not answer in time',
  reply: z.object({
    items: z.array(
      z.object({
        id,
        holder: named,
        sentAt: z.string(),
        sentBy: reference.nullable(),
        state: z.enum(STATEMENT_STATES),
        answer: z.object({ at: z.string(), name: z.string(), remark: z.string().nullable() }).nullable(),
        /** what it said */
        balances: z.array(z.object({ type: reference, pieces: z.number().int() })),
        hasMoved: z.boolean(),
      }),
    ),
    total: z.number().int(),
  }),
})
export type NotAgreed = z.output<(typeof listNotAgreed)['reply']>

/**
 * Movements without a pallet note that no statement has settled: their holders can dispute them. The newest first.
 * Accounts of kinds that the caller has no right to are left out.
 */
export const listWithoutNote = endpoint({
  method: 'GET',
  path: '/load-carriers/movements/without-note',
  access: ACCOUNT_ACCESS,
  summary: 'Movements of load carriers without a pallet note that can be disputed',
  reply: z.object({
    items: z.array(
      z.object({
        id,
        movedOn: z.string(),
        type: reference,
        /** as the first of the accounts sees it */
        given: z.number().int(),
        received: z.number().int(),
        /** whose accounts it moves */
        holders: z.array(named).min(1),
        note: z.string().nullable(),
        /** of one that was typed at a stop: its number is typed there */
        stop: z.object({ title: z.string(), orderNumber: z.string() }).nullable(),
        /** that order, for who may see it */
        order: reference.nullable(),
      }),
    ),
    total: z.number().int(),
  }),
})
export type WithoutNote = z.output<(typeof listWithoutNote)['reply']>

/** How much there is to do with the accounts that the caller keeps. */
export const countOpenQuestions = endpoint({
  method: 'GET',
  path: '/load-carriers/open-questions',
  access: ACCOUNT_ACCESS,
  summary: 'How many movements lack a pallet note, and how many statements are not agreed',
  reply: z.object({ withoutNote: z.number().int(), notAgreed: z.number().int() }),
})
