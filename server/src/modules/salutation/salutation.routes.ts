import { salutationApi } from '@waybill/contract/salutation'
import { bindResource, type Host } from '../../kit/http/routes.ts'
import { salutationSheet } from './export-salutations.ts'
import { salutationService } from './salutation.service.ts'

export const bindSalutationRoutes = (host: Host): void =>
  bindResource(host, salutationApi, salutationService, salutationSheet)
