/** The parts of `npm run test:long` beside those of `npm test`: the files of `server/test/long` that each runs. */
export const LONG_PARTS = {
  kills: ['crash', 'files-crash', 'import-crash', 'invoice-run-crash', 'ending'],
  states: ['states'],
  backup: ['backup'],
  plans: [
    'order-plans',
    'carrier-route-plans',
    'credit-plans',
    'customer-plans',
    'mail-plans',
    'statement-plans',
    'month-end-plans',
    'check-plans',
    'quote-plans',
    'report-times-plans',
    'reminder-plans',
  ],
  mails: ['mails', 'dovecot'],
  uploads: ['uploads', 'imports'],
  guessing: ['guessing', 'sign-in-timing'],
  crowd: ['crowd'],
  runs: ['runs'],
  'invoice-numbers': ['invoice-numbers'],
  'e-invoices': ['e-invoices'],
  generator: ['new-entity'],
}

/**
 * Those that go beside a part of `npm test`, by its name: none of them measures how long something takes. Mails do not:
 * beside four browsers each step of a mail waits for them, and five hundred do not leave in their time.
 */
export const LONG_BESIDE = {
  journeys: ['kills', 'states', 'backup', 'runs', 'invoice-numbers', 'generator'],
}
