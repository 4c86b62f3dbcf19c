import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface MailCatcher {
  /** for SMTP_URL */
  url: string
  /** every mail accepted so far, oldest first */
  mails: Email[]
  /** the first mail that fits, waiting for it */
  waitFor(fits: (mail: Email) => boolean): Promise<Email>
  stop(): Promise<void>
}

/** A real SMTP server inside the test: what it holds was sent over the wire. */
export async function startMailCatcher(): Promise<MailCatcher> {
  const mails: Email[] = []
  const listeners = new Set<() => void>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        void PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          mails.push(mail)
          done()
          for (const tell of listeners) tell()
        })
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    waitFor: (fits) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = mails.find(fits)
          if (!found) return
          clearTimeout(limit)
          listeners.delete(look)
          resolve(found)
        }
        const limit = setTimeout(() => {
          listeners.delete(look)
          reject(new Error(`no such mail came; caught: ${mails.map((mail) => mail.subject).join(' | ') || 'none'}`))
        }, 30_000)
        listeners.add(look)
        look()
      }),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
