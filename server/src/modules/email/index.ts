export { deliverEmail, wakeEmails } from './deliver-email.ts'
export type { Frame } from './email.table.ts'
export { queueMail, releaseMails } from './queue-mail.ts'
