// Against a real mail server: Dovecot, with folders beside the inbox and with folders below it.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { IntakeRow } from '@waybill/contract/intake/intake'
import { createMailbox } from '../../src/kit/mail/mailbox.ts'
import { fetchIntakeMails } from '../../src/modules/intake/index.ts'
import { useTestApp } from '../app.ts'
import { jobContext } from '../job-context.ts'

const test = useTestApp()

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}

/** One user with a mailbox, whose inbox is empty. */
const configOf = (folder: string, port: number, namespace: string): string => `
protocols = imap
listen = 127.0.0.1
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
ssl = no
disable_plaintext_auth = no
mail_location = maildir:${folder}/mail
first_valid_uid = 1
namespace inbox {
  inbox = yes
  ${namespace}
}
passdb {
  driver = static
  args = password=p@ss
}
userdb {
  driver = static
  args = uid=mail gid=mail home=${folder}/home
}
service imap-login {
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
`

const mail = (name: string, number: number): string =>
  [
    `Message-ID: <${name}-${number}@hansa.example>`,
    'From: Monika Krause <krause@hansa.example>',
    'Date: Mon, 9 Mar 2026 09:12:00 +0100',
    `Subject: ${name} ${number}`,
    'Content-Type: text/plain; charset=utf-8',
    '',
    `Auftrag ${name}-${7000 + number}: 12 Europaletten von 20457 Hamburg nach 60-535 Poznań am 12.03.2026`,
  ].join('\r\n')

describe.each([
  ['beside the inbox', 'Nordlicht', 'prefix ='],
  ['below the inbox', 'Polder', 'prefix = INBOX.\n  separator = .'],
])('a mailbox of Dovecot with folders %s', (_where, name, namespace) => {
  let folder: string
  let dovecot: ChildProcess
  const filesIn = (path: string): string[] =>
    ['new', 'cur'].flatMap((part) => {
      try {
        return readdirSync(join(folder, 'mail', path, part))
      } catch {
        return []
      }
    })

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'waybill-dovecot-'))
    chmodSync(folder, 0o777)
    for (const part of ['mail', 'mail/new', 'mail/cur', 'mail/tmp', 'home']) mkdirSync(join(folder, part))
    const port = await freePort()
    writeFileSync(join(folder, 'dovecot.conf'), configOf(folder, port, namespace))
    for (const number of [1, 2, 3]) writeFileSync(join(folder, 'mail/new', `${number}.order`), mail(name, number))
    writeFileSync(join(folder, 'mail/new', '4.empty'), 'Subject: leer\r\n\r\n')
    execFileSync('chown', ['-R', 'mail:mail', join(folder, 'mail'), join(folder, 'home')])
    dovecot = spawn('/usr/sbin/dovecot', ['-F', '-c', join(folder, 'dovecot.conf')], { stdio: 'ignore' })
    test.ports.mailbox = createMailbox({
      url: `imap://orders%40waybill.example:p%40ss@127.0.0.1:${port}`,
      takenFolder: 'Waybill',
      refusedFolder: 'Waybill refused',
    })
  })
  afterEach(async () => {
    test.ports.mailbox = null
    const ended = once(dovecot, 'exit')
    dovecot.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })

  it('is emptied into Order mails, each mail once, and into its two folders', async () => {
    const state = async () => (await test.admin.get('intake-mails/counts')).body.mailbox
    const visit = async () => {
      await fetchIntakeMails.handle(jobContext(test), {})
      return (await state()).fault
    }
    await expect.poll(visit).toBeNull()
    const { body } = await test.admin.get(`intake-mails?q=${name}`)
    const subjects = (body.items as IntakeRow[]).map(({ subject }) => subject).toSorted()
    expect(subjects).toEqual([1, 2, 3].map((number) => `${name} ${number}`))
    expect([filesIn('').length, filesIn('.Waybill').length, filesIn('.Waybill refused').length]).toEqual([0, 3, 1])
    expect(await visit()).toBeNull()
    expect((await test.admin.get(`intake-mails?q=${name}`)).body.total).toBe(3)
  })
})
