export { askForPapers } from './ask-for-paper.ts'
