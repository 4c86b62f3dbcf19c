export { deliverEmail, wakeEmails } from './deliver-email.ts'
export type { Frame } from './email.table.ts'
export {
  claimDue,
  dueEmails,
  fixEmail,
  holdEmail,
  movePlanned,
  ordersWithDueEmails,
  planEmails,
  plannedEmails,
  removePlanned,
  scheduleRendering,
  suppressEmail,
  type DueEmail,
  type KnownEmail,
} from './plan-email.ts'
export { queueMail, releaseMails } from './queue-mail.ts'
