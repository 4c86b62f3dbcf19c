import { countryApi } from '@waybill/contract/country'
import { bindResource, type Host } from '../../kit/http/routes.ts'
import { countryService } from './country.service.ts'
import { countrySheet } from './export-countries.ts'

export const bindCountryRoutes = (host: Host): void => bindResource(host, countryApi, countryService, countrySheet)
