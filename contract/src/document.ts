import { z } from 'zod'
import { E_INVOICE_FORMATS } from './e-invoice/e-invoice.ts'
import { CONTENT_MODES } from './kit/content-modes.ts'
import { endpoint } from './kit/endpoint.ts'
import {
  centsText,
  coded,
  id,
  idText,
  language,
  line,
  localDate,
  optionalText,
  positiveCents,
  reference,
  text,
} from './kit/fields.ts'
import { listBase, pageOf } from './kit/paging.ts'
import { can, ORDER_ACCESS, type Access } from './permissions.ts'

/** Spec §5, spec §9: 25 MB. */
export const MAX_FILE_BYTES = 26_214_400

/** Spec §3, with the variants of order and customer (domain, Emails and documents). */
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
  'PAYMENT_REMINDER',
] as const
export type DocumentType = (typeof DOCUMENT_TYPES)[number]

export const DOCUMENT_OWNERS = ['order', 'customer', 'carrierCompany', 'invoice', 'loadCarrierPlace', 'quote'] as const
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
  invoice: ['CUSTOMER_INVOICE', 'CARRIER_INVOICE', 'PROOF_OF_DELIVERY', 'PAYMENT_REMINDER', 'OTHER_DOCUMENTS'],
  // Letters to a place, which lie with its mails.
  loadCarrierPlace: ['OTHER_DOCUMENTS'],
  // The quote as it was sent.
  quote: ['OTHER_DOCUMENTS'],
}

const INVOICES = can('INVOICES_PROCESSING')

/**
 * A right that files of a type need beside their owner's: invoices stay with invoice processing on the order form too
 * (domain, People and rights).
 */
export const DOCUMENT_TYPE_ACCESS: Readonly<Partial<Record<DocumentType, Access>>> = {
  CUSTOMER_INVOICE: INVOICES,
  CARRIER_INVOICE: INVOICES,
  PAYMENT_REMINDER: INVOICES,
}

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

/** What the virus scanner said when a file came; `unscanned`: it was away, or did not take the file. */
export const SCANS = ['clean', 'unscanned'] as const

/** Files of staff count at once, those that came through a link once somebody has looked at them. */
export const ACCEPTANCES = ['accepted', 'toCheck', 'refused'] as const
export type Acceptance = (typeof ACCEPTANCES)[number]

// More stops than an order has.
const MOST_PROVEN = 200
const provenIds = z.array(id).min(1, coded('required')).max(MOST_PROVEN)
// A form carries texts alone.
const provenIdsText = z
  .string()
  .max(5000)
  .transform((ids) => ids.split(','))
  .pipe(z.array(idText).max(MOST_PROVEN))

const insuredCents = positiveCents.min(1)

/** A stored file. `orderCarrier` is the id of the assignment (domain, Emails and documents). */
export const Document = z.object({
  id,
  version: z.number().int(),
  documentType: z.enum(DOCUMENT_TYPES),
  title: z.string(),
  contentType: z.string(),
  sizeBytes: z.number().int(),
  expiredAt: z.string().nullable(),
  /** of an insurance: for how much a loss is insured, in cents of a euro; null where nobody has said */
  insuredCents: z.number().int().nullable(),
  orderCarrier: id.nullable(),
  /** null where no scanner was asked: none is set, or Waybill made the file */
  scan: z.enum(SCANS).nullable(),
  /** of a proof of delivery, and of a paper that came from its carrier: whether it counts; null of other files */
  acceptance: z.enum(ACCEPTANCES).nullable(),
  /** why it was refused */
  refusalReason: z.string().nullable(),
  /** who accepted or refused it, and when; null while nobody has, and of what counted when it came */
  checkedBy: reference.nullable(),
  checkedAt: z.string().nullable(),
  /** of a proof of delivery: the drop-offs that it proves; null: all of its route, or of the order */
  locationIds: z.array(id).nullable(),
  /** of an electronic invoice: how it came; null of other files */
  eInvoice: z.enum(E_INVOICE_FORMATS).nullable(),
  owner: z.object({ kind: z.enum(DOCUMENT_OWNERS), id }),
  user: reference.nullable(),
  createdAt: z.string(),
  /** when its bytes were deleted at the end of their period, and its name with them; null: they are there */
  deletedAt: z.string().nullable(),
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
  summary: 'Upload a file (multipart: file, documentType, expiredAt?, insuredCents?, locationIds? …, and one owner)',
  body: z.strictObject({
    documentType: z.enum(DOCUMENT_TYPES),
    expiredAt: localDate.optional(),
    /** of an insurance: cents of a euro */
    insuredCents: centsText.optional(),
    orderCarrier: idText.optional(),
    /** the drop-offs that a proof of delivery proves, as `17,18` */
    locationIds: provenIdsText.optional(),
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
  summary: 'Change what a file is, how long it is valid, and what it proves',
  params: z.strictObject({ id: idText }),
  body: z.strictObject({
    documentType: z.enum(DOCUMENT_TYPES).optional(),
    expiredAt: localDate.nullable().optional(),
    insuredCents: insuredCents.nullable().optional(),
    locationIds: provenIds.optional(),
  }),
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

/** Who may say whether a proof of delivery counts; of an order right by the row rule. */
export const POD_CHECK_ACCESS = can('ORDERS_MANAGEMENT', 'ASSIGNED_ORDERS', 'INVOICES_PROCESSING')

/** Who looks at what came through links: at a carrier's new papers who manages carriers (decision 123). */
const CHECK_ACCESS = can('ORDERS_MANAGEMENT', 'ASSIGNED_ORDERS', 'INVOICES_PROCESSING', 'CARRIER_MANAGEMENT')

/** What may become of a proof of delivery that somebody looks at. */
export const ACCEPTANCE_MOVES: Readonly<Record<Acceptance, readonly Acceptance[]>> = {
  toCheck: ['accepted', 'refused'],
  accepted: ['refused'],
  refused: ['accepted'],
}

/**
 * Says that a proof of delivery of an order counts, or a new paper of a carrier. `locationIds` are the drop-offs that a
 * proof proves: needed where it names none yet and the order has several customers. Errors: `stale_version`,
 * `illegal_transition`.
 */
export const acceptDocument = endpoint({
  method: 'POST',
  path: '/documents/:id/accept',
  access: CHECK_ACCESS,
  summary: 'Accept a proof of delivery, or a new paper of a carrier',
  params: z.strictObject({ id: idText }),
  body: z.strictObject({ locationIds: provenIds.optional() }),
  reply: Document,
  needsVersion: true,
})

/**
 * Says why a proof of delivery or a new paper does not count; the file stays. The carrier of a proof is told by mail,
 * that of a paper by the page of its link. Errors as above.
 */
export const refuseDocument = endpoint({
  method: 'POST',
  path: '/documents/:id/refuse',
  access: CHECK_ACCESS,
  summary: 'Refuse a proof of delivery, or a new paper of a carrier, with a reason',
  params: z.strictObject({ id: idText }),
  body: z.strictObject({ reason: text(2000) }),
  reply: Document,
  needsVersion: true,
})

/**
 * Takes back the caller's own accepting or refusing within its eight seconds. Error: `conflict` where that is too late,
 * somebody else's, or a mail has left.
 */
export const undoDocumentCheck = endpoint({
  method: 'POST',
  path: '/documents/:id/undo',
  access: CHECK_ACCESS,
  summary: 'Take back accepting or refusing a proof of delivery, or a new paper of a carrier',
  params: z.strictObject({ id: idText }),
  reply: Document,
  needsVersion: true,
})

/** The papers that are made of an order's own data. */
export const ORDER_PAPERS = [
  'CMR_NOTE',
  'ORDER_RESOLVED_DOCUMENT',
  'ORDER_ARRIVAL_CERTIFICATE',
  'ORDER_EXPORT_CERTIFICATE',
] as const
export type OrderPaper = (typeof ORDER_PAPERS)[number]

/**
 * What stands in a consignment note and in no field of the order (CMR, article 6); left out, the box stays free for
 * handwriting.
 */
const consignmentDetails = z.strictObject({
  /** box 5 */
  attachedDocuments: optionalText(1000),
  /** box 13, behind what the order says itself: customs, insurance */
  instructions: optionalText(2000),
  /** box 14; who pays is no secret, how much is: the note shows no price */
  carriageIs: z.enum(['paid', 'forward']).nullable().default(null),
  /** box 15 */
  cashOnDeliveryCents: positiveCents.nullable().default(null),
  /**
   * box 19; declared on paper only where somebody says so, because it raises the carrier's liability (articles 24 and
   * 26)
   */
  declaredValueCents: positiveCents.nullable().default(null),
  /** box 19 */
  agreements: optionalText(2000),
})

const isCertificate = (paper: OrderPaper): boolean =>
  paper === 'ORDER_ARRIVAL_CERTIFICATE' || paper === 'ORDER_EXPORT_CERTIFICATE'

/** A firm as it stands on a certificate; the address on as many lines as it has. */
const certifiedFirm = z.strictObject({ title: line(), address: optionalText(500) })

/** Deliveries beside its own that a collective confirmation holds at most. */
export const MOST_COLLECTIVE = 100

const MRN = /^\d{2}[A-Z]{2}[A-Z0-9]{14}$/

const month = z.string().regex(/^2\d{3}-(0[1-9]|1[0-2])$/, coded('invalid_date'))

/** What a certificate says beside the order; what is null is proposed by the order, or stays out. */
const certificateDetails = z.strictObject({
  /** of a certificate of arrival: who buys the goods; left out, the firm at the drop-off, never the sender */
  buyer: certifiedFirm.nullable().default(null),
  /** left out: the firm at the pick-up, else the customer */
  supplier: certifiedFirm.nullable().default(null),
  /** identification numbers of vehicles, one a line */
  vehicleNumbers: optionalText(2000),
  /** month of the arrival, `2026-11`; left out, the one in which the drop-off was reached, by its clock */
  month: month.nullable().default(null),
  /** number of the export declaration (movement reference number, 18 characters) */
  mrn: z.string().trim().toUpperCase().regex(MRN, coded('invalid_mrn')).nullable().default(null),
  /** day on which the goods left the Union; left out, the day at the last customs stop */
  exportedOn: localDate.nullable().default(null),
  /** where they left it; left out, the last customs stop */
  exportPlace: optionalText(200),
  /**
   * of a certificate of arrival: the other deliveries that it confirms, those of `listCollectiveDeliveries` (§ 17b (2)
   * sentence 1 no. 2 UStDV: of up to a quarter); their orders get a copy of the file
   */
  together: z
    .array(z.strictObject({ orderId: id, dropOffId: id }))
    .max(MOST_COLLECTIVE)
    .default([]),
})

/**
 * Makes papers of an order as it is saved, and keeps them as its files: the transport order for the carrier, the
 * consignment notes of a route, one for each pair of pick-up and drop-off, unless one pair is named, or the certificate
 * of arrival or export of the goods for one drop-off. `routeId` may be left out where there is one route, `dropOffId`
 * of a certificate where there is one drop-off. The text of a note and of a certificate is the law's: they know
 * `standard` alone. Errors at their fields: `route_missing`, `carrier_missing`, `assignment_missing`,
 * `consignment_missing`, and of certificates `no_export`, `nothing_delivered`, `nothing_loaded`, `buyer_missing`,
 * `buyer_is_supplier`, `required`, `in_the_future`, and `unknown_reference` at `certificate.together`.
 */
export const generateOrderPaper = endpoint({
  method: 'POST',
  path: '/orders/:id/documents',
  access: ORDER_ACCESS,
  summary: 'Generate a document of an order: CMR consignment notes or the transport order for the carrier',
  params: z.strictObject({ id: idText }),
  body: z
    .strictObject({
      documentType: z.enum(ORDER_PAPERS),
      routeId: id.nullable().default(null),
      pickUpId: id.nullable().default(null),
      dropOffId: id.nullable().default(null),
      /**
       * left out: the carrier's for a transport order, those of the two ends for a note; on a certificate it stands
       * beside German
       */
      language: language.nullable().default(null),
      /** of a note, which has two */
      secondLanguage: language.nullable().default(null),
      contentMode: z.enum(CONTENT_MODES).default('standard'),
      content: optionalText(10_000),
      consignment: consignmentDetails.prefault({}),
      certificate: certificateDetails.prefault({}),
    })
    .refine(({ contentMode, content }) => contentMode === 'standard' || content !== null, {
      ...coded('required'),
      path: ['content'],
    })
    .refine(({ contentMode, content }) => contentMode !== 'standard' || content === null, {
      ...coded('invalid_value'),
      path: ['content'],
    })
    .refine(
      ({ documentType, contentMode }) => documentType === 'ORDER_RESOLVED_DOCUMENT' || contentMode === 'standard',
      { ...coded('invalid_value'), path: ['contentMode'] },
    )
    .refine(({ documentType, routeId }) => !isCertificate(documentType) || routeId === null, {
      ...coded('invalid_value'),
      path: ['routeId'],
    })
    .refine(({ documentType, secondLanguage }) => documentType === 'CMR_NOTE' || secondLanguage === null, {
      ...coded('invalid_value'),
      path: ['secondLanguage'],
    })
    .refine(({ language: first, secondLanguage }) => first === null || first !== secondLanguage, {
      ...coded('invalid_value'),
      path: ['secondLanguage'],
    })
    .refine(
      ({ documentType, pickUpId, dropOffId }) => isCertificate(documentType) || pickUpId !== null || dropOffId === null,
      { ...coded('required'), path: ['pickUpId'] },
    )
    .refine(({ documentType, pickUpId }) => !isCertificate(documentType) || pickUpId === null, {
      ...coded('invalid_value'),
      path: ['pickUpId'],
    })
    .refine(
      ({ documentType, certificate }) =>
        documentType === 'ORDER_ARRIVAL_CERTIFICATE' || certificate.together.length === 0,
      { ...coded('invalid_value'), path: ['certificate', 'together'] },
    )
    .refine(({ pickUpId, dropOffId }) => pickUpId === null || dropOffId !== null, {
      ...coded('required'),
      path: ['dropOffId'],
    }),
  reply: z.object({ items: z.array(Document) }),
  status: 201,
  needsVersion: true,
  location: null,
})

/**
 * How a paper stands that was made of an order: `current`; `outdated`: the order says something else by now;
 * `replaced`: a newer one of the same kind and about the same stops exists.
 */
export const PAPER_STATES = ['current', 'outdated', 'replaced'] as const
export type PaperState = (typeof PAPER_STATES)[number]

const OrderPaperState = z.object({
  documentId: id,
  /** the version of the order that it shows; null of files that were uploaded, and of those of earlier releases */
  orderVersion: z.number().int().nullable(),
  state: z.enum(PAPER_STATES).nullable(),
  /** what makes it anew, sent to `generateOrderPaper`; null where nothing does */
  wish: generateOrderPaper.body.nullable(),
  /** when a mail with it left last */
  sentAt: z.string().nullable(),
})
export type OrderPaperState = z.output<typeof OrderPaperState>

/** The files of an order that Waybill made, or that a mail has carried, the newest first. */
export const listOrderPapers = endpoint({
  method: 'GET',
  path: '/orders/:id/papers',
  access: ORDER_ACCESS,
  summary: 'From which version of the order its papers come, which are outdated, and which were sent',
  params: z.strictObject({ id: idText }),
  reply: z.object({ items: z.array(OrderPaperState) }),
})

const CollectiveDelivery = z.object({
  orderId: id,
  dropOffId: id,
  number: z.string(),
  /** the customer's number of the order */
  reference: z.string().nullable(),
  place: z.string().nullable(),
  /** day of the arrival, by the clock there */
  arrivedOn: localDate,
  /** kg, of all lines that say it */
  weightKg: z.number().nullable(),
  /** the order has a certificate of arrival among its files */
  hasCertificate: z.boolean(),
})
export type CollectiveDelivery = z.output<typeof CollectiveDelivery>

/**
 * The deliveries that one certificate of arrival can confirm together with that of a drop-off: of the same customer,
 * supplier, buyer and department, and of the same quarter. The earliest first, at most `MOST_COLLECTIVE`. Empty where
 * the goods did not go from Germany to another member of the Union. Errors: `not_found`, and at `dropOffId` those of
 * `generateOrderPaper`.
 */
export const listCollectiveDeliveries = endpoint({
  method: 'GET',
  path: '/orders/:id/collective-deliveries',
  access: ORDER_ACCESS,
  summary: 'Deliveries of the quarter that a collective certificate of arrival can confirm together',
  params: z.strictObject({ id: idText }),
  query: z.strictObject({ dropOffId: idText.optional(), month: month.optional() }),
  reply: z.object({ items: z.array(CollectiveDelivery) }),
})
