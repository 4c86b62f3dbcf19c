import type { FastifyRequest } from 'fastify'
import { CarrierCompanyWrite, importCarrierCompanies as endpoint } from '@waybill/contract/carrier-company'
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
import { createCarrierCompanies } from './carrier-company.service.ts'

const FIELDS: readonly ImportField[] = [
  TITLE_FIELD,
  VAT_NUMBER_FIELD,
  LANGUAGE_FIELD,
  ...ADDRESS_FIELDS,
  { name: 'timocomId', title: { en: 'Timocom ID', de: 'Timocom-ID', pl: 'ID Timocom' }, also: ['Timocom'] },
  { name: 'transId', title: { en: 'Trans ID', de: 'Trans-ID', pl: 'ID Trans' }, also: ['Trans.eu'] },
  {
    name: 'website',
    title: { en: 'Website', de: 'Website', pl: 'Strona internetowa' },
    also: ['Homepage', 'WWW', 'Internet'],
  },
  {
    name: 'representative.fullName',
    title: { en: 'Representative', de: 'Vertretungsberechtigter', pl: 'Przedstawiciel' },
    also: ['Geschäftsführer', 'Prezes'],
  },
  {
    name: 'representative.email',
    title: { en: 'Representative: email', de: 'Vertretungsberechtigter: E-Mail', pl: 'Przedstawiciel: e-mail' },
  },
  {
    name: 'representative.phone',
    title: { en: 'Representative: phone', de: 'Vertretungsberechtigter: Telefon', pl: 'Przedstawiciel: telefon' },
  },
  { name: 'bankAccounts.0.bankName', title: { en: 'Bank', de: 'Bank', pl: 'Bank' } },
  { name: 'bankAccounts.0.iban', title: { en: 'IBAN', de: 'IBAN', pl: 'IBAN' }, also: ['Numer konta', 'Kontonummer'] },
  { name: 'bankAccounts.0.bic', title: { en: 'BIC', de: 'BIC', pl: 'BIC' }, also: ['SWIFT', 'SWIFT BIC'] },
  { name: 'notes', title: { en: 'Notes', de: 'Bemerkungen', pl: 'Uwagi' }, also: ['Notizen', 'Notatki'] },
  WARNINGS_FIELD,
  ...CONTACT_FIELDS,
  { name: 'drivers.0.fullName', title: { en: 'Driver', de: 'Fahrer', pl: 'Kierowca' } },
  { name: 'drivers.0.phone', title: { en: 'Driver: phone', de: 'Fahrer: Telefon', pl: 'Kierowca: telefon' } },
  { name: 'drivers.0.email', title: { en: 'Driver: email', de: 'Fahrer: E-Mail', pl: 'Kierowca: e-mail' } },
  {
    name: 'drivers.0.plateNumber',
    title: { en: 'Driver: plate number', de: 'Fahrer: Kennzeichen', pl: 'Kierowca: numer rejestracyjny' },
    also: ['Plate number', 'Kennzeichen', 'Numer rejestracyjny'],
  },
]

export const importCarrierCompanies = (ctx: Ctx, request: FastifyRequest): Promise<ImportResult> =>
  importTable(ctx, request, {
    endpoint,
    fields: FIELDS,
    check: recordARow(CarrierCompanyWrite, { table: 'carrier_company', taken: 'carrier_vat_number_taken' }),
    createAll: createCarrierCompanies,
  })
