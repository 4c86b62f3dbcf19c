import PostalMime, { type Address } from 'postal-mime'
import { textOfHtml } from './html.rules.ts'
import { headerLine, plainText, RefusedMail, sentAtOf, type MailParts } from './mail-text.rules.ts'

/** An attachment by its name and bytes. */
export interface Attachment {
  name: string
  bytes: Uint8Array
}

/** A message without the texts of its attachments. */
export interface Message extends Omit<MailParts, 'isCut' | 'parts' | 'unread' | 'attachments'> {
  attachments: Attachment[]
}

const MOST_DEPTH = 20
const MOST_HEADERS_BYTES = 200_000

const first = (from: Address | undefined) => (from?.group === undefined ? from : from.group[0])

/** A message of RFC 5322. Errors: `mail_unreadable`, `mail_too_heavy` where it is nested too deeply. */
export async function readEml(bytes: Uint8Array): Promise<Message> {
  const mail = await PostalMime.parse(bytes, {
    maxNestingDepth: MOST_DEPTH,
    maxHeadersSize: MOST_HEADERS_BYTES,
    maxRfc822NestingDepth: 3,
    attachmentEncoding: 'arraybuffer',
  }).catch(() => {
    throw new RefusedMail('mail_too_heavy')
  })
  const sender = first(mail.from) ?? first(mail.sender)
  if (sender === undefined && mail.subject === undefined && mail.messageId === undefined)
    throw new RefusedMail('mail_unreadable')
  const date = mail.headers.find(({ key }) => key === 'date')?.value
  return {
    text: plainText(mail.text?.trim() ? mail.text : textOfHtml(mail.html ?? '')),
    subject: headerLine(mail.subject),
    fromName: headerLine(sender?.name),
    fromAddress: headerLine(sender?.address, 250)?.toLowerCase() ?? null,
    messageId: headerLine(mail.messageId, 900),
    sentAt: date === undefined ? null : sentAtOf(date),
    attachments: mail.attachments
      .filter(({ related, disposition }) => related !== true || disposition === 'attachment')
      .map(({ filename, mimeType, content }) => ({
        name: filename ?? (mimeType === 'message/rfc822' ? 'message.eml' : `attachment.${mimeType.split('/')[1]}`),
        bytes: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
      })),
  }
}

/** A message of Outlook (MS-OXMSG). Errors: `mail_unreadable`, `mail_too_heavy`. */
export async function readMsg(bytes: Uint8Array): Promise<Message> {
  const { default: library } = await import('@kenjiuno/msgreader')
  try {
    const copy = new Uint8Array(bytes)
    const reader = new library.default(copy.buffer)
    const mail = reader.getFileData()
    // Pictures of signatures are hidden.
    const attached = (mail.attachments ?? []).filter(({ attachmentHidden }) => attachmentHidden !== true)
    if (mail.error !== undefined) throw new RefusedMail('mail_unreadable')
    const html = mail.bodyHtml ?? (mail.html ? Buffer.from(mail.html).toString('utf8') : '')
    const header = (name: string) => new RegExp(`^${name}:[ \t]*(.+(?:\n[ \t].+)*)`, 'im').exec(mail.headers ?? '')?.[1]
    const date = header('date')?.trim() ?? mail.clientSubmitTime ?? mail.messageDeliveryTime
    const address = mail.senderSmtpAddress ?? mail.sentRepresentingSmtpAddress ?? mail.senderEmail
    return {
      text: plainText(mail.body?.trim() ? mail.body : textOfHtml(html)),
      subject: headerLine(mail.subject),
      fromName: headerLine(mail.senderName),
      fromAddress: address?.includes('@') ? (headerLine(address, 250)?.toLowerCase() ?? null) : null,
      messageId: headerLine(header('message-id'), 900),
      sentAt: date === undefined ? null : sentAtOf(date),
      attachments: attached.flatMap((one) => {
        // A message within a message is named and left.
        if (one.innerMsgContent) return [{ name: `${one.name ?? 'message'}.msg`, bytes: new Uint8Array() }]
        const { fileName, content } = reader.getAttachment(one)
        return [{ name: fileName, bytes: content }]
      }),
    }
  } catch (error) {
    throw error instanceof RefusedMail ? error : new RefusedMail('mail_unreadable')
  }
}
