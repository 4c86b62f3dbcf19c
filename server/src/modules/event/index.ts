export { sweepChanges } from './told-changes.ts'
