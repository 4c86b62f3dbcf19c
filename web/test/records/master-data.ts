import { carrierCompanyApi } from '@waybill/contract/carrier-company'
import { companyApi } from '@waybill/contract/company'
import { countryApi } from '@waybill/contract/country'
import { customerApi } from '@waybill/contract/customer'
import { departmentApi } from '@waybill/contract/department'
import type { CompactRow } from '@waybill/contract/kit/paging'
import type { Reference } from '@waybill/contract/kit/fields'
import { salutationApi } from '@waybill/contract/salutation'
import { cargoTypeApi, specialHandlingTypeApi, unitTypeApi, vehicleTypeApi } from '@waybill/contract/type-list'
import { userApi } from '@waybill/contract/user'
import { server } from '../kit/fake-server.ts'

/** The records that select boxes know in component tests, as far as one needs their ids. */
export const GERMANY: Reference = { id: 11, title: 'Germany' }
export const POLAND: Reference = { id: 12, title: 'Poland' }
const SWITZERLAND: Reference = { id: 13, title: 'Switzerland' }
export const WAYBILL: Reference = { id: 21, title: 'Waybill Spedition GmbH' }
/** Of whom is signed in */
export const FTL_WEST: Reference = { id: 31, title: 'FTL West' }
export const LTL_EAST: Reference = { id: 32, title: 'LTL East' }
export const NORDLICHT: Reference = { id: 41, title: 'Nordlicht Maschinenbau GmbH' }
export const NORDLICHT_HOLDING: Reference = { id: 42, title: 'Nordlicht Holding AG' }
export const FABRYKA: Reference = { id: 43, title: 'Fabryka Mebli Łódź S.A.' }
const ALPENFADEN: Reference = { id: 44, title: 'Alpenfaden AG' }
export const CUSTOMERS: readonly Reference[] = [NORDLICHT, NORDLICHT_HOLDING, FABRYKA, ALPENFADEN]
export const TRANSWARTA: Reference = { id: 51, title: 'Transwarta Sp. z o.o.' }
/** Who is signed in, unless a test says otherwise */
export const ANNA: Reference = { id: 1, title: 'Anna Petersen' }
export const ZACHARIAS: Reference = { id: 2, title: 'Zacharias Eilig' }

const countries: CompactRow[] = [
  { ...GERMANY, code: 'DE', names: ['Deutschland', 'Niemcy'] },
  { ...POLAND, code: 'PL', names: ['Polen', 'Polska'] },
  { id: 14, title: 'Portugal', code: 'PT', names: ['Portugalia'] },
  { ...SWITZERLAND, code: 'CH', names: ['Schweiz', 'Szwajcaria'] },
]
const germanCountries: CompactRow[] = [
  { id: GERMANY.id, title: 'Deutschland', code: 'DE', names: ['Germany', 'Niemcy'] },
  { id: POLAND.id, title: 'Polen', code: 'PL', names: ['Poland', 'Polska'] },
  { id: 14, title: 'Portugal', code: 'PT', names: ['Portugalia'] },
  { id: SWITZERLAND.id, title: 'Schweiz', code: 'CH', names: ['Switzerland', 'Szwajcaria'] },
]

const size = (lengthCm: number | null, widthCm: number | null, heightCm: number | null = null) => ({
  dimensions: { lengthCm, widthCm, heightCm },
})
const units: CompactRow[] = [
  { id: 61, title: 'Carton', names: ['Karton'], ...size(null, null) },
  { id: 62, title: 'Europallet', names: ['Europalette', 'Europaleta'], ...size(120, 80) },
  { id: 63, title: 'Industrial pallet', names: ['Industriepalette'], ...size(120, 100) },
  { id: 64, title: 'Mesh box', names: ['Gitterbox'], ...size(120, 80, 97) },
  { id: 65, title: 'Roll', names: ['Rolle'], ...size(null, null) },
]
const germanUnits: CompactRow[] = [
  { id: 62, title: 'Europalette', names: ['Europallet', 'Europaleta'], ...size(120, 80) },
  { id: 64, title: 'Gitterbox', names: ['Mesh box'], ...size(120, 80, 97) },
  { id: 63, title: 'Industriepalette', names: ['Industrial pallet'], ...size(120, 100) },
  { id: 61, title: 'Karton', names: ['Carton'], ...size(null, null) },
  { id: 65, title: 'Rolle', names: ['Roll'], ...size(null, null) },
]

/** Fills every select box: what is offered is there to be chosen, in English or German as the page asks. */
export function offerMasterData(): void {
  server.offer(countryApi, countries, { de: germanCountries })
  server.offer(unitTypeApi, units, { de: germanUnits })
  server.offer(companyApi, [WAYBILL])
  server.offer(departmentApi, [FTL_WEST, LTL_EAST])
  server.offer(customerApi, [
    { ...ALPENFADEN, detail: 'Zürich · CHE-123.456.788 MWST' },
    { ...FABRYKA, detail: 'Łódź · PL7259012340' },
    { ...NORDLICHT_HOLDING, detail: 'Hamburg · DE136695976' },
    { ...NORDLICHT, detail: 'Hamburg · DE129273398' },
  ])
  server.offer(carrierCompanyApi, [{ ...TRANSWARTA, detail: 'Poznań · PL7831812692' }])
  server.offer(userApi, [ANNA, ZACHARIAS])
  server.offer(salutationApi, [
    { id: 71, title: 'Herr' },
    { id: 72, title: 'Frau' },
  ])
  server.offer(vehicleTypeApi, [{ id: 81, title: 'Curtainsider' }])
  server.offer(cargoTypeApi, [{ id: 82, title: 'Machinery' }])
  server.offer(specialHandlingTypeApi, [{ id: 83, title: 'Tail lift' }])
}
