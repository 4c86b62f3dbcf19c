export { insertDocument } from './document.repository.ts'
export { fileKindOf, titleOf } from './document.rules.ts'
export { readForm } from './upload-document.ts'
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
