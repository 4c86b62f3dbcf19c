// The process behind ask-reader.ts: it reads one mail, answers and ends.
import type { Language } from '@waybill/contract/errors'
import { RefusedTable } from '../../../kit/tables/parse-table.ts'
import { readMailFile, readPastedMail } from './file-text.rules.ts'
import { RefusedMail, type MailParts, type MailRefusal } from './mail-text.rules.ts'

export type MailTask = { text: string } | { name: string; bytes: Uint8Array; language: Language }

export type MailAnswer = { mail: MailParts } | { refusal: MailRefusal }

process.on('message', async (task: MailTask) => {
  let answer: MailAnswer
  try {
    answer = { mail: 'text' in task ? readPastedMail(task.text) : await readMailFile(task, task.language) }
  } catch (error) {
    if (!(error instanceof RefusedMail || error instanceof RefusedTable)) throw error
    answer = { refusal: error.refusal }
  }
  process.send!(answer, () => process.exit(0))
})

// The end of the parent is ours; Ctrl-C reaches the whole group, and what is being read is the parent's to end.
process.on('SIGINT', () => {})
process.on('disconnect', () => process.exit(0))
