export { documentView, documentWarning, ownersWarned } from './document.query.ts'
export { answerWithFile, sendDocument, storeDocument, sweepFiles } from './document.service.ts'
