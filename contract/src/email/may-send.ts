import { ACCOUNT_EMAIL_TYPES, hasNoWords, isInHand, isResendable, type Email } from '../email.ts'
import { LOAD_CARRIER_STATEMENT, PRICE_REQUEST, QUOTE_MAIL, REMINDER_VARIANTS } from './email-rules.ts'

/* What a person may do with a mail: screens show no button that the server would refuse. */

const reminders: readonly (string | null)[] = REMINDER_VARIANTS

/** A reminder to a customer without an address: nothing of it counts before it leaves (decision 146). */
const isHeldReminder = ({ status, variant, isWritten }: Pick<Email, 'status' | 'variant' | 'isWritten'>): boolean =>
  status === 'held' && !isWritten && reminders.includes(variant)

/** It can be sent at once, whatever speaks against it: its words are still to be made. */
export const maySendNow = (
  mail: Pick<Email, 'status' | 'variant' | 'waitsFor' | 'isWritten'> & { owner: Pick<Email['owner'], 'kind'> },
): boolean => (mail.owner.kind === 'order' && hasNoWords(mail)) || isHeldReminder(mail)

/**
 * It can be taken back. Mails of other records than orders cannot: a sent invoice would be without one. A reminder
 * that is held is due again then.
 */
export const mayCancel = (
  mail: Pick<Email, 'status' | 'variant' | 'isWritten' | 'tries'> & { owner: Pick<Email['owner'], 'kind'> },
): boolean => (mail.owner.kind === 'order' || isHeldReminder(mail)) && isInHand(mail)

/**
 * That it was taken back can be undone, as far as its order still calls for it. A request for a price is made anew: it
 * has a deadline, and a link of its own.
 */
export const mayUndoCancel = (
  mail: Pick<Email, 'status' | 'reason' | 'variant'> & { owner: Pick<Email['owner'], 'kind'> },
): boolean =>
  mail.owner.kind === 'order' &&
  mail.status === 'suppressed' &&
  mail.reason === 'canceled' &&
  mail.variant !== PRICE_REQUEST

const forOneReader: readonly string[] = ACCOUNT_EMAIL_TYPES
const variantsForOneReader: readonly (string | null)[] = [PRICE_REQUEST, QUOTE_MAIL, LOAD_CARRIER_STATEMENT]

/** Its link is not for one reader alone: the same words may go to others as well. */
const isCopyable = ({ type, variant }: Pick<Email, 'type' | 'variant'>): boolean =>
  !forOneReader.includes(type) && !variantsForOneReader.includes(variant)

/** The same may be sent once more, to the same people too. */
export const mayResend = (mail: Pick<Email, 'type' | 'variant' | 'status' | 'reason' | 'isWritten'>): boolean =>
  isCopyable(mail) && isResendable(mail)

/** The same may be sent to other people, while it is on its way to its own too. */
export const mayResendElsewhere = (
  mail: Pick<Email, 'type' | 'variant' | 'status' | 'reason' | 'isWritten'>,
): boolean => mayResend(mail) || (isCopyable(mail) && (mail.status === 'queued' || mail.status === 'waiting'))
