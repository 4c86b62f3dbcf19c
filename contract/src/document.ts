import { z } from 'zod'
import { endpoint } from './kit/endpoint.ts'
import { id, idText, localDate, reference } from './kit/fields.ts'
import { pageOf, listBase } from './kit/paging.ts'
import { can, type Access } from './permissions.ts'

/** Spec §5, §9: 25 MB. */
export const MAX_FILE_BYTES = 26_214_400

/** Spec §3 with the order and customer variants and what domain.md adds. */
export const DOCUMENT_TYPES = [
  'EU_LICENSE',
  'INSURANCE_DOCUMENT',
  'BUSINESS_REGISTRATION',
  'COMPANY_DOCUMENTS',
  'SUPPLIER_EVALUATION',
  'TARIFF_PRICE_LIST',
  'PROOF_OF_DELIVERY',
  'PALLET_CERTIFICATE',
  'OTHER_DOCUMENTS',
  'CREDIT_INFORMATION',
  'ORDER_EXPORT_CERTIFICATE',
  'ORDER_ARRIVAL_CERTIFICATE',
  'ORDER_RESOLVED_DOCUMENT',
  'CUSTOMER_DOCUMENTS',
  'CUSTOMER_INVOICE',
  'CARRIER_INVOICE',
  'CMR_NOTE',
] as const
export type DocumentType = (typeof DOCUMENT_TYPES)[number]

export const DOCUMENT_OWNERS = ['order', 'customer', 'carrierCompany', 'invoice'] as const
export type DocumentOwner = (typeof DOCUMENT_OWNERS)[number]

/** Which owner may hold which document. */
export const DOCUMENT_TYPES_OF: Readonly<Record<DocumentOwner, readonly DocumentType[]>> = {
  order: [
    'PROOF_OF_DELIVERY',
    'PALLET_CERTIFICATE',
    'CMR_NOTE',
    'CARRIER_INVOICE',
    'ORDER_EXPORT_CERTIFICATE',
    'ORDER_ARRIVAL_CERTIFICATE',
    'ORDER_RESOLVED_DOCUMENT',
    'OTHER_DOCUMENTS',
  ],
  customer: ['CUSTOMER_DOCUMENTS', 'TARIFF_PRICE_LIST', 'CREDIT_INFORMATION', 'COMPANY_DOCUMENTS', 'OTHER_DOCUMENTS'],
  carrierCompany: [
    'EU_LICENSE',
    'INSURANCE_DOCUMENT',
    'BUSINESS_REGISTRATION',
    'COMPANY_DOCUMENTS',
    'SUPPLIER_EVALUATION',
    'TARIFF_PRICE_LIST',
    'OTHER_DOCUMENTS',
  ],
  invoice: ['CUSTOMER_INVOICE', 'CARRIER_INVOICE', 'PROOF_OF_DELIVERY', 'OTHER_DOCUMENTS'],
}

const INVOICES = can('INVOICES_PROCESSING')

/** A right that files of a type need beside their owner's: invoices stay with invoice processing on the order form too (domain, People and rights). */
export const DOCUMENT_TYPE_ACCESS: Readonly<Partial<Record<DocumentType, Access>>> = { CUSTOMER_INVOICE: INVOICES, CARRIER_INVOICE: INVOICES }

/** What is valid for a time; papers of one transport are not. */
export const EXPIRING_DOCUMENT_TYPES: readonly DocumentType[] = [
  'EU_LICENSE',
  'INSURANCE_DOCUMENT',
  'BUSINESS_REGISTRATION',
  'COMPANY_DOCUMENTS',
  'SUPPLIER_EVALUATION',
  'TARIFF_PRICE_LIST',
  'CREDIT_INFORMATION',
  'CUSTOMER_DOCUMENTS',
  'OTHER_DOCUMENTS',
]

/** A stored file. `orderCarrier` is the id of the assignment (domain, Emails and documents). */
export const Document = z.object({
  id,
  version: z.number().int(),
  documentType: z.enum(DOCUMENT_TYPES),
  title: z.string(),
  contentType: z.string(),
  sizeBytes: z.number().int(),
  expiredAt: z.string().nullable(),
  orderCarrier: id.nullable(),
  owner: z.object({ kind: z.enum(DOCUMENT_OWNERS), id }),
  user: reference.nullable(),
  createdAt: z.string(),
})
export type Document = z.output<typeof Document>

const ownerIds = {
  orderId: idText.optional(),
  customerId: idText.optional(),
  carrierCompanyId: idText.optional(),
  invoiceId: idText.optional(),
}

/** Rights: those of the record that owns the files, checked by its own rule. */
export const listDocuments = endpoint({
  method: 'GET',
  path: '/documents',
  access: 'signedIn',
  summary: 'Files of one record (exactly one owner is named)',
  query: z.strictObject({ page: listBase.page, cursor: listBase.cursor, perPage: listBase.perPage, ...ownerIds }),
  reply: pageOf(Document),
})

export const uploadDocument = endpoint({
  method: 'POST',
  path: '/upload',
  access: 'signedIn',
  summary: 'Upload a file (multipart: file, documentType, expiredAt?, orderCarrier?, and one owner)',
  body: z.strictObject({
    documentType: z.enum(DOCUMENT_TYPES),
    expiredAt: localDate.optional(),
    orderCarrier: idText.optional(),
    ...ownerIds,
  }),
  reply: Document,
  status: 201,
  shape: 'multipart',
  location: null,
})

export const getDocumentFile = endpoint({
  method: 'GET',
  path: '/documents/:id/file',
  access: 'signedIn',
  summary: 'The bytes of a file',
  params: z.strictObject({ id: idText }),
  shape: 'file',
})

/** The bytes stay as they are: another file is another document. */
export const changeDocument = endpoint({
  method: 'PATCH',
  path: '/documents/:id',
  access: 'signedIn',
  summary: 'Change what a file is and how long it is valid',
  params: z.strictObject({ id: idText }),
  body: z.strictObject({ documentType: z.enum(DOCUMENT_TYPES).optional(), expiredAt: localDate.nullable().optional() }),
  reply: Document,
  needsVersion: true,
})

export const removeDocument = endpoint({
  method: 'DELETE',
  path: '/documents/:id',
  access: 'signedIn',
  summary: 'Remove a file from its record',
  params: z.strictObject({ id: idText }),
})
