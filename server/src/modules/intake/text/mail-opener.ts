// The process behind ask-reader.ts that takes the file of one mail apart, answers and ends.
import type { Language } from '@waybill/contract/errors'
import { answerApart } from '../../../kit/context/answer-apart.ts'
import { RefusedTable } from '../../../kit/tables/parse-table.ts'
import { readMailFile } from './file-text.rules.ts'
import { RefusedMail, type MailParts, type MailRefusal } from './mail-text.rules.ts'

/** The file of a mail. */
export interface MailFile {
  name: string
  bytes: Uint8Array
  language: Language
}

export type OpenedMail = { mail: MailParts } | { refusal: MailRefusal }

answerApart(async (file: MailFile): Promise<OpenedMail> => {
  try {
    return { mail: await readMailFile(file, file.language) }
  } catch (error) {
    if (!(error instanceof RefusedMail || error instanceof RefusedTable)) throw error
    return { refusal: error.refusal }
  }
})
