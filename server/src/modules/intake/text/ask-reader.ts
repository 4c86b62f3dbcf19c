import type { LearnedRule, Reading } from '@waybill/contract/intake/reading'
import { askApart } from '../../../kit/context/apart.ts'
import { AppError, fieldError } from '../../../kit/context/errors.ts'
import { createTurns } from '../../../kit/context/turns.ts'
import type { MailAnswer, MailTask } from './mail-reader.ts'
import { NO_HEADER, type MailParts } from './mail-text.rules.ts'

// A mail takes some tenths of a second; a machine that is busy with other things many times as long.
const TIME_LIMIT_MS = 40_000
const HEAP_MB = 384
// As tables are read (decision 056): two at a time, and who comes behind so many is sent away at once.
const turns = createTurns({ atOnce: 2, waiting: 20 })

/** A mail, and what was read in it. */
export interface ReadMail {
  mail: MailParts
  reading: Reading
}

/** What was learned of a sender. */
export type RulesOf = (address: string | null) => Promise<readonly LearnedRule[]>

/**
 * Reads a mail in a process of its own with a limit of time and memory, and once more where it turns out to be of a
 * sender of whom something was learned: only the reader knows who has sent it. Errors at `file`, of a pasted text at
 * `text`: as the contract names them; `unavailable` where too many are read at once.
 */
export const askReader = (task: MailTask, rulesOf: RulesOf): Promise<ReadMail> =>
  turns.take(async () => {
    const read = await askOne(task)
    const learned = await rulesOf(read.mail.fromAddress)
    return learned.length === 0 ? read : askOne({ mail: read.mail, now: task.now, learned })
  })

/** What a mail says that is kept already. Error: `unavailable`. */
export const readAgain = async (
  mail: Omit<MailParts, 'messageId' | 'unread' | 'sentAt'> & { sentAt: string },
  rulesOf: RulesOf,
): Promise<Reading> => {
  const learned = await rulesOf(mail.fromAddress)
  return (await turns.take(() => askOne({ mail: { ...NO_HEADER, ...mail }, now: mail.sentAt, learned }))).reading
}

async function askOne(task: MailTask): Promise<ReadMail> {
  const path = 'bytes' in task ? 'file' : 'text'
  const answer = await askApart<MailAnswer>(new URL('./mail-reader.ts', import.meta.url), task, {
    timeLimitMs: TIME_LIMIT_MS,
    heapMb: HEAP_MB,
  })
  if (answer === null) throw fieldError(path, 'mail_too_heavy')
  if ('mail' in answer) return answer
  const { code, params } = answer.refusal
  throw code === 'file_type_not_allowed' ? new AppError(code) : fieldError(path, code, params)
}
