import type { ResourceApi, RowOf } from '@waybill/contract/kit/resource'
import { bindResource, type Host } from '../http/routes.ts'
import type { SheetOf } from '../tables/sheet.ts'
import type { OwnerRule } from '../context/context.ts'
import { tableOwner } from './owners.ts'
import { ownerKindOf, tableService, type TableServiceOptions } from './table-service.ts'

/** A simple record as the app takes it up: its endpoints, and whose rule its history obeys. */
export interface TableRecord {
  /** what history calls it */
  kind: string
  owner: OwnerRule
  bind: (host: Host) => void
}

/**
 * A record that is one table and nothing else: its endpoints are those of `tableService`, its exported list has the
 * columns of `sheet`. An entity with a rule, an action or children of its own has a service and routes instead.
 */
export function tableRecord<Api extends ResourceApi>({
  sheet,
  ...options
}: TableServiceOptions<Api> & { sheet: SheetOf<RowOf<Api>> }): TableRecord {
  const { api, table } = options
  return {
    kind: ownerKindOf(table),
    owner: tableOwner(api, table),
    bind: (host) => bindResource(host, api, tableService(options), sheet),
  }
}
