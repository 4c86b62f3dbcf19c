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
import { wordingsOf } from '../../kit/texts/texts.ts'
import { recordARow } from '../partner/index.ts'
import { createCarrierCompanies } from './carrier-company.service.ts'

const TEXTS = wordingsOf('carrier-company').fields

const FIELDS: readonly ImportField[] = [
  TITLE_FIELD,
  VAT_NUMBER_FIELD,
  LANGUAGE_FIELD,
  ...ADDRESS_FIELDS,
  { name: 'timocomId', ...TEXTS.timocomId },
  { name: 'transId', ...TEXTS.transId },
  { name: 'website', ...TEXTS.website },
  { name: 'paymentPeriodDays', ...TEXTS.paymentPeriodDays, reading: 'number' },
  { name: 'representative.fullName', ...TEXTS.representative },
  { name: 'representative.email', ...TEXTS.representativeEmail },
  { name: 'representative.phone', ...TEXTS.representativePhone },
  { name: 'bankAccounts.0.bankName', ...TEXTS.bankName },
  { name: 'bankAccounts.0.iban', ...TEXTS.iban },
  { name: 'bankAccounts.0.bic', ...TEXTS.bic },
  { name: 'notes', ...TEXTS.notes },
  WARNINGS_FIELD,
  ...CONTACT_FIELDS,
  { name: 'drivers.0.fullName', ...TEXTS.driver },
  { name: 'drivers.0.phone', ...TEXTS.driverPhone },
  { name: 'drivers.0.email', ...TEXTS.driverEmail },
  { name: 'drivers.0.plateNumber', ...TEXTS.driverPlateNumber },
]

export const importCarrierCompanies = (ctx: Ctx, request: FastifyRequest): Promise<ImportResult> =>
  importTable(ctx, request, {
    endpoint,
    fields: FIELDS,
    check: recordARow(CarrierCompanyWrite, { table: 'carrier_company', taken: 'carrier_vat_number_taken' }),
    createAll: createCarrierCompanies,
  })
