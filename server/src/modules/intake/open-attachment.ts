import { buffer } from 'node:stream/consumers'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { CONTENT_TYPES } from './bring-in.ts'
import { fileOfMail } from './intake.query.ts'
import { attachmentIn } from './text/ask-reader.ts'
import { mailKindOf, type MailKind } from './text/file-text.rules.ts'
import { RefusedMail } from './text/mail-text.rules.ts'
import type { Attachment } from './text/message.rules.ts'

/** What it is sent as: by its bytes; of a kind that no mail comes as, as bytes that are only saved. */
function contentTypeOf(attachment: Attachment): string {
  try {
    return CONTENT_TYPES[mailKindOf(attachment)]
  } catch (error) {
    if (error instanceof RefusedMail) return 'application/octet-stream'
    throw error
  }
}

/** One attachment of a mail, out of the file that is kept. Errors: as the contract names them. */
export async function openAttachment(ctx: Ctx, mailId: number, place: number) {
  const { fileKey, contentType } = await fileOfMail(ctx, mailId)
  const kinds = Object.keys(CONTENT_TYPES) as MailKind[]
  const kind = kinds.find((one) => CONTENT_TYPES[one] === contentType)
  const bytes = await buffer(await ctx.ports.files.open(fileKey))
  const found = await attachmentIn({ name: `mail.${kind}`, bytes, language: ctx.language, place })
  if (found === null) throw new AppError('not_found')
  const content = Buffer.from(found.bytes)
  return { title: found.name, contentType: contentTypeOf(found), sizeBytes: content.length, content }
}
