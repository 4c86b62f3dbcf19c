/** What was read is kept, for the demo's statement. */
export { storeStatements } from './store-statements.ts'
