export interface Mail {
  /** bare addresses, one each */
  to: string[]
  cc: string[]
  subject: string
  html: string
  text: string
  attachments: { filename: string; content: Buffer; contentType: string }[]
  /** pictures of the body, by the name after `cid:` */
  parts?: { cid: string; content: Buffer; contentType: string }[]
  /** the name beside the sender's address, else that of the settings */
  fromName?: string
  /** who an answer goes to, else the sender */
  replyTo?: string | null
  /** the mail that this one goes on from, so that mail programs show them together */
  inReplyTo?: string | null
  /** nobody pressed *Send*: machines are not to answer (RFC 3834) */
  isAutomatic?: boolean
  /** the same for each try of one mail, so that a receiver recognises a second copy: `<id@host>` */
  messageId: string
}

export interface RejectedRecipient {
  address: string
  /** what the server said */
  response: string
  /** true = the server asks to try again later (4xx) */
  transient: boolean
}

export interface Delivery {
  accepted: string[]
  rejected: RejectedRecipient[]
  /** the server's last word, with its queue id as a rule */
  response: string
  /** of the whole mail as it was handed over, with its headers; null where it is not known */
  sizeBytes: number | null
}

export interface MailError extends Error {
  /** true = worth another try: no connection, a login refused, a 4xx; false = this mail will never be taken as it is */
  transient: boolean
  /** nobody was accepted; empty if it did not come to that */
  rejected: RejectedRecipient[]
}

export interface Mailer {
  /** Resolves when the server accepted the mail for one recipient at least; else rejects with a MailError. */
  send(mail: Mail): Promise<Delivery>
}

// What nodemailer puts on its errors.
interface SmtpError extends Error {
  code?: string
  permanent?: boolean
  response?: string
  responseCode?: number
  recipient?: string
  rejectedErrors?: SmtpError[]
}

// RFC 4954, 6
const LOGIN_REQUIRED = 530

const ADDRESS = /^[^\s@"<>(),;:\\[\]]+@[^\s@"<>(),;:\\[\]]+$/u
const MESSAGE_ID = /^<[^\s@<>]+@[^\s@<>]+>$/
const BREAKS_A_HEADER = /[\r\n\0]/

const mailError = (
  message: string,
  transient: boolean,
  rejected: RejectedRecipient[] = [],
  cause?: unknown,
): MailError => Object.assign(new Error(message, { cause }), { name: 'MailError', transient, rejected })

/** Refuses what would write a header of its own or reach somebody who is not named (design §9, rule 7). */
function check({ to, cc, subject, messageId, attachments, fromName, replyTo, inReplyTo }: Mail) {
  const refuse = (what: string) => {
    throw mailError(`the mail was refused before sending: ${what}`, false)
  }
  if (to.length === 0) refuse('no recipient')
  for (const address of [...to, ...cc, ...(replyTo ? [replyTo] : [])])
    if (!ADDRESS.test(address)) refuse(`not one address: ${JSON.stringify(address)}`)
  if (BREAKS_A_HEADER.test(subject)) refuse('a line break in the subject')
  if (!MESSAGE_ID.test(messageId) || (inReplyTo && !MESSAGE_ID.test(inReplyTo))) refuse('a malformed message id')
  if (fromName !== undefined && BREAKS_A_HEADER.test(fromName)) refuse('a line break in the sender')
  for (const { filename, contentType } of attachments)
    if (BREAKS_A_HEADER.test(filename) || BREAKS_A_HEADER.test(contentType))
      refuse('a line break in the name or type of an attachment')
}

/** The bare address of `Name <address>`. */
const addressOf = (mailbox: string): string => /<([^<>]+)>\s*$/.exec(mailbox)?.[1] ?? mailbox.trim()

const rejections = (errors: SmtpError[] = []): RejectedRecipient[] =>
  errors.map((error) => ({
    address: error.recipient ?? '',
    response: error.response ?? error.message,
    transient: error.permanent === false,
  }))

/**
 * Sends through the SMTP server at `smtpUrl` (`smtp://user:password@host:587`, `smtps://…`); `from` is an address, or
 * a name with an address. A connection of its own for each mail; nothing is loaded before the first one.
 */
export function createMailer({
  smtpUrl,
  from,
  timeoutMs = 20_000,
}: {
  smtpUrl: string
  from: string
  timeoutMs?: number
}): Mailer {
  if (BREAKS_A_HEADER.test(from)) throw new Error('the sender holds a line break')

  async function openTransport() {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      url: smtpUrl,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      // Attachments are bytes: a mail makes this server read no file and fetch no address.
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }
  let transport: ReturnType<typeof openTransport> | undefined

  return {
    async send(mail) {
      check(mail)
      transport ??= openTransport()
      try {
        const { to, cc, subject, html, text, attachments, messageId, replyTo, inReplyTo } = mail
        const info = await (await transport).sendMail({
          from: mail.fromName === undefined ? from : { name: mail.fromName, address: addressOf(from) },
          to,
          cc,
          subject,
          html,
          text,
          attachments: [...attachments, ...(mail.parts ?? []).map((part) => ({ ...part, filename: part.cid }))],
          messageId,
          ...(replyTo && { replyTo }),
          ...(inReplyTo && { inReplyTo, references: inReplyTo }),
          ...(mail.isAutomatic && { headers: { 'Auto-Submitted': 'auto-generated' } }),
        })
        return {
          accepted: info.accepted.map(String),
          rejected: rejections(info.rejectedErrors),
          response: info.response ?? '',
          sizeBytes: info.messageSize ?? null,
        }
      } catch (cause) {
        const error = cause as SmtpError
        const rejected = rejections(error.rejectedErrors)
        // Only what the server said about this mail is final. A refused login or greeting is a matter of settings:
        // mails wait for those.
        const isAboutThisMail =
          (error.code === 'EENVELOPE' || error.code === 'EMESSAGE') && error.responseCode !== LOGIN_REQUIRED
        const transient =
          !isAboutThisMail || error.permanent === false || rejected.some((recipient) => recipient.transient)
        throw mailError(error.response ?? error.message, transient, rejected, cause)
      }
    },
  }
}
