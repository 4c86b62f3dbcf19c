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

type Holder = Awaited<ReturnType<NonNullable<Parameters<typeof describeResource>[0]['use']>>>

/** Makes a record; `named` is what it says of another one. */
async function holder(path: string, body: object, named: Holder['named']): Promise<Holder> {
  const { status, body: made } = await test.admin.post(path, body)
  if (status !== 201) throw new Error(JSON.stringify(made))
  return { path: `${path}/${made.id}`, named }
}
const customerId = async (): Promise<number> =>
  (await test.admin.post('customers', { title: `Customer ${next()}`, countryId: await countryId() })).body.id
const orderWith = async (named: Holder['named'], more: object = {}) =>
  holder(
    'orders',
    {
      customerIds: [await customerId()],
      departmentId: (await test.admin.get('departments')).body.items[0].id,
      ...more,
    },
    named,
  )
const cargoWith = async (named: Holder['named'], more: object) =>
  orderWith(({ cargo }) => named(cargo[0]), { cargo: [{ title: 'Pallets', quantity: 4, ...more }] })

describeResource({
  api: countryApi,
  test,
  kind: 'country',
  body: async () => ({
    title: `Country ${next()}`,
    code: letters(),
    isEu: false,
    standardVatBp: 2000,
    timeZone: 'Europe/Berlin',
  }),
  change: { title: 'Renamed' },
  required: 'title',
  use: (id) =>
    holder('salutations', { title: `Salutation ${next()}`, gender: 'male', countryId: id }, (view) => view.country.id),
})
const TYPE_LISTS = [
  [unitTypeApi, 'unitType', (id: number) => cargoWith((line) => line.unitTypeId, { unitTypeId: id })],
  [
    vehicleTypeApi,
    'vehicleType',
    async (id: number) =>
      holder(
        'carrier-companies',
        { title: `Carrier ${next()}`, countryId: await countryId(), vehicleTypeIds: [id] },
        (view) => view.vehicleTypes[0].id,
      ),
  ],
  [cargoTypeApi, 'cargoType', (id: number) => cargoWith((line) => line.cargoTypeId, { cargoTypeId: id })],
  [
    specialHandlingTypeApi,
    'specialHandlingType',
    (id: number) => cargoWith((line) => line.specialHandlingTypeIds[0], { specialHandlingTypeIds: [id] }),
  ],
] as const
for (const [api, kind, use] of TYPE_LISTS) {
  describeResource({
    api,
    test,
    kind,
    body: async () => ({ title: `Type ${next()}` }),
    change: { title: `Renamed ${next()}` },
    required: 'title',
    use,
  })
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
  use: async (id) =>
    holder(
      'departments',
      { abbreviation: `Dep ${next()}`, companyId: id, countryId: await countryId() },
      (view) => view.company.id,
    ),
})
describeResource({
  api: departmentApi,
  test,
  kind: 'department',
  body: async () => ({
    abbreviation: `Dep ${next()}`,
    companyId: await test.idOf('company', 'code', 'WB'),
    countryId: await countryId(),
    city: 'Poznań',
  }),
  change: { city: 'Łódź' },
  required: 'abbreviation',
  use: (id) => orderWith((view) => view.department.id, { departmentId: id }),
})
describeResource({
  api: salutationApi,
  test,
  kind: 'salutation',
  body: async () => ({ title: `Salutation ${next()}`, gender: 'female', countryId: await countryId() }),
  change: { gender: 'male' },
  required: 'title',
  use: async (id) =>
    holder(
      'customers',
      {
        title: `Customer ${next()}`,
        countryId: await countryId(),
        contactPersons: [{ salutationId: id, fullName: 'Ina Meier' }],
      },
      (view) => view.contactPersons[0].salutationId,
    ),
})
describeResource({
  api: roleApi,
  test,
  kind: 'userRole',
  body: async () => ({ title: `Role of test ${next()}`, permissions: ['ORDERS_MANAGEMENT'] }),
  change: { isEnabled: false },
  required: 'title',
  use: (id) =>
    holder(
      'users',
      { fullName: 'Ola Nowak', email: `ola${next()}@waybill.example`, position: { title: 'Clerk' }, roleId: id },
      (view) => view.role.id,
    ),
})
describeResource({
  api: userApi,
  test,
  kind: 'user',
  body: async () => ({
    fullName: 'Żaneta Öztürk',
    email: `zaneta${next()}@waybill.example`,
    position: { title: 'Dispatcher' },
    plateNumber: 'WA 12345',
  }),
  change: { phone: '+48 601 555 392' },
  required: 'fullName',
  use: async (id) =>
    holder(
      'customers',
      { title: `Customer ${next()}`, countryId: await countryId(), responsibleUserId: id },
      (view) => view.responsibleUser.id,
    ),
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
    contactPersons: [
      { fullName: 'Tomasz Wójcik', phone: '+48 42 555 17 80', email: 'tomasz@mebel.example', position: 'Logistics' },
    ],
    pickupLocations: [{ companyTitle: 'Fabryka Mebli, rampa 2', countryId: await countryId(), city: 'Łódź' }],
  }),
  change: { warnings: 'Announce driver and plate the day before loading.' },
  required: 'title',
  use: (id) => orderWith((view) => view.customers[0].id, { customerIds: [id] }),
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
  use: (id) =>
    orderWith((view) => view.routes[0].assignment.carrierCompany.id, {
      routes: [{ assignment: { carrierCompanyId: id, costCents: 90_000, vatBp: 2300 } }],
    }),
})
