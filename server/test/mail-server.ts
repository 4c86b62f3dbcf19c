import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface MailServer {
  smtpUrl: string
  inbox: { recipients: string[]; mail: Email; sizeBytes: number }[]
  /** what the server answers to a recipient; null = accepted */
  answerTo: (address: string) => { responseCode: number; message: string } | null
  /** how long the server keeps a sender waiting for its last word; null = not at all */
  holdUp: Promise<void> | null
  /** senders that are kept waiting now */
  held(): number
  close(): Promise<void>
}

/** A real SMTP server on the loopback that keeps what it accepted. */
export async function startMailServer(): Promise<MailServer> {
  const inbox: MailServer['inbox'] = []
  let held = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, done) {
      const refusal = mailServer.answerTo(address)
      done(refusal && Object.assign(new Error(refusal.message), refusal))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        held += 1
        await mailServer.holdUp
        held -= 1
        const bytes = Buffer.concat(chunks)
        inbox.push({
          recipients: session.envelope.rcptTo.map(({ address }) => address),
          mail: await PostalMime.parse(bytes),
          sizeBytes: bytes.length,
        })
        done()
      })
    },
  })
  // A sender that is killed in the middle of a mail breaks its connection off; that is the sender's matter.
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const mailServer: MailServer = {
    smtpUrl: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    inbox,
    answerTo: () => null,
    holdUp: null,
    held: () => held,
    close: () => new Promise((done) => void server.close(() => done())),
  }
  return mailServer
}

/** A paragraph of a mail by hand. */
export const paragraph = (text: string) => ({
  id: 'words',
  kind: 'paragraph' as const,
  onlyIf: null,
  text: [{ type: 'paragraph' as const, content: [{ type: 'text' as const, text }] }],
})

/** The mail with which an invoice is sent, as its page sends it. */
export const INVOICE_MAIL = {
  to: ['billing@hansa.example'],
  cc: [],
  language: null,
  subject: 'Rechnung',
  blocks: [paragraph('Guten Tag')],
  documentIds: [],
  seen: null,
}
