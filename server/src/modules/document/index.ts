export { documentView, documentWarning, ownersWarned } from './document.query.ts'
export {
  answerWithFile,
  claimFiles,
  keepFile,
  removeStray,
  sendDocument,
  storeDocument,
  sweepFiles,
  type KeptFile,
} from './document.service.ts'
