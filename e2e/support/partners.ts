import { giveCarrierPapers } from './carrier-papers.ts'
import type { Waybill } from './waybill.ts'

export interface Partners {
  nordlicht: number
  nordlichtHolding: number
  fabryka: number
  alpenfaden: number
  transwarta: number
}

/** The customers of the first three transport orders, and a cleared carrier to buy from. */
export async function addPartners(waybill: Waybill): Promise<Partners> {
  const { api, idOf } = waybill
  const country = {
    DE: await idOf('countries', 'Germany'),
    PL: await idOf('countries', 'Poland'),
    CH: await idOf('countries', 'Switzerland'),
  }
  const add = async (resource: string, body: object): Promise<number> => {
    const { status, body: made } = await api('POST', resource, body)
    if (status !== 201) throw new Error(`${resource}: ${JSON.stringify(made)}`)
    return made.id as number
  }
  const customer = (body: object) => add('customers', body)
  const partners = {
    nordlicht: await customer({
      title: 'Nordlicht Maschinenbau GmbH',
      vatNumber: 'DE129273398',
      language: 'de',
      countryId: country.DE,
      address: 'Billbrookdeich 210',
      postal: '22113',
      city: 'Hamburg',
      contactPersons: [{ fullName: 'Herr Jansen', phone: '+49 40 5550 1204', email: 'jansen@nordlicht.example' }],
    }),
    nordlichtHolding: await customer({
      title: 'Nordlicht Holding AG',
      vatNumber: 'DE136695976',
      language: 'de',
      countryId: country.DE,
      address: 'Am Sandtorkai 50',
      postal: '20457',
      city: 'Hamburg',
      invoiceEmail: 'rechnung@nordlicht.example',
    }),
    fabryka: await customer({
      title: 'Fabryka Mebli Łódź S.A.',
      vatNumber: 'PL7259012340',
      language: 'pl',
      countryId: country.PL,
      address: 'ul. Pabianicka 119',
      postal: '93-490',
      city: 'Łódź',
      paymentPeriodDays: 60,
      warnings: 'Announce driver and plate the day before loading.',
      invoiceEmail: 'faktury@mebel.example',
      contactPersons: [{ fullName: 'Tomasz Wójcik', phone: '+48 42 555 17 80', email: 'wojcik@mebel.example' }],
    }),
    alpenfaden: await customer({
      title: 'Alpenfaden AG',
      vatNumber: 'CHE-123.456.788 MWST',
      language: 'en',
      countryId: country.CH,
      address: 'Seestrasse 12',
      postal: '8002',
      city: 'Zürich',
      invoiceEmail: 'billing@alpenfaden.example',
    }),
    transwarta: await add('carrier-companies', {
      title: 'Transwarta Sp. z o.o.',
      vatNumber: 'PL7831812692',
      countryId: country.PL,
      city: 'Poznań',
      drivers: [{ fullName: 'Marek Zieliński', phone: '+48 601 555 392', plateNumber: 'PO 1A234' }],
      contactPersons: [{ fullName: 'Ewa Lis', phone: '+48 61 555 30 10', email: 'dispo@transwarta.example' }],
    }),
  }
  await giveCarrierPapers(waybill, partners.transwarta)
  return partners
}
