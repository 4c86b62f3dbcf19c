// The process behind ask-reader.ts: it takes one mail apart, reads it, answers and ends.
import type { Language } from '@waybill/contract/errors'
import type { LearnedRule, Reading } from '@waybill/contract/intake/reading'
import { RefusedTable } from '../../../kit/tables/parse-table.ts'
import { readMail, type Known } from '../reading/read-mail.ts'
import { readKnownTowns } from '../../place/index.ts'
import { readMailFile, readPastedMail } from './file-text.rules.ts'
import { ownText, RefusedMail, type MailParts, type MailRefusal } from './mail-text.rules.ts'

/** `now` is the moment from which days count where the mail has no date, RFC 3339 with its offset. */
export type MailTask = { now: string; learned?: readonly LearnedRule[] } & (
  | { text: string }
  | { name: string; bytes: Uint8Array; language: Language }
  | { mail: MailParts }
)

export type MailAnswer = { mail: MailParts; reading: Reading } | { refusal: MailRefusal }

/** What a mail says; of its attachments only where its own text is no order. */
function readingOf(mail: MailParts, known: Known, { now, learned }: MailTask): Reading {
  const { text, subject, fromName, fromAddress, sentAt } = mail
  const read = (words: string): Reading =>
    readMail(
      {
        text: words,
        subject,
        from: fromAddress === null ? null : { name: fromName, address: fromAddress },
        sentAt: sentAt ?? now,
      },
      known,
      learned,
    )
  const ownWords = ownText(mail)
  const own = read(ownWords)
  if (ownWords === text) return own
  return own.orders.some(({ stops }) => stops.length > 0) || own.changes.length > 0 ? own : read(text)
}

process.on('message', async (task: MailTask) => {
  let answer: MailAnswer
  try {
    const mail =
      'mail' in task ? task.mail : 'text' in task ? readPastedMail(task.text) : await readMailFile(task, task.language)
    answer = { mail, reading: readingOf(mail, { towns: await readKnownTowns() }, task) }
  } catch (error) {
    if (!(error instanceof RefusedMail || error instanceof RefusedTable)) throw error
    answer = { refusal: error.refusal }
  }
  process.send!(answer, () => process.exit(0))
})

// The end of the parent is ours; Ctrl-C reaches the whole group, and what is being read is the parent's to end.
process.on('SIGINT', () => {})
process.on('disconnect', () => process.exit(0))
