import { bindResource, type Host } from '../../kit/http/routes.ts'
import { typeLists } from './type-list.service.ts'

export function bindTypeListRoutes(host: Host): void {
  for (const { api, service, sheet } of typeLists) bindResource(host, api, service, sheet)
}
