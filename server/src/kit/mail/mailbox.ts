import { isIP } from 'node:net'
import type { Readable } from 'node:stream'

/** Where mails are fetched from, and where they are put when that is done. */
export interface MailboxSettings {
  /** `imaps://user:password@host:993/Folder`, or `imap:` with STARTTLS; without a folder INBOX */
  url: string
  /** folders of the same mailbox, made where they are missing */
  takenFolder: string
  refusedFolder: string
}

/** Why a mailbox cannot be read: no connection, the login is refused, or a folder is not there. */
export type MailboxFault = 'unreachable' | 'login' | 'folder'

export class MailboxError extends Error {
  readonly fault: MailboxFault
  constructor(fault: MailboxFault, cause: unknown) {
    super(`the mailbox cannot be read (${fault}): ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.fault = fault
  }
}

/** What becomes of a mail: put into one of the two folders, or left where it is for the next visit. */
export type Handled = 'taken' | 'refused' | 'left'

export interface Mailbox {
  /** the address, or the user and the host, as it is shown to people */
  name: string
  /** where refused mails lie, as the setting names it */
  refusedFolder: string
  /**
   * Hands each mail of the folder over as it came, the oldest first, and moves it when it is handled. Nothing is
   * deleted; a mail that was handled and could not be moved comes again. One larger than `mostBytes` is refused unread;
   * `until` says when to stop. Answers how many mails lie in the folder of the refused ones, also from before. Error:
   * `MailboxError`; what `handle` throws ends the visit.
   */
  visit(
    handle: (bytes: Readable) => Promise<Handled>,
    limits: { mostBytes: number; until: () => boolean },
  ): Promise<{ refusedCount: number }>
}

// Of one answer: the library's own 64 kB are four hundred questions for a large mail.
const CHUNK_BYTES = 1_000_000
// A server that does not answer must not hold the next visits up.
const LIMITS = { connectionTimeout: 20_000, greetingTimeout: 20_000, socketTimeout: 60_000 }

const isOwnMachine = (host: string): boolean => host === 'localhost' || (isIP(host) === 4 && host.startsWith('127.'))

function partsOf(url: string) {
  const { protocol, hostname, port, username, password, pathname } = new URL(url)
  const secure = protocol === 'imaps:'
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 993 : 143) : Number(port),
    secure,
    user: decodeURIComponent(username),
    pass: decodeURIComponent(password),
    folder: decodeURIComponent(pathname.slice(1)) || 'INBOX',
  }
}

/** A mailbox that is read over IMAP (RFC 9051), a connection for each visit. */
export function createMailbox({ url, takenFolder, refusedFolder }: MailboxSettings): Mailbox {
  const { host, port, secure, user, pass, folder } = partsOf(url)
  const folders = { taken: takenFolder, refused: refusedFolder }
  return {
    name: user.includes('@') ? user : `${user}@${host}`,
    refusedFolder,
    async visit(handle, { mostBytes, until }) {
      // Loaded with the first visit: most installations have no mailbox.
      const { ImapFlow } = await import('imapflow')
      const client = new ImapFlow({
        host,
        port,
        secure,
        auth: { user, pass },
        // The password never crosses a net unencrypted.
        ...(!secure && !isOwnMachine(host) && { doSTARTTLS: true }),
        ...LIMITS,
        disableAutoIdle: true,
        logger: false,
      })
      // Without a listener an error of the connection would end the process; the command in hand is refused as well.
      client.on('error', () => undefined)
      const of = (fault: MailboxFault) => (error: unknown) => {
        throw new MailboxError(fault, error)
      }
      try {
        await client
          .connect()
          .catch((error: { authenticationFailed?: boolean }) =>
            of(error.authenticationFailed ? 'login' : 'unreachable')(error),
          )
        const known = await client.list().catch(of('unreachable'))
        // Some servers keep all folders below the inbox.
        const prefix = client.namespace?.prefix ?? ''
        for (const name of Object.values(folders))
          if (!known.some(({ path }) => path === name || path === `${prefix}${name}`))
            await client.mailboxCreate(name).catch(of('folder'))
        const lock = await client.getMailboxLock(folder).catch(of('folder'))
        try {
          const found = await client.search({ all: true }, { uid: true }).catch(of('unreachable'))
          for (const uid of (found || []).toSorted((a, b) => a - b)) {
            if (until()) break
            const mail = await client
              .download(String(uid), undefined, { uid: true, chunkSize: CHUNK_BYTES })
              .catch(of('unreachable'))
            // A colleague was faster by a moment.
            if (!('content' in mail) || mail.content === undefined) continue
            const isTooLarge = (mail.meta.expectedSize ?? 0) > mostBytes
            if (isTooLarge) mail.content.destroy()
            const handled = isTooLarge ? 'refused' : await handle(mail.content)
            if (handled !== 'left')
              await client.messageMove(String(uid), folders[handled], { uid: true }).catch(of('folder'))
          }
        } finally {
          lock.release()
        }
        const refused = await client.status(refusedFolder, { messages: true }).catch(of('unreachable'))
        await client.logout().catch(() => undefined)
        return { refusedCount: refused ? (refused.messages ?? 0) : 0 }
      } finally {
        client.close()
      }
    },
  }
}
