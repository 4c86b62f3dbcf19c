import type { MoneyFault } from '@waybill/contract/order/order'
import type { PodAge } from '@waybill/contract/order/papers/pod'
import { SUMMED_STATUSES } from '@waybill/contract/order/status'
import { lastDayOf, MOST_REPORT_MONTHS, monthsBetween } from '@waybill/contract/kit/months'
import {
  NO_KEY,
  OWN_FLEET_KEY,
  REPORT_BASES,
  REPORT_GROUPS,
  SEVERAL_KEY,
  type ReportBasis,
  type ReportGroup,
} from '@waybill/contract/report/report'
import type { AddressSearch } from '../../kit/list/page/list-address.ts'

/** One row that was opened to look closer at it. */
export interface ReportStep {
  by: ReportGroup
  key: string
}

/** What the address of the report says. */
export interface ReportView {
  by: ReportGroup
  from: string
  to: string
  basis: ReportBasis
  departmentId: number | null
  /** in the order in which they were opened */
  steps: readonly ReportStep[]
}

const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/
export const isMonth = (value: unknown): value is string => typeof value === 'string' && MONTH.test(value)
const oneOf = <Value extends string>(values: readonly Value[], value: unknown): Value | undefined =>
  values.find((one) => one === value)

function stepOf(text: unknown): ReportStep[] {
  const [group, ...rest] = String(text).split(':')
  const by = oneOf(REPORT_GROUPS, group)
  const key = rest.join(':')
  if (by === undefined || key === '' || key.length > 40) return []
  if (by === 'month' && !isMonth(key)) return []
  return (by === 'customer' || by === 'department') && !/^[1-9]\d{0,14}$/.test(key) ? [] : [{ by, key }]
}

/** Reads the address; what it does not understand is passed over. Nothing said: this year until this month. */
export function readReport(search: Readonly<Record<string, unknown>>, thisMonth: string): ReportView {
  const from = isMonth(search.from) ? search.from : `${thisMonth.slice(0, 4)}-01`
  const to = isMonth(search.to) ? search.to : thisMonth
  const months = monthsBetween(from, to)
  const isPeriod = months >= 1 && months <= MOST_REPORT_MONTHS
  const department = Number(search.department)
  const given = Array.isArray(search.at) ? search.at : search.at === undefined ? [] : [search.at]
  const steps = given.flatMap(stepOf)
  return {
    by: oneOf(REPORT_GROUPS, search.by) ?? 'customer',
    from: isPeriod ? from : `${thisMonth.slice(0, 4)}-01`,
    to: isPeriod ? to : thisMonth,
    basis: oneOf(REPORT_BASES, search.basis) ?? 'agreed',
    departmentId: Number.isSafeInteger(department) && department > 0 ? department : null,
    steps: steps.filter(({ by }, place) => steps.findIndex((one) => one.by === by) === place),
  }
}

export const writeReport = ({ by, from, to, basis, departmentId, steps }: ReportView): AddressSearch => ({
  by,
  from,
  to,
  ...(basis !== 'agreed' && { basis }),
  ...(departmentId !== null && { department: String(departmentId) }),
  ...(steps.length > 0 && { at: steps.map((step) => `${step.by}:${step.key}`) }),
})

const keyOf = (view: ReportView, by: ReportGroup): string | undefined => view.steps.find((step) => step.by === by)?.key

/** The months that are looked at: a month that was opened stands for the period. */
export function periodOf(view: ReportView): { from: string; to: string } {
  const month = keyOf(view, 'month')
  return month === undefined ? { from: view.from, to: view.to } : { from: month, to: month }
}

/** What the server is asked for. */
export function queryOf(view: ReportView) {
  const customer = keyOf(view, 'customer')
  const department = keyOf(view, 'department') ?? view.departmentId
  const [carrier, lane, caseWorker, vehicle] = (['carrier', 'lane', 'caseWorker', 'vehicle'] as const).map((by) =>
    keyOf(view, by),
  )
  return {
    by: view.by,
    ...periodOf(view),
    basis: view.basis,
    ...(department !== null && { departmentId: [Number(department)] }),
    ...(customer !== undefined && { customer: Number(customer) }),
    ...(carrier !== undefined && { carrier }),
    ...(lane !== undefined && { lane }),
    ...(caseWorker !== undefined && { caseWorker }),
    ...(vehicle !== undefined && { vehicle }),
  }
}

/** What opens next, by what is asked most after it. */
const NEXT = ['lane', 'customer', 'carrier', 'month'] as const

/** One step closer: the row is kept in the address, and grouped by something else. */
export function closer(view: ReportView, key: string): ReportView {
  const steps = [...view.steps, { by: view.by, key }]
  const by = NEXT.find((group) => steps.every((step) => step.by !== group)) ?? view.by
  return { ...view, by, steps }
}

/** Back to where so many rows were open; grouped by what was opened there. */
export const backTo = (view: ReportView, count: number): ReportView => ({
  ...view,
  by: view.steps[count]?.by ?? view.by,
  steps: view.steps.slice(0, count),
})

/**
 * The orders list with what the report is narrowed by. Null where the list has no filter for it: orders without a
 * carrier, with several, with our own fleet.
 */
export function listAddress(view: ReportView, money?: MoneyFault): AddressSearch | null {
  const { from, to } = periodOf(view)
  if (view.steps.some(({ key }) => [NO_KEY, OWN_FLEET_KEY, SEVERAL_KEY].includes(key))) return null
  const [customer, carrier, lane, caseWorker, vehicle] = (
    ['customer', 'carrier', 'lane', 'caseWorker', 'vehicle'] as const
  ).map((by) => keyOf(view, by))
  const department = keyOf(view, 'department') ?? view.departmentId
  return {
    status: [...SUMMED_STATUSES],
    lastUnloading: { from: `${from}-01`, to: lastDayOf(to) },
    ...(customer !== undefined && { customerId: [customer] }),
    ...(carrier !== undefined && { carrierCompanyId: [carrier] }),
    ...(lane !== undefined && { lane }),
    ...(caseWorker !== undefined && { caseWorkerId: [caseWorker] }),
    ...(vehicle !== undefined && { q: vehicle }),
    ...(department !== null && { departmentId: [String(department)] }),
    ...(money !== undefined && { money: [money] }),
  }
}

const OPEN_POD_FILTERS: Partial<Record<ReportGroup, string>> = {
  carrier: 'carrierCompanyId',
  customer: 'customerId',
  department: 'departmentId',
}

/** The orders list with routes that wait for their proof of delivery that long; all of them without a row's key. */
export function openPodAddress({ by, departmentId }: ReportView, key: string | null, ages: readonly PodAge[]) {
  if (key !== null && [NO_KEY, OWN_FLEET_KEY].includes(key)) return null
  const filter = OPEN_POD_FILTERS[by]
  return {
    openPod: [...ages],
    ...(departmentId !== null && { departmentId: [String(departmentId)] }),
    ...(key !== null && filter !== undefined && { [filter]: [key] }),
  } satisfies AddressSearch
}
