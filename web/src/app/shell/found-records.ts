import { useQueries } from '@tanstack/react-query'
import type { Reference } from '@waybill/contract/kit/fields'
import type { ResourceApi, RowOf } from '@waybill/contract/kit/resource'
import { customerApi } from '@waybill/contract/customer'
import { departmentApi } from '@waybill/contract/department'
import { invoiceApi } from '@waybill/contract/invoice/invoice'
import { orderApi } from '@waybill/contract/order/order'
import { roleApi, userApi } from '@waybill/contract/user'
import { formatVatNumber } from '@waybill/contract/kit/vat-number'
import { useRouter, type AnyRoute } from '@tanstack/react-router'
import { callApi, callCompact } from '../../kit/api/call-api.ts'
import { hasAccess } from '../../kit/session/session.ts'
import type { IconName } from '../../ui/marks/icon.tsx'
import type { RecentRecord } from './recent-records.ts'

/** A kind of record that the palette finds, by the list's own search. */
interface Kind {
  api: Pick<ResourceApi, 'path' | 'list' | 'compact'>
  /** Its list; the record's form stands at `<list>/$id/edit` */
  list: string
  icon: IconName
  title: (row: never) => string
  /** What tells it from its like */
  note: (row: never) => (string | null | undefined)[]
  /** What one is called; `palette.kind.<path>` where left out */
  kindKey?: string
}

const kind = <Api extends ResourceApi>(one: {
  api: Api
  list: string
  icon: IconName
  title: (row: RowOf<Api>) => string
  note: (row: RowOf<Api>) => (string | null | undefined)[]
}): Kind => one as unknown as Kind

const place = (one: { city: string | null } | null) => one?.city

const KINDS: readonly Kind[] = [
  kind({
    api: orderApi,
    list: '/orders',
    icon: 'list',
    title: (row) => row.number,
    note: (row) => [
      row.customer?.title,
      [place(row.from), place(row.to)].filter(Boolean).join(' → '),
      row.customerOrderNumber,
    ],
  }),
  kind({
    api: invoiceApi,
    list: '/invoices',
    icon: 'euro',
    title: (row) => row.number ?? row.innerNumber,
    note: (row) => [
      (row.billingCustomer ?? row.carrierCompany)?.title,
      row.orders.map((order) => order.title).join(', '),
    ],
  }),
  kind({
    api: customerApi,
    list: '/customer',
    icon: 'building',
    title: (row) => row.title,
    note: (row) => [row.alias, row.city, formatVatNumber(row.vatNumber)],
  }),
  kind({
    api: userApi,
    list: '/users',
    icon: 'user',
    title: (row) => row.fullName,
    note: (row) => [row.email, row.role?.title],
  }),
  kind({ api: roleApi, list: '/user-roles', icon: 'key', title: (row) => row.shownTitle, note: () => [] }),
  kind({
    api: departmentApi,
    list: '/departments',
    icon: 'users',
    title: (row) => row.abbreviation,
    note: (row) => [row.company.title, row.country.title],
  }),
]

export interface FoundRecord {
  id: number
  /** The resource's path names the kind */
  kind: string
  /** What one is called, where that is not `palette.kind.<kind>` */
  kindKey: string | undefined
  icon: IconName
  title: string
  note: string
  /** Its form */
  to: string
}

// Enough to choose from at a glance; the list shows the rest.
const MOST_EACH = 5

/** The kinds of records whose screens are built and that this person may see. */
export function useKinds(): readonly Kind[] {
  const { routesByPath } = useRouter()
  const inTable = Object.values(routesByPath as Record<string, AnyRoute>).flatMap(kindOfScreen)
  return [...KINDS, ...inTable].filter(
    ({ api, list }) => `${list}/$id/edit` in routesByPath && hasAccess(api.list.access),
  )
}

/** A list that the table of screens says is found; asked by its address alone, so that its shapes stay away. */
function kindOfScreen({ fullPath, options }: AnyRoute): readonly Kind[] {
  const { found, access, menu } = options.staticData ?? {}
  if (found === undefined || access === undefined) return []
  const list = fullPath as string
  const asked = { ...userApi.list, path: list, access }
  return [
    {
      api: { path: list.slice(1), list: asked, compact: asked },
      list,
      icon: menu?.[0]?.icon ?? 'list',
      title: ({ title, shownTitle }: { title: string; shownTitle?: string }) => shownTitle ?? title,
      note: found.note ?? (() => []),
      ...(found.kindKey === undefined ? {} : { kindKey: found.kindKey }),
    },
  ]
}

/** What the lists find for `q`; nothing while `q` is empty. A refusal of one kind leaves the others. */
export function useFoundRecords(
  kinds: readonly Kind[],
  q: string,
): { records: readonly FoundRecord[]; isPending: boolean; isFailed: boolean } {
  return useQueries({
    queries: kinds.map(({ api }) => ({
      queryKey: [api.path, 'palette', q],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        callApi(api.list, { query: { q, perPage: 10 }, signal } as never) as Promise<{ items: { id: number }[] }>,
      enabled: q !== '',
      meta: { showsRefusals: true },
    })),
    combine: (answers) => ({
      records: answers.flatMap((answer, place) =>
        (answer.data?.items ?? []).slice(0, MOST_EACH).map((row) => recordOf(kinds[place]!, row)),
      ),
      isPending: answers.some((answer) => answer.isFetching),
      isFailed: answers.some((answer) => answer.isError),
    }),
  })
}

/** The records opened last, by the titles they have now; what is gone or no longer to be seen is left out. */
export function useTitledRecords(kinds: readonly Kind[], recent: readonly RecentRecord[]): readonly FoundRecord[] {
  const idsOf = ({ list }: Kind) => recent.filter((one) => `/${one.path}` === list).map((one) => one.id)
  const titles = useQueries({
    queries: kinds.map((one) => ({
      queryKey: [one.api.path, 'titles', idsOf(one)],
      queryFn: ({ signal }: { signal: AbortSignal }) => callCompact(one.api, { ids: idsOf(one), perPage: 100 }, signal),
      enabled: idsOf(one).length > 0,
      meta: { showsRefusals: true },
    })),
    combine: (answers) => answers.map((answer) => answer.data?.items ?? []),
  })
  return recent.flatMap(({ path, id }) => {
    const place = kinds.findIndex(({ list }) => list === `/${path}`)
    const title = titles[place]?.find((one: Reference) => one.id === id)?.title
    const { api, icon, list, kindKey } = kinds[place] ?? {}
    return title === undefined || api === undefined
      ? []
      : [{ id, kind: api.path, kindKey, icon: icon!, title, note: '', to: `${list!}/${id}/edit` }]
  })
}

function recordOf({ api, list, icon, title, note, kindKey }: Kind, row: { id: number }): FoundRecord {
  return {
    id: row.id,
    kind: api.path,
    kindKey,
    icon,
    title: title(row as never),
    note: note(row as never)
      .filter(Boolean)
      .join(' · '),
    to: `${list}/${row.id}/edit`,
  }
}
