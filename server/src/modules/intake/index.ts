export { deleteIntakeMails } from './delete-mails.ts'
export { takeFromMailbox } from './bring-in.ts'
export { bindIntakeRoutes } from './intake.routes.ts'
export { fetchIntakeMails } from './mailbox/fetch-mails.job.ts'
