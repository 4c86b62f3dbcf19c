export { quoteOwner, rateCardOwner } from './quote.policy.ts'
export { noteSent, sendableQuote } from './quote.service.ts'
export { quoteView } from './quote.query.ts'
