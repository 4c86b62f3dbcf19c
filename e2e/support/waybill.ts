import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { expect, test as base } from '@playwright/test'
import type { Page } from '@playwright/test'
import PostalMime from 'postal-mime'
import type { Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export const ADMIN = { email: 'admin@waybill.example', password: 'Correct-Horse-7' }

export interface Waybill {
  /** Where it listens, without a slash at the end. */
  url: string
  /** The mails that its SMTP server has taken, oldest first. */
  mails: Email[]
}

/** A Waybill of its own on an empty data folder, as `npm start` makes it, sending to an SMTP server of this test. */
async function startWaybill(args: string[]): Promise<Waybill & { stop(): Promise<void> }> {
  const mails: Email[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        void PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          mails.push(mail)
          done()
        }, done)
      })
    },
  })
  await new Promise<void>((listening) => smtp.listen(0, '127.0.0.1', listening))
  const smtpAddress = smtp.server.address()
  const smtpPort = typeof smtpAddress === 'object' && smtpAddress ? smtpAddress.port : 0

  const dataDir = mkdtempSync(join(tmpdir(), 'waybill-journey-'))
  const main = join(import.meta.dirname, '../../server/src/main.ts')
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: dataDir, SMTP_URL: `smtp://127.0.0.1:${smtpPort}`, ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password, LOG_LEVEL: 'error' },
    // The channel closes with this process, also when it is killed, and the server then ends by itself.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const url = await new Promise<string>((ready, fail) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString()
      const address = /Waybill is ready: (http:\/\/\S+)/.exec(output)?.[1]
      if (address) ready(address)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', (code) => fail(new Error(`Waybill ended with ${code}:\n${output}`)))
  })
  return {
    url,
    mails,
    async stop() {
      child.kill('SIGTERM')
      await ended
      await new Promise<void>((closed) => smtp.close(closed))
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Each file gets a fresh Waybill; every test fails on a console error or an answer of 500 and above. */
export const test = base.extend<{ watched: undefined }, { waybill: Waybill; startArgs: string[] }>({
  startArgs: [[], { scope: 'worker', option: true }],
  waybill: [
    async ({ startArgs }, use) => {
      const waybill = await startWaybill(startArgs)
      await use(waybill)
      await waybill.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ waybill }, use) => use(waybill.url),
  watched: [
    async ({ page }, use) => {
      const faults: string[] = []
      page.on('console', (message) => {
        // The browser itself reports each refused call; that refusals are shown is what the journeys look at.
        if (message.type() === 'error' && !/Failed to load resource: the server responded with a status of 4\d\d/.test(message.text())) faults.push(message.text())
      })
      page.on('pageerror', (error) => faults.push(String(error)))
      page.on('response', (response) => {
        if (response.status() >= 500) faults.push(`${response.status()} ${response.url()}`)
      })
      await use(undefined)
      expect(faults, 'nothing went wrong in the console or the server').toEqual([])
    },
    { auto: true },
  ],
})

export { expect }

/** Signs in through the page, as a person does, and waits until the first screen stands. */
export async function signIn(page: Page, { email, password } = ADMIN): Promise<void> {
  await page.goto('/auth/login')
  await page.getByRole('textbox', { name: /e-?mail/i }).fill(email)
  await page.locator('input[type=password]').fill(password)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => !url.pathname.startsWith('/auth'))
}

/** axe finds nothing serious on what is shown now (WCAG 2.2 AA). */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']).analyze()
  const serious = violations.filter((violation) => violation.impact === 'serious' || violation.impact === 'critical')
  expect(serious.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.target.join(' ')).join('; ')}`)).toEqual([])
}
