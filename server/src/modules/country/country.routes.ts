import { countryApi } from '@waybill/contract/country'
import { bindResource, type Host } from '../../kit/routes.ts'
import { countryService } from './country.service.ts'

export const bindCountryRoutes = (host: Host): void => bindResource(host, countryApi, countryService)
