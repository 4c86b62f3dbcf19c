import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { settled } from './support/settled.ts'
import { expect, test } from './support/test.ts'

const dist = join(import.meta.dirname, '../web/dist')

/** Kilobytes of JavaScript, each file as gzip makes it, that a page asks for until it stands still. */
async function weigh(page: Page, open: () => Promise<unknown>): Promise<number> {
  const files = new Set<string>()
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.endsWith('.js') && response.ok()) files.add(pathname)
  })
  await open()
  await settled(page, 500)
  expect(files.size, 'the page has scripts').toBeGreaterThan(0)
  let bytes = 0
  for (const file of files) bytes += gzipSync(readFileSync(join(dist, file)), { level: 9 }).length
  return bytes / 1000
}

const nameOf = (file: string) => file.replace(/-[\w-]{7,8}\.js$/, '')

// What every build of TipTap and of dnd-kit says of itself, whichever of our files it lies in.
const OF_EDITORS = /ProseMirror|DndLiveRegion/

/** The names of the scripts for writing texts and for dragging that a page asks for, as they come. */
function editorsAskedBy(page: Page): Set<string> {
  const editors = readdirSync(join(dist, 'assets')).filter(
    (file) => file.endsWith('.js') && OF_EDITORS.test(readFileSync(join(dist, 'assets', file), 'utf8')),
  )
  const asked = new Set<string>()
  page.on('request', (request) => {
    const file = new URL(request.url()).pathname.split('/').at(-1)!
    if (editors.includes(file)) asked.add(nameOf(file))
  })
  return asked
}

/** A hand comes to the page: what is wanted by a touch alone is fetched. */
async function touch(page: Page): Promise<void> {
  await page.mouse.move(640, 400)
  await page.keyboard.press('Shift')
  await settled(page, 500)
}

test('no page says a shape with what is not there to check it', () => {
  const root = join(import.meta.dirname, '..')
  const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name!)
  const given = namesIn(readFileSync(join(root, 'web/src/kit/shapes/check.ts'), 'utf8'), /^ {8}(\w+): z\./gm)
  const said = globSync('contract/src/**/*.ts', { cwd: root }).flatMap((file) =>
    namesIn(readFileSync(join(root, file), 'utf8'), /\bz\s*\.(?:iso\.)?([a-z]\w+)\(/g),
  )
  const missing = [...new Set(said)].filter((name) => !given.includes(name))
  expect(given).toContain('strictObject')
  expect(missing, 'what only the server reads').toContain('tuple')
  const calls = new RegExp(String.raw`\b[\w$]{1,2}\.(?:iso\.)?(?:${missing.join('|')})\(.{0,30}`, 'g')
  const found = readdirSync(join(dist, 'assets'))
    .filter((file) => file.endsWith('.js') && !file.startsWith('checking-'))
    .flatMap((file) =>
      [...readFileSync(join(dist, 'assets', file), 'utf8').matchAll(calls)].map(([call]) => [file, call]),
    )
  expect(found).toEqual([])
})

test('asks for at most 170 kB of script on the login page', async ({ page }) => {
  const weight = await weigh(page, () => page.goto('/auth/login'))
  test.info().annotations.push({ type: 'kB', description: weight.toFixed(0) })
  expect(weight).toBeLessThanOrEqual(170)
})

test('asks for at most 260 kB of script on the orders list, and for no editor', async ({ page, signIn }) => {
  await signIn()
  const editors = editorsAskedBy(page)
  const weight = await weigh(page, async () => {
    await page.goto('/orders')
    await page.getByRole('heading', { level: 1 }).waitFor()
  })
  test.info().annotations.push({ type: 'kB', description: weight.toFixed(0) })
  expect(weight).toBeLessThanOrEqual(260)
  await touch(page)
  expect([...editors]).toEqual([])
})

test('asks for at most 300 kB of script on the page of a new order, and for no editor', async ({ page, signIn }) => {
  await signIn()
  const editors = editorsAskedBy(page)
  const weight = await weigh(page, async () => {
    await page.goto('/orders/create')
    await page.getByRole('heading', { level: 1 }).waitFor()
  })
  test.info().annotations.push({ type: 'kB', description: weight.toFixed(0) })
  expect(weight).toBeLessThanOrEqual(300)
  await touch(page)
  expect([...editors]).toEqual([])
})

test('asks for at most 320 kB of script on the order form, and for no editor', async ({
  page,
  waybill,
  partners,
  signIn,
}) => {
  const { body: order } = await waybill.api('POST', 'orders', {
    customerIds: [partners.fabryka],
    departmentId: await waybill.idOf('departments', 'FTL West'),
  })
  await signIn()
  const editors = editorsAskedBy(page)
  const weight = await weigh(page, async () => {
    await page.goto(`/orders/${order.id as number}/edit`)
    await page.getByRole('heading', { level: 1 }).waitFor()
  })
  test.info().annotations.push({ type: 'kB', description: weight.toFixed(0) })
  expect(weight).toBeLessThanOrEqual(320)
  await touch(page)
  expect([...editors]).toEqual([])
})

const LISTS = ['mails', 'quotes', 'invoices', 'customer', 'carrier-companies', 'departments']
test('asks for no editor in any other list', { tag: '@long' }, async ({ page, signIn }) => {
  await signIn()
  const editors = editorsAskedBy(page)
  for (const list of LISTS) {
    await page.goto(`/${list}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await touch(page)
    expect([...editors], list).toEqual([])
  }
})

// The page opens with 323 kB; the first touch fetches what writes, 91 kB, and the notices, 2 kB.
test('asks for at most 420 kB of script once the text of a mail is touched', { tag: '@long' }, async ({
  page,
  waybill,
  signIn,
}) => {
  const department = await waybill.idOf('departments', 'FTL West')
  await signIn()
  const editors = editorsAskedBy(page)
  const weight = await weigh(page, async () => {
    await page.goto(`/departments/${department}/edit/driver_information.first.en`)
    await page.getByRole('textbox', { name: 'Paragraph 1', exact: true }).click()
    await page.locator('.ProseMirror').first().waitFor()
    await touch(page)
  })
  test.info().annotations.push({ type: 'kB', description: weight.toFixed(0) })
  expect(weight).toBeLessThanOrEqual(420)
  // Both are there now, so that what the lists are asked above asks for something.
  expect([...editors].toSorted()).toEqual(['core.esm', 'text-editor'])
})

test('asks for at most 325 kB of script where the text of a mail is written', { tag: '@long' }, async ({
  page,
  waybill,
  signIn,
}) => {
  const department = await waybill.idOf('departments', 'FTL West')
  await signIn()
  const weight = await weigh(page, async () => {
    await page.goto(`/departments/${department}/edit/driver_information.first.en`)
    await page.getByRole('heading', { level: 1 }).waitFor()
  })
  test.info().annotations.push({ type: 'kB', description: weight.toFixed(0) })
  expect(weight).toBeLessThanOrEqual(325)
})

test('asks for at most 420 kB of script once the text of a document is touched', async ({ page, waybill, signIn }) => {
  const department = await waybill.idOf('departments', 'FTL West')
  await signIn()
  const weight = await weigh(page, async () => {
    await page.goto(`/departments/${department}/edit/ORDER_ARRIVAL_CERTIFICATE.en`)
    await page.locator('.ProseMirror').click()
    await touch(page)
  })
  test.info().annotations.push({ type: 'kB', description: weight.toFixed(0) })
  expect(weight).toBeLessThanOrEqual(420)
})

test('asks for at most 302 kB of script where a mail is written by hand', { tag: '@long' }, async ({
  page,
  waybill,
  partners,
  signIn,
}) => {
  const { body: order } = await waybill.api('POST', 'orders', {
    customerIds: [partners.fabryka],
    departmentId: await waybill.idOf('departments', 'FTL West'),
  })
  await signIn()
  const weight = await weigh(page, async () => {
    await page.goto(`/orders/${order.id as number}/edit/order_created`)
    await page.getByRole('region', { name: 'As it arrives' }).waitFor()
  })
  test.info().annotations.push({ type: 'kB', description: weight.toFixed(0) })
  expect(weight).toBeLessThanOrEqual(302)
})

const PUBLIC_PAGES = [
  ['a carrier’s upload page', 'upload-documents', 'upload-documents/not-a-link', 110],
  ['the page for a carrier’s new paper', 'new-paper', 'upload-documents/paper-not-a-link', 110],
  ['a driver’s page', 'drive', 'drive/not-a-link', 110],
  ['a customer’s tracking page', 'track', 'track/not-a-link', 60],
  ['the page of a price request', 'price', 'price/not-a-link', 60],
  ['the page of a quote', 'quote', 'quote/not-a-link', 60],
  ['the page of a pallet statement', 'statement', 'statement/not-a-link', 60],
] as const
for (const [title, name, address, most] of PUBLIC_PAGES)
  test(`asks for at most ${most} kB of script on ${title}, and for none of the other pages`, async ({ page }) => {
    const names: string[] = []
    page.on('request', (request) => names.push(new URL(request.url()).pathname))
    const weight = await weigh(page, async () => {
      await page.goto(`/${address}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
    })
    test.info().annotations.push({ type: 'kB', description: weight.toFixed(0) })
    expect(weight).toBeLessThanOrEqual(most)
    expect(names.filter((one) => one.endsWith('.js')).map((one) => one.replace(/-[\w-]{8}\.js$/, ''))).toEqual([
      `/assets/${name}`,
    ])
  })
