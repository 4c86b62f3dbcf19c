import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { id, idText, reference } from '../kit/fields.ts'
import { listBase, pageOf } from '../kit/paging.ts'
import { can, type Access } from '../permissions.ts'

/** A right that entries of an action need beside their owner's (domain, People and rights). */
export const AUDIT_ACTION_ACCESS: Readonly<Record<string, Access>> = {
  invoiceFileAdded: can('INVOICES_PROCESSING'),
  invoiceFileChanged: can('INVOICES_PROCESSING'),
  invoiceFileRemoved: can('INVOICES_PROCESSING'),
  invoiceFileInfected: can('INVOICES_PROCESSING'),
}

/**
 * Who got in, who was refused, what was taken out as a file, and what looking after Waybill took. They stand in the log
 * of everything alone: the history of a person’s record tells of the record.
 */
export const SIGN_IN_ACTIONS = ['signedIn', 'signInRefused', 'codeRefused'] as const
export const EXPORT_ACTIONS = ['exported'] as const
/** What administrators did with jobs, with what waited after a restore, and with the periods for persons. */
const UPKEEP_ACTIONS = [
  'jobRetried',
  'jobRemoved',
  'heldReleased',
  'heldDropped',
  'numberNoted',
  'retentionChosen',
  'paperPeriodsChosen',
]
export const ACCESS_ACTIONS: readonly string[] = [...SIGN_IN_ACTIONS, ...EXPORT_ACTIONS, ...UPKEEP_ACTIONS]

/** Stands in place of a value that was emptied because it told of a person (decision 167). */
export const EMPTIED = { emptied: true } as const
export const isEmptied = (value: unknown): boolean => typeof value === 'object' && value !== null && 'emptied' in value

/** One change of one record: who, when, from, to (domain, People and rights). Append-only. */
export const AuditEntry = z.object({
  id,
  at: z.string(),
  actor: reference.nullable(),
  /** the key that another system called with in the actor’s name; null = they did it themselves */
  apiKey: reference.nullable(),
  action: z.string(),
  changes: z.array(z.object({ path: z.string(), from: z.unknown(), to: z.unknown() })),
  reason: z.string().nullable(),
})
export type AuditEntry = z.output<typeof AuditEntry>

export const listAuditEntries = endpoint({
  method: 'GET',
  path: '/audit-entries',
  access: 'signedIn',
  summary: 'History of one record (exactly one owner is named), newest first',
  query: z.strictObject({
    page: listBase.page,
    cursor: listBase.cursor,
    perPage: listBase.perPage,
    orderId: idText.optional(),
    invoiceId: idText.optional(),
    paymentFileId: idText.optional(),
    customerId: idText.optional(),
    carrierCompanyId: idText.optional(),
    userId: idText.optional(),
    userRoleId: idText.optional(),
    companyId: idText.optional(),
    departmentId: idText.optional(),
    countryId: idText.optional(),
    unitTypeId: idText.optional(),
    vehicleTypeId: idText.optional(),
    cargoTypeId: idText.optional(),
    specialHandlingTypeId: idText.optional(),
    salutationId: idText.optional(),
    vehicleId: idText.optional(),
    loadCarrierTypeId: idText.optional(),
    loadCarrierPlaceId: idText.optional(),
    emissionFactorId: idText.optional(),
    quoteId: idText.optional(),
    rateCardId: idText.optional(),
    recurringOrderId: idText.optional(),
  }),
  reply: pageOf(AuditEntry),
})
