// The process behind ask-reader.ts that takes the file of one mail apart, answers and ends.
import type { Language } from '@waybill/contract/errors'
import { answerApart } from '../../../kit/context/answer-apart.ts'
import { RefusedTable } from '../../../kit/tables/parse-table.ts'
import { attachmentOf, readMailFile } from './file-text.rules.ts'
import type { Attachment } from './message.rules.ts'
import { RefusedMail, type MailParts, type MailRefusal } from './mail-text.rules.ts'

/** The file of a mail. */
export interface MailFile {
  name: string
  bytes: Uint8Array
  language: Language
}

export type OpenedMail = { mail: MailParts } | { refusal: MailRefusal }

/** Is answered with an attachment instead of the mail. */
export interface AttachmentOfFile extends MailFile {
  place: number
}

export type OpenedAttachment = { attachment: Attachment | null } | { refusal: MailRefusal }

answerApart(async (file: MailFile | AttachmentOfFile): Promise<OpenedMail | OpenedAttachment> => {
  try {
    if ('place' in file) return { attachment: await attachmentOf(file, file.place) }
    return { mail: await readMailFile(file, file.language) }
  } catch (error) {
    if (!(error instanceof RefusedMail || error instanceof RefusedTable)) throw error
    return { refusal: error.refusal }
  }
})
