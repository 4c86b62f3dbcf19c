import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

export interface ImapServer {
  url: string
  /** the mails of each folder, as they came */
  folders: Map<string, { uid: number; bytes: Buffer }[]>
  /** puts a mail into the inbox */
  deliver(bytes: Buffer | string): void
  /** words of a command that is refused, `LOGIN` or `CREATE`; null = none is */
  refuses: string | null
  /** true: a connection is ended as soon as a mail is to be moved */
  breaksOff: boolean
  close(): Promise<void>
}

const unquoted = (word: string): string => word.replace(/^"(.*)"$/, '$1')
const wordsOf = (text: string): string[] => text.match(/"[^"]*"|\([^)]*\)|[^ ]+/g) ?? []

/** A small IMAP server on the loopback: what a client needs that reads a folder and moves its mails. */
export async function startImapServer(): Promise<ImapServer> {
  let lastUid = 0
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    serve(socket)
  })

  function serve(socket: Socket): void {
    let selected = 'INBOX'
    const mailsOf = (folder: string) => imap.folders.get(folder) ?? []
    const say = (...lines: string[]): void => void socket.write(lines.map((line) => `${line}\r\n`).join(''))
    say('* OK ready')

    function fetched(uid: number, items: string): void {
      const at = mailsOf(selected).findIndex((mail) => mail.uid === uid)
      if (at < 0) return
      const { bytes } = mailsOf(selected)[at]!
      const part = /BODY(?:\.PEEK)?\[\](?:<(\d+)\.(\d+)>)?/i.exec(items)
      const facts = [`UID ${uid}`, ...(/RFC822\.SIZE/i.test(items) ? [`RFC822.SIZE ${bytes.length}`] : [])]
      if (part === null) {
        say(`* ${at + 1} FETCH (${facts.join(' ')})`)
        return
      }
      const from = Number(part[1] ?? 0)
      const slice = part[2] === undefined ? bytes : bytes.subarray(from, from + Number(part[2]))
      const name = part[1] === undefined ? 'BODY[]' : `BODY[]<${from}>`
      socket.write(`* ${at + 1} FETCH (${facts.join(' ')} ${name} {${slice.length}}\r\n`)
      socket.write(slice)
      socket.write(')\r\n')
    }

    function move(uid: number, folder: string): void {
      const from = mailsOf(selected)
      const at = from.findIndex((mail) => mail.uid === uid)
      if (at < 0) return
      imap.folders.get(folder)!.push(...from.splice(at, 1))
      say(`* ${at + 1} EXPUNGE`)
    }

    const answer = (tag: string, command: string, rest: string): void => {
      const done = (words = 'done') => say(`${tag} OK ${words}`)
      const [first = '', ...more] = wordsOf(rest)
      if (command === imap.refuses) return say(`${tag} NO [AUTHENTICATIONFAILED] refused`)
      switch (command) {
        case 'CAPABILITY':
          say('* CAPABILITY IMAP4rev1 UIDPLUS MOVE')
          return done()
        case 'LIST':
        case 'LSUB':
          if (rest === '"" ""') say('* LIST (\\Noselect) "/" ""')
          else for (const name of imap.folders.keys()) say(`* ${command} (\\HasNoChildren) "/" "${name}"`)
          return done()
        case 'CREATE':
          imap.folders.set(unquoted(first), [])
          return done()
        case 'SELECT': {
          selected = unquoted(first)
          if (!imap.folders.has(selected)) return say(`${tag} NO no such folder`)
          say(`* ${mailsOf(selected).length} EXISTS`, '* FLAGS (\\Seen)', '* OK [UIDVALIDITY 1]', `* OK [UIDNEXT 999]`)
          return done('[READ-WRITE] selected')
        }
        case 'STATUS': {
          const folder = /^"[^"]*"|^\S+/.exec(rest)![0]
          say(`* STATUS ${folder} (MESSAGES ${mailsOf(unquoted(folder)).length})`)
          return done()
        }
        case 'LOGOUT':
          say('* BYE')
          done()
          return void socket.end()
        case 'UID': {
          const [range = '', ...args] = more
          if (first === 'SEARCH')
            say(
              `* SEARCH ${mailsOf(selected)
                .map(({ uid }) => uid)
                .join(' ')}`.trimEnd(),
            )
          if (first === 'FETCH') fetched(Number(range), args.join(' '))
          if (first === 'MOVE' && imap.breaksOff) return void socket.destroy()
          if (first === 'MOVE') move(Number(range), unquoted(args[0]!))
          return done()
        }
        default:
          return done()
      }
    }

    createInterface({ input: socket }).on('line', (line) => {
      const [, tag, command, rest] = /^(\S+) (\S+) ?(.*)$/.exec(line) ?? []
      if (tag !== undefined) answer(tag, command!.toUpperCase(), rest!)
    })
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const imap: ImapServer = {
    url: `imap://orders%40waybill.example:p%40ss@127.0.0.1:${(server.address() as AddressInfo).port}`,
    folders: new Map([['INBOX', []]]),
    deliver(bytes) {
      lastUid += 1
      imap.folders.get('INBOX')!.push({ uid: lastUid, bytes: Buffer.from(bytes) })
    },
    refuses: null,
    breaksOff: false,
    close: () =>
      new Promise((done) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => done())
      }),
  }
  return imap
}
