import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ADMIN, useTestApp, type Answer, type Caller } from '../../../test/app.ts'
import { jobContext } from '../../../test/job-context.ts'
import { startMailServer, type MailServer } from '../../../test/mail-server.ts'
import { createMailer } from '../../kit/mail/mailer.ts'
import { deliverEmail } from '../email/index.ts'
import { recoverPassword } from './index.ts'

const test = useTestApp()
let server: MailServer

beforeAll(async () => {
  server = await startMailServer()
  test.ports.mailer = createMailer({
    smtpUrl: server.smtpUrl,
    from: 'Waybill <office@waybill.example>',
    timeoutMs: 3000,
  })
})

afterAll(async () => {
  await test.ports.jobs.stop({ graceMs: 1000 })
  await server.close()
})

beforeEach(() => {
  server.inbox.length = 0
})

const ctx = () => jobContext(test)

const query = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await test.database.pool.query<Row>(text, values)).rows
const ask = (email: string) => test.anonymous.post('profile/recover_password_mail', { email })
const reset = (token: string, password = 'Another-Horse-8', confirmPassword = password) =>
  test.anonymous.post(`profile/reset_password?token=${token}`, { password, confirmPassword })

/** Does what the workers do with what was asked for last, and answers the mails that came of it. */
async function work() {
  const [request] = await query<{ id: number }>('select id from recovery_request order by id desc limit 1')
  await recoverPassword.handle(ctx(), { requestId: request!.id })
  return deliverAll()
}

async function deliverAll() {
  for (const { id } of await query<{ id: number }>(`select id from email where status = 'queued'`))
    await deliverEmail.handle(ctx(), { emailId: id })
  return server.inbox.splice(0)
}

const LINK =
  /https:\/\/waybill\.example\/office\/auth\/(reset-password|recovery-password)\/([A-Za-z0-9_-]{43})(?![A-Za-z0-9_-])/
const linkIn = (mail: { html?: string | undefined }) => {
  const [, page, token] = LINK.exec(mail.html ?? '') ?? []
  return { page, token: token! }
}

/** A person who has asked and got the mail. */
async function forgetful() {
  const person = await test.userWith('ORDERS_MANAGEMENT')
  expect((await ask(person.email)).status).toBe(204)
  const [letter] = await work()
  return { ...person, letter: letter!, token: linkIn(letter!.mail).token }
}

const code = ({ status, body }: Answer) => [
  status,
  body.code,
  ...(body.errors ?? []).map((one: { path: string; code: string }) => `${one.path} ${one.code}`),
]

describe('asking for a new password', () => {
  it('refuses what is no address, and answers all others alike', async () => {
    const { email } = await test.userWith()
    const { email: inactive, id: inactiveId } = await test.userWith()
    await query(`update "user" set state = 'inactive' where id = $1`, [inactiveId])
    expect(code(await ask('no address'))).toEqual([422, 'validation', 'email invalid_email'])
    for (const address of [email, inactive, 'nobody@waybill.example', ` ${email.toUpperCase()} `]) {
      const { status, raw, headers } = await ask(address)
      expect([status, raw.length, headers['content-length']]).toEqual([204, 0, undefined])
    }
  })

  it('does the same work for a known and an unknown address: the same statements, a job each', async () => {
    const { email } = await test.userWith()
    const said: string[] = []
    let isListening = false
    const heard = new WeakSet<object>()
    test.database.pool.on('acquire', (client) => {
      if (heard.has(client)) return
      heard.add(client)
      const { query: send } = client
      client.query = function listen(this: unknown, ...args: unknown[]) {
        const [first] = args as [string | { text?: string }]
        if (isListening) said.push(typeof first === 'string' ? first : (first?.text ?? ''))
        return Reflect.apply(send, this, args)
      } as never
    })
    const statementsOf = async (address: string): Promise<string[]> => {
      said.length = 0
      isListening = true
      await ask(address)
      isListening = false
      return [...said]
    }
    await statementsOf('warm@waybill.example')
    const known = await statementsOf(email)
    expect(known.length).toBeGreaterThan(3)
    expect(await statementsOf('unknown@waybill.example')).toEqual(known)
    const jobs = await query<{ address: string }>(
      `select address from recovery_request r join job.job j on (j.data ->> 'requestId')::bigint = r.id
        where address = any($1)`,
      [[email, 'unknown@waybill.example']],
    )
    expect(jobs).toHaveLength(2)
  })

  it('writes to active people alone, once for each question', async () => {
    const { email, id } = await test.userWith()
    await ask('nobody@waybill.example')
    expect(await work()).toEqual([])
    await ask(email.toUpperCase())
    expect((await work()).map(({ recipients }) => recipients)).toEqual([[email]])
    // The job runs a second time.
    expect(await work()).toEqual([])
    await query(`update "user" set state = 'inactive' where id = $1`, [id])
    await ask(email)
    expect(await work()).toEqual([])
  })

  it('silently sends at most five mails an hour to one address, and a hundred for a network address', async () => {
    const { email } = await test.userWith()
    const countJobs = async (address: string) =>
      (
        await query(
          `select 1 from recovery_request r join job.job j on (j.data ->> 'requestId')::bigint = r.id
            where address = $1`,
          [address],
        )
      ).length
    for (let n = 0; n < 7; n += 1) expect((await ask(email)).status).toBe(204)
    expect(await countJobs(email)).toBe(5)
    test.clock.advance(3_600_000)
    await ask(email)
    expect(await countJobs(email)).toBe(6)
    const strangers = Array.from({ length: 105 }, (_, n) => `stranger${n}@waybill.example`)
    for (const stranger of strangers) expect((await ask(stranger)).status).toBe(204)
    expect(await countJobs(strangers[90]!)).toBe(1)
    expect(await countJobs(strangers[104]!)).toBe(0)
    test.clock.advance(3_600_000)
  })

  it('writes in the person’s language, with a link made from the public address, in text and HTML', async () => {
    const subjects: string[] = []
    for (const language of ['en', 'de', 'pl']) {
      const { email, id } = await test.userWith()
      await query(`update "user" set "defaultLanguage" = $2, "fullName" = '<b>Łucja</b> & Co' where id = $1`, [
        id,
        language,
      ])
      await test.anonymous.post(
        'profile/recover_password_mail',
        { email },
        { headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'accept-language': 'en' } },
      )
      const { mail } = (await work())[0]!
      subjects.push(mail.subject!)
      expect(linkIn(mail).page).toBe('reset-password')
      expect(mail.text).toContain(`/auth/reset-password/${linkIn(mail).token}`)
      expect(`${mail.html}${mail.text}`).not.toContain('evil')
      expect(mail.html).not.toContain('<b>Łucja')
      expect(mail.text).toContain('Łucja')
      expect(mail.text).toContain(email)
    }
    expect(subjects).toEqual(['Choose a new password', 'Neues Passwort festlegen', 'Ustaw nowe hasło'])
  })
})

describe('the link of a mail', () => {
  it('sets a password that follows the rule, is on no list and is typed twice alike', async () => {
    const { token, email } = await forgetful()
    expect(code(await reset(token, 'short'))).toEqual([422, 'validation', 'password password_rule'])
    expect(code(await reset(token, 'Trustno1'))).toEqual([422, 'validation', 'password password_known'])
    expect(code(await reset(token, 'Waybill-2026'))).toEqual([422, 'validation', 'password password_personal'])
    expect(code(await reset(token, 'Another-Horse-8', 'Another-Horse-9'))).toEqual([
      422,
      'validation',
      'confirmPassword passwords_differ',
    ])
    expect((await reset(token)).status).toBe(204)
    expect((await test.signIn(email, 'Another-Horse-8')).status).toBe(200)
    expect((await test.signIn(email, ADMIN.password)).status).toBe(401)
  })

  it('works once, also of ten at the same time', async () => {
    const { token } = await forgetful()
    const answers = await Promise.all(Array.from({ length: 10 }, () => reset(token)))
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'invalid_link')).toHaveLength(9)
  })

  it('says the same where it is unknown, used, too old, for another address or an inactive person', async () => {
    const late = await forgetful()
    test.clock.advance(59 * 60_000)
    const used = await forgetful()
    const moved = await forgetful()
    const inactive = await forgetful()
    await reset(used.token)
    await query(`update "user" set email = 'moved@waybill.example' where id = $1`, [moved.id])
    await query(`update "user" set state = 'inactive' where id = $1`, [inactive.id])
    test.clock.advance(61_000)
    const answers = [
      await reset('x'.repeat(43)),
      await reset(used.token),
      await reset(late.token),
      await reset(moved.token),
      await reset(inactive.token),
    ]
    for (const answer of answers)
      expect({ ...answer.body, requestId: '' }).toEqual({ ...answers[0]!.body, requestId: '' })
    expect(answers[0]).toMatchObject({
      status: 422,
      body: { code: 'invalid_link', detail: 'This link is no longer valid. Please ask for a new one.' },
    })
    expect(
      code(
        await test.anonymous.post('profile/reset_password', {
          password: 'Another-Horse-8',
          confirmPassword: 'Another-Horse-8',
        }),
      ),
    ).toEqual([422, 'validation', 'token required'])
  })

  it('is good for an hour', async () => {
    const { token } = await forgetful()
    test.clock.advance(59 * 60_000)
    expect((await reset(token)).status).toBe(204)
  })

  it('ends with the next one that is asked for', async () => {
    const { email } = await test.userWith()
    await ask(email)
    const first = linkIn((await work())[0]!.mail).token
    await ask(email)
    const second = linkIn((await work())[0]!.mail).token
    expect((await reset(first)).body.code).toBe('invalid_link')
    expect((await reset(second)).status).toBe(204)
  })

  it('ends every session of the person, other links, and the pause of somebody who guessed too long', async () => {
    const { email, caller, tokens } = await test.userWith()
    await ask(email)
    const { token } = linkIn((await work())[0]!.mail)
    for (let n = 0; n < 10; n += 1) await test.signIn(email, 'Wrong-Horse-7')
    expect((await test.signIn(email, 'Wrong-Horse-7')).status).toBe(429)
    // Another link that is still good, as of an invitation before the password.
    await query(
      `insert into account_token (hash, "userId", purpose, email, "createdAt", "expiresAt")
       select sha256('another link'), id, 'invitation', email, now(), now() + interval '1 day' from "user"
       where email = $1`,
      [email],
    )
    expect((await reset(token)).status).toBe(204)
    expect((await caller.get('profile')).status).toBe(401)
    expect((await test.anonymous.post('token/refresh', { refreshToken: tokens.refreshToken })).status).toBe(401)
    for (const over of [token, 'another link']) expect((await reset(over)).body.code).toBe('invalid_link')
    expect((await test.signIn(email, 'Another-Horse-8')).status).toBe(200)
  })

  it('does not pass a second factor by', async () => {
    const { email, token, id } = await forgetful()
    await query(
      `insert into two_factor ("userId", secret, "lastStep", "confirmedAt") values ($1, 'sealed', 0, now())`,
      [id],
    )
    expect((await reset(token)).status).toBe(204)
    expect((await test.signIn(email, 'Another-Horse-8')).body).toMatchObject({ twoFactor: 'required' })
  })

  it('is a link in the clear in the mail alone: not in the database at any time, the API or the history', async () => {
    const { id, email } = await test.userWith()
    await ask(email)
    const [request] = await query<{ id: number }>('select max(id) as id from recovery_request')
    await recoverPassword.handle(ctx(), { requestId: request!.id })
    const [waiting] = await query<{ row: string; sealed: Buffer | null }>(
      `select email::text as row, "sealedButton" as sealed from email where "ownerKind" = 'user' and "ownerId" = $1`,
      [id],
    )
    expect(waiting!.sealed).not.toBeNull()
    const [letter] = await deliverAll()
    const { token } = linkIn(letter!.mail)
    expect(waiting!.row).not.toContain(token)
    expect(waiting!.row).not.toContain(Buffer.from(token).toString('hex'))
    const [sent] = await query<{ sealed: Buffer | null }>(
      `select "sealedButton" as sealed from email where "ownerKind" = 'user' and "ownerId" = $1`,
      [id],
    )
    expect(sent!.sealed).toBeNull()
    const tables = await query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'job')`,
    )
    for (const { name } of tables)
      expect((await query(`select 1 from ${name} t where t::text like '%' || $1 || '%'`, [token])).length, name).toBe(0)
  })
})

describe('an invitation', () => {
  const invite = (caller: Caller, id: number, version: number) => caller.post(`users/${id}/invite`, {}, { version })

  it('is sent by those who manage people to active people without one; administrators to administrators', async () => {
    const { caller } = await test.userWith('USERS_MANAGEMENT')
    const { id, caller: clerk } = await test.userWith('ORDERS_MANAGEMENT')
    const boss = test.withToken((await test.signIn(ADMIN.email, ADMIN.password)).body.token)
    const { body: user } = await caller.get(`users/${id}`)
    expect(user).toMatchObject({ hasPassword: true, invitedAt: null })
    expect((await invite(clerk, id, user.version)).status).toBe(403)
    expect((await invite(caller, id, user.version)).body.code).toBe('conflict')
    const { body: made } = await boss.post('users', {
      fullName: 'Nina Neu',
      email: 'nina@waybill.example',
      state: 'inactive',
    })
    expect(made).toMatchObject({ hasPassword: false, invitedAt: null })
    expect((await invite(caller, made.id, made.version)).body.code).toBe('conflict')
    expect((await caller.post(`users/${made.id}/invite`)).body.code).toBe('version_required')
    expect((await invite(caller, made.id, made.version + 1)).body.code).toBe('stale_version')
    const { body: chief } = await boss.post('users', {
      fullName: 'Second Boss',
      email: 'second@waybill.example',
      position: { title: 'Boss', isAdmin: true },
    })
    expect((await invite(caller, chief.id, chief.version)).status).toBe(403)
    expect((await invite(boss, chief.id, chief.version)).status).toBe(200)
    await deliverAll()
  })

  it('leads to the first password within seven days; a new one ends the one before', async () => {
    const { caller } = await test.userWith('USERS_MANAGEMENT')
    const { body: made } = await caller.post('users', {
      fullName: 'Ola Nowa',
      email: 'ola@waybill.example',
      defaultLanguage: 'pl',
    })
    const first = await invite(caller, made.id, made.version)
    expect(first).toMatchObject({
      status: 200,
      body: { version: made.version + 1, hasPassword: false, invitedAt: expect.stringMatching(/Z$/) },
    })
    const [letter] = await deliverAll()
    expect(letter!.mail.subject).toBe('Twój dostęp do Waybill w Waybill Spedition GmbH')
    expect(linkIn(letter!.mail).page).toBe('recovery-password')
    await invite(caller, made.id, first.body.version)
    const again = linkIn((await deliverAll())[0]!.mail).token
    expect((await reset(linkIn(letter!.mail).token)).body.code).toBe('invalid_link')
    test.clock.advance(7 * 86_400_000 - 60_000)
    expect((await reset(again)).status).toBe(204)
    expect((await test.signIn('ola@waybill.example', 'Another-Horse-8')).status).toBe(200)
    const boss = test.withToken((await test.signIn(ADMIN.email, ADMIN.password)).body.token)
    expect((await boss.get(`users/${made.id}`)).body.hasPassword).toBe(true)
  })

  it('is too old after seven days', async () => {
    const { caller } = await test.userWith('USERS_MANAGEMENT')
    const { body: made } = await caller.post('users', { fullName: 'Late', email: 'late@waybill.example' })
    await invite(caller, made.id, made.version)
    const { token } = linkIn((await deliverAll())[0]!.mail)
    test.clock.advance(7 * 86_400_000 + 1000)
    expect((await reset(token)).body.code).toBe('invalid_link')
  })
})

describe('the mails of an account', () => {
  it('are seen with USERS_MANAGEMENT, without their link, and sent again to nobody', async () => {
    const { id } = await forgetful()
    const { caller } = await test.userWith('USERS_MANAGEMENT')
    const clerk = (await test.userWith('ORDERS_MANAGEMENT', 'INVOICES_PROCESSING')).caller
    expect((await clerk.get(`emails?userId=${id}`)).status).toBe(403)
    expect((await caller.get('emails?userId=999999')).status).toBe(404)
    expect(code(await caller.get(`emails?userId=${id}&orderId=1`))).toEqual([422, 'validation', 'userId invalid_value'])
    const { body } = await caller.get(`emails?userId=${id}`)
    expect(body.items).toHaveLength(1)
    const [mail] = body.items
    expect(mail).toMatchObject({
      type: 'password_recovery',
      status: 'sent',
      owner: { kind: 'user', id },
      createdBy: null,
    })
    expect(JSON.stringify(mail)).not.toContain('http')
    expect((await clerk.post(`emails/${mail.id}/resend`)).status).toBe(403)
    expect((await caller.post(`emails/${mail.id}/resend`, { to: ['thief@waybill.example'] })).body.code).toBe(
      'conflict',
    )
  })

  it('fail for good and forget their link with a changed SECRET_KEY, a refused address or an old link', async () => {
    const { createVault, oneKey } = await import('../../kit/context/vault.ts')
    const { vault } = test.ports
    const outcome = async (id: number) =>
      (
        await query(
          `select status, "lastError", "sealedButton" from email where "ownerKind" = 'user' and "ownerId" = $1`,
          [id],
        )
      )[0]
    const one = await test.userWith()
    await ask(one.email)
    try {
      const [request] = await query<{ id: number }>('select max(id) as id from recovery_request')
      await recoverPassword.handle(ctx(), { requestId: request!.id })
      test.ports.vault = createVault(oneKey('another key that nobody else has either'))
      expect(await deliverAll()).toEqual([])
    } finally {
      test.ports.vault = vault
    }
    expect(await outcome(one.id)).toEqual({
      status: 'failed',
      lastError: 'SECRET_KEY was changed: please send a new one',
      sealedButton: null,
    })
    const other = await test.userWith()
    server.answerTo = () => ({ responseCode: 550, message: 'No such user' })
    await ask(other.email)
    expect(await work()).toEqual([])
    server.answerTo = () => null
    expect(await outcome(other.id)).toMatchObject({ status: 'failed', sealedButton: null })
    const late = await test.userWith()
    const { mailer } = test.ports
    test.ports.mailer = null
    await ask(late.email)
    expect(await work()).toEqual([])
    expect(await outcome(late.id)).toMatchObject({ status: 'waiting', sealedButton: expect.anything() })
    test.ports.mailer = mailer
    test.clock.advance(3_600_000)
    await query(`update email set status = 'queued' where "ownerKind" = 'user' and "ownerId" = $1`, [late.id])
    expect(await deliverAll()).toEqual([])
    expect(await outcome(late.id)).toEqual({
      status: 'failed',
      lastError: 'The link has expired: please send a new one',
      sealedButton: null,
    })
  })

  it('leave a trace in the history that holds no secret', async () => {
    const { id, token } = await forgetful()
    await reset(token)
    const rows = await query<{ action: string; changes: { path: string }[] }>(
      `select action, changes from audit_entry where "ownerKind" = 'user' and "ownerId" = $1 order by id`,
      [id],
    )
    expect(rows.map(({ action, changes }) => [action, changes.map(({ path }) => path)])).toEqual([
      ['signedIn', []],
      ['mailQueued', ['type', 'to', 'subject']],
      ['passwordReset', []],
    ])
  })
})
