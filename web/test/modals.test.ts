import { getKsefStanding } from '@waybill/contract/invoice/ksef/standing'
import { orderApi } from '@waybill/contract/order/order'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { commands, page, type Locator } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { server } from './kit/fake-server.ts'
import { press } from './kit/keys.ts'
import { NORDLICHT, offerMasterData } from './records/master-data.ts'
import { answerOrderForm, answerOrderList, keepOrder } from './records/order-screens.ts'
import { orderRowOf, transportOf } from './records/order.ts'

// Spec §9, px.
const WIDTH = 448
const SYSTEM_WIDTH = 460
const BUTTON = 37
const FIELD = ['input', 'select', 'textarea', '[aria-pressed=true]'].map((one) => `form ${one}:enabled`).join(', ')

interface Modal {
  /** What opens it, where one button does */
  from?: Locator
  /** Where it takes more than a click on `from` */
  open?: () => Promise<void>
  width?: number
  /** The name of the red button that does it */
  danger?: string
}

const dialog = page.getByRole('dialog')
const more = page.getByRole('button', { name: 'More', exact: true })
const clickOutside = () => page.css('html').click({ position: { x: 4, y: 400 } })

/** In the size of its kind, with the focus in it. */
async function expectSize(width: number): Promise<void> {
  await expect.poll(() => dialog.element().getBoundingClientRect().width).toBe(width)
  for (const button of dialog.element().querySelectorAll('footer button'))
    expect(button.getBoundingClientRect().height).toBe(BUTTON)
}

/** Right in size, closed by Escape and by a click outside, and the focus goes in and comes back. */
async function expectModal({ from, open = async () => from?.click(), width = WIDTH, danger }: Modal): Promise<void> {
  const isBack = async () => {
    await expect.element(dialog).not.toBeInTheDocument()
    if (from !== undefined) await expect.element(from).toHaveFocus()
  }
  await open()
  await expect.element(dialog).toBeVisible()
  await expect.poll(() => dialog.element().contains(document.activeElement)).toBe(true)
  const field = dialog.element().querySelector(FIELD)
  // Never the cross, on which Enter would throw away what is asked.
  if (field !== null) await expect.poll(() => document.activeElement).toBe(field)
  else if (dialog.element().querySelector('form') !== null)
    await expect.poll(() => document.activeElement?.matches('form button')).toBe(true)
  await expectSize(width)
  if (danger !== undefined) {
    const red = getComputedStyle(document.documentElement).getPropertyValue('--wb-danger').trim()
    const channels = [1, 3, 5].map((at) => Number.parseInt(red.slice(at, at + 2), 16))
    const button = dialog.getByRole('button', { name: danger, exact: true }).element()
    expect(getComputedStyle(button).backgroundColor).toBe(`rgb(${channels.join(', ')})`)
  }
  await press('Escape')
  await isBack()
  await open()
  await expect.element(dialog).toBeVisible()
  await clickOutside()
  await isBack()
}

const byMenu = (button: Locator, name: string | RegExp): Modal => ({
  from: button,
  open: async () => {
    await button.click()
    await page.getByRole('menuitem', { name }).click()
  },
})

beforeEach(() => {
  signIn()
  offerMasterData()
  answerOrderForm()
  answerOrderList([7, 8].map((id) => orderRowOf({ id, number: `26-0000${id}`, customer: NORDLICHT })))
})

afterEach(() => {
  vi.unstubAllGlobals()
})

test('closes each modal of a list as it should', async () => {
  await visit('/orders')
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('All orders')
  await expectModal({ open: () => press('?') })
  await expectModal(byMenu(page.getByRole('button', { name: 'Views' }), 'Save this view'))
})

test('closes the modal of a stop of a new order as it should', { tags: 'long' }, async () => {
  await visit('/orders/create')
  await expect.element(page.field('customerIds')).toHaveFocus()
  await expectModal({ from: page.getByRole('button', { name: 'Stop 1: reference, instructions, comment' }) })
})

test('closes each modal that moves, ends, copies or documents an order as it should', { tags: 'long' }, async () => {
  const order = keepOrder(transportOf())
  await visit('/orders/7/edit')
  await expectModal({
    ...byMenu(page.getByRole('button', { name: /^Status: New/ }), /^Canceled/),
    danger: 'Cancel order',
  })
  await expectModal({ ...byMenu(more, 'Deactivate'), danger: 'Deactivate' })
  await expectModal({ from: page.getByRole('button', { name: 'Generate document' }) })
  await expectModal(byMenu(more, /Duplicate/))
  expect(order.now()).toEqual(transportOf())
})

test('closes each modal of an order’s rows as it should, and that which asks before one leaves', {
  tags: 'long',
}, async () => {
  server.answer(getKsefStanding, { rejected: [], waiting: [], notIssued: [], certificates: [] })
  const order = keepOrder(transportOf(), ({ description }) => ({ description: description as string }))
  const description = page.field('description')
  const invoices = page.getByRole('link', { name: 'Invoices', exact: true }).first()
  await visit('/orders/7/edit')
  const when = page.getByRole('button', { name: 'Date and time of stop 1' })
  await expectModal({ from: when })
  await when.click()
  await expect.element(dialog.getByRole('button', { name: '2 December 2026', exact: true })).toBeVisible()
  await press('Escape')
  await expect.element(dialog).not.toBeInTheDocument()
  // The month is loaded by now, and there with the window.
  await expectModal({ from: when })
  await expectModal({ from: page.getByRole('button', { name: 'Line 1: type, value, handling, instructions' }) })
  await description.fill('Half typed')
  await expectModal({ from: invoices, danger: 'Leave' })
  await expect.element(description).toHaveValue('Half typed')
  expect(location.pathname).toBe('/orders/7/edit')
  await invoices.click()
  await expect.element(dialog).toBeVisible()
  const buttons = [...dialog.element().querySelectorAll('footer button')].map(({ textContent }) => textContent)
  expect(buttons).toEqual(['Cancel', 'Leave', 'Save and continue'])
  await press('Enter')
  await expect.poll(() => location.pathname).toBe('/invoices')
  expect(order.now().description).toBe('Half typed')
  expect(server.calls(orderApi.patch)).toMatchObject([{ version: 1, body: { description: 'Half typed' } }])
})

test('leads into the first field of what is asked of several orders', { tags: 'long' }, async () => {
  await visit('/orders?status[]=new')
  const rows = page.getByRole('row', { name: /Nordlicht/ })
  for (const place of [0, 1]) await rows.nth(place).getByRole('checkbox').click()
  await expectModal({ from: page.getByRole('button', { name: 'Merge …', exact: true }) })
  await expectModal({ from: page.getByRole('button', { name: 'Case worker', exact: true }).last() })
})

test('closes the drawer of a phone as it closes a modal', { tags: 'long' }, async () => {
  await page.viewport(390, 844)
  await visit('/orders')
  for (const reducedMotion of ['reduce', 'no-preference'] as const) {
    await commands.emulateMedia({ reducedMotion })
    for (const close of [() => press('Escape'), clickOutside]) {
      await more.click()
      await expect.element(dialog).toBeVisible()
      await close()
      await expect.element(dialog).not.toBeInTheDocument()
      await expect.element(more).toHaveFocus()
    }
  }
})

test('tells of a new version in the system’s own size, once', async () => {
  // It comes after five seconds.
  const setTimer = window.setTimeout.bind(window)
  vi.stubGlobal('setTimeout', (work: () => void, ms?: number) => setTimer(work, ms === 5_000 ? 0 : ms))
  localStorage.setItem('appVersion', '0.0.0')
  await visit('/orders')
  await expect.element(page.getByRole('dialog', { name: 'New version' })).toBeVisible()
  await expectSize(SYSTEM_WIDTH)
  await press('Escape')
  await expect.element(dialog).not.toBeInTheDocument()
  await visit('/orders')
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('All orders')
  expect(dialog.elements()).toEqual([])
})
