import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createMailer, type Mail, type MailError } from './mailer.ts'

interface Received {
  recipients: string[]
  source: Buffer
  mail: Email
}

const running: { close(done: () => void): unknown }[] = []

afterEach(async () => {
  for (const server of running.splice(0)) await new Promise<void>((done) => server.close(done))
})

/** A real SMTP server that keeps what it accepted. */
async function smtpServer(options: SMTPServerOptions = {}) {
  const inbox: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const source = Buffer.concat(chunks)
        inbox.push({
          recipients: session.envelope.rcptTo.map(({ address }) => address),
          source,
          mail: await PostalMime.parse(source),
        })
        done()
      })
    },
    ...options,
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  running.push(server)
  const { port } = server.server.address() as AddressInfo
  return {
    inbox,
    mailer: createMailer({
      smtpUrl: `smtp://127.0.0.1:${port}`,
      from: 'Spedition Müller <buero@spedition.example>',
      timeoutMs: 5000,
    }),
  }
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const refusing =
  (responseCode: number, message: string): SMTPServerOptions['onRcptTo'] =>
  ({ address }, _session, done) =>
    done(address.startsWith('refused') ? Object.assign(new Error(message), { responseCode }) : null)

const mail: Mail = {
  to: ['empfang@kunde.example'],
  cc: [],
  subject: 'Rechnung „Größe“ für Łódź & <dringend>',
  html: '<p>Grüße aus Köln, zażółć</p>',
  text: 'Grüße aus Köln, zażółć',
  attachments: [],
  messageId: '<17@spedition.example>',
}

const failure = async (sending: Promise<unknown>): Promise<MailError> => {
  const error = await sending.then(
    () => null,
    (reason: MailError) => reason,
  )
  expect(error, 'the mail must not be sent').not.toBeNull()
  return error!
}

describe('what is not sent', () => {
  it.each<[string, Partial<Mail>]>([
    ['a subject that adds a header', { subject: 'Hello\r\nBcc: thief@evil.example' }],
    ['a subject with a bare line feed', { subject: 'Hello\nX-Other: 1' }],
    ['an address that adds a header', { to: ['a@kunde.example\r\nBcc: thief@evil.example'] }],
    ['two addresses in one', { to: ['a@kunde.example, thief@evil.example'] }],
    ['an address inside another', { cc: ['<thief@evil.example> a@kunde.example'] }],
    [
      'a file name that adds a header',
      { attachments: [{ filename: 'a.pdf\r\nX-Other: 1', content: Buffer.from('x'), contentType: 'application/pdf' }] },
    ],
    ['a message id that adds a header', { messageId: '<1@a.example>\r\nX-Other: 1' }],
    ['no recipient at all', { to: [] }],
  ])('refuses %s for good', async (_what, part) => {
    const { inbox, mailer } = await smtpServer()
    expect(await failure(mailer.send({ ...mail, ...part }))).toMatchObject({ name: 'MailError', transient: false })
    expect(inbox).toEqual([])
  })

  it('refuses a sender with a line break', () => {
    expect(() => createMailer({ smtpUrl: 'smtp://127.0.0.1', from: 'a@b.example\nBcc: c@d.example' })).toThrow(
      'line break',
    )
  })

  it('gives up on a recipient whom the server does not know (550)', async () => {
    const { inbox, mailer } = await smtpServer({ onRcptTo: refusing(550, 'No such user here') })
    const error = await failure(mailer.send({ ...mail, to: ['refused@kunde.example'] }))
    expect(error).toMatchObject({
      transient: false,
      rejected: [{ address: 'refused@kunde.example', transient: false }],
    })
    expect(error.message).toContain('No such user here')
    expect(inbox).toEqual([])
  })

  it('asks for another try when the mailbox is busy (451)', async () => {
    const { mailer } = await smtpServer({ onRcptTo: refusing(451, 'Try again later') })
    expect(await failure(mailer.send({ ...mail, to: ['refused@kunde.example'] }))).toMatchObject({
      transient: true,
      rejected: [{ transient: true }],
    })
  })

  it.each([
    [552, false],
    [452, true],
  ])('takes a refusal of the content by its code: %i', async (responseCode, transient) => {
    const { mailer } = await smtpServer({
      onData(stream, _session, done) {
        stream.resume().on('end', () => done(Object.assign(new Error('Too large'), { responseCode })))
      },
    })
    expect(await failure(mailer.send(mail))).toMatchObject({ transient })
  })

  it('asks for another try when no server is there', async () => {
    const server = createServer()
    const port = await listening(server)
    await new Promise((done) => server.close(done))
    expect(
      await failure(createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from: 'a@b.example' }).send(mail)),
    ).toMatchObject({ transient: true })
  })

  it('gives up a server that says nothing after 20 seconds, where no other time is set', async () => {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => void sockets.add(socket))
    const port = await listening(server)
    running.push({
      close(done: () => void) {
        for (const socket of sockets) socket.destroy()
        server.close(done)
      },
    })
    const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from: 'a@b.example' })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      let isOver = false
      const given = failure(mailer.send(mail)).finally(() => (isOver = true))
      await once(server, 'connection')
      // The sender hears of it in a turn of its own.
      for (let turn = 0; turn < 20; turn += 1) await new Promise((done) => void setImmediate(done))
      await vi.advanceTimersByTimeAsync(19_900)
      expect(isOver).toBe(false)
      await vi.advanceTimersByTimeAsync(200)
      expect(await given).toMatchObject({ name: 'MailError', transient: true })
    } finally {
      vi.useRealTimers()
    }
  })

  it('does not wait for a server that never greets', async () => {
    const server = createServer(() => {})
    const sockets = new Set<{ destroy(): void }>()
    server.on('connection', (socket) => sockets.add(socket))
    const port = await listening(server)
    running.push({
      close(done: () => void) {
        for (const socket of sockets) socket.destroy()
        server.close(done)
      },
    })
    expect(
      await failure(
        createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from: 'a@b.example', timeoutMs: 200 }).send(mail),
      ),
    ).toMatchObject({ transient: true })
  })

  it.each([
    ['refused', 'user:wrong@'],
    ['missing', ''],
  ])(
    'keeps the mail for another try when the login is %s, which is a setting and not the mail',
    async (_what, login) => {
      const server = new SMTPServer({
        disabledCommands: ['STARTTLS'],
        allowInsecureAuth: true,
        onAuth: (_auth, _session, done) => done(new Error('Wrong password')),
      })
      server.listen(0, '127.0.0.1')
      await once(server.server, 'listening')
      running.push(server)
      const { port } = server.server.address() as AddressInfo
      expect(
        await failure(createMailer({ smtpUrl: `smtp://${login}127.0.0.1:${port}`, from: 'a@b.example' }).send(mail)),
      ).toMatchObject({ name: 'MailError', transient: true })
    },
  )
})

describe('a mail that arrives', () => {
  it('holds both texts, every letter, the attachment byte by byte and its message id', async () => {
    const { inbox, mailer } = await smtpServer()
    const content = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 31) % 256))
    const delivery = await mailer.send({
      ...mail,
      cc: ['kopie@kunde.example'],
      attachments: [{ filename: 'Rechnung „Łódź“ 1.pdf', content, contentType: 'application/pdf' }],
    })
    expect(delivery).toMatchObject({
      accepted: ['empfang@kunde.example', 'kopie@kunde.example'],
      rejected: [],
      response: expect.stringMatching(/^250/),
    })
    expect(inbox).toHaveLength(1)
    const [{ recipients, mail: received, source }] = inbox as [Received]
    expect(recipients).toEqual(['empfang@kunde.example', 'kopie@kunde.example'])
    expect(received).toMatchObject({
      subject: mail.subject,
      from: { name: 'Spedition Müller', address: 'buero@spedition.example' },
      to: [{ address: 'empfang@kunde.example' }],
      cc: [{ address: 'kopie@kunde.example' }],
      messageId: '<17@spedition.example>',
    })
    expect(received.html).toContain('<p>Grüße aus Köln, zażółć</p>')
    expect(received.text).toContain('Grüße aus Köln, zażółć')
    expect(received.attachments).toMatchObject([
      { filename: 'Rechnung „Łódź“ 1.pdf', mimeType: 'application/pdf', disposition: 'attachment' },
    ])
    expect(Buffer.from(received.attachments[0]!.content as ArrayBuffer).equals(content)).toBe(true)
    expect(source.toString('latin1').split('\r\n\r\n')[0]).not.toMatch(/[\x80-\xff]/)
  })

  it('says whom the server took and whom not', async () => {
    const { inbox, mailer } = await smtpServer({ onRcptTo: refusing(450, 'Mailbox busy') })
    const delivery = await mailer.send({ ...mail, to: ['empfang@kunde.example', 'refused@kunde.example'] })
    expect(delivery).toMatchObject({
      accepted: ['empfang@kunde.example'],
      rejected: [
        { address: 'refused@kunde.example', transient: true, response: expect.stringContaining('Mailbox busy') },
      ],
    })
    expect(inbox[0]!.recipients).toEqual(['empfang@kunde.example'])
  })

  it('reads no file for an attachment or a text', async () => {
    const { inbox, mailer } = await smtpServer()
    const sneaky = {
      filename: 'a.txt',
      path: import.meta.filename,
      contentType: 'text/plain',
    } as unknown as Mail['attachments'][number]
    await failure(mailer.send({ ...mail, attachments: [sneaky] }))
    expect(inbox).toEqual([])
  })
})
