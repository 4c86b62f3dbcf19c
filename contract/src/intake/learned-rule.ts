import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { id, idText, reference } from '../kit/fields.ts'
import { can, ORDER_ACCESS } from '../permissions.ts'
import { LEARNED_FIELDS, LEARNED_POSITIONS } from './reading.ts'

/*
 * What corrections taught about a customer's mails: where a value stands, never the value (decision 100). A customer
 * has one rule for a field; another correction of it makes a new rule in its place.
 */

const LearnedRuleRow = z.object({
  id,
  field: z.enum(LEARNED_FIELDS),
  /** the words before the value, as they stood in the mail; null: by its position */
  label: z.string().nullable(),
  /** null: by its label */
  position: z.enum(LEARNED_POSITIONS).nullable(),
  /** how many mails were read with it */
  usedCount: z.number().int(),
  /** on how many mails of the customer it was tried before it was kept, and in how many it found what was saved */
  triedCount: z.number().int(),
  foundCount: z.number().int(),
  lastUsedAt: z.string().nullable(),
  learnedAt: z.string(),
  /** whose correction it was */
  learnedBy: reference.nullable(),
})
export type LearnedRuleRow = z.output<typeof LearnedRuleRow>

/** The rules of one customer, in the order of the order’s form. Errors: `not_found`. */
export const listLearnedRules = endpoint({
  method: 'GET',
  path: '/customers/:id/learned-rules',
  access: can('CUSTOMER_MANAGEMENT'),
  summary: 'What corrections taught about a customer’s mails',
  params: z.strictObject({ id: idText }),
  reply: z.object({ items: z.array(LearnedRuleRow) }),
})

/**
 * Mails that are read from now on are read as before it was learned; drafts that are there stay. Errors: `not_found`,
 * also where another correction has replaced it.
 */
export const deleteLearnedRule = endpoint({
  method: 'DELETE',
  path: '/customers/:id/learned-rules/:ruleId',
  access: can('CUSTOMER_MANAGEMENT'),
  summary: 'Forget what a correction taught about a customer’s mails',
  params: z.strictObject({ id: idText, ruleId: idText }),
})

/** Rules that were learned when the order of a mail was saved. Errors: `not_found`. */
export const listTaughtRules = endpoint({
  method: 'GET',
  path: '/intake-mails/:id/learned-rules',
  access: ORDER_ACCESS,
  summary: 'What saving the order of a mail taught',
  params: z.strictObject({ id: idText }),
  reply: z.object({ items: z.array(LearnedRuleRow) }),
})

/** Takes back what the caller's own correction taught. Errors: `not_found`, also of a rule of a colleague's. */
export const deleteTaughtRule = endpoint({
  method: 'DELETE',
  path: '/intake-mails/:id/learned-rules/:ruleId',
  access: ORDER_ACCESS,
  summary: 'Forget what saving the order of a mail taught',
  params: z.strictObject({ id: idText, ruleId: idText }),
})
