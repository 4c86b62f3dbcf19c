export { checkAudit, sealAudit } from './audit-seal.job.ts'
