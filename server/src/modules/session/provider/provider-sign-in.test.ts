import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ADMIN, useTestApp, type Answer } from '../../../../test/app.ts'
import { openOpenIdServer, type Account, type OpenIdServer } from '../../../../test/openid-server.ts'
import { createOpenIdProvider } from './openid-provider.ts'
import type { ProviderSettings } from './provider-settings.ts'

const test = useTestApp()
const REDIRECT_URI = 'https://waybill.example/office/auth/provider'
let server: OpenIdServer

beforeAll(async () => {
  server = await openOpenIdServer()
  server.register(REDIRECT_URI)
})
afterAll(() => server.stop())

/** Waybill with the provider of the tests, unless `settings` say otherwise. */
function setUp(settings: Partial<ProviderSettings> = {}): void {
  test.ports.provider = createOpenIdProvider({
    issuer: server.issuer,
    ...server.client,
    label: 'Example ID',
    hosts: [],
    verifiedClaim: 'email_verified',
    domains: [],
    createRole: null,
    roles: null,
    ...settings,
  })
}

beforeEach(() => setUp())
afterEach(() => {
  test.ports.provider = null
  test.ports.passwordOnlyFor = null
})

/** A browser with its cookies, at the sign-in page of Waybill. */
function browser() {
  let cookie = ''
  const call = async (path: string, body: object): Promise<Answer> => {
    const answer = await test.anonymous.post(path, body, { headers: { cookie } })
    const given = [answer.headers['set-cookie'] ?? []].flat().map(String)
    cookie = given.find((line) => line.startsWith('__Secure-waybill_sign_in='))?.split(';')[0] ?? cookie
    return answer
  }
  return {
    begin: () => call('token/provider', {}),
    end: (came: URL, other: object = {}) =>
      call('token/provider/answer', { ...Object.fromEntries(came.searchParams), ...other }),
  }
}

let people = 0
/** Somebody whom the provider knows, by a name of their own. */
function known(account: Account): string {
  people += 1
  const name = `subject-${people}`
  server.accounts[name] = { name: 'Anna Petersen', email_verified: true, ...account }
  return name
}

/** The whole way of a new browser: begun here, signed in there, and back. */
async function signInAs(name: string): Promise<Answer> {
  const { begin, end } = browser()
  const { body } = await begin()
  return end(await server.signInThere(body.url, name))
}

const profileOf = async ({ body }: Answer) => (await test.withToken(body.token).get('profile')).body

const codeOf = ({ status, body }: Answer) => [status, body.code]
const FAILED = [401, 'provider_sign_in_failed']
const NO_ACCOUNT = [403, 'provider_no_account']

describe('a sign-in by the provider is refused', () => {
  it('with another state, in another browser, without a beginning, and after ten minutes', async () => {
    const { email } = await test.userWith()
    const name = known({ email })
    const [one, other] = [browser(), browser()]
    const { url } = (await one.begin()).body
    const came = await server.signInThere(url, name)
    await other.begin()
    expect(codeOf(await other.end(came))).toEqual(FAILED)
    expect(codeOf(await browser().end(came))).toEqual(FAILED)
    expect(codeOf(await one.end(came, { state: 'another' }))).toEqual(FAILED)
    test.clock.advance(11 * 60_000)
    expect(codeOf(await one.end(came))).toEqual(FAILED)
  })

  it('with a code that was used, here or in another attempt', async () => {
    const { email } = await test.userWith()
    const name = known({ email })
    const one = browser()
    const came = await server.signInThere((await one.begin()).body.url, name)
    expect((await one.end(came)).status).toBe(200)
    expect(codeOf(await one.end(came))).toEqual(FAILED)
    const another = await server.signInThere((await one.begin()).body.url, name)
    expect(codeOf(await one.end(another, { code: came.searchParams.get('code') }))).toEqual(FAILED)
  })

  it('with the nonce of another sign-in, and in the name of another issuer', async () => {
    const { email } = await test.userWith()
    const name = known({ email })
    const one = browser()
    const changed = new URL((await one.begin()).body.url)
    changed.searchParams.set('nonce', 'another')
    expect(codeOf(await one.end(await server.signInThere(changed.href, name)))).toEqual(FAILED)
    const came = await server.signInThere((await one.begin()).body.url, name)
    expect(codeOf(await one.end(came, { iss: 'https://another.example' }))).toEqual(FAILED)
  })

  it('where the provider says no, or the person turned back there', async () => {
    const one = browser()
    const { searchParams } = new URL((await one.begin()).body.url)
    const came = new URL(REDIRECT_URI)
    came.searchParams.set('state', searchParams.get('state')!)
    came.searchParams.set('error', 'access_denied')
    came.searchParams.set('iss', server.issuer)
    expect(codeOf(await one.end(came))).toEqual(FAILED)
  })

  it('where the address is not verified, or nobody here has it, or the person is disabled', async () => {
    const { email, id } = await test.userWith()
    expect(codeOf(await signInAs(known({ email, email_verified: false })))).toEqual([403, 'provider_unverified'])
    expect(codeOf(await signInAs(known({ email, email_verified: undefined })))).toEqual([403, 'provider_unverified'])
    expect(codeOf(await signInAs(known({ email: 'nobody@waybill.example' })))).toEqual(NO_ACCOUNT)
    const name = known({ email })
    expect((await signInAs(name)).status).toBe(200)
    await test.database.pool.query(`update "user" set state = 'inactive' where id = $1`, [id])
    expect(codeOf(await signInAs(name))).toEqual(NO_ACCOUNT)
    const { body } = await test.admin.get('audit?topic=signIns')
    expect(body.items.slice(0, 2).map(({ action }: { action: string }) => action)).toEqual([
      'signInRefused',
      'signedIn',
    ])
  })

  it('where none is set up', async () => {
    test.ports.provider = null
    expect((await browser().begin()).status).toBe(404)
    expect((await test.anonymous.get('token/ways')).body).toEqual({ passwords: 'all', provider: null, passkeys: false })
  })
})

describe('a provider that is away', () => {
  it('is said so, before and after the sign-in there, and passwords work', async () => {
    const { email } = await test.userWith()
    const name = known({ email })
    const one = browser()
    const came = await server.signInThere((await one.begin()).body.url, name)
    await server.stop()
    try {
      expect(codeOf(await one.end(came))).toEqual([422, 'provider_away'])
      setUp()
      expect(codeOf(await browser().begin())).toEqual([422, 'provider_away'])
      expect((await test.signIn(email, ADMIN.password)).status).toBe(200)
    } finally {
      await server.start()
    }
    expect((await signInAs(name)).status).toBe(200)
  })

  it('is one that calls itself by another name, or would have another host called', async () => {
    setUp({ issuer: server.issuer.replace('127.0.0.1', 'localhost') })
    expect(codeOf(await browser().begin())).toEqual([422, 'provider_away'])

    let calls = 0
    const stranger = createServer((_request, reply) => {
      calls += 1
      reply.end('{}')
    })
    await new Promise<void>((open) => stranger.listen(0, '127.0.0.1', open))
    const elsewhere = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`
    const lying = createServer((_request, reply) => {
      const issuer = `http://127.0.0.1:${(lying.address() as AddressInfo).port}`
      reply.setHeader('content-type', 'application/json')
      reply.end(
        JSON.stringify({
          issuer,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: `${elsewhere}/token`,
          jwks_uri: `${elsewhere}/keys`,
        }),
      )
    })
    await new Promise<void>((open) => lying.listen(0, '127.0.0.1', open))
    setUp({ issuer: `http://127.0.0.1:${(lying.address() as AddressInfo).port}` })
    const one = browser()
    const { searchParams } = new URL((await one.begin()).body.url)
    const came = new URL(`${REDIRECT_URI}?code=any&state=${searchParams.get('state')!}`)
    expect(codeOf(await one.end(came))).toEqual([422, 'provider_away'])
    expect(calls).toBe(0)
    for (const open of [stranger, lying]) {
      open.closeAllConnections()
      open.close()
    }
  })
})

describe('a sign-in by the provider', () => {
  it('asks with PKCE, and sends people back to the public address alone', async () => {
    const { headers, body } = await test.anonymous.post(
      'token/provider',
      {},
      { headers: { host: 'elsewhere.example', 'x-forwarded-host': 'elsewhere.example' } },
    )
    const { origin, searchParams } = new URL(body.url)
    expect(origin).toBe(server.issuer)
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      redirect_uri: REDIRECT_URI,
      code_challenge_method: 'S256',
    })
    const [cookie = '', ...rights] = String(headers['set-cookie']).split('; ')
    expect(cookie).toMatch(/^__Secure-waybill_sign_in=[\w-]{43}$/)
    expect(rights).toEqual(['Path=/api/token/provider', 'Max-Age=600', 'HttpOnly', 'SameSite=Strict', 'Secure'])
    expect((await test.anonymous.get('token/ways')).body).toEqual({
      passwords: 'all',
      provider: { label: 'Example ID' },
      passkeys: false,
    })
  })

  it('opens an ordinary session for the person of the verified address, and links them', async () => {
    const { email, id } = await test.userWith('ORDERS_MANAGEMENT')
    const name = known({ email: email.toUpperCase() })
    const answer = await signInAs(name)
    expect(await profileOf(answer)).toMatchObject({ id, email, hasPassword: true })
    const renewed = await test.anonymous.post('token/refresh', { refreshToken: answer.body.refreshToken })
    expect(renewed.status).toBe(200)

    // Linked once, the subject counts: whatever becomes of the address there or here.
    server.accounts[name] = { name: 'Anna', email: ADMIN.email, email_verified: false }
    expect(await profileOf(await signInAs(name))).toMatchObject({ id })
    const { body } = await test.admin.get(`audit-entries?userId=${id}`)
    expect(body.items.filter(({ action }: { action: string }) => action === 'providerLinked')).toHaveLength(1)
  })

  it('asks for Waybill’s own second factor all the same', async () => {
    const { email, id } = await test.userWith()
    await test.database.pool.query(
      `update user_role set "isTwoFactorRequired" = true where id = (select "roleId" from "user" where id = $1)`,
      [id],
    )
    const { body } = await signInAs(known({ email }))
    expect(body).toMatchObject({ twoFactor: 'setup', challenge: expect.any(String) })
    expect(body.token).toBeUndefined()
  })

  it('makes people of the named domains alone, with the named role', async () => {
    const { rows } = await test.database.pool.query<{ id: number }>(
      `insert into user_role (title, permissions) values ('Dispatch desk', '{ORDERS_MANAGEMENT}') returning id`,
    )
    setUp({ domains: ['forwarder.example'], createRole: 'Dispatch desk' })
    expect(codeOf(await signInAs(known({ email: 'eve@sub.forwarder.example' })))).toEqual(NO_ACCOUNT)
    const unverified = known({ email: 'eve@forwarder.example', email_verified: false })
    expect(codeOf(await signInAs(unverified))).toEqual([403, 'provider_unverified'])
    const name = known({ email: 'Ewa@forwarder.example', name: 'Ewa Nowak', locale: 'pl-PL' })
    const made = await profileOf(await signInAs(name))
    expect(made).toMatchObject({
      fullName: 'Ewa Nowak',
      email: 'ewa@forwarder.example',
      defaultLanguage: 'pl',
      position: { title: 'Dispatch desk', isAdmin: false },
      permissions: '["ORDERS_MANAGEMENT"]',
      hasPassword: false,
    })
    expect((await profileOf(await signInAs(name))).id).toBe(made.id)
    const odd = known({ email: 'odd@forwarder.example', name: `Odd\u0000${'x'.repeat(200)}` })
    expect(await profileOf(await signInAs(odd))).toMatchObject({ fullName: 'odd@forwarder.example' })
    await test.database.pool.query('update user_role set "isEnabled" = false where id = $1', [rows[0]!.id])
    expect(codeOf(await signInAs(known({ email: 'eve@forwarder.example' })))).toEqual(NO_ACCOUNT)
  })

  it('gives the role of the claim each time, ends what was open with another, lets nobody in without', async () => {
    for (const title of ['Billing', 'Planning'])
      await test.database.pool.query('insert into user_role (title, permissions) values ($1, $2)', [
        title,
        title === 'Billing' ? ['INVOICES_PROCESSING'] : ['ORDERS_MANAGEMENT'],
      ])
    const titles = [
      { value: 'cn=billing,ou=groups', title: 'Billing' },
      { value: 'planners', title: 'Planning' },
      { value: 'ghosts', title: 'No such role' },
    ]
    setUp({ roles: { claim: 'groups', titles } })
    const { email, caller } = await test.userWith('USERS_MANAGEMENT')
    const name = known({ email, groups: ['others'] })
    expect(codeOf(await signInAs(name))).toEqual(NO_ACCOUNT)
    expect((await caller.get('profile')).status).toBe(200)
    server.accounts[name] = { ...server.accounts[name], groups: ['others', 'planners', 'cn=billing,ou=groups'] }
    expect(await profileOf(await signInAs(name))).toMatchObject({ permissions: '["INVOICES_PROCESSING"]' })
    expect((await caller.get('profile')).status).toBe(401)
    server.accounts[name] = { ...server.accounts[name], groups: 'planners' }
    expect(await profileOf(await signInAs(name))).toMatchObject({ permissions: '["ORDERS_MANAGEMENT"]' })
    server.accounts[name] = { ...server.accounts[name], groups: ['ghosts'] }
    expect(codeOf(await signInAs(name))).toEqual(NO_ACCOUNT)
  })
})

describe('where passwords are switched off', () => {
  it('one administrator alone signs in with one, and nobody else is sent a link for one', async () => {
    const { email, id, caller } = await test.userWith()
    test.ports.passwordOnlyFor = ADMIN.email
    expect((await test.anonymous.get('token/ways')).body.passwords).toBe('emergency')
    expect(codeOf(await test.signIn(email, ADMIN.password))).toEqual([401, 'bad_credentials'])
    expect((await test.signIn(ADMIN.email, ADMIN.password)).status).toBe(200)
    // Who was signed in goes on.
    expect((await caller.get('profile')).body).toMatchObject({ hasPassword: false })
    const { body: user } = await test.admin.get(`users/${id}`)
    expect(codeOf(await test.admin.post(`users/${id}/invite`, {}, { version: user.version }))).toEqual([
      422,
      'passwords_off',
    ])
    test.ports.passwordOnlyFor = email
    expect(codeOf(await test.signIn(email, ADMIN.password)), 'no administrator').toEqual([401, 'bad_credentials'])
  })
})
