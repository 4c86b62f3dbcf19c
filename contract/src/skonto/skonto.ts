import { z } from 'zod'
import { coded } from '../kit/fields.ts'

const SkontoStep = z.strictObject({
  /** hundredths of a percent: 200 = 2 % */
  percentBp: z.number().int().min(1).max(2000),
  days: z.number().int().min(1).max(365),
})

/** What a customer may take off for paying early: one step or two, the later one with the lower percentage. */
export const Skonto = z
  .array(SkontoStep)
  .max(2)
  .refine(([first, second]) => !first || !second || first.days < second.days, coded('skonto_order'))
  .refine(([first, second]) => !first || !second || first.percentBp > second.percentBp, coded('skonto_order'))
export type Skonto = z.output<typeof Skonto>
