import { generate } from 'otplib'
import { describe, expect, it } from 'vitest'
import type { Permission } from '@waybill/contract/permissions'
import { ADMIN, useTestApp, type Caller } from '../../../test/app.ts'

const test = useTestApp()

const codeOf = (secret: string): Promise<string> =>
  generate({ secret, epoch: Math.floor(test.clock.now().getTime() / 1000) })
const nextCodeOf = (secret: string): Promise<string> => {
  test.clock.advance(30_000)
  return codeOf(secret)
}
// The digits of the right code turned around one by one are never right.
const wrong = (code: string): string => code.replace(/\d/g, (digit) => String((Number(digit) + 5) % 10))

const answer = (challenge: string, code: string) => test.anonymous.post('token/two-factor', { challenge, code })

/** A person with a second factor, signed in. */
async function guarded(...permissions: Permission[]) {
  const person = await test.userWith(...permissions)
  const { secret } = (await person.caller.post('profile/two-factor')).body
  const setUpCode = await codeOf(secret)
  const { recoveryCodes } = (await person.caller.post('profile/two-factor/confirm', { code: setUpCode })).body
  const challenge = async (): Promise<string> =>
    ((await test.signIn(person.email, ADMIN.password)).body as unknown as { challenge: string }).challenge
  return { ...person, secret: secret as string, setUpCode, recoveryCodes: recoveryCodes as string[], challenge }
}

const administrator = async (): Promise<Caller> =>
  test.withToken((await test.signIn(ADMIN.email, ADMIN.password)).body.token)

/** A person whose role asks for a second factor. */
async function obliged(...permissions: Permission[]) {
  const person = await test.userWith(...permissions)
  const { rows } = await test.database.pool.query<{ roleId: number }>('select "roleId" from "user" where id = $1', [
    person.id,
  ])
  const admin = await administrator()
  const { body: role } = await admin.get(`user-roles/${rows[0]!.roleId}`)
  const changed = await admin.patch(`user-roles/${role.id}`, { isTwoFactorRequired: true }, { version: role.version })
  expect(changed.status).toBe(200)
  return { ...person, role: changed.body as { id: number; version: number } }
}

describe('setting up a second factor', () => {
  it('needs a session, a set-up that was begun, and a right code of it', async () => {
    expect((await test.anonymous.post('profile/two-factor')).status).toBe(401)
    const { caller, email } = await test.userWith()
    expect((await caller.post('profile/two-factor/confirm', { code: '123456' })).body.code).toBe('conflict')
    const { secret } = (await caller.post('profile/two-factor')).body
    const code = await codeOf(secret)
    const refused = await caller.post(
      'profile/two-factor/confirm',
      { code: wrong(code) },
      { headers: { 'accept-language': 'de' } },
    )
    expect(refused).toMatchObject({ status: 422, body: { code: 'invalid_code', detail: 'Ungültiger Code eingegeben' } })
    expect((await caller.get('profile')).body).toMatchObject({ twoFactorEnabled: false, recoveryCodesLeft: 0 })
    // What one session has begun another does not finish.
    const other = test.withToken((await test.signIn(email, ADMIN.password)).body.token)
    expect((await other.post('profile/two-factor/confirm', { code })).body.code).toBe('conflict')
    expect(
      (await caller.post('profile/two-factor/confirm', { code: `${code.slice(0, 3)} ${code.slice(3)}` })).status,
    ).toBe(200)
  })

  it('shows the secret as text, address and picture, and ten recovery codes once', async () => {
    const { caller, email } = await test.userWith()
    const { body } = await caller.post('profile/two-factor')
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(body.otpauthUrl).toBe(
      `otpauth://totp/Waybill:${encodeURIComponent(email)}?secret=${body.secret}&issuer=Waybill`,
    )
    expect(body.qrSvg).toMatch(/^<svg[^>]*>.*<\/svg>\s*$/s)
    const { recoveryCodes } = (await caller.post('profile/two-factor/confirm', { code: await codeOf(body.secret) }))
      .body
    expect(new Set(recoveryCodes).size).toBe(10)
    for (const code of recoveryCodes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){5}$/)
    expect((await caller.get('profile')).body).toMatchObject({
      twoFactorEnabled: true,
      isTwoFactorRequired: false,
      recoveryCodesLeft: 10,
    })
    // A stolen session must not replace it.
    expect((await caller.post('profile/two-factor')).body.code).toBe('conflict')
  })

  it('keeps neither secret nor recovery code in the clear in any table, and no answer for a repeat', async () => {
    const { caller } = await test.userWith()
    const headers = { 'idempotency-key': 'the same' }
    const first = await caller.post('profile/two-factor', {}, { headers })
    const second = await caller.post('profile/two-factor', {}, { headers })
    expect(second.body.secret).not.toBe(first.body.secret)
    const { recoveryCodes } = (
      await caller.post('profile/two-factor/confirm', { code: await codeOf(second.body.secret) }, { headers })
    ).body
    const { rows: tables } = await test.database.pool.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
    )
    for (const { name } of tables) {
      const { rows } = await test.database.pool.query<{ text: string }>(
        `select coalesce(string_agg(t::text, ' '), '') as text from ${name} t`,
      )
      for (const secret of [second.body.secret, recoveryCodes[0], recoveryCodes[0].replaceAll('-', '')]) {
        expect(
          rows[0]!.text.includes(secret) || rows[0]!.text.includes(Buffer.from(secret).toString('hex')),
          name,
        ).toBe(false)
      }
    }
  })
})

describe('signing in with a second factor', () => {
  it('gives no tokens for the password alone, and opens nothing with the challenge', async () => {
    const { email, challenge } = await guarded()
    const { status, body } = await test.signIn(email, ADMIN.password)
    expect(status).toBe(200)
    expect(body).toEqual({ twoFactor: 'required', factors: ['code'], challenge: expect.any(String), expiresIn: 300 })
    const opened = await challenge()
    expect((await test.withToken(opened).get('profile')).status).toBe(401)
    expect((await test.anonymous.post('token/refresh', { refreshToken: opened })).status).toBe(401)
    expect((await test.anonymous.post('token/two-factor/setup', { challenge: opened })).body.code).toBe(
      'challenge_expired',
    )
  })

  it('opens a session with a right code, which then is worth nothing', async () => {
    const { secret, challenge } = await guarded()
    const code = await nextCodeOf(secret)
    const { status, body } = await answer(await challenge(), code)
    expect(status).toBe(200)
    expect(body).toEqual({ token: expect.any(String), refreshToken: expect.any(String), expiresIn: 900 })
    expect((await test.withToken(body.token).get('profile')).status).toBe(200)
    expect((await answer(await challenge(), code)).body.code).toBe('invalid_code')
  })

  it('does not take the code with which it was set up, nor one of the past', async () => {
    const { secret, setUpCode, challenge } = await guarded()
    expect((await answer(await challenge(), setUpCode)).body.code).toBe('invalid_code')
    const old = await nextCodeOf(secret)
    test.clock.advance(90_000)
    expect((await answer(await challenge(), old)).body.code).toBe('invalid_code')
  })

  it('lets one in of twenty who come at once with the same code', async () => {
    const { secret, challenge } = await guarded()
    const code = await nextCodeOf(secret)
    const challenges = await Promise.all(Array.from({ length: 5 }, challenge))
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => answer(challenges[n % 5]!, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('takes each recovery code once, in the same field, however it is typed', async () => {
    const { recoveryCodes, challenge, caller } = await guarded()
    const [first, second] = recoveryCodes as [string, string]
    expect((await answer(await challenge(), first)).status).toBe(200)
    expect((await answer(await challenge(), first)).body.code).toBe('invalid_code')
    expect((await answer(await challenge(), ` ${second.toLowerCase().replaceAll('-', ' ')} `)).status).toBe(200)
    expect((await caller.get('profile')).body.recoveryCodesLeft).toBe(8)
    const other = await guarded()
    expect((await answer(await other.challenge(), recoveryCodes[2]!)).body.code).toBe('invalid_code')
  })

  it('lets a challenge be tried five times and for five minutes', async () => {
    const { secret, challenge } = await guarded()
    const tried = await challenge()
    const code = await nextCodeOf(secret)
    for (let n = 0; n < 5; n += 1) expect((await answer(tried, wrong(code))).body.code).toBe('invalid_code')
    expect(await answer(tried, code)).toMatchObject({ status: 401, body: { code: 'challenge_expired' } })
    const late = await challenge()
    test.clock.advance(301_000)
    expect((await answer(late, await codeOf(secret))).body.code).toBe('challenge_expired')
    expect((await answer('x'.repeat(43), code)).body.code).toBe('challenge_expired')
  })

  it('pauses a person after ten wrong codes, at once or with many challenges, while a session goes on', async () => {
    const { secret, challenge, caller } = await guarded()
    const code = await nextCodeOf(secret)
    const challenges = await Promise.all(Array.from({ length: 6 }, challenge))
    const answers = await Promise.all(Array.from({ length: 24 }, (_, n) => answer(challenges[n % 6]!, wrong(code))))
    expect(answers.filter(({ body }) => body.code === 'invalid_code')).toHaveLength(10)
    const paused = await answer(await challenge(), code)
    expect(paused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(Number(paused.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect((await caller.get('profile')).status).toBe(200)
    expect((await caller.delete('profile/two-factor', { body: { code } })).status).toBe(429)
    // The pause doubles with each further wrong one.
    test.clock.advance(61_000)
    expect((await answer(await challenge(), wrong(await codeOf(secret)))).body.code).toBe('invalid_code')
    expect(Number((await answer(await challenge(), code)).headers['retry-after'])).toBeGreaterThan(100)
    test.clock.advance(121_000)
    expect((await answer(await challenge(), await codeOf(secret))).status).toBe(200)
  })

  it('ends a sign-in that waits for its code when the person is deactivated or has a new password', async () => {
    const { secret, challenge, caller } = await guarded()
    const waiting = await challenge()
    const change = {
      currentPassword: ADMIN.password,
      newPassword: 'Another-Horse-8',
      confirmPassword: 'Another-Horse-8',
    }
    expect((await caller.post('profile/change-password', change)).status).toBe(204)
    expect((await answer(waiting, await nextCodeOf(secret))).body.code).toBe('challenge_expired')
    const other = await guarded()
    const open = await other.challenge()
    const admin = await administrator()
    const { body: user } = await admin.get(`users/${other.id}`)
    expect((await admin.patch(`users/${other.id}`, { state: 'inactive' }, { version: user.version })).status).toBe(200)
    expect((await answer(open, await nextCodeOf(other.secret))).body.code).toBe('challenge_expired')
  })
})

describe('a role that asks for a second factor', () => {
  it('ends the sessions of holders without one, and leaves those with one alone', async () => {
    const person = await guarded()
    const { rows } = await test.database.pool.query<{ roleId: number }>('select "roleId" from "user" where id = $1', [
      person.id,
    ])
    const without = await test.userWith()
    await test.database.pool.query('update "user" set "roleId" = $1 where id = $2', [rows[0]!.roleId, without.id])
    const admin = await administrator()
    const { body: role } = await admin.get(`user-roles/${rows[0]!.roleId}`)
    expect(role.isTwoFactorRequired).toBe(false)
    expect(
      (await admin.patch(`user-roles/${role.id}`, { isTwoFactorRequired: true }, { version: role.version })).status,
    ).toBe(200)
    expect((await without.caller.get('profile')).status).toBe(401)
    expect((await test.anonymous.post('token/refresh', { refreshToken: without.tokens.refreshToken })).status).toBe(401)
    expect((await person.caller.get('profile')).body).toMatchObject({ isTwoFactorRequired: true })
  })

  it('lets its holders set one up between password and first session, and nothing else before that', async () => {
    const { email } = await obliged('ORDERS_MANAGEMENT')
    const { body } = await test.signIn(email, ADMIN.password)
    expect(body).toEqual({ twoFactor: 'setup', factors: ['code'], challenge: expect.any(String), expiresIn: 900 })
    const { challenge } = body as unknown as { challenge: string }
    expect((await test.withToken(challenge).get('profile')).status).toBe(401)
    expect((await answer(challenge, '123456')).body.code).toBe('invalid_code')
    const setup = await test.anonymous.post('token/two-factor/setup', { challenge })
    expect(setup.body.otpauthUrl).toContain(setup.body.secret)
    // After a reload of the page it is the same secret; for another sign-in another one.
    expect((await test.anonymous.post('token/two-factor/setup', { challenge })).body.secret).toBe(setup.body.secret)
    const { challenge: other } = (await test.signIn(email, ADMIN.password)).body as unknown as { challenge: string }
    expect((await test.anonymous.post('token/two-factor/setup', { challenge: other })).body.secret).not.toBe(
      setup.body.secret,
    )
    const done = await answer(challenge, await codeOf(setup.body.secret))
    expect(done.status).toBe(200)
    expect(done.body.recoveryCodes).toHaveLength(10)
    const caller = test.withToken(done.body.token)
    expect((await caller.get('profile')).body).toMatchObject({ twoFactorEnabled: true, isTwoFactorRequired: true })
    expect((await test.signIn(email, ADMIN.password)).body).toMatchObject({ twoFactor: 'required' })
    const off = await caller.delete('profile/two-factor', {
      body: { code: await nextCodeOf(setup.body.secret) },
      headers: { 'accept-language': 'pl' },
    })
    expect(off).toMatchObject({
      status: 409,
      body: {
        code: 'two_factor_required',
        detail: 'Twoja rola wymaga drugiego składnika logowania; nie można go wyłączyć.',
      },
    })
  })

  it('is asked for by those who may, but not loosened for one’s own role or one that administrators hold', async () => {
    const { id } = await test.userWith('USERS_MANAGEMENT')
    const { caller } = await test.userWith('USERS_MANAGEMENT', 'FULL_ACCESS')
    const { rows } = await test.database.pool.query<{ roleId: number; email: string }>(
      'select "roleId", email from "user" where id = $1',
      [id],
    )
    const own = test.withToken((await test.signIn(rows[0]!.email, ADMIN.password)).body.token)
    expect(
      (await own.patch(`user-roles/${rows[0]!.roleId}`, { isTwoFactorRequired: true }, { version: 1 })).status,
    ).toBe(403)
    const administration = await test.idOf('user_role', 'title', 'Administration')
    expect(
      (await caller.patch(`user-roles/${administration}`, { isTwoFactorRequired: true }, { version: 1 })).status,
    ).toBe(403)
    expect(
      (await caller.patch(`user-roles/${rows[0]!.roleId}`, { isTwoFactorRequired: true }, { version: 1 })).status,
    ).toBe(200)
  })
})

describe('switching it off', () => {
  it('needs a right code, and ends with the recovery codes', async () => {
    const { caller, secret, recoveryCodes, email } = await guarded()
    expect((await caller.delete('profile/two-factor')).body.errors[0]).toMatchObject({ path: 'code', code: 'required' })
    const code = await nextCodeOf(secret)
    expect((await caller.delete('profile/two-factor', { body: { code: wrong(code) } })).body.code).toBe('invalid_code')
    expect((await caller.delete('profile/two-factor', { body: { code } })).status).toBe(204)
    expect((await caller.delete('profile/two-factor', { body: { code: recoveryCodes[0] } })).body.code).toBe('conflict')
    expect((await test.signIn(email, ADMIN.password)).body.token).toBeDefined()
  })

  it('is for those who manage people, never for oneself, and for administrators by administrators alone', async () => {
    const { id, caller: lost } = await guarded('ORDERS_MANAGEMENT')
    const { caller, id: ownId } = await test.userWith('USERS_MANAGEMENT', 'ORDERS_MANAGEMENT')
    const { body: user } = await caller.get(`users/${id}`)
    expect(user.twoFactorEnabled).toBe(true)
    expect((await lost.post(`users/${id}/two-factor/reset`, {}, { version: user.version })).status).toBe(403)
    expect((await caller.post(`users/${id}/two-factor/reset`)).status).toBe(428)
    expect((await caller.post(`users/${id}/two-factor/reset`, {}, { version: user.version + 1 })).body).toMatchObject({
      code: 'stale_version',
      current: { id },
    })
    const reset = await caller.post(`users/${id}/two-factor/reset`, {}, { version: user.version })
    expect(reset).toMatchObject({ status: 200, body: { id, version: user.version + 1, twoFactorEnabled: false } })
    expect((await lost.get('profile')).status).toBe(401)
    expect((await caller.post(`users/${id}/two-factor/reset`, {}, { version: user.version + 1 })).body.code).toBe(
      'conflict',
    )
    const administratorId = await test.idOf('user', 'email', ADMIN.email)
    const { body: boss } = await caller.get(`users/${administratorId}`)
    expect((await caller.post(`users/${administratorId}/two-factor/reset`, {}, { version: boss.version })).status).toBe(
      403,
    )
    const { body: own } = await caller.get(`users/${ownId}`)
    expect((await caller.post(`users/${ownId}/two-factor/reset`, {}, { version: own.version })).status).toBe(403)
  })

  it('leaves its trace in the history, without a secret', async () => {
    const { id, caller, secret, recoveryCodes, challenge } = await guarded()
    await answer(await challenge(), recoveryCodes[0]!)
    await caller.delete('profile/two-factor', { body: { code: await nextCodeOf(secret) } })
    const { rows } = await test.database.pool.query<{ action: string; changes: unknown }>(
      `select action, changes from audit_entry where "ownerKind" = 'user' and "ownerId" = $1 order by id`,
      [id],
    )
    expect(rows.map(({ action }) => action)).toEqual([
      'signedIn',
      'twoFactorEnabled',
      'recoveryCodeUsed',
      'signedIn',
      'twoFactorDisabled',
    ])
    expect(rows.every(({ changes }) => JSON.stringify(changes) === '[]')).toBe(true)
  })

  it('after a change of SECRET_KEY lets a recovery code in and says of the app’s code that it is wrong', async () => {
    const { secret, recoveryCodes, challenge } = await guarded()
    const { vault } = test.ports
    try {
      const { createVault, oneKey } = await import('../../kit/context/vault.ts')
      test.ports.vault = createVault(oneKey('another key that nobody else has either'))
      expect((await answer(await challenge(), await nextCodeOf(secret))).body.code).toBe('invalid_code')
      expect((await answer(await challenge(), recoveryCodes[0]!)).status).toBe(200)
    } finally {
      test.ports.vault = vault
    }
  })
})
