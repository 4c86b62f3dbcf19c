// The process behind ask-reader.ts: it takes one mail apart, reads it, answers and ends.
import type { Language } from '@waybill/contract/errors'
import type { Reading } from '@waybill/contract/intake/reading'
import { RefusedTable } from '../../../kit/tables/parse-table.ts'
import { readMailFile, readPastedMail } from './file-text.rules.ts'
import { RefusedMail, type MailParts, type MailRefusal } from './mail-text.rules.ts'

/** `now` is the moment from which days count where the mail has no date, RFC 3339 with its offset. */
export type MailTask = { now: string } & (
  | { text: string }
  | { name: string; bytes: Uint8Array; language: Language }
  | { mail: MailParts }
)

export type MailAnswer = { mail: MailParts; reading: Reading } | { refusal: MailRefusal }

/** No value: the order is typed in beside the mail. */
const NOTHING_READ: Reading = {
  kind: 'order',
  language: null,
  orders: [],
  changes: [],
  contradictions: [],
  sure: {},
  spans: {},
  learned: [],
}

process.on('message', async (task: MailTask) => {
  let answer: MailAnswer
  try {
    const mail =
      'mail' in task ? task.mail : 'text' in task ? readPastedMail(task.text) : await readMailFile(task, task.language)
    answer = { mail, reading: NOTHING_READ }
  } catch (error) {
    if (!(error instanceof RefusedMail || error instanceof RefusedTable)) throw error
    answer = { refusal: error.refusal }
  }
  process.send!(answer, () => process.exit(0))
})

// The end of the parent is ours; Ctrl-C reaches the whole group, and what is being read is the parent's to end.
process.on('SIGINT', () => {})
process.on('disconnect', () => process.exit(0))
