import { companyApi } from '@waybill/contract/company'
import { bindResource, type Host } from '../../kit/routes.ts'
import { companyService } from './company.service.ts'

export const bindCompanyRoutes = (host: Host): void => bindResource(host, companyApi, companyService)
