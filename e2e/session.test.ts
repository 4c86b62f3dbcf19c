import type { Page } from '@playwright/test'
import { addPerson, tokensOf } from './support/people.ts'
import { expect, test } from './support/test.ts'
import { addTransport } from './support/transport.ts'
import { ADMIN } from './support/waybill.ts'

const stored = (page: Page, name: string): Promise<string | null> =>
  page.evaluate((key) => localStorage.getItem(key), name)

/** The access token has run out, as it does after a quarter of an hour; the refresh token has not. */
const spoilToken = (page: Page) =>
  page.evaluate(() => {
    const tokens = JSON.parse(localStorage.getItem('authData')!) as object
    localStorage.setItem('authData', JSON.stringify({ ...tokens, token: 'run-out' }))
  })

const profile = (page: Page) => page.getByRole('heading', { name: 'Your profile' })

test('renews the tokens once while the other requests wait, and goes on as if nothing had been', async ({
  page,
  signInByForm,
}) => {
  await signInByForm()
  const before = (await stored(page, 'id_token'))!
  // As the next page begins: the one that is open may still be asking for something.
  await page.addInitScript(() => {
    if (sessionStorage.getItem('ranOut') !== null) return
    sessionStorage.setItem('ranOut', '')
    const tokens = JSON.parse(localStorage.getItem('authData')!) as object
    localStorage.setItem('authData', JSON.stringify({ ...tokens, token: 'run-out' }))
  })
  const answers: [string, number][] = []
  page.on('response', (response) => {
    if (response.url().includes('/api/')) answers.push([new URL(response.url()).pathname, response.status()])
  })
  await page.goto('/orders')
  await expect(page.getByRole('heading', { name: 'All orders' })).toBeVisible()
  await page.goto('/invoices')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(answers.filter(([path]) => path === '/api/token/refresh')).toEqual([['/api/token/refresh', 200]])
  expect(answers.filter(([path, status]) => status === 401 && path !== '/api/profile')).toEqual([])
  const authData = JSON.parse((await stored(page, 'authData'))!) as { token: string }
  expect(authData.token).not.toBe(before)
  expect(await stored(page, 'id_token')).toBe(authData.token)
})

test('two tabs whose token has run out renew it together', async ({ page, context, signInByForm }) => {
  await signInByForm()
  await page.goto('/')
  const second = await context.newPage()
  let renewals = 0
  context.on('response', (response) => (renewals += response.url().endsWith('/api/token/refresh') ? 1 : 0))
  // The second tab opens afterwards: one that was open would hear of the other token, and begin at once.
  await spoilToken(page)
  await Promise.all([page.reload(), second.goto('/orders')])
  await expect(profile(page)).toBeVisible()
  await expect(second.getByRole('heading', { name: 'All orders' })).toBeVisible()
  expect(renewals).toBe(1)
})

test('a tab that is closed before the new tokens reach it signs nobody out', { tag: '@long' }, async ({
  page,
  context,
  signInByForm,
}) => {
  await signInByForm()
  await page.goto('/')
  await expect(profile(page)).toBeVisible()
  const second = await context.newPage()
  const renewed = Promise.withResolvers<number>()
  await second.route('**/api/token/refresh', async (route) => renewed.resolve((await route.fetch()).status()))
  await spoilToken(page)
  await second.goto('/orders')
  expect(await renewed.promise).toBe(200)
  await second.close()
  await page.reload()
  await expect(profile(page)).toBeVisible()
})

test('no connection is no sign-out: the page says so, and goes on with one click', { tag: '@long' }, async ({
  page: signedIn,
  context,
  signInByForm,
}) => {
  await signInByForm()
  await signedIn.goto('/')
  await expect(profile(signedIn)).toBeVisible()
  // A page of its own: what fails here is an error in the console, too.
  const page = await context.newPage()
  await context.route('**/api/**', (route) => route.abort('internetdisconnected'))
  await page.goto('/orders')
  await expect(page.getByText('No connection')).toBeVisible()
  expect(await stored(page, 'authData')).not.toBeNull()
  await context.unroute('**/api/**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'All orders' })).toBeVisible()
})

test('a session that ended leads to the login page and, after it, back to the form with what was typed', async ({
  page,
  waybill,
  signInByForm,
}) => {
  const person = await addPerson(waybill)
  await signInByForm(person)
  await page.getByRole('textbox', { name: 'Phone' }).fill('+49 40 5550 17')
  await expect(page.getByText('1 unsaved change').first()).toBeVisible()
  const { refreshToken } = JSON.parse((await stored(page, 'authData'))!) as { refreshToken: string }
  expect((await waybill.api('POST', 'token/logout', { refreshToken })).status).toBe(204)
  await page.keyboard.press('Control+s')
  await expect(page).toHaveURL(/\/auth\/login\?redirect=%2Fprofile%2F\d+%2Fedit&reason=expired$/)
  await expect(page.getByRole('status')).toHaveText('You were signed out. Sign in to go on where you were.')
  for (const name of ['authData', 'id_token']) expect(await stored(page, name)).toBeNull()
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/profile/${person.id}/edit$`))
  await expect(page.getByText('Your unsaved typing')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Phone' })).toHaveValue('+49 40 5550 17')
})

test('signing out ends the session in every tab and on the server', async ({
  page,
  context,
  waybill,
  signInByForm,
}) => {
  const person = await addPerson(waybill)
  await signInByForm(person)
  const { token } = JSON.parse((await stored(page, 'authData'))!) as { token: string }
  const second = await context.newPage()
  await second.goto('/')
  await expect(profile(second)).toBeVisible()
  await page.getByRole('button', { name: /^Your account/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/auth\/login/)
  await expect(second).toHaveURL(/\/auth\/login/)
  await expect
    .poll(async () => (await waybill.api('GET', 'profile', undefined, { authorization: `Bearer ${token}` })).status)
    .toBe(401)
  for (const name of ['authData', 'id_token']) expect(await stored(page, name)).toBeNull()
})

test('a new version clears the storage but for the tokens and the language, and tells so after five seconds', {
  tag: '@long',
}, async ({ page, signInByForm, expectAccessible, shoot }) => {
  await signInByForm()
  await page.goto('/')
  const version = await stored(page, 'appVersion')
  await page.evaluate(() => {
    for (const [name, value] of [
      ['appVersion', 'older'],
      ['language', 'en'],
      ['group_filter', '1'],
      ['left_over', '1'],
    ] as const)
      localStorage.setItem(name, value)
  })
  const tokens = await stored(page, 'authData')
  // The question comes with a part of its own, which is held back until the clock stands: what a slow machine takes
  // to load must not count among the five seconds.
  const { promise: isPaused, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/assets/system-update-*.js', (route) => isPaused.then(() => route.continue()))
  await page.clock.install()
  await page.reload()
  await expect(profile(page)).toBeVisible()
  expect(await page.evaluate(() => Object.keys(localStorage).sort())).toEqual(
    expect.arrayContaining(['appVersion', 'authData', 'id_token', 'language']),
  )
  for (const name of ['group_filter', 'left_over']) expect(await stored(page, name)).toBeNull()
  expect([await stored(page, 'appVersion'), await stored(page, 'authData')]).toEqual([version, tokens])
  const dialog = page.getByRole('dialog', { name: 'New version' })
  await page.clock.pauseAt(Date.now() + 60_000)
  const isThere = page.waitForResponse('**/assets/system-update-*.js')
  release()
  await (await isThere).finished()
  await page.clock.runFor(4_900)
  await expect(dialog).toBeHidden()
  await expect(async () => {
    await page.clock.runFor(1_000)
    await expect(dialog).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await page.clock.resume()
  await expectAccessible(page)
  await shoot(page, 'new version')
  expect((await dialog.boundingBox())!.width).toBe(460)
  expect(await stored(page, 'reload_modal_shown')).not.toBeNull()
  await dialog.getByRole('button', { name: 'Refresh' }).click()
  await expect(profile(page)).toBeVisible()
  await page.clock.runFor(6_000)
  await expect(dialog).toBeHidden()

  // Where the mark is set already, the dialog stays away.
  await page.evaluate(() => {
    localStorage.setItem('appVersion', 'older')
    localStorage.setItem('reload_modal_shown', '1')
  })
  await page.reload()
  await expect(profile(page)).toBeVisible()
  await page.clock.runFor(6_000)
  await expect(dialog).toBeHidden()
})

test('a part of the program that is gone reloads the page once, and then says what is wrong', { tag: '@long' }, async ({
  page: signedIn,
  context,
  signInByForm,
}) => {
  await signInByForm()
  await signedIn.goto('/')
  await expect(profile(signedIn)).toBeVisible()
  const page = await context.newPage()
  await page.goto('/')
  await expect(profile(page)).toBeVisible()
  await page.route('**/assets/invoice-list-page-*.js', (route) => route.fulfill({ status: 404, body: '' }))
  let loads = 0
  page.on('load', () => (loads += 1))
  // A resting mouse fetches the part already, so that the page reloads; the click does not reload it again.
  const link = page.getByRole('link', { name: 'Invoices' }).first()
  await link.hover()
  await expect.poll(() => loads).toBe(1)
  await link.click()
  await expect(page.getByText('This could not be loaded')).toBeVisible()
  expect(loads).toBe(1)
  await page.unroute('**/assets/invoice-list-page-*.js')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Invoices' })).toBeVisible()
})

test('a part that does not come while the network is away says so, leaves the page, and comes at the next try', {
  tag: '@long',
}, async ({ page: signedIn, context, signInByForm }) => {
  await signInByForm()
  await signedIn.goto('/')
  await expect(profile(signedIn)).toBeVisible()
  const page = await context.newPage()
  await page.goto('/customer')
  await expect(page.getByRole('table')).toBeVisible()
  let loads = 0
  page.on('load', () => (loads += 1))
  await context.setOffline(true)
  // A panel says it in its place.
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const panel = page.getByRole('dialog')
  await panel.getByRole('button').first().click()
  await expect(panel.getByText('A part of the program did not come.')).toBeVisible()
  await context.setOffline(false)
  await panel.getByRole('button', { name: 'Try again' }).click()
  await expect(panel.getByRole('button', { name: 'Apply' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  // A window is one that can be closed, by a key too, and that comes when it is asked for again.
  await context.setOffline(true)
  const asked = async () => {
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Save' }).click()
  }
  await asked()
  const failed = page.getByRole('dialog').filter({ hasText: 'A part of the program did not come.' })
  await expect(failed).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(failed).toBeHidden()
  await asked()
  await expect(failed).toBeVisible()
  await context.setOffline(false)
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect(failed).toBeHidden()
  await expect(page.getByRole('dialog').getByRole('textbox').first()).toBeFocused()
  expect(loads).toBe(0)
})

test('sections of an order that do not come while the network is away say so, and what is typed stays', {
  tag: '@long',
}, async ({ page: signedIn, context, waybill, partners, signInByForm }) => {
  const { orderId } = await addTransport(waybill, partners)
  await signInByForm()
  await signedIn.goto('/')
  await expect(profile(signedIn)).toBeVisible()
  const page = await context.newPage()
  await page.goto(`/orders/${orderId}/edit`)
  const description = page.getByRole('textbox', { name: 'Description' })
  await expect(description).toBeVisible()
  await expect(page.getByRole('complementary', { name: 'History' }).getByRole('listitem').first()).toBeVisible()
  let loads = 0
  page.on('load', () => (loads += 1))
  await context.setOffline(true)
  await description.fill('Two drops')
  const extras = page.getByRole('region', { name: 'Extras' })
  await expect(extras.getByText('A part of the program did not come.')).toBeVisible()
  await expect(description).toHaveValue('Two drops')
  // Each part that failed asks whether the server is there, and would have the page load anew: until all have heard.
  await expect(page.getByText('A part of the program did not come.')).toHaveCount(10)
  await page.evaluate(() => fetch('/').catch(() => undefined))
  await context.setOffline(false)
  await extras.getByRole('button', { name: 'Try again' }).click()
  await expect(extras.getByRole('button', { name: 'Add extra' })).toBeVisible()
  await page.keyboard.press('Control+s')
  await expect.poll(async () => (await waybill.api('GET', `orders/${orderId}`)).body.description).toBe('Two drops')
  expect(loads).toBe(0)
})

test('a form whose check does not come saves nothing and loses nothing, and saves once it comes', {
  tag: '@long',
}, async ({ page: signedIn, context, waybill, signInByForm }) => {
  const person = await addPerson(waybill)
  await signInByForm(person)
  await signedIn.goto(`/profile/${person.id}/edit`)
  await expect(signedIn.getByRole('textbox', { name: 'Phone' })).toBeVisible()
  const page = await context.newPage()
  await page.goto(`/profile/${person.id}/edit`)
  const phone = page.getByRole('textbox', { name: 'Phone' })
  await expect(phone).toBeVisible()
  await context.setOffline(true)
  await phone.fill('+49 40 5550 18')
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Not saved')).toBeVisible()
  await expect(page.getByText('A part of the program did not come.')).toBeVisible()
  await expect(phone).toHaveValue('+49 40 5550 18')
  await context.setOffline(false)
  await page.keyboard.press('Control+s')
  await expect(page.getByText('1 unsaved change')).toHaveCount(0)
  expect((await waybill.api('GET', `users/${person.id}`)).body.phone).toBe('+49 40 5550 18')
})

test('every call names language, representation and administrator’s filter, and writes lists with brackets', async ({
  page,
  waybill,
  signIn,
}) => {
  // By tokens: the page that the login page leads to would ask for orders of its own.
  await signIn()
  const company = await waybill
    .idOf('departments', 'FTL West')
    .then(async (id) => (await waybill.api('GET', `departments/${id}`)).body.companyId as number)
  await page.evaluate((id) => localStorage.setItem('group_filter', String(id)), company)
  const asked: { url: URL; headers: Record<string, string> }[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/')) asked.push({ url: new URL(request.url()), headers: request.headers() })
  })
  await page.goto('/orders?status[]=new&status[]=scheduled&q=')
  await expect(page.getByRole('heading', { name: 'All orders' })).toBeVisible()
  await expect.poll(() => asked.some(({ url }) => url.pathname === '/api/orders')).toBe(true)
  const { url, headers } = asked.find((one) => one.url.pathname === '/api/orders')!
  const token = await stored(page, 'id_token')
  expect(headers).toMatchObject({
    'accept-language': 'en',
    accept: 'application/json',
    authorization: `Bearer ${token}`,
    'additional-groups': 'detailed',
    'group-filter': String(company),
  })
  expect(decodeURIComponent(url.search)).toContain('status[]=new&status[]=scheduled')
  expect(url.searchParams.has('q')).toBe(false)
  expect(asked.filter((one) => one.url.href.includes(token!))).toEqual([])
})

test('the page runs no script but its own files', async ({ browser, waybill }) => {
  // A page of its own: the refusal is an error in the console, and here it is wanted.
  const context = await browser.newContext({ baseURL: waybill.url })
  const page = await context.newPage()
  const response = (await page.goto('/auth/login'))!
  const policy = response.headers()['content-security-policy']!
  const scripts = policy.split(';').find((part) => part.trim().startsWith('script-src'))
  expect(scripts).toBe("script-src 'self'")
  expect(response.headers()).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
  const refused = page.waitForEvent('console', (message) => message.text().includes('Content Security Policy'))
  await page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'document.title = "overrun"'
    document.head.append(script)
  })
  await refused
  expect(await page.title()).not.toBe('overrun')
  await context.close()
})

test('an access token that another person’s sign-in replaced is not mixed with theirs', { tag: '@long' }, async ({
  page,
  context,
  waybill,
  signInByForm,
}) => {
  const person = await addPerson(waybill)
  await signInByForm(person)
  const second = await context.newPage()
  await second.goto('/')
  await expect(second.getByText(person.email).or(profile(second)).first()).toBeVisible()
  const tokens = await tokensOf(waybill, ADMIN)
  await second.evaluate((kept) => localStorage.setItem('authData', JSON.stringify(kept)), tokens)
  // The first tab notices, loads itself anew, and is now at a profile that is not its own any more.
  await expect(page).toHaveURL('/404')
})
