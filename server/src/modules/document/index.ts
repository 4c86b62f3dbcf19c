export { holdDocuments, insertDocument } from './document.repository.ts'
export { drawDocument } from './draw-document.ts'
export { titleOf } from './document.rules.ts'
export { isReadablePicture } from './pictures/picture.rules.ts'
export { stageCleanPicture } from './pictures/stage-clean.ts'
export { eInvoiceOf, kindOfUpload } from './recognise-e-invoice.ts'
export { readForm } from './upload-document.ts'
export { deleteFiles } from './delete-files.ts'
export { documentView, documentWarning, keyOf, ownersWarned } from './document.query.ts'
export {
  answerWithFile,
  claimFiles,
  keepFile,
  missingOfNewest,
  removeStray,
  sendDocument,
  storeDocument,
  sweepFiles,
  type KeptFile,
} from './document.service.ts'
