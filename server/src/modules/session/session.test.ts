import { describe, expect, it } from 'vitest'
import { ADMIN, useTestApp } from '../../../test/app.ts'

const test = useTestApp()

const refresh = (refreshToken: string) => test.anonymous.post('token/refresh', { refreshToken })

describe('signing in', () => {
  it('answers a wrong password, an unknown address and an inactive user alike', async () => {
    const { email, id } = await test.userWith('ORDERS_MANAGEMENT')
    await test.database.pool.query(`update "user" set state = 'inactive' where id = $1`, [id])
    const answers = [await test.signIn(ADMIN.email, 'Wrong-Horse-7'), await test.signIn('nobody@waybill.example', ADMIN.password), await test.signIn(email, ADMIN.password)]
    for (const answer of answers) {
      expect(answer.status).toBe(401)
      expect({ ...answer.body, requestId: '' }).toEqual({ ...answers[0]!.body, requestId: '' })
    }
    expect(answers[0]!.body).toMatchObject({ code: 'bad_credentials' })
    expect(answers[0]!.headers['content-type']).toContain('application/problem+json')
  })

  it('pauses an address after ten wrong passwords, and says for how long', async () => {
    const { email, caller } = await test.userWith()
    for (let attempt = 0; attempt < 10; attempt += 1) expect((await test.signIn(email, 'Wrong-Horse-7')).status).toBe(401)
    const blocked = await test.signIn(email, ADMIN.password)
    expect(blocked.status).toBe(429)
    expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(0)
    expect((await caller.get('profile')).status).toBe(200)
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
    const change = { currentPassword: ADMIN.password, newPassword: 'Another-Horse-8', confirmPassword: 'Another-Horse-8' }
    expect((await caller.post('profile/change-password', { ...change, currentPassword: 'Wrong-Horse-7' })).body.errors[0]).toMatchObject({ path: 'currentPassword', code: 'wrong_password' })
    expect((await caller.post('profile/change-password', { ...change, newPassword: 'short' })).body.errors[0]).toMatchObject({ path: 'newPassword', code: 'password_rule' })
    expect((await caller.post('profile/change-password', change)).status).toBe(204)
    expect((await caller.get('profile')).status).toBe(200)
    expect((await test.withToken(other.token).get('profile')).status).toBe(401)
    expect((await test.signIn(email, 'Another-Horse-8')).status).toBe(200)
  })

  it('keeps no token in the clear', async () => {
    const { tokens } = await test.userWith()
    const { rows } = await test.database.pool.query(`select encode("refreshHash", 'escape') as kept from session`)
    expect(JSON.stringify(rows)).not.toContain(tokens.refreshToken)
  })
})
