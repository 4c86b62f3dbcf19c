export { makeAnonymous } from './make-anonymous.job.ts'
