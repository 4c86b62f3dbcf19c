export { deliverEmail, wakeEmails } from './deliver-email.ts'
export { deleteEmails } from './delete-emails.ts'
export type { Frame } from './email.table.ts'
export {
  AS_SETTLED,
  claimCanceled,
  claimDue,
  dueEmails,
  fixEmail,
  holdEmail,
  movePlanned,
  noteFault,
  noteTold,
  ordersWithDueEmails,
  planEmails,
  removePlanned,
  requeueEmail,
  scheduleRendering,
  sentToCarriers,
  suppressEmail,
  plannedEmail,
  unwriteEmail,
  type DueEmail,
  type FixedEmail,
  type KnownEmail,
} from './plan-email.ts'
export { heldReminders, holdReminder, noteHeld, type HeldReminder } from './held-reminder.ts'
export { logoOfEmail } from './logo.query.ts'
export { admittedEmail, emailView } from './email.query.ts'
export { dropWaitingMails, fillWaitingMails, queueMail, releaseMails, sealContext } from './queue-mail.ts'
export { refuseIbans } from './refuse-ibans.ts'
export { refuseTwin } from './refuse-twin.ts'
