import type { FastifyRequest } from 'fastify'
import { CustomerWrite, importCustomers as endpoint } from '@waybill/contract/customer'
import type { ImportResult } from '@waybill/contract/kit/import'
import type { Ctx } from '../../kit/context/context.ts'
import {
  ADDRESS_FIELDS,
  CONTACT_FIELDS,
  LANGUAGE_FIELD,
  TITLE_FIELD,
  VAT_NUMBER_FIELD,
  WARNINGS_FIELD,
} from '../../kit/tables/import-fields.ts'
import { importTable, type ImportField } from '../../kit/tables/import-table.ts'
import { recordARow } from '../partner/index.ts'
import { createCustomers } from './customer.service.ts'

const FIELDS: readonly ImportField[] = [
  TITLE_FIELD,
  {
    name: 'alias',
    title: { en: 'Alias', de: 'Alias', pl: 'Alias' },
    also: ['Kurzname', 'Matchcode', 'Short name', 'Nazwa skrócona'],
  },
  VAT_NUMBER_FIELD,
  LANGUAGE_FIELD,
  { name: 'responsibleUserId', title: { en: 'Responsible person', de: 'Betreuer', pl: 'Opiekun' }, reading: 'person' },
  ...ADDRESS_FIELDS,
  {
    name: 'paymentPeriodDays',
    title: { en: 'Payment period (days)', de: 'Zahlungsziel (Tage)', pl: 'Termin płatności (dni)' },
    also: ['Payment period', 'Zahlungsziel', 'Termin płatności'],
    reading: 'number',
  },
  {
    name: 'paymentOption',
    title: { en: 'Payment option', de: 'Abrechnung', pl: 'Sposób rozliczenia' },
    reading: {
      words: {
        per_order: ['Per order', 'Je Auftrag', 'Za zlecenie'],
        end_of_period: ['End of period', 'Periodenende', 'Koniec okresu'],
      },
    },
  },
  {
    name: 'buyerReference',
    title: { en: 'Buyer reference', de: 'Leitweg-ID / Käuferreferenz', pl: 'Referencja nabywcy' },
    also: ['Leitweg-ID', 'Käuferreferenz'],
  },
  { name: 'eInvoiceAddress', title: { en: 'E-invoice address', de: 'E-Rechnungsadresse', pl: 'Adres e-faktury' } },
  { name: 'invoiceEmail', title: { en: 'Invoice email', de: 'Rechnungs-E-Mail', pl: 'E-mail do faktur' } },
  {
    name: 'specialInstructions',
    title: { en: 'Special instructions', de: 'Besondere Hinweise', pl: 'Instrukcje specjalne' },
  },
  WARNINGS_FIELD,
  ...CONTACT_FIELDS,
  {
    name: 'pickupLocations.0.companyTitle',
    title: { en: 'Pickup location', de: 'Abhol-/Zustellort', pl: 'Miejsce odbioru' },
    also: ['Pickup location: company', 'Ladestelle', 'Rampe'],
  },
  {
    name: 'pickupLocations.0.address',
    title: {
      en: 'Pickup location: address',
      de: 'Abhol-/Zustellort: Straße und Hausnummer',
      pl: 'Miejsce odbioru: ulica i numer',
    },
  },
  {
    name: 'pickupLocations.0.postal',
    title: { en: 'Pickup location: postal code', de: 'Abhol-/Zustellort: PLZ', pl: 'Miejsce odbioru: kod pocztowy' },
  },
  {
    name: 'pickupLocations.0.city',
    title: { en: 'Pickup location: city', de: 'Abhol-/Zustellort: Ort', pl: 'Miejsce odbioru: miejscowość' },
  },
  {
    name: 'pickupLocations.0.countryId',
    title: { en: 'Pickup location: country', de: 'Abhol-/Zustellort: Land', pl: 'Miejsce odbioru: kraj' },
    reading: 'country',
  },
  {
    name: 'pickupLocations.0.phone',
    title: { en: 'Pickup location: phone', de: 'Abhol-/Zustellort: Telefon', pl: 'Miejsce odbioru: telefon' },
  },
]

export const importCustomers = (ctx: Ctx, request: FastifyRequest): Promise<ImportResult> =>
  importTable(ctx, request, {
    endpoint,
    fields: FIELDS,
    check: recordARow(CustomerWrite, { table: 'customer', taken: 'customer_vat_number_taken' }),
    createAll: createCustomers,
  })
