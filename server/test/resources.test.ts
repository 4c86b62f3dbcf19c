import { carrierCompanyApi } from '@waybill/contract/carrier-company'
import { companyApi } from '@waybill/contract/company'
import { countryApi } from '@waybill/contract/country'
import { customerApi } from '@waybill/contract/customer'
import { departmentApi } from '@waybill/contract/department'
import { salutationApi } from '@waybill/contract/salutation'
import { cargoTypeApi, specialHandlingTypeApi, unitTypeApi, vehicleTypeApi } from '@waybill/contract/type-list'
import { roleApi, userApi } from '@waybill/contract/user'
import { useTestApp } from './app.ts'
import { describeResource } from './describe-resource.ts'

const test = useTestApp()
let n = 0
const next = () => (n += 1)
// Two letters that no seeded country has: X is not assigned in ISO 3166-1.
const letters = () => `X${String.fromCharCode(65 + (next() % 26))}`
const countryId = () => test.idOf('country', 'code', 'PL')

describeResource({
  api: countryApi,
  test,
  kind: 'country',
  body: async () => ({ title: `Country ${next()}`, code: letters(), isEu: false, standardVatBp: 2000, timeZone: 'Europe/Berlin' }),
  change: { title: 'Renamed' },
  required: 'title',
})
const TYPE_LISTS = [
  [unitTypeApi, 'unitType'],
  [vehicleTypeApi, 'vehicleType'],
  [cargoTypeApi, 'cargoType'],
  [specialHandlingTypeApi, 'specialHandlingType'],
] as const
for (const [api, kind] of TYPE_LISTS) {
  describeResource({ api, test, kind, body: async () => ({ title: `Type ${next()}` }), change: { title: `Renamed ${next()}` }, required: 'title' })
}
describeResource({
  api: companyApi,
  test,
  kind: 'company',
  body: async () => ({
    title: 'Nordtrans GmbH',
    code: `C${next()}`,
    countryId: await countryId(),
    timeZone: 'Europe/Warsaw',
    invoiceNumberPattern: 'NT/{YYYY}/{NNNN}',
    bankAccounts: [{ bankName: 'Bank', iban: 'DE89 3704 0044 0532 0130 00', bic: 'COBADEFFXXX' }],
  }),
  change: { title: 'Nordtrans Sp. z o.o.' },
  required: 'title',
})
describeResource({
  api: departmentApi,
  test,
  kind: 'department',
  body: async () => ({ abbreviation: `Dep ${next()}`, companyId: await test.idOf('company', 'code', 'WB'), countryId: await countryId(), city: 'Poznań' }),
  change: { city: 'Łódź' },
  required: 'abbreviation',
})
describeResource({
  api: salutationApi,
  test,
  kind: 'salutation',
  body: async () => ({ title: `Salutation ${next()}`, gender: 'female', countryId: await countryId() }),
  change: { gender: 'male' },
  required: 'title',
})
describeResource({
  api: roleApi,
  test,
  kind: 'userRole',
  body: async () => ({ title: `Role of test ${next()}`, permissions: ['ORDERS_MANAGEMENT'] }),
  change: { isEnabled: false },
  required: 'title',
})
describeResource({
  api: userApi,
  test,
  kind: 'user',
  body: async () => ({ fullName: 'Żaneta Öztürk', email: `zaneta${next()}@waybill.example`, position: { title: 'Dispatcher' }, plateNumber: 'WA 12345' }),
  change: { phone: '+48 601 555 392' },
  required: 'fullName',
})
describeResource({
  api: customerApi,
  test,
  kind: 'customer',
  body: async () => ({
    title: 'Fabryka Mebli Łódź S.A.',
    countryId: await countryId(),
    address: 'ul. Pabianicka 119',
    postal: '93-490',
    city: 'Łódź',
    paymentPeriodDays: 60,
    contactPersons: [{ fullName: 'Tomasz Wójcik', phone: '+48 42 555 17 80', email: 'tomasz@mebel.example', position: 'Logistics' }],
    pickupLocations: [{ companyTitle: 'Fabryka Mebli, rampa 2', countryId: await countryId(), city: 'Łódź' }],
  }),
  change: { warnings: 'Announce driver and plate the day before loading.' },
  required: 'title',
})
describeResource({
  api: carrierCompanyApi,
  test,
  kind: 'carrierCompany',
  body: async () => ({
    title: 'Transwarta Sp. z o.o.',
    countryId: await countryId(),
    representative: { fullName: 'Jan Kowalski', email: 'jan@transwarta.example' },
    drivers: [{ fullName: 'Marek Zieliński', phone: '+48 601 555 392', plateNumber: 'PO 1A234' }],
    contactPersons: [{ fullName: 'Dispo', email: 'dispo@transwarta.example' }],
    bankAccounts: [{ iban: 'PL61109010140000071219812874', bic: 'WBKPPLPP' }],
    vehicleTypeIds: [await test.idOf('vehicle_type', 'title', 'Reefer')],
  }),
  change: { website: 'transwarta.example' },
  required: 'title',
})
