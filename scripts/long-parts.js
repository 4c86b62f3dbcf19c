/** The parts of `npm run test:long` beside those of `npm test`: the files of `server/test/long` that each runs. */
export const LONG_PARTS = {
  kills: ['crash', 'files-crash', 'import-crash', 'invoice-run-crash', 'ending'],
  states: ['states'],
  rolling: ['rolling'],
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
  hostile: ['hostile'],
  guessing: ['guessing', 'sign-in-timing'],
  crowd: ['crowd'],
  runs: ['runs'],
  'invoice-numbers': ['invoice-numbers'],
  'e-invoices': ['e-invoices'],
  generator: ['new-entity'],
}

/** Parts that run only when they are asked for by name: programs of others as on many machines (`test:cluster`). */
export const PARTS_ASKED_FOR = {
  cluster: ['cluster'],
}

/**
 * Those that go beside another part, by its name: none of them measures how long something takes. Nothing goes beside
 * tests: two of them measure what the processor does for a damaged mail and a slow mail server. Mails do not go beside
 * journeys: with browsers at work each step of a mail waits for them, and five hundred do not leave in their time. Nor
 * do kills: six people who write leave browsers no core, and a key then comes before its page. Plans count what a
 * statement reads, and leave them a core.
 */
export const LONG_BESIDE = {
  mails: ['plans', 'hostile'],
  components: ['runs', 'invoice-numbers', 'generator'],
  journeys: ['states', 'backup'],
}
