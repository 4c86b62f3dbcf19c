// The process behind ask-reader.ts that reads the texts of mails by our rules, and stays for the next one: the towns
// take longer to load than a mail to read.
import type { LearnedRule, Reading } from '@waybill/contract/intake/reading'
import { answerApart } from '../../../kit/context/answer-apart.ts'
import { readMail, type Known } from '../reading/read-mail.ts'
import { readKnownTowns } from '../../place/index.ts'
import { ordersAttached, readingOfFiles } from './attached-orders.rules.ts'
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

/** What a mail says, in its own words or in its attachments: what says more of an order counts. */
function readingOf({ mail, now, learned }: ReadableMail, known: Known): Reading {
  const { text, parts, subject, fromName, fromAddress, sentAt } = mail
  const read = (words: string, rules = learned): Reading =>
    readMail(
      {
        text: words,
        subject,
        from: fromAddress === null ? null : { name: fromName, address: fromAddress },
        sentAt: sentAt ?? now,
      },
      known,
      rules,
    )
  const ownWords = ownText(mail)
  const own = read(ownWords)
  if (ownWords === text) return own
  if (own.changes.length > 0) return own
  const isOrder = own.orders.some(({ stops }) => stops.length > 0)
  if (own.kind === 'change' || own.kind === 'cancel') return read(text)
  const readPart = (part: number, rules: readonly LearnedRule[]) => {
    const { from, to } = parts[part]!
    return { part, from, reading: read(text.slice(from, to), rules) }
  }
  // Of a mail with several orders nobody knows which of them a learned rule means.
  const files = parts.map((_part, place) => readPart(place, []))
  const attached = ordersAttached(files)
  if (attached.length === 0) return isOrder ? own : read(text)
  if (isOrder && own.orders.length > attached.length) return own
  const all = ordersAttached([...files, { part: null, from: 0, reading: own }])
  if (all.length > 1) return readingOfFiles(own, all)
  const part = all[0]?.part ?? null
  if (part === null) return own
  if (!isOrder) return read(text)
  const again = ordersAttached([readPart(part, learned)])
  return again.length === 1 ? readingOfFiles(own, again) : own
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
