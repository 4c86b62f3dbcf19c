export { documentView, documentWarning, ownersWarned } from './document.query.ts'
export { answerWithFile, claimFiles, sendDocument, storeDocument, sweepFiles } from './document.service.ts'
