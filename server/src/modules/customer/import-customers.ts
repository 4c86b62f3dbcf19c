import type { FastifyRequest } from 'fastify'
import { CustomerWrite, importCustomers as endpoint } from '@waybill/contract/customer'
import type { ImportResult } from '@waybill/contract/kit/import'
import type { Ctx } from '../../kit/context.ts'
import { ADDRESS_FIELDS, CONTACT_FIELDS, LANGUAGE_FIELD, TITLE_FIELD, VAT_NUMBER_FIELD, WARNINGS_FIELD } from '../../kit/import-fields.ts'
import { importTable, type ImportField } from '../../kit/import-table.ts'
import { customerService } from './customer.service.ts'

const FIELDS: readonly ImportField[] = [
  TITLE_FIELD,
  { name: 'alias', title: { en: 'Alias', de: 'Alias', pl: 'Alias' }, also: ['Kurzname', 'Matchcode', 'Short name', 'Nazwa skrócona'] },
  VAT_NUMBER_FIELD,
  LANGUAGE_FIELD,
  { name: 'responsibleUserId', title: { en: 'Responsible person', de: 'Betreuer', pl: 'Opiekun' }, reading: 'person' },
  ...ADDRESS_FIELDS,
  { name: 'paymentPeriodDays', title: { en: 'Payment period (days)', de: 'Zahlungsziel (Tage)', pl: 'Termin płatności (dni)' }, also: ['Payment period', 'Zahlungsziel', 'Termin płatności'], reading: 'number' },
  {
    name: 'paymentOption',
    title: { en: 'Payment option', de: 'Abrechnung', pl: 'Sposób rozliczenia' },
    reading: { words: { per_order: ['Per order', 'Je Auftrag', 'Za zlecenie'], end_of_period: ['End of period', 'Periodenende', 'Koniec okresu'] } },
  },
  { name: 'buyerReference', title: { en: 'Buyer reference', de: 'Leitweg-ID / Käuferreferenz', pl: 'Referencja nabywcy' }, also: ['Leitweg-ID', 'Käuferreferenz'] },
  { name: 'eInvoiceAddress', title: { en: 'E-invoice address', de: 'E-Rechnungsadresse', pl: 'Adres e-faktury' } },
  { name: 'invoiceEmail', title: { en: 'Invoice email', de: 'Rechnungs-E-Mail', pl: 'E-mail do faktur' } },
  { name: 'specialInstructions', title: { en: 'Special instructions', de: 'Besondere Hinweise', pl: 'Instrukcje specjalne' } },
  WARNINGS_FIELD,
  ...CONTACT_FIELDS,
]

export const importCustomers = (ctx: Ctx, request: FastifyRequest): Promise<ImportResult> =>
  importTable(ctx, request, { endpoint, write: CustomerWrite, fields: FIELDS, vatNumbers: { table: 'customer', taken: 'customer_vat_number_taken' }, create: customerService.create })
