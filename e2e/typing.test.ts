import type { BrowserContext, Locator, Page } from '@playwright/test'
import { addPerson, fillLogin, signInAs } from './support/people.ts'
import { expect, test } from './support/test.ts'

// Nothing that was typed is missing afterwards, whatever happens to the page in the middle of it; where the browser
// dies at once, nothing but the last second.

// So many in each half; WAYBILL_ROUNDS says how many in both.
const ROUNDS = Math.max(1, Math.ceil(Number(process.env.WAYBILL_ROUNDS ?? '200') / 2))
const LAST_SECOND_MS = 1500
const LETTERS = 'abcdefghijklmnoprstuwyzäößąęłó 0123456789,-/'

interface TypedForm {
  path: string
  fields: readonly string[]
  /** opens the window, or the part of the page, in which is typed */
  open?: (page: Page) => Promise<void>
  /** gives up what was typed, where that is no draft of a form */
  giveUp?: (page: Page) => Promise<void>
}

const press =
  (name: string | RegExp) =>
  (page: Page): Promise<void> =>
    page.getByRole('button', { name }).first().click()

const closeWindow = async (page: Page): Promise<void> => {
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

const FORMS: readonly TypedForm[] = [
  { path: '/orders/:order/edit', fields: ['description', 'invoiceText', 'cargo.0.title', 'locations.0.city'] },
  { path: '/customer/create', fields: ['title', 'address', 'city', 'postal'] },
  {
    path: '/orders/create',
    fields: [
      'customerOrderNumber',
      'locations.0.companyTitle',
      'locations.0.address',
      'locations.1.city',
      'description',
    ],
  },
  { path: '/carrier-companies/create', fields: ['title', 'address', 'city'] },
  { path: '/quotes/create', fields: ['Goods', 'Remark for the customer'] },
  { path: '/recurring-orders/create?order=:order', fields: ['Title'] },
  { path: '/rate-cards?card=new', fields: ['Name'] },
  { path: '/invoices/create?side=carrier', fields: ['number'] },
  { path: '/users/create', fields: ['fullName', 'phone'] },
  { path: '/user-roles/create', fields: ['title'] },
  { path: '/departments/create', fields: ['abbreviation', 'city'] },
  { path: '/companies/create', fields: ['title', 'address'] },
  { path: '/vehicles/create', fields: ['title'] },
  { path: '/load-carrier-places/create', fields: ['title', 'city'] },
  { path: '/profile/:person/edit', fields: ['fullName', 'phone'] },
  {
    path: '/orders/:order/edit',
    fields: ['Reason'],
    open: async (page) => {
      await press(/^Status: /)(page)
      await page.getByRole('menuitem', { name: /^Canceled/ }).click()
    },
    giveUp: closeWindow,
  },
  { path: '/api-keys', fields: ['Name'], open: press('New key'), giveUp: closeWindow },
  { path: '/webhooks', fields: ['Name', 'Address'], open: press('New webhook'), giveUp: closeWindow },
  { path: '/intake', fields: ['Paste a mail'], open: press('Paste a mail'), giveUp: closeWindow },
]
const ENDS = ['reload', 'close', 'crash', 'session'] as const

/** Numbers between 0 and 1 that come again with the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The same things in an order by chance. */
function shuffled<One>(list: readonly One[], below: (bound: number) => number): One[] {
  const left = [...list]
  return list.map(() => left.splice(below(left.length), 1)[0]!)
}

/** A field by its name, or by its label where it has none. */
const fieldOf = (page: Page, name: string): Locator =>
  page
    .locator(`[name="${name}"]`)
    .or(page.getByRole('textbox', { name, exact: true }))
    .first()

async function crash(context: BrowserContext, page: Page): Promise<void> {
  const devTools = await context.newCDPSession(page)
  const gone = page.waitForEvent('crash')
  void devTools.send('Page.crash').catch(() => undefined)
  await gone
  await page.close()
}

// The longest journey of all: both workers take a half.
test.describe.configure({ mode: 'parallel' })

for (const half of ['first', 'second'])
  test(`keeps what is typed over a reload, a closed tab, an ended session and a crash: the ${half} half`, {
    tag: '@long',
  }, async ({ page, context, partners, waybill }) => {
    test.setTimeout(ROUNDS * 60_000)
    const seed = Number(process.env.WAYBILL_SEED ?? Date.now() % 1_000_000)
    console.log(`typing: WAYBILL_SEED=${seed}`)
    const random = randomFrom(half === 'first' ? seed : seed + 1)
    const below = (bound: number) => Math.floor(random() * bound)
    const oneOf = <One>(list: readonly One[]): One => list[below(list.length)]!
    const person = await addPerson(waybill, { permissions: ['FULL_ACCESS'], isAdmin: true })
    const countryId = await waybill.idOf('countries', 'Germany')
    const { body: order } = await waybill.api('POST', 'orders', {
      customerIds: [partners.nordlicht],
      departmentId: await waybill.idOf('departments', 'FTL West'),
      managerIds: [person.id],
      cargo: [{ key: 'a', title: 'Pumpen', quantity: 1 }],
      locations: (['loading', 'unloading'] as const).map((kind) => ({
        key: kind,
        kind,
        countryId,
        city: 'Hamburg',
        termin: { kind: 'fix', dateFrom: '2026-12-08', timeFrom: '08:00' },
      })),
    })
    await signInAs(page, waybill, person)
    // Each form before one comes again
    let next: TypedForm[] = []
    for (let round = 0; round < ROUNDS; round++) {
      if (next.length === 0) next = shuffled(FORMS, below)
      const form = next.pop()!
      const { fields, open = () => Promise.resolve(), giveUp } = form
      const path = form.path.replace(':order', String(order.id)).replace(':person', String(person.id))
      const end = ENDS[round % ENDS.length]!
      await test.step(`${round}: ${path}, ${end}`, async () => {
        let tab = await context.newPage()
        tab.on('dialog', (dialog) => void dialog.accept())
        await tab.goto(path)
        await open(tab)
        const typed = new Map<string, string>()
        const names = fields.filter(() => random() < 0.7)
        const filled = names.length === 0 ? fields.slice(0, 1) : names
        let delay = 0
        for (const [place, name] of filled.entries()) {
          const isLast = place === filled.length - 1
          delay = isLast ? 60 + below(340) : 60
          const text =
            Array.from({ length: 3 + below(12) }, () => oneOf([...LETTERS]))
              .join('')
              .trim() || 'x'
          const field = fieldOf(tab, name)
          await field.click()
          await field.press('Control+a')
          await tab.keyboard.type(text, { delay })
          typed.set(name, text)
        }
        if (end === 'reload') await tab.reload()
        else if (end === 'crash') await crash(context, tab)
        else if (end === 'close') {
          const closed = tab.waitForEvent('close')
          await tab.close({ runBeforeUnload: true })
          await closed
        } else {
          const { refreshToken } = await tab.evaluate(
            () => JSON.parse(localStorage.getItem('authData') ?? '{}') as { refreshToken: string },
          )
          await waybill.api('POST', 'token/logout', { refreshToken })
          await tab.reload()
          await expect(tab).toHaveURL(/\/auth\/login/)
          await fillLogin(tab, person)
          await expect(tab).toHaveURL((url) => url.pathname + url.search === path)
        }
        if (tab.isClosed()) {
          tab = await context.newPage()
          tab.on('dialog', (dialog) => void dialog.accept())
          await tab.goto(path)
        }
        await open(tab)
        const last = filled.at(-1)!
        for (const [name, text] of typed) {
          const field = fieldOf(tab, name)
          const isLast = name === last
          // What was typed in the last second before the crash may be gone: of the last field its end, of one before
          // it all, where the last was short.
          const gone = end !== 'crash' ? 0 : isLast ? LAST_SECOND_MS : LAST_SECOND_MS - delay * typed.get(last)!.length
          const least = text.slice(0, Math.max(0, text.length - Math.ceil(Math.max(0, gone) / (isLast ? delay : 60))))
          if (least === text) await expect(field, `seed ${seed}`).toHaveValue(text)
          else
            await expect.poll(async () => (await field.inputValue()).startsWith(least), `${name}: ${text}`).toBe(true)
        }
        const discard = tab.getByRole('button', { name: 'Discard it' })
        if (giveUp !== undefined) await giveUp(tab)
        else if (await discard.isVisible()) await discard.click()
        await expect(discard).toHaveCount(0)
        await tab.close()
      })
    }
  })
