export { askForPapers } from './ask-for-paper.ts'
/** What asking comes to, for the demo's papers that came by a link. */
export { linkToSend } from './paper-link.repository.ts'
