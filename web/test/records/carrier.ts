import { carrierCompanyApi, type CarrierCompany } from '@waybill/contract/carrier-company'
import { pageOf, server } from '../kit/fake-server.ts'
import { keep, type Stored } from '../kit/stored.ts'
import { POLAND, TRANSWARTA } from './master-data.ts'

export const driverOf = (
  given: Partial<CarrierCompany['drivers'][number]> = {},
): CarrierCompany['drivers'][number] => ({
  id: 501,
  fullName: 'Marek Zieliński',
  phone: '+48 601 555 392',
  email: null,
  plateNumber: 'PO 1A234',
  ...given,
})

type BankAccount = CarrierCompany['bankAccounts'][number]

/** An account that the one with id 1 entered by hand and nobody has confirmed. */
export const bankAccountOf = (given: Partial<BankAccount> = {}): BankAccount => ({
  id: 551,
  bankName: null,
  iban: 'DE89370400440532013000',
  bic: null,
  enteredById: 1,
  enteredBy: { id: 1, title: 'Anna Petersen' },
  enteredAt: '2026-11-02T09:00:00Z',
  confirmedById: null,
  confirmedBy: null,
  confirmedAt: null,
  source: 'hand',
  sourceInvoiceId: null,
  sourceInvoice: null,
  typedBy: [],
  ...given,
})

/** A carrier of Poznań with a driver. */
export const carrierOf = (given: Partial<CarrierCompany> = {}): CarrierCompany => ({
  id: TRANSWARTA.id,
  version: 1,
  title: TRANSWARTA.title,
  vatNumber: 'PL7831812692',
  language: null,
  representative: null,
  timocomId: null,
  transId: null,
  website: null,
  address: null,
  postal: null,
  city: 'Poznań',
  countryId: POLAND.id,
  billingAddress: null,
  paymentPeriodDays: null,
  creditorNumber: null,
  notes: null,
  warnings: null,
  blockedReason: null,
  isOnceOnly: false,
  licenceNotNeededReason: null,
  contactPersons: [],
  bankAccounts: [],
  drivers: [driverOf()],
  vehicleTypeIds: [],
  state: 'active',
  vehicleTypes: [],
  country: POLAND,
  billingCountry: null,
  createdAt: '2026-11-02T09:00:00Z',
  ...given,
})

/** Keeps a carrier, and in the list of carriers no other. */
export function keepCarrier(carrier: CarrierCompany): Stored<CarrierCompany> {
  const stored = keep(carrierCompanyApi, carrier, (body) => ({
    ...(body as Partial<CarrierCompany>),
    ...(body.drivers !== undefined && {
      drivers: (body.drivers as CarrierCompany['drivers']).map((line, index) => ({
        ...line,
        id: line.id ?? 5000 + index,
      })),
    }),
  }))
  server.answer(carrierCompanyApi.list, ({ query }) => {
    const now = stored.now()
    return pageOf(
      [{ ...now, documentWarning: null, isBlocked: now.blockedReason !== null }].filter(
        ({ state }) => query.state === undefined || query.state === state,
      ),
    )
  })
  return stored
}
