import type { Language } from '@waybill/contract/errors'
import type { Industry } from './companies.ts'
import type { Customer, DepartmentName, Town } from '../world.ts'

/** A customer record that the eight transport orders name, or need. */
export interface RealCustomer {
  title: string
  industry: Industry
  language: Language
  vatNumber: string | null
  paymentPeriodDays: number
  paymentOption: 'per_order' | 'end_of_period'
  department: DepartmentName
  home: Omit<Town, 'gravity'> & { address: string }
  contacts: string[]
  sizes: Customer['sizes']
  share: number
  billedTo?: string
}

const usual = { paymentOption: 'per_order', department: 'FTL West', sizes: [6, 3, 1] } as const

export const REAL_CUSTOMERS: readonly RealCustomer[] = [
  {
    ...usual,
    title: 'Nordlicht Holding AG',
    industry: 'machinery',
    language: 'de',
    vatNumber: 'DE136695976',
    paymentPeriodDays: 45,
    contacts: ['Imke Harms'],
    share: 0,
    home: {
      countryCode: 'DE',
      address: 'Am Sandtorkai 50',
      postal: '20457',
      city: 'Hamburg',
      latitude: 53.543,
      longitude: 9.997,
    },
  },
  {
    ...usual,
    title: 'Nordlicht Maschinenbau GmbH',
    industry: 'machinery',
    language: 'de',
    vatNumber: 'DE720330453',
    paymentPeriodDays: 45,
    contacts: ['Torsten Jansen', 'Imke Harms'],
    share: 0.9,
    billedTo: 'Nordlicht Holding AG',
    home: {
      countryCode: 'DE',
      address: 'Billbrookdeich 210',
      postal: '22113',
      city: 'Hamburg',
      latitude: 53.529,
      longitude: 10.106,
    },
  },
  {
    ...usual,
    title: 'Fabryka Mebli Łódź S.A.',
    industry: 'furniture',
    language: 'pl',
    vatNumber: 'PL7259012340',
    paymentPeriodDays: 60,
    contacts: ['Tomasz Wójcik', 'Joanna Kmieć'],
    share: 0.9,
    home: {
      countryCode: 'PL',
      address: 'ul. Pabianicka 119',
      postal: '93-490',
      city: 'Łódź',
      latitude: 51.705,
      longitude: 19.436,
    },
  },
  {
    ...usual,
    title: 'Alpenfaden AG',
    industry: 'textiles',
    language: 'en',
    vatNumber: 'CHE123456788',
    paymentPeriodDays: 30,
    contacts: ['Reto Ammann'],
    share: 0.5,
    sizes: [1, 6, 2],
    home: {
      countryCode: 'CH',
      address: 'Seestrasse 12',
      postal: '8002',
      city: 'Zürich',
      latitude: 47.362,
      longitude: 8.534,
    },
  },
  {
    ...usual,
    title: 'Kartonwerk Süd GmbH',
    industry: 'paper',
    language: 'de',
    vatNumber: 'DE287654308',
    paymentPeriodDays: 30,
    contacts: ['Sonja Pfeiffer'],
    share: 0.6,
    department: 'Groupage',
    sizes: [1, 3, 6],
    home: {
      countryCode: 'DE',
      address: 'Daimlerstr. 7',
      postal: '86368',
      city: 'Gersthofen',
      latitude: 48.424,
      longitude: 10.874,
    },
  },
  {
    ...usual,
    title: 'Polder Fresh Logistics B.V.',
    industry: 'chilled',
    language: 'en',
    vatNumber: 'NL801234566B01',
    paymentPeriodDays: 30,
    contacts: ['Maarten Vos', 'Ilse de Groot'],
    share: 0.9,
    home: {
      countryCode: 'NL',
      address: 'Waalhaven Z.z. 19',
      postal: '3089 JH',
      city: 'Rotterdam',
      latitude: 51.881,
      longitude: 4.451,
    },
  },
  {
    ...usual,
    title: 'AutoKomponent Sp. z o.o.',
    industry: 'automotive',
    language: 'pl',
    vatNumber: 'PL6349012366',
    paymentPeriodDays: 14,
    contacts: ['Marcin Gawlik'],
    share: 0.5,
    sizes: [2, 4, 4],
    home: {
      countryCode: 'PL',
      address: 'ul. Rzemieślnicza 11',
      postal: '40-265',
      city: 'Katowice',
      latitude: 50.249,
      longitude: 19.062,
    },
  },
  {
    ...usual,
    title: 'Flachstahl Salzgitter GmbH',
    industry: 'steel',
    language: 'de',
    vatNumber: 'DE319876504',
    paymentPeriodDays: 30,
    contacts: ['Dr. Leyla Öztürk'],
    share: 0.6,
    home: {
      countryCode: 'DE',
      address: 'Eisenhüttenstr. 99',
      postal: '38239',
      city: 'Salzgitter',
      latitude: 52.144,
      longitude: 10.392,
    },
  },
  {
    ...usual,
    title: 'Vlaamse Textielhandel NV',
    industry: 'textiles',
    language: 'en',
    vatNumber: 'BE0987654394',
    paymentPeriodDays: 30,
    contacts: ['Inez De Smet'],
    share: 0.5,
    sizes: [2, 6, 1],
    home: {
      countryCode: 'BE',
      address: 'Kortrijksesteenweg 1007',
      postal: '9000',
      city: 'Gent',
      latitude: 51.022,
      longitude: 3.693,
    },
  },
]
