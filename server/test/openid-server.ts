import { generateKeyPairSync } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/** What the provider says of somebody; the account's name there is its `sub`. */
export type Account = Readonly<Record<string, unknown>>

export interface OpenIdServer {
  issuer: string
  client: { clientId: string; clientSecret: string }
  /** by the name with which they sign in there; any password will do */
  accounts: Record<string, Account>
  /** opens for Waybill at the address to which it then sends people back */
  register(redirectUri: string): void
  /** goes through the provider's pages as a browser of its own does, and answers where that ends */
  signInThere(url: string, name: string): Promise<URL>
  /** closes the door; its address stays */
  stop(): Promise<void>
  start(): Promise<void>
}

const CLIENT = { clientId: 'waybill', clientSecret: 'a-secret-of-waybill-and-the-provider' }

/** An identity provider in this process: a real one, with its own pages. */
export async function openOpenIdServer(): Promise<OpenIdServer> {
  const accounts: Record<string, Account> = {}
  let server: Server = createServer()
  const listen = (port: number) => new Promise<void>((open) => void server.listen(port, '127.0.0.1', open))
  await listen(0)
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  let answer: RequestListener = (_request, reply) => void reply.writeHead(404).end()
  let registered = ''
  server.on('request', (...call) => answer(...call))

  const stop = async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
  return {
    issuer,
    client: CLIENT,
    accounts,
    register(redirectUri) {
      registered = redirectUri
      const provider = new Provider(issuer, {
        clients: [{ client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret, redirect_uris: [redirectUri] }],
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'locale', 'groups'] },
        cookies: { keys: ['a key of the tests'] },
        jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'one' }] },
        ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
        pkce: { required: () => true },
        findAccount: (_ctx: unknown, name: string) =>
          name in accounts ? { accountId: name, claims: () => ({ sub: name, ...accounts[name] }) } : undefined,
      })
      answer = provider.callback()
    },
    signInThere: (url, name) => signInThere(url, name, registered),
    stop,
    async start() {
      server = createServer((...call) => answer(...call))
      await listen(port)
    },
  }
}

/** Follows what the provider answers, fills its two forms (who one is, and that Waybill may know) and keeps cookies. */
async function signInThere(begin: string, name: string, redirectUri: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let next: { url: string; form?: URLSearchParams } = { url: begin }
  for (let steps = 0; steps < 12; steps += 1) {
    const response: Response = await fetch(next.url, {
      method: next.form ? 'POST' : 'GET',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      redirect: 'manual',
      ...(next.form && { body: next.form }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [cookie, value] = line.split(';')[0]!.split(/=(.*)/)
      cookies.set(cookie!, value!)
    }
    const location = response.headers.get('location')
    const page = await response.text()
    if (location === null) {
      const [, action] = /action="([^"]+)"/.exec(page) ?? []
      const [, prompt] = /name="prompt" value="(\w+)"/.exec(page) ?? []
      if (!action || !prompt) throw new Error(`the provider answers ${response.status}: ${page.slice(0, 500)}`)
      next = {
        url: new URL(action, next.url).href,
        form: new URLSearchParams(prompt === 'login' ? { prompt, login: name, password: 'any' } : { prompt }),
      }
    } else if (location.startsWith(redirectUri)) return new URL(location)
    else next = { url: new URL(location, next.url).href }
  }
  throw new Error('the provider leads nowhere')
}
