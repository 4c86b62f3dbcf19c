import type { z } from 'zod'
import { faultsOf } from '@waybill/contract/kit/issues'
import { AppError } from './errors.ts'

/** Parses what came from outside; wrong input is a 422 that names every field. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  throw new AppError('validation', { fields: faultsOf(result.error.issues).slice(0, 100) })
}
