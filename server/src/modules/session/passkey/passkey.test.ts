import { afterEach, describe, expect, it } from 'vitest'
import type { PasskeyRequest } from '@waybill/contract/session/passkey'
import type { Permission } from '@waybill/contract/permissions'
import { ADMIN, useTestApp, type Answer, type Caller } from '../../../../test/app.ts'
import { softwareKey, type SoftwareKey } from '../../../../test/authenticator.ts'

const test = useTestApp()
const PROOF = { currentPassword: ADMIN.password }
const REFUSED = [422, 'passkey_refused']

// A fresh one: tests move the clock, and its tokens end.
const administrator = async (): Promise<Caller> =>
  test.withToken((await test.signIn(ADMIN.email, ADMIN.password)).body.token)

const codeOf = ({ status, body }: Answer) => [status, body.code]
const keyOptions = async (caller: Caller) => (await caller.post('profile/passkeys/options', PROOF)).body
const add = async (caller: Caller, key: SoftwareKey, name = 'YubiKey') =>
  caller.post('profile/passkeys', { name, passkey: key.make(await keyOptions(caller)) })
const asked = async (): Promise<PasskeyRequest> => (await test.anonymous.post('token/passkey')).body
const answer = (signed: unknown) => test.anonymous.post('token/passkey/answer', signed)

/** A person with a passkey, signed in. */
async function keyed(...permissions: Permission[]) {
  const person = await test.userWith(...permissions)
  const key = softwareKey()
  const added = await add(person.caller, key)
  expect(added.status).toBe(201)
  const challenge = async (): Promise<string> =>
    ((await test.signIn(person.email, ADMIN.password)).body as unknown as { challenge: string }).challenge
  return { ...person, key, passkey: added.body as { id: number }, challenge }
}

/** Lets the role of a person ask for a second factor. */
async function oblige(id: number): Promise<void> {
  const { rows } = await test.database.pool.query<{ roleId: number }>('select "roleId" from "user" where id = $1', [id])
  const admin = await administrator()
  const { body: role } = await admin.get(`user-roles/${rows[0]!.roleId}`)
  const changed = await admin.patch(`user-roles/${role.id}`, { isTwoFactorRequired: true }, { version: role.version })
  expect(changed.status).toBe(200)
}

const actionsOf = async (id: number): Promise<string[]> =>
  (
    await test.database.pool.query<{ action: string }>(
      `select action from audit_entry where "ownerKind" = 'user' and "ownerId" = $1 order by id`,
      [id],
    )
  ).rows.map(({ action }) => action)

const mailsTo = async (email: string): Promise<string[]> =>
  (
    await test.database.pool.query<{ subject: string }>(
      `select subject from email where "to"::text like '%' || $1 || '%' order by id`,
      [email],
    )
  ).rows.map(({ subject }) => subject)

afterEach(() => {
  test.ports.publicUrl = 'https://waybill.example/office'
  test.ports.passwordOnlyFor = null
})

describe('a passkey is not added', () => {
  it('without the password, and wrong ones are counted', async () => {
    const { caller } = await test.userWith()
    expect((await test.anonymous.post('profile/passkeys/options', PROOF)).status).toBe(401)
    expect((await caller.post('profile/passkeys/options', {})).body.errors[0]).toMatchObject({ code: 'required' })
    for (let count = 0; count < 10; count += 1) {
      const wrong = await caller.post('profile/passkeys/options', { currentPassword: 'Wrong-Horse-7' })
      expect(wrong.body.errors[0]).toMatchObject({ path: 'currentPassword', code: 'wrong_password' })
    }
    expect(codeOf(await caller.post('profile/passkeys/options', PROOF))).toEqual([429, 'rate_limited'])
  })

  it('by people without a password, unless they have signed in a moment ago', async () => {
    const { caller, id } = await test.userWith()
    await test.asOwner(`update "user" set "passwordHash" = null where id = ${id}`)
    expect((await caller.post('profile/passkeys/options', {})).status).toBe(200)
    test.clock.advance(10 * 60_000 + 1)
    expect(codeOf(await caller.post('profile/passkeys/options', {}))).toEqual([409, 'fresh_sign_in_needed'])
  })

  it('for another site or challenge, unverified, twice, in another session or after five minutes', async () => {
    const { caller, email } = await test.userWith()
    const other = test.withToken((await test.signIn(email, ADMIN.password)).body.token)
    const manners = [
      { origin: 'https://waybill.example.evil' },
      { rpId: 'evil.example' },
      { type: 'webauthn.get' },
      { isVerified: false },
      { challenge: 'c29tZXRoaW5nIGVsc2U' },
    ]
    for (const manner of manners) {
      const passkey = softwareKey().make(await keyOptions(caller), manner)
      expect(codeOf(await caller.post('profile/passkeys', { name: 'Key', passkey }))).toEqual(REFUSED)
    }
    const options = await keyOptions(caller)
    const elsewhere = { name: 'Key', passkey: softwareKey().make(options) }
    expect(codeOf(await other.post('profile/passkeys', elsewhere))).toEqual(REFUSED)
    const passkey = softwareKey().make(options)
    expect((await caller.post('profile/passkeys', { name: 'Key', passkey })).status).toBe(201)
    expect(codeOf(await caller.post('profile/passkeys', { name: 'Key', passkey }))).toEqual(REFUSED)
    const late = softwareKey().make(await keyOptions(caller))
    test.clock.advance(5 * 60_000 + 1)
    expect(codeOf(await caller.post('profile/passkeys', { name: 'Key', passkey: late }))).toEqual(REFUSED)
    expect(codeOf(await caller.post('profile/passkeys', { name: 'Key', passkey: {} }))).toEqual([422, 'validation'])
  })

  it('where a key of somebody else has the same name among devices, or with twenty', async () => {
    const { key } = await keyed()
    const { caller } = await test.userWith()
    expect(codeOf(await add(caller, key))).toEqual([409, 'conflict'])
    const { caller: many, id } = await keyed()
    await test.asOwner(`insert into passkey ("userId", name, "credentialId", "publicKey", "userHandle", counter,
      transports, "isSynced", "addedAt") select ${id}, 'Key', decode(md5(n::text), 'hex'), '', "userHandle", 0, '{}',
      false, now() from passkey, generate_series(1, 19) n where "userId" = ${id}`)
    expect(codeOf(await many.post('profile/passkeys/options', PROOF))).toEqual([409, 'conflict'])
  })

  it('nor used where browsers make none: over plain http, or at an address without a name', async () => {
    const { caller, key, challenge } = await keyed()
    const wanted = await asked()
    for (const url of ['http://waybill.example', 'https://192.0.2.7', 'https://[2001:db8::7]']) {
      test.ports.publicUrl = url
      expect((await test.anonymous.get('token/ways')).body.passkeys).toBe(false)
      expect((await caller.get('profile/passkeys')).body.isOffered).toBe(false)
      const off = [409, 'passkeys_not_here']
      expect(codeOf(await caller.post('profile/passkeys/options', PROOF))).toEqual(off)
      expect(codeOf(await test.anonymous.post('token/passkey'))).toEqual(off)
      expect(codeOf(await answer(key.sign(wanted)))).toEqual(off)
      // Another address does not make the password enough.
      const signIn = await challenge()
      expect(codeOf(await test.anonymous.post('token/two-factor/passkey', { challenge: signIn }))).toEqual(off)
    }
    test.ports.publicUrl = 'http://localhost:3000'
    expect((await test.anonymous.get('token/ways')).body.passkeys).toBe(true)
    expect(await asked()).toMatchObject({ rpId: 'localhost' })
  })

  it('by reading what vouches for the device: certificates name addresses that the server would call', async () => {
    const { caller } = await test.userWith()
    const statement = new Map<string, number | Uint8Array>([
      ['alg', -7],
      ['sig', Buffer.from('nothing')],
    ])
    const made = softwareKey().make(await keyOptions(caller), { attestation: { format: 'packed', statement } })
    expect((await caller.post('profile/passkeys', { name: 'Key', passkey: made })).status).toBe(201)
  })
})

describe('one’s own passkeys', () => {
  it('are listed with what they are called, when they were added and used, and whether they are synced', async () => {
    const { caller, email } = await test.userWith()
    const options = await keyOptions(caller)
    expect(options).toMatchObject({
      rp: { id: 'waybill.example', name: 'Waybill' },
      user: { name: email },
      excludeCredentials: [],
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    const key = softwareKey()
    const added = await caller.post('profile/passkeys', { name: ' iPhone ', passkey: key.make(options) })
    expect(added.body).toMatchObject({ name: 'iPhone', lastUsedAt: null, isSynced: false })
    expect((await answer(key.sign(await asked(), { isSynced: true }))).status).toBe(200)
    const { items, isOffered } = (await caller.get('profile/passkeys')).body
    expect(isOffered).toBe(true)
    expect(items).toEqual([{ ...added.body, isSynced: true, lastUsedAt: expect.any(String) }])
    const again = await keyOptions(caller)
    expect(again.excludeCredentials).toMatchObject([{ id: key.id, transports: ['internal'] }])
    expect(again.user.id).toBe(options.user.id)
    expect((await caller.get('profile')).body).toMatchObject({ passkeys: 1, twoFactorEnabled: false })
  })

  it('are called otherwise, and those of others do not exist', async () => {
    const { caller, passkey, id } = await keyed()
    const { caller: other } = await test.userWith()
    expect((await other.patch(`profile/passkeys/${passkey.id}`, { name: 'Mine' })).status).toBe(404)
    expect((await other.delete(`profile/passkeys/${passkey.id}`, { body: PROOF })).status).toBe(404)
    expect((await caller.patch(`profile/passkeys/${passkey.id}`, { name: '' })).status).toBe(422)
    expect((await caller.patch(`profile/passkeys/${passkey.id}`, { name: 'Blue key' })).body.name).toBe('Blue key')
    expect((await caller.get('profile/passkeys')).body.items[0].name).toBe('Blue key')
    expect(await actionsOf(id)).toContain('passkeyRenamed')
  })

  it('are removed with the password alone; a mail and the history tell of it', async () => {
    const { caller, passkey, key, email, id } = await keyed()
    const path = `profile/passkeys/${passkey.id}`
    expect((await caller.delete(path, { body: {} })).body.errors[0]).toMatchObject({ code: 'required' })
    expect((await caller.delete(path, { body: PROOF })).status).toBe(204)
    expect((await caller.delete(path, { body: PROOF })).status).toBe(404)
    expect(codeOf(await answer(key.sign(await asked())))).toEqual(REFUSED)
    expect((await test.signIn(email, ADMIN.password)).body.token).toBeDefined()
    expect(await mailsTo(email)).toEqual([
      'A passkey was added to your access',
      'A passkey was removed from your access',
    ])
    expect(await actionsOf(id)).toEqual(expect.arrayContaining(['passkeyAdded', 'passkeyRemoved']))
  })

  it('stay where the role asks for a second factor and there is no other; two at once leave one', async () => {
    const { caller, passkey, id } = await keyed()
    const second = (await add(caller, softwareKey(), 'Second')).body
    await oblige(id)
    // Who has a passkey is not signed out by a role that begins to ask for it.
    expect((await caller.get('profile')).body).toMatchObject({ isTwoFactorRequired: true, passkeys: 2 })
    const removed = await Promise.all(
      [passkey.id, second.id].map((one) => caller.delete(`profile/passkeys/${one}`, { body: PROOF })),
    )
    expect(removed.map(({ status }) => status).toSorted()).toEqual([204, 409])
    const refused = removed.find(({ status }) => status === 409)!
    expect(refused.body.code).toBe('passkey_last')
    expect((await caller.get('profile')).body.passkeys).toBe(1)
  })
})

describe('a sign-in by a passkey alone is refused, always alike,', () => {
  it('with another origin, site, type, challenge or signature, unverified, and of nobody', async () => {
    const { key, id } = await keyed()
    const manners = [
      { origin: 'https://waybill.example.evil' },
      { rpId: 'evil.example' },
      { type: 'webauthn.create' },
      { isVerified: false },
      { challenge: 'c29tZXRoaW5nIGVsc2U' },
    ]
    const answers: Answer[] = []
    for (const manner of manners) answers.push(await answer(key.sign(await asked(), manner)))
    const { signature } = key.sign(await asked())
    answers.push(await answer({ ...key.sign(await asked()), signature }))
    answers.push(await answer({ ...key.sign(await asked()), userHandle: null }))
    answers.push(await answer({ ...key.sign(await asked()), userHandle: 'c29tZWJvZHkgZWxzZQ' }))
    answers.push(await answer(softwareKey().sign(await asked())))
    answers.push(await answer({ ...key.sign(await asked()), clientDataJSON: 'bm90IEpTT04' }))
    expect(answers.map(codeOf)).toEqual(answers.map(() => REFUSED))
    expect(new Set(answers.map(({ body }) => JSON.stringify({ ...body, requestId: '' }))).size).toBe(1)
    expect((await actionsOf(id)).filter((action) => action === 'signInRefused')).toHaveLength(9)
    expect((await answer(key.sign(await asked()))).status).toBe(200)
  })

  it('a second time, after five minutes, and with what was asked for something else', async () => {
    const { key, challenge } = await keyed()
    const wanted = await asked()
    const signed = key.sign(wanted)
    expect((await answer(signed)).status).toBe(200)
    expect(codeOf(await answer(signed))).toEqual(REFUSED)
    expect(codeOf(await answer(key.sign(wanted)))).toEqual(REFUSED)
    const late = await asked()
    test.clock.advance(5 * 60_000 + 1)
    expect(codeOf(await answer(key.sign(late)))).toEqual(REFUSED)
    const factor = (await test.anonymous.post('token/two-factor/passkey', { challenge: await challenge() })).body
    expect(codeOf(await answer(key.sign(factor)))).toEqual(REFUSED)
  })

  it('of somebody who is no longer active', async () => {
    const { key, id } = await keyed()
    await test.asOwner(`update "user" set state = 'inactive' where id = ${id}`)
    expect(codeOf(await answer(key.sign(await asked())))).toEqual(REFUSED)
  })

  it('where passwords are switched off, but not of the administrator who keeps theirs', async () => {
    const { key, challenge } = await keyed()
    const signIn = await challenge()
    const { key: bossKey, ...boss } = await keyed()
    await test.asOwner(`update "user" set "isAdmin" = true where id = ${boss.id}`)
    test.ports.passwordOnlyFor = boss.email
    expect(codeOf(await answer(key.sign(await asked())))).toEqual(REFUSED)
    expect((await answer(bossKey.sign(await asked()))).status).toBe(200)
    // After the identity provider it still is the second factor.
    const wanted = (await test.anonymous.post('token/two-factor/passkey', { challenge: signIn })).body
    const signed = { challenge: signIn, passkey: key.sign(wanted) }
    expect((await test.anonymous.post('token/two-factor/passkey/answer', signed)).status).toBe(200)
  })

  it('with a counter that went back, of which the owner is told', async () => {
    const { key, email, id } = await keyed()
    expect((await answer(key.sign(await asked(), { counter: 7 }))).status).toBe(200)
    expect(codeOf(await answer(key.sign(await asked(), { counter: 7 })))).toEqual(REFUSED)
    expect(codeOf(await answer(key.sign(await asked(), { counter: 3 })))).toEqual(REFUSED)
    expect(codeOf(await answer(key.sign(await asked(), { counter: 0 })))).toEqual(REFUSED)
    expect(await actionsOf(id)).toContain('passkeyCopied')
    expect(await mailsTo(email)).toContain('A passkey of yours was refused')
    expect((await answer(key.sign(await asked(), { counter: 8 }))).status).toBe(200)
  })

  it('after ten wrong tries from one line, until a pause is over; elsewhere its owner gets in', async () => {
    const { key } = await keyed()
    const from =
      (ip: string) =>
      async (manner = {}) =>
        test.anonymous.post('token/passkey/answer', key.sign(await asked(), manner), { ip })
    const [here, there] = [from('203.0.113.7'), from('198.51.100.7')]
    for (let count = 0; count < 10; count += 1) expect(codeOf(await here({ rpId: 'evil.example' }))).toEqual(REFUSED)
    expect(codeOf(await here())).toEqual([429, 'rate_limited'])
    expect((await there()).status).toBe(200)
    test.clock.advance(61_000)
    expect((await here()).status).toBe(200)
  })
})

describe('a sign-in by a passkey alone', () => {
  it('opens a session like any other, with keys of each kind; the history says how', async () => {
    for (const kind of ['ES256', 'RS256', 'Ed25519'] as const) {
      const { caller, id } = await test.userWith('ORDERS_MANAGEMENT')
      const key = softwareKey(kind)
      expect((await add(caller, key)).status).toBe(201)
      const wanted = await asked()
      expect(wanted).toMatchObject({ rpId: 'waybill.example', allowCredentials: [], userVerification: 'required' })
      const { body, headers } = await answer(key.sign(wanted))
      expect((await test.withToken(body.token).get('profile')).body.id).toBe(id)
      expect((await test.anonymous.post('token/refresh', { refreshToken: body.refreshToken })).status).toBe(200)
      expect(String(headers['set-cookie'])).toContain('waybill_device=')
      expect((await actionsOf(id)).slice(-2)).toEqual(['passkeyUsedAlone', 'signedIn'])
    }
  })

  it('is enough where there is a code as well, and takes keys that do not count', async () => {
    const { caller, id } = await test.userWith()
    const key = softwareKey()
    const made = key.make(await keyOptions(caller), { counter: 0 })
    expect((await caller.post('profile/passkeys', { name: 'iPhone', passkey: made })).status).toBe(201)
    await test.asOwner(
      `insert into two_factor ("userId", secret, "lastStep", "confirmedAt") values (${id}, '', 0, now())`,
    )
    for (let count = 0; count < 2; count += 1)
      expect((await answer(key.sign(await asked(), { counter: 0 }))).body.token).toBeDefined()
  })
})

describe('a passkey as the second factor', () => {
  const begin = (challenge: string) => test.anonymous.post('token/two-factor/passkey', { challenge })
  const end = (challenge: string, passkey: unknown) =>
    test.anonymous.post('token/two-factor/passkey/answer', { challenge, passkey })

  it('is asked for after the password, and lets in once; the device need not verify again', async () => {
    const { email, key, id, challenge } = await keyed()
    expect((await test.signIn(email, ADMIN.password)).body).toMatchObject({
      twoFactor: 'required',
      factors: ['passkey'],
    })
    const signIn = await challenge()
    const wanted = (await begin(signIn)).body
    expect(wanted).toMatchObject({ allowCredentials: [{ id: key.id }], userVerification: 'preferred' })
    const signed = { ...key.sign(wanted, { isVerified: false }), userHandle: null }
    const { body } = await end(signIn, signed)
    expect((await test.withToken(body.token).get('profile')).body.id).toBe(id)
    expect(codeOf(await end(signIn, signed))).toEqual([401, 'challenge_expired'])
    expect((await actionsOf(id)).slice(-2)).toEqual(['passkeyUsed', 'signedIn'])
  })

  it('is refused of another person, for another sign-in, or asked for something else, five times in all', async () => {
    const { key, challenge, id } = await keyed()
    const stranger = await keyed()
    const [one, other] = [await challenge(), await challenge()]
    const wanted = (await begin(one)).body
    expect(codeOf(await end(one, stranger.key.sign(wanted)))).toEqual(REFUSED)
    expect(codeOf(await end(one, key.sign((await begin(other)).body)))).toEqual(REFUSED)
    expect(codeOf(await end(one, key.sign(await asked())))).toEqual(REFUSED)
    expect(codeOf(await end(one, { ...key.sign((await begin(one)).body), userHandle: 'AAAA' }))).toEqual(REFUSED)
    const late = (await begin(one)).body
    expect(codeOf(await end(one, key.sign(late, { origin: 'https://evil.example' })))).toEqual(REFUSED)
    expect(codeOf(await end(one, key.sign(late)))).toEqual([401, 'challenge_expired'])
    expect(codeOf(await begin('nothing'))).toEqual([401, 'challenge_expired'])
    expect(await actionsOf(id)).toContain('codeRefused')
  })

  it('is none of a set-up, nor of somebody without one', async () => {
    const { id, email } = await test.userWith()
    await oblige(id)
    const { body } = await test.signIn(email, ADMIN.password)
    expect(body).toMatchObject({ twoFactor: 'setup', factors: ['code'] })
    const { challenge } = body as unknown as { challenge: string }
    expect(codeOf(await begin(challenge))).toEqual([401, 'challenge_expired'])
  })
})

describe('taking passkeys away from somebody', () => {
  it('is for those who manage people, never for oneself; sessions end and a mail tells', async () => {
    const { id, email, caller: lost, challenge } = await keyed()
    await challenge()
    const { caller, id: ownId } = await test.userWith('USERS_MANAGEMENT')
    const { body: user } = await caller.get(`users/${id}`)
    expect(user).toMatchObject({ passkeys: 1, twoFactorEnabled: false })
    expect((await lost.post(`users/${id}/passkeys/reset`, {}, { version: user.version })).status).toBe(403)
    expect((await caller.post(`users/${id}/passkeys/reset`)).status).toBe(428)
    const reset = await caller.post(`users/${id}/passkeys/reset`, {}, { version: user.version })
    expect(reset).toMatchObject({ status: 200, body: { id, passkeys: 0, version: user.version + 1 } })
    expect((await lost.get('profile')).status).toBe(401)
    expect(await mailsTo(email)).toContain('A passkey was removed from your access')
    const again = await caller.post(`users/${id}/passkeys/reset`, {}, { version: user.version + 1 })
    expect(codeOf(again)).toEqual([409, 'conflict'])
    const { body: own } = await caller.get(`users/${ownId}`)
    expect((await caller.post(`users/${ownId}/passkeys/reset`, {}, { version: own.version })).status).toBe(403)
    expect(await actionsOf(id)).toContain('passkeysReset')
  })
})
