import { duplicateOrder } from '@waybill/contract/order/copy'
import { orderApi, type Order } from '@waybill/contract/order/order'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessible } from './kit/axe.ts'
import { server } from './kit/fake-server.ts'
import { press } from './kit/keys.ts'
import { offerMasterData } from './records/master-data.ts'
import { answerOrderForm, answerOrderList, keepOrder } from './records/order-screens.ts'
import { orderOf, orderRowOf, transportOf } from './records/order.ts'

const dialog = page.getByRole('dialog')
const more = page.getByRole('button', { name: 'More', exact: true })
const description = page.field('description')
const panel = page.getByRole('complementary', { name: 'Original message' })
const mailField = panel.getByRole('textbox')
const path = () => location.pathname
const order = transportOf()

/** The server makes this order of the one in hand; both can be read. */
function answerCopy(made: Order): void {
  keepOrder(order)
  server.answer(duplicateOrder, made)
  server.answer(orderApi.get, ({ params }) => (params.id === made.id ? made : order))
}

beforeEach(() => {
  signIn()
  offerMasterData()
  answerOrderForm()
  answerOrderList([orderRowOf({ number: order.number })])
})

test('makes a copy a week later from the order’s menu, and opens it', { tags: 'long' }, async () => {
  answerCopy(transportOf({ id: 8, number: '26-00008' }))
  await visit('/orders/7/edit')
  await more.click()
  await page.getByRole('menuitem', { name: 'Duplicate …' }).click()
  await dialog.getByRole('button', { name: 'Keep dates' }).click()
  const days = dialog.getByRole('textbox', { name: 'Move by days' })
  await days.fill('soon')
  await expect.element(dialog.getByRole('button', { name: 'Duplicate', exact: true })).toBeDisabled()
  await days.fill('7')
  await expectAccessible()
  await press('Enter')
  await expect.element(page.getByText(`26-00008 is a copy of ${order.number}`)).toBeVisible()
  await expect.poll(path).toBe('/orders/8/edit')
  expect(server.calls(duplicateOrder)).toMatchObject([
    { params: { id: 7 }, version: 1, body: { mode: 'copy', dates: 'keep', shiftDays: 7 } },
  ])
})

test('makes the return load from the list, and says what of unsaved typing', { tags: 'long' }, async () => {
  answerCopy(transportOf({ id: 9, number: '26-00009' }))
  await visit(`/orders?q=${order.number}`)
  await expect.element(page.getByText(order.number, { exact: true }).first()).toBeVisible()
  await press('j')
  const peek = page.getByRole('complementary', { name: `Order ${order.number}` })
  if (peek.elements().length === 0) await press('Space')
  await peek.getByRole('button', { name: 'More for this order' }).click()
  await page.getByRole('menuitem', { name: 'Return load …' }).click()
  await dialog.getByRole('button', { name: 'Create return load' }).click()
  await expect.element(page.getByText(`26-00009 is the return load of ${order.number}`)).toBeVisible()
  await expect.poll(path).toBe('/orders/9/edit')
  expect(server.calls(duplicateOrder)).toMatchObject([
    { params: { id: 7 }, version: 1, body: { mode: 'return', dates: 'drop', shiftDays: 0 } },
  ])

  await description.fill('not saved')
  await more.click()
  await page.getByRole('menuitem', { name: 'Duplicate …' }).click()
  await expect.element(dialog.getByText('Changes that are not saved yet are not taken over.')).toBeVisible()
  await press('Escape')
  await expect.element(description).toHaveValue('not saved')
  await more.click()
  await page.getByRole('menuitem', { name: 'Discard changes' }).click()
})

test('makes the return load by keyboard alone, and gives the hand back where it is given up', async () => {
  answerCopy(transportOf({ id: 9, number: '26-00009' }))
  await visit('/orders/7/edit')
  const entry = page.getByRole('menuitem', { name: 'Return load …' })
  const open = async () => {
    await press('Enter')
    await expect.element(page.getByRole('menu')).toBeVisible()
    await expect
      .poll(async () => {
        if (document.activeElement !== entry.element()) await press('ArrowDown')
        return document.activeElement === entry.element()
      })
      .toBe(true)
    await press('Enter')
    await expect.element(dialog.getByRole('button', { pressed: true }).first()).toHaveFocus()
  }
  await expect.element(more).toBeVisible()
  ;(more.element() as HTMLElement).focus()
  await open()
  await press('Escape')
  await expect.element(more).toHaveFocus()
  await open()
  await press('Enter')
  await expect.element(page.getByText(`26-00009 is the return load of ${order.number}`)).toBeVisible()
})

const MAIL = [
  'Betreff: Transportauftrag 4500129877 – Komplettladung Hamburg → Poznań',
  '',
  'Sehr geehrte Damen und Herren,',
  '  33 Europaletten (120 × 80 × 145 cm), „nicht stapelbar“ <dringend>',
  '\tGrüße',
].join('\n')

test('shows the customer’s mail beside the entry of an order, and keeps it word for word', {
  tags: 'long',
}, async () => {
  await visit('/orders/create')
  await expect.element(page.getByRole('combobox', { name: 'Customer' }).first()).toBeVisible()
  await press('Alt+m')
  await expect.element(mailField).toHaveFocus()
  await mailField.fill(MAIL)
  await expectAccessible()
  await panel.getByRole('button', { name: 'Fold the original message away' }).click()
  await expect.element(panel).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Original message' }).click()
  await expect.element(mailField).toHaveValue(MAIL)
  await press('Escape')
  await expect.element(page.getByRole('button', { name: 'Original message' })).toHaveFocus()

  const stored = keepOrder(orderOf({ originalMessage: MAIL }))
  await visit('/orders/7/edit')
  await page.getByRole('button', { name: /^Mails/ }).click()
  await page.getByRole('button', { name: 'Original message' }).click()
  await expect.element(mailField).toHaveValue(MAIL)
  await mailField.fill(`${MAIL}\nP.S.`)
  await press('Control+s')
  await expect.poll(() => stored.now().originalMessage).toBe(`${MAIL}\nP.S.`)
})

test('leads by one key into the customer’s mail, out to the field that was in hand, and in again', {
  tags: 'long',
}, async () => {
  keepOrder(orderOf({ originalMessage: '33 Europaletten' }))
  await visit('/orders/7/edit')
  const number = page.field('customerOrderNumber')
  await expect.element(number).toBeVisible()
  const toNumber = () => (number.element() as HTMLElement).focus()
  toNumber()
  await press('Alt+m')
  await expect.element(mailField).toHaveFocus()
  // Typing goes on beside the mail; the key leads back into it before it folds it away.
  await description.fill('33 pallets')
  await expect.element(panel).toBeVisible()
  await press('Alt+m')
  await expect.element(mailField).toHaveFocus()
  await press('Alt+m')
  await expect.element(panel).not.toBeInTheDocument()
  await expect.element(description).toHaveFocus()
  toNumber()
  await press('Alt+m')
  await expect.element(mailField).toHaveFocus()
  await press('Escape')
  await expect.element(number).toHaveFocus()
  await expect.element(description).toHaveValue('33 pallets')
})
