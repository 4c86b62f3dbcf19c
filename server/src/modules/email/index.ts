export { deliverEmail, wakeEmails } from './deliver-email.ts'
export { queueMail } from './queue-mail.ts'
