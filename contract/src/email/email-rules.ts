import type { EmailType } from '../email.ts'

/**
 * From which records a text takes its values. `ours` stands in every mail; `customer` in none to a carrier, `carrier`
 * (with our cost) in none to a customer; `tracking` in those to a customer about an order alone.
 */
export type VariableScope =
  | 'ours'
  | 'customer'
  | 'order'
  | 'price'
  | 'route'
  | 'driver'
  | 'carrier'
  | 'stop'
  | 'tracking'
  | 'delay'
  | 'refusal'
  | 'problem'
  | 'invoice'
  | 'reminder'
  | 'renewal'
  | 'priceRequest'

/** Who a mail goes to: the order's contact person, the route's disponent, the invoice's address, or as typed. */
export type MailReceiver = 'contactPerson' | 'disponent' | 'billingCustomer' | 'typed'

/** When a mail goes by itself; `byHand`: somebody presses *Send*. Each has its words in the web. */
export type MailMoment =
  | 'orderSaved'
  | 'assignmentConfirmed'
  | 'driverKnown'
  | 'loaded'
  | 'unloaded'
  | 'beforeArrival'
  | 'podAccepted'
  | 'invoiceSent'
  | 'byHand'

/** The customer’s switches, by the names that they have there. */
type Preference =
  | 'orderCreated'
  | 'driverInformation'
  | 'pickup'
  | 'delivery'
  | 'pod'
  | 'invoice'
  | 'paymentReminder'
  | 'arrivalCertificate'
  | 'exportCertificate'

export interface EmailRule {
  readonly moment: MailMoment
  readonly receiver: MailReceiver
  /** the customer's switch, where it has one */
  readonly preference: Preference | null
  /** texts for different occasions; the first is the usual one */
  readonly variants: readonly string[]
  readonly scopes: readonly VariableScope[]
  /**
   * no address: `held` waits for one under *Waits for me*, `suppressed` is let go, `refused` is not sent before
   * somebody has typed one (decision 121)
   */
  readonly withoutAddress: 'held' | 'suppressed' | 'refused'
}

const TO_CUSTOMER = ['ours', 'customer', 'order', 'price', 'tracking'] as const
const ON_THE_ROAD = [...TO_CUSTOMER, 'route', 'driver'] as const

const toCustomer = (
  moment: MailMoment,
  preference: Preference,
  scopes: readonly VariableScope[],
  variants: readonly string[] = ['standard'],
): EmailRule => ({ moment, receiver: 'contactPerson', preference, variants, scopes, withoutAddress: 'suppressed' })

const bill = (): EmailRule => ({
  moment: 'invoiceSent',
  receiver: 'billingCustomer',
  preference: 'invoice',
  variants: ['standard'],
  scopes: ['ours', 'customer', 'invoice'],
  withoutAddress: 'refused',
})

/** Those of the reminders, by their level. */
export const REMINDER_VARIANTS = ['payment_reminder_1', 'payment_reminder_2', 'payment_reminder_3'] as const

/** When each mail goes, to whom, and what its text may speak of (domain, Emails and documents). */
export const EMAIL_RULES = {
  order_created: toCustomer('orderSaved', 'orderCreated', TO_CUSTOMER),
  order_resolved: {
    moment: 'assignmentConfirmed',
    receiver: 'disponent',
    preference: null,
    variants: ['confirmed', 'changed', 'withdrawn'],
    scopes: ['ours', 'order', 'route', 'driver', 'carrier'],
    withoutAddress: 'held',
  },
  driver_information: toCustomer('driverKnown', 'driverInformation', ON_THE_ROAD, ['first', 'changed']),
  loading_confirmation: toCustomer('loaded', 'pickup', ON_THE_ROAD),
  unloading_confirmation: toCustomer('unloaded', 'delivery', ON_THE_ROAD),
  before_arriving: toCustomer('beforeArrival', 'delivery', [...ON_THE_ROAD, 'stop']),
  pods: toCustomer('podAccepted', 'pod', ON_THE_ROAD),
  invoice: bill(),
  invoice_correction: bill(),
  arrival_certificate: toCustomer('byHand', 'arrivalCertificate', ON_THE_ROAD),
  export_certificate: toCustomer('byHand', 'exportCertificate', ON_THE_ROAD),
  other_emails: {
    moment: 'byHand',
    receiver: 'typed',
    preference: null,
    variants: [
      'free',
      'delay',
      'tracking',
      'pod_refused',
      'invoice_problem',
      ...REMINDER_VARIANTS,
      'document_renewal',
      'price_request',
    ],
    scopes: ON_THE_ROAD,
    withoutAddress: 'held',
  },
} as const satisfies Record<EmailType, EmailRule>

/** What the other mails by hand speak of, by their occasion. */
const OTHER_SCOPES: Readonly<Record<string, readonly VariableScope[]>> = {
  free: ON_THE_ROAD,
  delay: [...ON_THE_ROAD, 'delay'],
  tracking: ON_THE_ROAD,
  pod_refused: ['ours', 'order', 'route', 'driver', 'carrier', 'refusal'],
  invoice_problem: ['ours', 'order', 'route', 'driver', 'carrier', 'problem'],
  payment_reminder_1: ['ours', 'customer', 'reminder'],
  payment_reminder_2: ['ours', 'customer', 'reminder'],
  payment_reminder_3: ['ours', 'customer', 'reminder'],
  document_renewal: ['ours', 'carrier', 'renewal'],
  price_request: ['ours', 'carrier', 'order', 'priceRequest'],
}

/** The one of the other mails that goes by itself: to the carrier whose proof of delivery does not count. */
export const POD_REFUSED = 'pod_refused'

/** The one that goes with a problem of a carrier's invoice. */
export const INVOICE_PROBLEM = 'invoice_problem'

/** The one that asks a carrier for a new one of its own papers (decision 123). */
export const DOCUMENT_RENEWAL = 'document_renewal'

/** A mail that asks a carrier for its price: its link is for the one reader, and forgotten once it has left. */
export const PRICE_REQUEST = 'price_request'

/** A mail with a quote: its link is for the one reader, too. */
export const QUOTE_MAIL = 'quote'

/** A mail with a statement of load carriers: its link is for the one reader, too. */
export const LOAD_CARRIER_STATEMENT = 'load_carrier_statement'

/** Whom a mail of this type and variant goes to. */
export const receiverOf = (type: EmailType, variant: string | null): MailReceiver =>
  type === 'other_emails' && (variant === POD_REFUSED || variant === INVOICE_PROBLEM)
    ? 'disponent'
    : EMAIL_RULES[type].receiver

/** What a text of this type and variant may speak of. A template of a department's own name is like a free mail. */
export const scopesOf = (type: EmailType, variant: string | null): readonly VariableScope[] =>
  type === 'other_emails' ? (OTHER_SCOPES[variant ?? 'free'] ?? ON_THE_ROAD) : EMAIL_RULES[type].scopes
