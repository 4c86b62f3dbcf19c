// The process behind ask-reader.ts that reads the texts of mails by our rules, and stays for the next one: the towns
// take longer to load than a mail to read.
import type { LearnedRule, Reading } from '@waybill/contract/intake/reading'
import { answerApart } from '../../../kit/context/answer-apart.ts'
import { readMail, type Known } from '../reading/read-mail.ts'
import { readKnownTowns } from '../../place/index.ts'
import { readPastedMail } from './file-text.rules.ts'
import type { OpenedMail } from './mail-opener.ts'
import { ownText, RefusedMail, type MailParts } from './mail-text.rules.ts'

/** Is answered with the mail in it. */
export interface PastedText {
  text: string
}

/** Is answered with what it says. `now` is the moment from which days count where the mail has no date, RFC 3339. */
export interface ReadableMail {
  mail: MailParts
  now: string
  learned: readonly LearnedRule[]
}

/** What a mail says; of its attachments only where its own text is no order. */
function readingOf({ mail, now, learned }: ReadableMail, known: Known): Reading {
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

function openText(text: string): OpenedMail {
  try {
    return { mail: readPastedMail(text) }
  } catch (error) {
    if (!(error instanceof RefusedMail)) throw error
    return { refusal: error.refusal }
  }
}

let towns: ReturnType<typeof readKnownTowns> | undefined

answerApart(
  async (task: PastedText | ReadableMail): Promise<OpenedMail | Reading> =>
    'mail' in task ? readingOf(task, { towns: await (towns ??= readKnownTowns()) }) : openText(task.text),
)
