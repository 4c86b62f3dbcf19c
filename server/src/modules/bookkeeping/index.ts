/** What making a batch comes to, for the batches of the demo's past months. */
export { writeBatch } from './create-batch.ts'
export { companySetUp, giveAccountNumbers } from './propose-batch.ts'
