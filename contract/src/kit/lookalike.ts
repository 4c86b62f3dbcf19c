import { z } from 'zod'
import type { Access } from '../permissions.ts'
import { endpoint } from './endpoint.ts'
import { idText, text } from './fields.ts'
import { compactRow } from './paging.ts'

/**
 * How a VAT number looks in its country: `doubtful` has check digits that do not fit, `not_checked` is of a country
 * whose numbers are not known here.
 */
export const VAT_NUMBER_SHAPES = ['fits', 'doubtful', 'wrong', 'not_checked'] as const

/** How many alike are named. */
export const MOST_LOOKALIKES = 3

const lookalikeQuery = z.strictObject({
  title: text(250).optional(),
  vatNumber: text(30).optional(),
  countryId: idText.optional(),
})
export type LookalikeQuery = z.output<typeof lookalikeQuery>

const lookalikes = z.object({
  /** null without a number or a country */
  vatNumberShape: z.enum(VAT_NUMBER_SHAPES).nullable(),
  /** those with the number first, then by how alike the names are */
  items: z.array(compactRow.extend({ hasSameNumber: z.boolean() })),
})
export type Lookalikes = z.output<typeof lookalikes>

/**
 * Which records of a kind a new one may be: asked while it is typed, so that a firm is not entered twice
 * (decision 052).
 */
export const lookalikesOf = <const Path extends string>(path: Path, name: string, access: Access) =>
  endpoint({
    method: 'GET',
    path: `/${path}/lookalikes`,
    access,
    summary: `Which ${name} a new one may be, and whether its VAT number can be one`,
    query: lookalikeQuery,
    reply: lookalikes,
  })
