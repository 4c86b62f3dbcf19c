import { z } from 'zod'

/** The account of a customer or a carrier in bookkeeping: five to nine digits; null: none was given. */
export const accountNumber = z.number().int().min(10_000).max(999_999_999).nullable().default(null)
