import { z } from 'zod'
import { endpoint } from './kit/endpoint.ts'
import { id, idText, localDate, reference, timeZone } from './kit/fields.ts'
import { listBase, pageOf } from './kit/paging.ts'
import { can, type Access } from './permissions.ts'

/** A right that entries of an action need beside their owner's (domain, People and rights). */
export const AUDIT_ACTION_ACCESS: Readonly<Record<string, Access>> = {
  invoiceFileAdded: can('INVOICES_PROCESSING'),
  invoiceFileChanged: can('INVOICES_PROCESSING'),
  invoiceFileRemoved: can('INVOICES_PROCESSING'),
  invoiceFileInfected: can('INVOICES_PROCESSING'),
}

/**
 * Who got in, who was refused, and what was taken out as a file. They stand in the log of everything alone: the
 * history of a person’s record tells of the record.
 */
export const SIGN_IN_ACTIONS = ['signedIn', 'signInRefused', 'codeRefused'] as const
export const EXPORT_ACTIONS = ['exported'] as const
export const ACCESS_ACTIONS: readonly string[] = [...SIGN_IN_ACTIONS, ...EXPORT_ACTIONS]

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
  }),
  reply: pageOf(AuditEntry),
})

/** The kinds of records that entries belong to, in the order in which a person chooses among them. */
export const AUDIT_KINDS = [
  'order',
  'invoice',
  'invoiceRun',
  'paymentFile',
  'customer',
  'carrierCompany',
  'user',
  'userRole',
  'company',
  'department',
  'country',
  'salutation',
  'unitType',
  'vehicleType',
  'cargoType',
  'specialHandlingType',
] as const

/** What the log can be narrowed to, beside everything. */
export const AUDIT_TOPICS = ['signIns', 'exports'] as const

const LoggedEntry = AuditEntry.extend({
  owner: z.object({
    /** of AUDIT_KINDS, or another that has no screen */
    kind: z.string(),
    /** 0: a sign-in with an address that nobody has */
    id: z.number().int(),
    /** as the record is called now; null where it is gone, or has no name */
    title: z.string().nullable(),
  }),
})
export type LoggedEntry = z.output<typeof LoggedEntry>

/** How many entries of the log come at once. */
export const LOGGED_AT_A_TIME = 50

export const listLoggedEntries = endpoint({
  method: 'GET',
  path: '/audit',
  access: 'administrator',
  inPerson: true,
  summary: 'Everything that was done, by all and to all records, the newest first',
  query: z.strictObject({
    /** by this person */
    actorId: idText.optional(),
    kind: z.enum(AUDIT_KINDS).optional(),
    topic: z.enum(AUDIT_TOPICS).optional(),
    /** not later than this day of the zone */
    until: localDate.optional(),
    timeZone: timeZone.default('UTC'),
    /** the last entry that is known: what is older follows */
    after: idText.optional(),
  }),
  reply: z.object({
    items: z.array(LoggedEntry),
    /** `after` for what is older; null where that is all */
    next: z.number().int().nullable(),
  }),
})
