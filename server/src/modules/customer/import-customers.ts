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
import { wordingsOf } from '../../kit/texts/texts.ts'
import { recordARow } from '../partner/index.ts'
import { createCustomers } from './customer.service.ts'

const TEXTS = wordingsOf('customer')

const FIELDS: readonly ImportField[] = [
  TITLE_FIELD,
  { name: 'alias', ...TEXTS.fields.alias },
  VAT_NUMBER_FIELD,
  LANGUAGE_FIELD,
  { name: 'responsibleUserId', ...TEXTS.fields.responsibleUser, reading: 'person' },
  ...ADDRESS_FIELDS,
  { name: 'paymentPeriodDays', ...TEXTS.fields.paymentPeriodDays, reading: 'number' },
  { name: 'paymentOption', ...TEXTS.fields.paymentOption, reading: { words: TEXTS.paymentOptions } },
  { name: 'buyerReference', ...TEXTS.fields.buyerReference },
  { name: 'eInvoiceAddress', ...TEXTS.fields.eInvoiceAddress },
  { name: 'invoiceEmail', ...TEXTS.fields.invoiceEmail },
  { name: 'specialInstructions', ...TEXTS.fields.specialInstructions },
  WARNINGS_FIELD,
  ...CONTACT_FIELDS,
  { name: 'pickupLocations.0.companyTitle', ...TEXTS.fields.pickupCompany },
  { name: 'pickupLocations.0.address', ...TEXTS.fields.pickupAddress },
  { name: 'pickupLocations.0.postal', ...TEXTS.fields.pickupPostal },
  { name: 'pickupLocations.0.city', ...TEXTS.fields.pickupCity },
  { name: 'pickupLocations.0.countryId', ...TEXTS.fields.pickupCountry, reading: 'country' },
  { name: 'pickupLocations.0.phone', ...TEXTS.fields.pickupPhone },
]

export const importCustomers = (ctx: Ctx, request: FastifyRequest): Promise<ImportResult> =>
  importTable(ctx, request, {
    endpoint,
    fields: FIELDS,
    check: recordARow(CustomerWrite, { table: 'customer', taken: 'customer_vat_number_taken' }),
    createAll: createCustomers,
  })
