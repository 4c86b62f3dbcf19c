import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { timeZone } from '../kit/fields.ts'
import { EXPORT_FORMATS, queryIds } from '../kit/paging.ts'
import { can } from '../permissions.ts'

/** What open proofs of delivery are grouped by. */
export const OPEN_POD_GROUPS = ['carrier', 'customer', 'department'] as const
export type OpenPodGroup = (typeof OPEN_POD_GROUPS)[number]

const narrowing = { by: z.enum(OPEN_POD_GROUPS), departmentId: queryIds.optional() }
const count = z.number().int()

/** Routes by how long they wait: the ages of proofs of delivery. */
const ByAge = z.object({ upTo3: count, upTo7: count, upTo14: count, over14: count })
export type OpenPodsByAge = z.output<typeof ByAge>

const OpenPodRow = z.object({
  key: z.string(),
  /** null: the key says it */
  title: z.string().nullable(),
  routes: ByAge,
  /** since when the oldest waits */
  oldestAt: z.string(),
})
export type OpenPodRow = z.output<typeof OpenPodRow>

const OpenPodReport = z.object({
  rows: z.array(OpenPodRow),
  /** what stands in no row of its own */
  others: z.object({ count, routes: ByAge }).nullable(),
  /** customers who share a truck are each told of it: the sum counts it once */
  sum: ByAge,
})
export type OpenPodReport = z.output<typeof OpenPodReport>

/** All routes of a row. */
export const openPodsOf = ({ upTo3, upTo7, upTo14, over14 }: OpenPodsByAge): number => upTo3 + upTo7 + upTo14 + over14

const ACCESS = can('ORDERS_MANAGEMENT')

/**
 * Routes that are unloaded and have no accepted proof of delivery, nor a reason why there is none, by how long they
 * wait now; those that wait longest first. The list of orders has them by its filter `openPod`.
 */
export const getOpenPodReport = endpoint({
  method: 'GET',
  path: '/reports/open-pods',
  access: ACCESS,
  summary: 'Unloaded routes without an accepted POD, by age',
  query: z.strictObject(narrowing),
  reply: OpenPodReport,
})

export const exportOpenPodReport = endpoint({
  method: 'GET',
  path: '/reports/open-pods/export',
  access: ACCESS,
  summary: 'The same as a file, with all rows',
  query: z.strictObject({ ...narrowing, format: z.enum(EXPORT_FORMATS), timeZone: timeZone.default('UTC') }),
  shape: 'file',
})
