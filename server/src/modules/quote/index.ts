export { quoteOwner, rateCardOwner, visibleQuotes } from './quote.policy.ts'
export { createQuote, noteSent, sendableQuote } from './quote.service.ts'
export { quoteView } from './quote.query.ts'
