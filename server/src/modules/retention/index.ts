export { deletePapers } from './papers/delete-papers.job.ts'
export { makeAnonymous } from './make-anonymous.job.ts'
