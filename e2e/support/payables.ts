import { addPerson, tokensOf } from './people.ts'
import type { Waybill } from './waybill.ts'

interface Tokens {
  token: string
}

/** Calls the API and answers what it says; anything but success fails the test. */
export async function done({ api }: Waybill, method: string, path: string, body?: object, by?: Tokens): Promise<any> {
  const answer = await api(method, path, body, by && { authorization: `Bearer ${by.token}` })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** A company whose account a second person has confirmed; what other journeys approve is not in its proposal. */
export async function addPayingCompany(
  waybill: Waybill,
  second: Tokens,
  wanted: { title: string; code: string; iban: string; fourEyesRuns: boolean },
): Promise<number> {
  const { iban, ...named } = wanted
  const company = await done(waybill, 'POST', 'companies', {
    ...named,
    timeZone: 'Europe/Berlin',
    invoiceNumberPattern: `${named.code}-{YYYY}-{NNNN}`,
    countryId: await waybill.idOf('countries', 'Germany'),
    bankAccounts: [{ bankName: 'Hausbank', iban }],
  })
  const [{ id }] = company.bankAccounts
  await done(waybill, 'POST', `bank-accounts/${id as number}/confirm`, { version: company.version }, second)
  return company.id
}

/** A carrier with one account, confirmed by `second` or by nobody. */
export async function addPaidCarrier(
  waybill: Waybill,
  second: Tokens | null,
  wanted: { title: string; country: string; iban: string },
): Promise<number> {
  const made = await done(waybill, 'POST', 'carrier-companies', {
    title: wanted.title,
    countryId: await waybill.idOf('countries', wanted.country),
    bankAccounts: [{ iban: wanted.iban }],
  })
  const [{ id }] = made.bankAccounts
  const path = `carrier-companies/${made.id as number}/bank-accounts/${id as number}/confirm`
  if (second) await done(waybill, 'POST', path, { version: made.version }, second)
  return made.id
}

/** A carrier's invoice that the administrator has approved. */
export async function addApprovedInvoice(
  waybill: Waybill,
  wanted: { companyId: number; carrierCompanyId: number; number: string; amountCents: number; iban: string },
): Promise<number> {
  const made = await done(waybill, 'POST', 'invoices', { entityType: 'carrier', ...wanted })
  const approved = { to: 'approved', version: made.version }
  return (await done(waybill, 'POST', `invoices/${made.id as number}/status`, approved)).id
}

const [PAID, READY, WAITING] = ['PL73102010680000310209876501', 'NL77INGB0417164400', 'CZ3808000000192000145400']

/** Of a company of its own: a run that nobody has confirmed yet, whose id it answers, and invoices for the next one. */
export async function addRunWithRest(waybill: Waybill): Promise<number> {
  const second = await tokensOf(
    waybill,
    await addPerson(waybill, { permissions: ['CARRIER_MANAGEMENT', 'SETTINGS_ACCESS', 'INVOICES_PROCESSING'] }),
  )
  const companyId = await addPayingCompany(waybill, second, {
    title: 'Alstertal Fracht GmbH',
    code: 'ALSTER',
    iban: 'DE88370400440532013018',
    fourEyesRuns: true,
  })
  const add = async (title: string, country: string, iban: string, number: string, by: Tokens | null) => {
    const carrierCompanyId = await addPaidCarrier(waybill, by, { title, country, iban })
    return addApprovedInvoice(waybill, { companyId, carrierCompanyId, number, amountCents: 131_250, iban })
  }
  const paid = await add('Noteć Trans s.c.', 'Poland', PAID, 'FV/2026/11/0231', second)
  await add('Veerhaven Transport B.V.', 'Netherlands', READY, 'F26.10871', second)
  await add('Vltava Truck a.s.', 'Czechia', WAITING, '260100412', null)
  const { items } = await done(waybill, 'GET', 'payment-files/debtor-banks')
  const debtorBankId: number = items.find((one: { company: { id: number } }) => one.company.id === companyId).id
  const proposal = await done(waybill, 'GET', `payment-files/proposal?debtorBankId=${debtorBankId}&dueUntil=2099-12-31`)
  return (
    await done(waybill, 'POST', 'payment-files', {
      debtorBankId,
      invoiceIds: [paid],
      executionDate: proposal.firstDay,
    })
  ).id
}
