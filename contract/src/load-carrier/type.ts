import { z } from 'zod'
import { id, positiveCents, reference, state, text } from '../kit/fields.ts'
import { resource } from '../kit/resource.ts'
import { shownTitle, titles } from '../kit/titles.ts'
import { can } from '../permissions.ts'

/** A kind of load carrier of which we keep accounts, and what one piece of it is worth. */
export const LoadCarrierTypeWrite = z.strictObject({
  title: text(100),
  ...titles,
  /** what a piece that is missing costs */
  priceCents: positiveCents,
  state,
})

export const LoadCarrierType = z.object({
  id,
  version: z.number().int(),
  ...LoadCarrierTypeWrite.shape,
  title: z.string(),
  shownTitle,
  state: z.enum(['active', 'inactive']),
})
export type LoadCarrierType = z.output<typeof LoadCarrierType>

/** A type as the accounts name it. */
export const NamedLoadCarrierType = reference.extend({ priceCents: z.number().int() })
export type NamedLoadCarrierType = z.output<typeof NamedLoadCarrierType>

export const loadCarrierTypeApi = resource({
  path: 'load-carrier-types',
  name: 'load carrier type',
  access: { read: can('SETTINGS_ACCESS'), write: can('SETTINGS_ACCESS'), compact: 'signedIn' },
  write: LoadCarrierTypeWrite,
  view: LoadCarrierType,
  changing: ['shownTitle'],
  row: LoadCarrierType,
  filter: {},
  sort: ['title', 'priceCents'],
  defaultSort: 'title',
})
