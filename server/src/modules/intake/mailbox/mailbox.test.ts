import { MAX_FILE_BYTES } from '@waybill/contract/document'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { IntakeMailbox, IntakeRow } from '@waybill/contract/intake/intake'
import { useTestApp, type Caller } from '../../../../test/app.ts'
import { emlOf, pdfOf } from '../../../../test/mails/mail-files.ts'
import { startImapServer, type ImapServer } from '../../../../test/mails/imap-server.ts'
import { jobContext } from '../../../../test/job-context.ts'
import { createMailbox } from '../../../kit/mail/mailbox.ts'
import { fetchIntakeMails } from './fetch-mails.job.ts'

const test = useTestApp()
let imap: ImapServer
let clerk: Caller
let own: Caller
let number = 0

beforeAll(async () => {
  clerk = (await test.userWith('ORDERS_MANAGEMENT')).caller
  own = (await test.userWith('ASSIGNED_ORDERS')).caller
})
beforeEach(async () => {
  imap = await startImapServer()
  test.ports.mailbox = createMailbox({ url: imap.url, takenFolder: 'Waybill', refusedFolder: 'Waybill refused' })
  return () => imap.close()
})
afterAll(() => {
  test.ports.mailbox = null
})

/** A mail with an order, another one each time. */
function orderMail(subject: string): string {
  number += 1
  return [
    `Message-ID: <order-${number}@hansa.example>`,
    'From: Monika Krause <krause@hansa.example>',
    'To: orders@waybill.example',
    'Date: Mon, 9 Mar 2026 09:12:00 +0100',
    `Subject: ${subject}`,
    'Content-Type: text/plain; charset=utf-8',
    '',
    `Transportauftrag ${subject}, unsere Nummer HB-${4000 + number}`,
    'Ladestelle: Hansa Bau, Kai 1, 20457 Hamburg, 12.03.2026 08:00',
    'Entladestelle: Baustoffe Poznań, ul. Polna 4, 60-535 Poznań, 13.03.2026 10:00',
    '12 Europaletten Fliesen, 9.600 kg',
  ].join('\r\n')
}

const visit = () => fetchIntakeMails.handle(jobContext(test), {})
const mailbox = async (caller = clerk): Promise<IntakeMailbox | null> =>
  (await caller.get('intake-mails/counts')).body.mailbox
async function mailsOf(subject: string, caller = clerk): Promise<IntakeRow[]> {
  const { body } = await caller.get(`intake-mails?q=${encodeURIComponent(subject)}`)
  return body.items
}
const held = (folder: string): number => imap.folders.get(folder)?.length ?? 0

describe('a mailbox that cannot be read', () => {
  it('is said with the reason and since when, until it can be read again', async () => {
    imap.refuses = 'LOGIN'
    await visit()
    const first = await mailbox()
    expect(first).toMatchObject({ name: 'orders@waybill.example', fault: 'login' })
    test.clock.advance(60_000)
    await visit()
    expect((await mailbox())!.faultSince).toBe(first!.faultSince)
    imap.refuses = null
    await visit()
    expect(await mailbox()).toMatchObject({ fault: null, faultSince: null, readAt: expect.any(String) })
  })

  it('keeps the time of the last good visit where nobody answers, and where a folder cannot be made', async () => {
    await visit()
    const { readAt } = (await mailbox())!
    imap.folders.delete('Waybill')
    imap.refuses = 'CREATE'
    await visit()
    expect(await mailbox()).toMatchObject({ fault: 'folder', readAt })
    await imap.close()
    await visit()
    expect(await mailbox()).toMatchObject({ fault: 'unreachable', readAt })
  })

  it('is none where none is set', async () => {
    test.ports.mailbox = null
    await visit()
    expect(await mailbox()).toBeNull()
  })
})

describe('a mail of the mailbox', () => {
  it('comes in with its file, unassigned, and is moved; who sees only own mails does not see it', async () => {
    const sent = orderMail('Kai und Polna')
    imap.deliver(sent)
    await visit()
    const [mail, ...more] = await mailsOf('Kai und Polna')
    expect(more).toEqual([])
    expect(mail).toMatchObject({
      source: 'mailbox',
      state: 'new',
      fromAddress: 'krause@hansa.example',
      assignedTo: null,
      broughtInBy: null,
      kind: 'order',
    })
    expect(await mailsOf('Kai und Polna', own)).toEqual([])
    expect([held('INBOX'), held('Waybill'), held('Waybill refused')]).toEqual([0, 1, 0])
    const file = await clerk.get(`intake-mails/${mail!.id}/file`)
    expect(file.raw.toString()).toBe(sent)
  })

  it('comes in once, though the connection breaks off before it is moved', { tags: 'long' }, async () => {
    imap.deliver(orderMail('Abgebrochen'))
    imap.breaksOff = true
    await visit()
    expect(held('INBOX')).toBe(1)
    expect(await mailsOf('Abgebrochen')).toHaveLength(1)
    imap.breaksOff = false
    await visit()
    expect(await mailsOf('Abgebrochen')).toHaveLength(1)
    expect([held('INBOX'), held('Waybill')]).toEqual([0, 1])
  })

  it('comes in once, though it lies there twice and two nodes fetch at the same time', { tags: 'long' }, async () => {
    const sent = orderMail('Doppelt')
    imap.deliver(sent)
    imap.deliver(sent)
    await Promise.all([visit(), visit()])
    expect(await mailsOf('Doppelt')).toHaveLength(1)
    expect(held('INBOX')).toBe(0)
  })

  it('comes in with the words of another one, for customers write the same each day', { tags: 'long' }, async () => {
    const [first, second] = [orderMail('Wie gestern'), orderMail('Wie gestern')]
    const words = first.slice(first.indexOf('\r\n\r\n'))
    imap.deliver(first)
    imap.deliver(second.slice(0, second.indexOf('\r\n\r\n')) + words)
    await visit()
    expect(await mailsOf('Wie gestern')).toHaveLength(2)
    expect([held('INBOX'), held('Waybill')]).toEqual([0, 2])
  })

  it('that cannot be read is put aside, and the next ones come in', { tags: 'long' }, async () => {
    imap.deliver('Subject: leer\r\n\r\n')
    imap.deliver(orderMail('Danach'))
    await visit()
    expect(await mailsOf('Danach')).toHaveLength(1)
    expect([held('INBOX'), held('Waybill'), held('Waybill refused')]).toEqual([0, 1, 1])
    expect(await mailbox()).toMatchObject({ fault: null, refusedCount: 1, refusedFolder: 'Waybill refused' })
    // A fault leaves the count; who has looked at the mail takes it out of the folder.
    imap.refuses = 'LOGIN'
    await visit()
    expect(await mailbox()).toMatchObject({ fault: 'login', refusedCount: 1 })
    imap.refuses = null
    imap.folders.set('Waybill refused', [])
    await visit()
    expect(await mailbox()).toMatchObject({ fault: null, refusedCount: 0 })
  })

  it('with nothing but a scan comes in, for a person to read it', { tags: 'long' }, async () => {
    const header = { 'Message-ID': '<fax@hansa.example>', From: 'fax@hansa.example', Subject: 'Fax' }
    imap.deliver(emlOf(header, '', { 'fax.pdf': await pdfOf([]) }))
    await visit()
    expect(await mailsOf('Fax')).toMatchObject([{ kind: 'other', state: 'new' }])
    expect([held('Waybill'), held('Waybill refused')]).toEqual([1, 0])
  })

  it('at which something of ours breaks stays where it is, and the next ones come in', { tags: 'long' }, async () => {
    let scans = 0
    const scan = async () => {
      scans += 1
      if (scans === 1) throw new Error('broken on purpose')
      return { kind: 'clean' }
    }
    test.ports.scanner = { scan } as typeof test.ports.scanner
    imap.deliver(orderMail('Zerrissen'))
    imap.deliver(orderMail('Heil'))
    await expect(visit()).rejects.toThrow('broken on purpose')
    test.ports.scanner = null
    expect(await mailsOf('Zerrissen')).toEqual([])
    expect(await mailsOf('Heil')).toHaveLength(1)
    expect([held('INBOX'), held('Waybill')]).toEqual([1, 1])
    await visit()
    expect(await mailsOf('Zerrissen')).toHaveLength(1)
  })

  it('with a virus is put aside', async () => {
    test.ports.scanner = { scan: async () => ({ kind: 'infected', virus: 'Eicar' }) } as typeof test.ports.scanner
    imap.deliver(orderMail('Verseucht'))
    await visit()
    test.ports.scanner = null
    expect(await mailsOf('Verseucht')).toEqual([])
    expect(held('Waybill refused')).toBe(1)
  })

  it('that is larger than a file may be is put aside', { tags: 'long' }, async () => {
    imap.deliver(Buffer.concat([Buffer.from(orderMail('Zu gross')), Buffer.alloc(MAX_FILE_BYTES, 'x')]))
    await visit()
    expect(await mailsOf('Zu gross')).toEqual([])
    expect(held('Waybill refused')).toBe(1)
  })
})
