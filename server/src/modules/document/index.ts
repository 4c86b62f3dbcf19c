export { answerWithFile, sendDocument, storeDocument, sweepFiles } from './document.service.ts'
