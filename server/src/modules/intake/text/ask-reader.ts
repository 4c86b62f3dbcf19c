import type { LearnedRule, Reading } from '@waybill/contract/intake/reading'
import { askApart, keepApart } from '../../../kit/context/apart.ts'
import { AppError, fieldError } from '../../../kit/context/errors.ts'
import { createTurns } from '../../../kit/context/turns.ts'
import { mailAtSight } from './file-text.rules.ts'
import type { AttachmentOfFile, MailFile, OpenedAttachment, OpenedMail } from './mail-opener.ts'
import type { PastedText, ReadableMail } from './mail-reader.ts'
import { NO_HEADER, RefusedMail, type MailParts, type MailRefusal } from './mail-text.rules.ts'
import type { Attachment } from './message.rules.ts'

// A mail takes some tenths of a second; a machine that is busy with other things many times as long.
const LIMITS = { timeLimitMs: 40_000, heapMb: 384 }
// As tables are read (decision 056): two at a time, and who comes behind so many is sent away at once.
const turns = createTurns({ atOnce: 2, waiting: 20 })

const askOpener = (file: MailFile): Promise<OpenedMail | null> =>
  askApart(new URL('./mail-opener.ts', import.meta.url), file, LIMITS)
const askKeptReader = keepApart(new URL('./mail-reader.ts', import.meta.url), LIMITS)

/** A mail, and what was read in it. */
export interface ReadMail {
  mail: MailParts
  reading: Reading
}

/** A pasted text or a file. `now` is the moment from which days count where the mail has no date, RFC 3339. */
export type MailTask = { now: string } & (PastedText | MailFile)

/** What was learned of a sender. */
export type RulesOf = (address: string | null) => Promise<readonly LearnedRule[]>

/**
 * Takes a mail apart and reads it, each in a process of its own with a limit of time and memory; a file in one that
 * ends with it, for its bytes were made by strangers; what is known at sight waits for none. Errors at `file`, of a
 * pasted text at `text`: as the contract names them; `unavailable` where too many are read at once.
 */
export const askReader = async ({ now, ...given }: MailTask, rulesOf: RulesOf): Promise<ReadMail> => {
  const known = 'bytes' in given ? atSight(given) : null
  return turns.take(async () => {
    const mail = known ?? (await opened(given))
    return { mail, reading: await readingOf({ mail, now, learned: await rulesOf(mail.fromAddress) }, pathOf(given)) }
  })
}

function atSight(file: MailFile): MailParts | null {
  try {
    return mailAtSight(file)
  } catch (error) {
    throw error instanceof RefusedMail ? refusedAt('file', error.refusal) : error
  }
}

/**
 * One attachment of a mail's file, taken out in a process that ends with it; null where there is none. Errors: as of a
 * file that is brought in.
 */
export const attachmentIn = (file: AttachmentOfFile): Promise<Attachment | null> =>
  turns.take(async () => {
    const task = new URL('./mail-opener.ts', import.meta.url)
    const answer = await askApart<OpenedAttachment>(task, file, LIMITS)
    if (answer === null) throw fieldError('file', 'mail_too_heavy')
    if ('refusal' in answer) throw refusedAt('file', answer.refusal)
    return answer.attachment
  })

/** What a mail says that is kept already. Error: `unavailable`. */
export const readAgain = async (
  kept: Omit<MailParts, 'isCut' | 'messageId' | 'unread' | 'attachments' | 'sentAt'> & { sentAt: string },
  rulesOf: RulesOf,
): Promise<Reading> => {
  const mail = { ...NO_HEADER, ...kept }
  const learned = await rulesOf(mail.fromAddress)
  return turns.take(() => readingOf({ mail, now: mail.sentAt, learned }, 'text'))
}

const pathOf = (given: PastedText | MailFile): 'file' | 'text' => ('bytes' in given ? 'file' : 'text')

async function opened(given: PastedText | MailFile): Promise<MailParts> {
  const path = pathOf(given)
  const answer = await ('bytes' in given ? askOpener(given) : askKeptReader<OpenedMail>(given))
  if (answer === null) throw fieldError(path, 'mail_too_heavy')
  if ('mail' in answer) return answer.mail
  throw refusedAt(path, answer.refusal)
}

const refusedAt = (path: 'file' | 'text', { code, params }: MailRefusal): AppError =>
  code === 'file_type_not_allowed' ? new AppError(code) : fieldError(path, code, params)

async function readingOf(task: ReadableMail, path: 'file' | 'text'): Promise<Reading> {
  const reading = await askKeptReader<Reading>(task)
  if (reading === null) throw fieldError(path, 'mail_too_heavy')
  return reading
}
