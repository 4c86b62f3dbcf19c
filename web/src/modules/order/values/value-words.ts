import { carrierCompanyApi } from '@waybill/contract/carrier-company'
import { countryApi } from '@waybill/contract/country'
import { customerApi } from '@waybill/contract/customer'
import { departmentApi } from '@waybill/contract/department'
import type { Reference } from '@waybill/contract/kit/fields'
import type { Order } from '@waybill/contract/order/order'
import type { Termin } from '@waybill/contract/order/termin/termin'
import { cargoTypeApi, specialHandlingTypeApi, unitTypeApi, vehicleTypeApi } from '@waybill/contract/type-list'
import { userApi } from '@waybill/contract/user'
import { useTranslation } from 'react-i18next'
import { useQueryClient } from '@tanstack/react-query'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { isInstant } from './instant-words.ts'
import { terminWords } from './stop-words.ts'

type Tree = { readonly [key: string]: unknown }
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

interface Names {
  /** the resource whose lists know the names */
  path: string
  /** where the order itself names the one it was read with */
  own?: keyof Order
}

const NAMES: Readonly<Record<string, Names>> = {
  customerIds: { path: customerApi.path, own: 'customers' },
  customerId: { path: customerApi.path, own: 'customers' },
  billingCustomerId: { path: customerApi.path, own: 'billingCustomer' },
  contactPersonId: { path: '', own: 'contactPerson' },
  departmentId: { path: departmentApi.path, own: 'department' },
  caseWorkerId: { path: userApi.path, own: 'caseWorker' },
  managerIds: { path: userApi.path, own: 'managers' },
  vehicleTypeId: { path: vehicleTypeApi.path, own: 'vehicleType' },
  cargoTypeId: { path: cargoTypeApi.path },
  specialHandlingTypeIds: { path: specialHandlingTypeApi.path },
  unitTypeId: { path: unitTypeApi.path },
  countryId: { path: countryApi.path },
  carrierCompanyId: { path: carrierCompanyApi.path },
  sourceIds: { path: '', own: 'sources' },
}

/** An order's values in words, for conflicts and the history: money, percents, times, names. `view` lends its names. */
export function useOrderWords(view: Order | null): (path: string, value: unknown) => string {
  const { t } = useTranslation(['order', 'order-list', 'form'])
  const format = useFormat()
  const queries = useQueryClient()
  const nothing = t('form:nothing')

  // What pickers have loaded already is enough: nobody waits for a name in a message.
  const titleOf = (field: string, id: number): string => {
    const names = NAMES[field]
    const own =
      names?.own === undefined || view === null ? [] : [view[names.own] as Reference | Reference[] | null].flat()
    const lists =
      names === undefined
        ? []
        : queries.getQueriesData<unknown>({ queryKey: [names.path] }).flatMap(([, data]) => namesIn(data))
    return [...own, ...lists].find((one) => one?.id === id)?.title ?? `#${id}`
  }

  const zoneOf = (path: string): string | undefined => {
    const [top, index] = path.split('.')
    return top === 'locations' ? view?.locations[Number(index)]?.timeZone : undefined
  }

  const words = (path: string, value: unknown): string => {
    const field = path.slice(path.lastIndexOf('.') + 1)
    if (value === null || value === undefined || value === '') return nothing
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
    if (typeof value === 'number' && field.endsWith('Cents')) return format.euro(value)
    if (typeof value === 'number' && field.endsWith('Bp')) return format.percent(value)
    if (typeof value === 'number' && field in NAMES) return titleOf(field, value)
    if (typeof value === 'number') return format.number(value)
    if (path === 'extra.kind' || path === 'extra.unit' || path === 'extra.state')
      return t(`history:extra.${field}.${value as string}`)
    // What happens at a stop is told in the stop's own time.
    if (typeof value === 'string' && field.endsWith('At'))
      return isInstant(value) ? format.dayTime(value, zoneOf(path)) : value
    if (field === 'disposition') return t(`order-list:disposition.${value as string}`)
    if (field === 'status') return t(`order-list:status.${value as string}`)
    if (field === 'state') return t(value === 'active' ? 'active' : 'inactive')
    // The history tells the parts of an appointment one by one.
    if (path.endsWith('.termin.kind')) return t(`termin.kinds.${value as string}`)
    if (field === 'dateFrom' || field === 'dateTo') return format.date(value as string)
    if (field === 'kind') return t(`kinds.${value as string}`)
    if (field === 'termin')
      return terminWords(value as Termin, format, { before: t('termin.before'), fix: t('termin.fix') })
    if (field === 'deviations')
      return (value as string[]).map((one) => t(`order-list:deviation.${one}`)).join(', ') || nothing
    if (Array.isArray(value))
      return value.length === 0
        ? nothing
        : value.every((one) => typeof one === 'number')
          ? value.map((one) => titleOf(field, one)).join(', ')
          : value.every((one) => typeof one === 'string')
            ? value.join(', ')
            : format.number(value.length)
    if (isTree(value))
      return (
        [value.title, value.companyTitle, value.city, value.number, carrierOf(value)]
          .filter((part) => typeof part === 'string')
          .join(', ') || t('newEntry')
      )
    return String(value)
  }
  return words
}

function carrierOf(route: Tree): unknown {
  const { assignment } = route
  return isTree(assignment) && isTree(assignment.carrierCompany) ? assignment.carrierCompany.title : undefined
}

function namesIn(data: unknown): Reference[] {
  if (Array.isArray(data)) return data.filter((one) => isTree(one) && typeof one.title === 'string') as Reference[]
  if (!isTree(data)) return []
  if (Array.isArray(data.pages)) return data.pages.flatMap(namesIn)
  return Array.isArray(data.items) ? (data.items as Reference[]) : []
}
