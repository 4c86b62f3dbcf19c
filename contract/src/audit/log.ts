import { z } from 'zod'
import { AuditEntry } from './audit-entry.ts'
import { endpoint } from '../kit/endpoint.ts'
import { idText, localDate, timeZone } from '../kit/fields.ts'

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
  'webhook',
  'company',
  'department',
  'country',
  'salutation',
  'unitType',
  'vehicleType',
  'cargoType',
  'specialHandlingType',
  'vehicle',
  'loadCarrierType',
  'loadCarrierPlace',
  'emissionFactor',
  'quote',
  'rateCard',
  'recurringOrder',
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
