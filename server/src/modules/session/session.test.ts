import { beforeEach, describe, expect, it } from 'vitest'
import type { Tokens } from '@waybill/contract/session'
import { ADMIN, useTestApp } from '../../../test/app.ts'
import type { Ctx } from '../../kit/context/context.ts'
import { sweepAccess } from './index.ts'

const test = useTestApp()

// Wrong passwords are counted by network, too: each test guesses from one of its own.
let networks = 0
beforeEach(() => {
  networks += 1
  test.ip = `10.0.${networks}.1`
})

const refresh = (refreshToken: string, key?: string) =>
  test.anonymous.post('token/refresh', { refreshToken, ...(key === undefined ? {} : { key }) })

describe('signing in', () => {
  it('answers a wrong password, an unknown address and an inactive user alike', async () => {
    const { email, id } = await test.userWith('ORDERS_MANAGEMENT')
    await test.database.pool.query(`update "user" set state = 'inactive' where id = $1`, [id])
    const answers = [
      await test.signIn(ADMIN.email, 'Wrong-Horse-7'),
      await test.signIn('nobody@waybill.example', ADMIN.password),
      await test.signIn(email, ADMIN.password),
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(401)
      expect({ ...answer.body, requestId: '' }).toEqual({ ...answers[0]!.body, requestId: '' })
    }
    expect(answers[0]!.body).toMatchObject({ code: 'bad_credentials' })
    expect(answers[0]!.headers['content-type']).toContain('application/problem+json')
  })

  it('pauses an address after ten wrong passwords, and says for how long', async () => {
    const { email, caller } = await test.userWith()
    for (let attempt = 0; attempt < 10; attempt += 1)
      expect((await test.signIn(email, 'Wrong-Horse-7')).status).toBe(401)
    const blocked = await test.signIn(email, ADMIN.password)
    expect(blocked.status).toBe(429)
    expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(0)
    expect((await caller.get('profile')).status).toBe(200)
  })

  it('doubles the pause with each further wrong password, and forgets all of them after the right one', async () => {
    const { email } = await test.userWith()
    const retryAfter = async () => Number((await test.signIn(email, ADMIN.password)).headers['retry-after'])
    for (let attempt = 0; attempt < 10; attempt += 1) await test.signIn(email, 'Wrong-Horse-7')
    for (const seconds of [60, 120, 240]) {
      expect(await retryAfter()).toBeGreaterThan(seconds - 10)
      expect(await retryAfter()).toBeLessThanOrEqual(seconds)
      test.clock.advance(seconds * 1000)
      if (seconds < 240) expect((await test.signIn(email, 'Wrong-Horse-7')).status).toBe(401)
    }
    expect((await test.signIn(email, ADMIN.password)).status).toBe(200)
    for (let attempt = 0; attempt < 9; attempt += 1)
      expect((await test.signIn(email, 'Wrong-Horse-7')).status).toBe(401)
    expect((await test.signIn(email, ADMIN.password)).status).toBe(200)
  })

  it('counts the tries of an account at one address: elsewhere its owner gets in', async () => {
    const { email } = await test.userWith()
    for (let attempt = 0; attempt < 10; attempt += 1) await test.signIn(email, 'Wrong-Horse-7')
    expect((await test.signIn(` ${email.toUpperCase()} `, ADMIN.password)).status).toBe(429)
    const elsewhere = await test.app.inject({
      method: 'POST',
      url: '/api/token',
      remoteAddress: '192.0.2.7',
      payload: { email, password: ADMIN.password },
    })
    expect(elsewhere.statusCode).toBe(200)
  })

  it('tells callers behind a proxy on the same machine apart by the address it adds, and trusts no other', async () => {
    const { email } = await test.userWith('ORDERS_MANAGEMENT')
    const attempt = async (password: string, forwardedFor: string, remoteAddress?: string) =>
      (
        await test.app.inject({
          method: 'POST',
          url: '/api/token',
          headers: { 'x-forwarded-for': forwardedFor },
          ...(remoteAddress && { remoteAddress }),
          payload: { email, password },
        })
      ).statusCode
    for (let tries = 0; tries < 10; tries += 1)
      expect(await attempt('wrong', `198.51.100.${tries}, 203.0.113.7`)).toBe(401)
    expect(await attempt('wrong', '203.0.113.7')).toBe(429)
    expect(await attempt('wrong', '203.0.113.8')).toBe(401)
    for (let tries = 0; tries < 10; tries += 1)
      expect(await attempt('wrong', `203.0.113.${100 + tries}`, '192.0.2.9')).toBe(401)
    expect(await attempt('wrong', '203.0.113.200', '192.0.2.9')).toBe(429)
  })

  it('pauses an unknown address like a known one', async () => {
    for (let attempt = 0; attempt < 10; attempt += 1)
      expect((await test.signIn('ghost@waybill.example', 'Wrong-Horse-7')).status).toBe(401)
    expect((await test.signIn('ghost@waybill.example', 'Wrong-Horse-7')).status).toBe(429)
  })

  it('tells nothing to those who send forty guesses at once, though the last is right', async () => {
    const { email } = await test.userWith()
    const guesses = [...Array.from({ length: 39 }, (_, n) => `Wrong-Horse-${n}`), ADMIN.password]
    const answers = await Promise.all(guesses.map((guess) => test.signIn(email, guess)))
    expect(answers.at(-1)!.status).toBe(429)
    expect(answers.filter(({ status }) => status === 200)).toEqual([])
  })

  it('gives tokens that open the profile, with permissions as a JSON string', async () => {
    const { caller } = await test.userWith('ASSIGNED_ORDERS')
    const { status, body } = await caller.get('profile')
    expect(status).toBe(200)
    expect(JSON.parse(body.permissions)).toEqual(['ASSIGNED_ORDERS'])
    expect(body.position).toEqual({ title: 'Clerk', isAdmin: false })
  })

  it('lets twenty-five people in at once', async () => {
    const answers = await Promise.all(Array.from({ length: 25 }, () => test.signIn(ADMIN.email, ADMIN.password)))
    expect(answers.map((answer) => answer.status)).toEqual(Array(25).fill(200))
  })
})

describe('a session', () => {
  it('is renewed once: of twenty at the same time one wins, the others hear that the token is spent', async () => {
    const { tokens } = await test.userWith()
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(tokens.refreshToken)))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    expect(answers.filter((answer) => answer.body.code === 'token_spent')).toHaveLength(19)
  })

  it('ends wholly when a spent token comes back after a minute', async () => {
    const { tokens } = await test.userWith()
    const { body: renewed } = await refresh(tokens.refreshToken)
    test.clock.advance(60_000)
    expect((await refresh(tokens.refreshToken)).body.code).toBe('token_reused')
    expect((await test.withToken(renewed.token).get('profile')).status).toBe(401)
    expect((await refresh(renewed.refreshToken)).status).toBe(401)
  })

  it('answers a renewal again for the same key, as long as nobody went on from it', async () => {
    const { tokens } = await test.userWith()
    const key = 'the-key-of-this-tab'
    const { body: lost } = await refresh(tokens.refreshToken, key)
    test.clock.advance(50_000)
    const { status, body: again } = await refresh(tokens.refreshToken, key)
    expect([status, again.refreshToken]).toEqual([200, lost.refreshToken])
    expect((await test.withToken(again.token).get('profile')).status).toBe(200)
    const { status: next } = await refresh(again.refreshToken, 'the-key-of-the-next-one')
    expect(next).toBe(200)
    expect((await refresh(tokens.refreshToken, key)).body.code).toBe('token_reused')
  })

  it('ends for the thief and the victim when both renew from one pair with one key, a minute apart', async () => {
    const { tokens } = await test.userWith()
    const key = 'the-key-that-was-copied'
    const { body: stolen } = await refresh(tokens.refreshToken, key)
    test.clock.advance(61_000)
    expect((await refresh(tokens.refreshToken, key)).body.code).toBe('token_reused')
    expect((await refresh(stolen.refreshToken, 'the-key-of-the-next-one')).status).toBe(401)
    expect((await test.withToken(stolen.token).get('profile')).status).toBe(401)
  })

  it('is no more to be had with another key, with none, with one too short, or once it has ended', async () => {
    const { tokens } = await test.userWith()
    const key = 'the-key-of-this-tab'
    expect((await refresh(tokens.refreshToken, 'short')).body.code).toBe('validation')
    const { body: renewed } = await refresh(tokens.refreshToken, key)
    expect((await refresh(tokens.refreshToken, 'the-key-of-somebody-else')).body.code).toBe('token_spent')
    expect((await refresh(tokens.refreshToken)).body.code).toBe('token_spent')
    expect((await test.anonymous.post('token/logout', { refreshToken: renewed.refreshToken })).status).toBe(204)
    expect((await refresh(tokens.refreshToken, key)).status).toBe(401)
  })

  it('ends at once for a person who is deactivated', async () => {
    const { caller, id } = await test.userWith('ORDERS_MANAGEMENT')
    await test.database.pool.query(`update "user" set state = 'inactive' where id = $1`, [id])
    expect((await caller.get('profile')).status).toBe(401)
  })

  it('ends on signing out, access token included', async () => {
    const { caller, tokens } = await test.userWith()
    expect((await test.anonymous.post('token/logout', { refreshToken: tokens.refreshToken })).status).toBe(204)
    expect((await caller.get('profile')).status).toBe(401)
    expect((await refresh(tokens.refreshToken)).status).toBe(401)
  })

  it('ends everywhere else when the password is changed', async () => {
    const { caller, email } = await test.userWith()
    const { body: other } = await test.signIn(email, ADMIN.password)
    const change = {
      currentPassword: ADMIN.password,
      newPassword: 'Another-Horse-8',
      confirmPassword: 'Another-Horse-8',
    }
    expect(
      (await caller.post('profile/change-password', { ...change, currentPassword: 'Wrong-Horse-7' })).body.errors[0],
    ).toMatchObject({ path: 'currentPassword', code: 'wrong_password' })
    expect(
      (await caller.post('profile/change-password', { ...change, newPassword: 'short' })).body.errors[0],
    ).toMatchObject({ path: 'newPassword', code: 'password_rule' })
    for (const known of ['Password123', 'Iloveyou1', 'Trustno1', 'Password123!?'])
      expect(
        (await caller.post('profile/change-password', { ...change, newPassword: known, confirmPassword: known })).body
          .errors,
      ).toMatchObject([{ path: 'newPassword', code: 'password_known' }])
    // Of person1@waybill.example, in whatever case and with marks and digits beside.
    for (const own of ['Person2026!', 'WAYBILL-person1', 'Example.Waybill9x'])
      expect(
        (await caller.post('profile/change-password', { ...change, newPassword: own, confirmPassword: own })).body
          .errors,
        own,
      ).toMatchObject([{ path: 'newPassword', code: 'password_personal' }])
    expect((await caller.post('profile/change-password', change)).status).toBe(204)
    expect((await caller.get('profile')).status).toBe(200)
    expect((await test.withToken(other.token).get('profile')).status).toBe(401)
    expect((await test.signIn(email, 'Another-Horse-8')).status).toBe(200)
  })

  it('is no way to guess the password: after ten wrong ones the change is refused, the session goes on', async () => {
    const { caller } = await test.userWith()
    const change = (currentPassword: string) =>
      caller.post('profile/change-password', {
        currentPassword,
        newPassword: 'Another-Horse-8',
        confirmPassword: 'Another-Horse-8',
      })
    for (let attempt = 0; attempt < 10; attempt += 1) expect((await change('Wrong-Horse-7')).status).toBe(422)
    const paused = await change(ADMIN.password)
    expect(paused.status).toBe(429)
    expect(Number(paused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await caller.get('profile')).status).toBe(200)
    test.clock.advance(61_000)
    expect((await change(ADMIN.password)).status).toBe(204)
  })

  it('gives its person no other address without the password, and every other field without', async () => {
    const { caller, email, id } = await test.userWith()
    const moved = `moved${id}@waybill.example`
    const change = (body: object, version = 1) => caller.patch('profile', body, { version })
    expect((await change({ email: moved })).body.errors).toMatchObject([{ path: 'currentPassword', code: 'required' }])
    expect((await change({ email: moved, currentPassword: 'Wrong-Horse-7' })).body.errors).toMatchObject([
      { path: 'currentPassword', code: 'wrong_password' },
    ])
    expect((await change({ email: moved, currentPassword: ADMIN.password }, 9)).body.code).toBe('stale_version')
    expect((await change({ email: ADMIN.email, currentPassword: ADMIN.password })).body.errors).toMatchObject([
      { path: 'email', code: 'taken' },
    ])
    expect((await change({ email, phone: '+49 40 1', fullName: 'Renamed' })).body).toMatchObject({
      email,
      phone: '+49 40 1',
      fullName: 'Renamed',
      version: 2,
    })
    expect((await change({ email: moved, currentPassword: ADMIN.password }, 2)).body).toMatchObject({
      email: moved,
      version: 3,
    })
    expect((await test.signIn(moved, ADMIN.password)).status).toBe(200)
    const { rows } = await test.database.pool.query(
      `select audit_entry::text as kept from audit_entry where "ownerKind" = 'user' and "ownerId" = $1`,
      [id],
    )
    for (const { kept } of rows) expect(kept).not.toContain(ADMIN.password)
  })

  it('counts wrong passwords for another address as it counts those for another password', async () => {
    const { caller } = await test.userWith()
    const change = (currentPassword: string) =>
      caller.patch('profile', { email: 'guessed@waybill.example', currentPassword }, { version: 1 })
    for (let attempt = 0; attempt < 10; attempt += 1) expect((await change('Wrong-Horse-7')).status).toBe(422)
    expect((await change(ADMIN.password)).status).toBe(429)
    expect(
      (
        await caller.post('profile/change-password', {
          currentPassword: ADMIN.password,
          newPassword: 'Another-Horse-8',
          confirmPassword: 'Another-Horse-8',
        })
      ).status,
    ).toBe(429)
    test.clock.advance(61_000)
    expect((await change(ADMIN.password)).status).toBe(200)
  })

  it('keeps no token in the clear', async () => {
    const { tokens } = await test.userWith()
    const { rows } = await test.database.pool.query(`select encode("refreshHash", 'escape') as kept from session`)
    expect(JSON.stringify(rows)).not.toContain(tokens.refreshToken)
  })
})

describe('one’s own sessions', () => {
  const person = async () => {
    const { caller, email, id } = await test.userWith()
    const other = await test.app.inject({
      method: 'POST',
      url: '/api/token',
      headers: { 'user-agent': 'Firefox/140 (Phone)' },
      payload: { email, password: ADMIN.password },
    })
    return { caller, id, other: test.withToken(other.json<Tokens>().token) }
  }

  it('are listed, this one first, and of nobody else', async () => {
    expect((await test.anonymous.get('profile/sessions')).status).toBe(401)
    const { caller, other } = await person()
    const { body } = await caller.get('profile/sessions')
    expect(body.items).toEqual([
      {
        id: expect.any(Number),
        createdAt: expect.stringMatching(/Z$/),
        lastUsedAt: expect.stringMatching(/Z$/),
        userAgent: 'lightMyRequest',
        lastAddress: test.ip,
        isCurrent: true,
      },
      {
        id: expect.any(Number),
        createdAt: expect.stringMatching(/Z$/),
        lastUsedAt: expect.stringMatching(/Z$/),
        userAgent: 'Firefox/140 (Phone)',
        lastAddress: '127.0.0.1',
        isCurrent: false,
      },
    ])
    expect(
      (await other.get('profile/sessions')).body.items.map(({ userAgent }: { userAgent: string }) => userAgent),
    ).toEqual(['Firefox/140 (Phone)', 'lightMyRequest'])
  })

  it('end one by one; a foreign one, and one that has ended, is not found', async () => {
    const { caller, other, id } = await person()
    const stranger = await test.userWith()
    const [, second] = (await caller.get('profile/sessions')).body.items
    expect((await stranger.caller.delete(`profile/sessions/${second.id}`)).status).toBe(404)
    expect((await other.get('profile')).status).toBe(200)
    expect((await caller.delete(`profile/sessions/${second.id}`)).status).toBe(204)
    expect((await other.get('profile')).status).toBe(401)
    expect((await caller.delete(`profile/sessions/${second.id}`)).status).toBe(404)
    expect((await caller.get('profile/sessions')).body.items).toHaveLength(1)
    const { rows } = await test.database.pool.query(
      `select action from audit_entry where "ownerKind" = 'user' and "ownerId" = $1 order by id`,
      [id],
    )
    expect(rows.map(({ action }) => action)).toEqual(['signedIn', 'signedIn', 'sessionEnded'])
  })

  it('end all but this one', async () => {
    const { caller, other } = await person()
    const stranger = await test.userWith()
    expect((await caller.delete('profile/sessions')).status).toBe(204)
    expect((await caller.get('profile')).status).toBe(200)
    expect((await other.get('profile')).status).toBe(401)
    expect((await stranger.caller.get('profile')).status).toBe(200)
  })
})

describe('what is over', () => {
  it('end, all of them, by who manages people, never of oneself and of administrators by administrators', async () => {
    const { id, email, caller: lost } = await test.userWith('ORDERS_MANAGEMENT')
    const { body: second } = await test.signIn(email, ADMIN.password)
    const { caller, id: ownId } = await test.userWith('USERS_MANAGEMENT', 'ORDERS_MANAGEMENT')
    const path = `users/${id}/sign-out`
    const { body: user } = await caller.get(`users/${id}`)
    expect((await lost.post(path, {}, { version: user.version })).status).toBe(403)
    expect((await caller.post(path)).status).toBe(428)
    expect((await caller.post(path, {}, { version: user.version + 1 })).body.code).toBe('stale_version')
    expect((await lost.get('profile')).status).toBe(200)
    const ended = await caller.post(path, {}, { version: user.version })
    expect(ended).toMatchObject({ status: 200, body: { id, version: user.version + 1 } })
    expect((await lost.get('profile')).status).toBe(401)
    expect((await refresh(second.refreshToken)).status).toBe(401)
    expect((await test.signIn(email, ADMIN.password)).status).toBe(200)
    const { body: history } = await test.admin.get(`audit-entries?userId=${id}`)
    expect(history.items[0]).toMatchObject({ action: 'signedOutByOther', actor: { id: ownId } })

    const bossId = await test.idOf('user', 'email', ADMIN.email)
    const { body: boss } = await caller.get(`users/${bossId}`)
    expect((await caller.post(`users/${bossId}/sign-out`, {}, { version: boss.version })).status).toBe(403)
    const { body: own } = await caller.get(`users/${ownId}`)
    expect((await caller.post(`users/${ownId}/sign-out`, {}, { version: own.version })).status).toBe(403)
    // Nor of somebody with a right that one lacks.
    const { id: moreId } = await test.userWith('INVOICES_PROCESSING')
    const { body: more } = await caller.get(`users/${moreId}`)
    expect((await caller.post(`users/${moreId}/sign-out`, {}, { version: more.version })).status).toBe(403)
  })

  it('is forgotten at night, and nothing that still counts', async () => {
    const { caller, email } = await test.userWith()
    const { id: moved } = await test.userWith()
    expect((await test.admin.patch(`users/${moved}`, { roleId: null }, { version: 1 })).status).toBe(200)
    await test.signIn(email, 'Wrong-Horse-7')
    await test.anonymous.post('profile/recover_password_mail', { email })
    const ctx = { db: test.database.db, clock: test.clock, log: { info: () => undefined } } as unknown as Ctx
    const kept = async () => {
      const { rows } = await test.database.pool.query<{ kept: number }>(`
        select ((select count(*) from sign_in_failure) + (select count(*) from recovery_request)
          + (select count(*) from known_device) + (select count(*) from held_right)
          + (select count(*) from session))::int as kept`)
      return rows[0]!.kept
    }
    const before = await kept()
    await sweepAccess.handle(ctx, {})
    expect(await kept()).toBe(before)
    expect((await caller.get('profile')).status).toBe(200)
    test.clock.advance(181 * 86_400_000)
    await sweepAccess.handle(ctx, {})
    expect(await kept()).toBe(0)
  })
})
