import { customerApi, findCustomerLookalikes } from '@waybill/contract/customer'
import { createExtra, listExtras } from '@waybill/contract/order/extra'
import { createNote } from '@waybill/contract/order/note'
import { moveOrder } from '@waybill/contract/order/order'
import { getPaymentFile, listPaymentFiles, returnPayment } from '@waybill/contract/payment-file/payment-file'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { pageOf, refusal, server } from './kit/fake-server.ts'
import { press, type } from './kit/keys.ts'
import { keep } from './kit/stored.ts'
import { extraOf } from './records/extra.ts'
import { contactOf, customerOf } from './records/customer.ts'
import { ANNA, NORDLICHT, offerMasterData } from './records/master-data.ts'
import { answerOrderForm, answerOrderList, keepOrder } from './records/order-screens.ts'
import { orderOf, orderRowOf, transportOf } from './records/order.ts'
import { runOf } from './records/payment-run.ts'

/*
 * What is typed in windows and beside forms belongs to what it is about: it survives a page that goes away and a
 * server that refuses, and stands nowhere else (decision 133).
 */

const dialog = page.getByRole('dialog')
const reason = dialog.getByRole('textbox', { name: 'Reason' })

beforeEach(() => {
  signIn()
  offerMasterData()
  answerOrderForm()
  answerOrderList([orderRowOf()])
})

const run = runOf()
const cameBack = (name: string) => page.getByRole('button', { name: `Payment to ${name} came back …` }).click()

test('the reason typed for one payment stands in the window of no other', { tags: 'long' }, async () => {
  server.answer(listPaymentFiles, pageOf([run]))
  server.answer(getPaymentFile, run)
  await visit('/invoices/payment-runs?view=runs')
  await cameBack('Brda Trans s.c.')
  await reason.fill('AC04')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await cameBack('Wolski Transport')
  await expect.element(reason).toHaveValue('')
  await reason.fill('MD07')
  server.answer(returnPayment, run)
  await dialog.getByRole('button', { name: 'Note as returned' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  // Neither what was given up nor what was sent comes back.
  await cameBack('Brda Trans s.c.')
  await expect.element(reason).toHaveValue('')
  await press('Escape')
  await cameBack('Wolski Transport')
  await expect.element(reason).toHaveValue('')
  expect(server.calls(returnPayment).map(({ body }) => body)).toEqual([{ invoiceId: 302, reason: 'MD07' }])
})

test('a reason that the server refuses stays in its window, which says why', { tags: 'long' }, async () => {
  server.answer(listPaymentFiles, pageOf([run]))
  server.answer(getPaymentFile, run)
  await visit('/invoices/payment-runs?view=runs')
  await cameBack('Brda Trans s.c.')
  await dialog.getByRole('button', { name: 'Note as returned' }).click()
  await expect.element(dialog).toMatchTextContent('A reason is needed')
  await reason.fill('AC04')
  server.answer(returnPayment, refusal('stale_version', { current: run }))
  await dialog.getByRole('button', { name: 'Note as returned' }).click()
  await expect.element(dialog.getByRole('alert')).toMatchTextContent('Someone else has changed')
  await expect.element(reason).toHaveValue('AC04')
  server.answer(returnPayment, run)
  await dialog.getByRole('button', { name: 'Note as returned' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
})

const cancelOrder = async () => {
  await page.getByRole('button', { name: 'Status: New. Change' }).click()
  await page.getByRole('menuitem', { name: /^Canceled/ }).click()
}

test('the reason of a step is there again after somebody else was faster, and after a closed tab', async () => {
  const order = keepOrder(orderOf())
  server.answer(moveOrder, refusal('stale_version', { current: order.now() }))
  await visit('/orders/7/edit')
  await cancelOrder()
  await reason.fill('Withdrawn by the customer, who has no goods before Monday')
  await dialog.getByRole('button', { name: 'Cancel order' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await cancelOrder()
  await expect.element(reason).toHaveValue('Withdrawn by the customer, who has no goods before Monday')
  await type(' at all')
  await visit('/orders/7/edit')
  await cancelOrder()
  await expect.element(reason).toHaveValue('Withdrawn by the customer, who has no goods before Monday at all')
  server.answer(moveOrder, () => {
    order.change({ status: 'canceled' })
    return order.now()
  })
  await dialog.getByRole('button', { name: 'Cancel order' }).click()
  await expect.element(page.getByRole('button', { name: /^Status: Canceled/ })).toBeVisible()
})

test('a note survives a page that goes away, and is gone once it is sent', { tags: 'long' }, async () => {
  keepOrder(orderOf())
  const rail = page.getByRole('complementary', { name: 'History, mails, notes' })
  const note = rail.getByLabelText('Note', { exact: true })
  await visit('/orders/7/edit?rail=notes')
  await note.click()
  await type('Ask for the second driver')
  await visit('/orders/7/edit?rail=notes')
  await expect.element(note).toHaveValue('Ask for the second driver')
  server.answer(createNote, ({ body }) => ({
    id: 90,
    version: 1,
    text: body.text,
    author: ANNA,
    mentions: [],
    createdAt: '2026-11-24T09:00:00.000Z',
    changedAt: null,
    mayChange: true,
  }))
  await note.click()
  await press('Control+Enter')
  await expect.element(note).toHaveValue('')
  await visit('/orders/7/edit?rail=notes')
  await expect.element(note).toHaveValue('')
})

test('an extra that is saved again after a lost answer is the same one, and its typing is kept', {
  tags: 'long',
}, async () => {
  keepOrder(orderOf())
  await visit('/orders/7/edit')
  ;(await page.getByRole('heading', { name: 'Extras' }).findElement()).scrollIntoView()
  const add = page.getByRole('button', { name: 'Add extra' })
  await add.click()
  const price = page.field('extra-priceCents')
  await price.fill('85')
  await page.field('extra-note').fill('Three hours at Bielefeld')
  await visit('/orders/7/edit')
  ;(await page.getByRole('heading', { name: 'Extras' }).findElement()).scrollIntoView()
  await add.click()
  await expect.element(price).toHaveValue('85')
  await expect.element(page.field('extra-note')).toHaveValue('Three hours at Bielefeld')
  server.answer(createExtra, refusal('unavailable'))
  const save = page.getByRole('button', { name: 'Save extra' })
  await save.click()
  await expect.element(page.getByText('Not saved').first()).toBeVisible()
  const made = extraOf({ note: 'Three hours at Bielefeld' })
  server.answer(createExtra, made)
  server.answer(listExtras, { items: [made] })
  await save.click()
  await expect.element(price).not.toBeInTheDocument()
  const keys = server.calls(createExtra).map(({ headers }) => headers.get('idempotency-key'))
  expect(keys).toHaveLength(2)
  expect(keys[1]).toBe(keys[0])
  await add.click()
  await expect.element(price).toHaveValue('')
  await price.fill('85')
  await save.click()
  expect(server.calls(createExtra).at(-1)!.headers.get('idempotency-key')).not.toBe(keys[0])
})

test('a name that is typed for a new firm is kept with it, and for no other', { tags: 'long' }, async () => {
  server.answer(findCustomerLookalikes, { items: [], vatNumberShape: null })
  await visit('/orders/create')
  const customer = page.field('customerIds')
  await customer.fill('Torhaus')
  await page.getByRole('option', { name: /Torhaus/ }).click()
  await dialog.getByRole('textbox', { name: 'City' }).fill('Kiel')
  await visit('/orders/create')
  await customer.fill('Hansa')
  await page.getByRole('option', { name: /Hansa/ }).click()
  await expect.element(dialog.getByRole('textbox', { name: 'City' })).toHaveValue('')
  await press('Escape')
  await customer.fill('Torhaus')
  await page.getByRole('option', { name: /Torhaus/ }).click()
  await expect.element(dialog.getByRole('textbox', { name: 'City' })).toHaveValue('Kiel')
})

test('a contact person that is made again after a lost answer is there once', { tags: 'long' }, async () => {
  const stored = keep(customerApi, customerOf())
  server.answer(customerApi.patch, ({ body }) => {
    const contactPersons = body.contactPersons!.map((one, index) => contactOf({ ...one, id: one.id ?? 500 + index }))
    stored.change({ contactPersons })
    return refusal('unavailable')
  })
  await visit('/orders/create')
  await page.field('customerIds').fill('Nordlicht Masch')
  await page.getByRole('option', { name: NORDLICHT.title, exact: true }).click()
  await page.getByRole('combobox', { name: 'Contact person' }).fill('Frau Ole')
  await page.getByRole('option', { name: /Frau Ole/ }).click()
  const phone = dialog.getByRole('textbox', { name: 'Phone' })
  await phone.fill('+49 431 5510')
  await visit('/orders/create')
  await page.getByRole('combobox', { name: 'Contact person' }).fill('Frau Ole')
  await page.getByRole('option', { name: /Frau Ole/ }).click()
  await expect.element(phone).toHaveValue('+49 431 5510')
  const create = dialog.getByRole('button', { name: 'Create' })
  await create.click()
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  await create.click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(server.calls(customerApi.patch)).toHaveLength(1)
  expect(stored.now().contactPersons.map(({ fullName }) => fullName)).toEqual(['Frau Ole'])
})

test('how a line is to be split is kept with its order, until it is split or given up', { tags: 'long' }, async () => {
  keepOrder(transportOf())
  const units = page.field('splitUnits')
  const ask = async () => {
    await visit('/orders/7/edit')
    await page.field('cargo.0.title').click()
    await press('Alt+t')
    await expect.element(units).toBeVisible()
  }
  await ask()
  await units.fill('3')
  await ask()
  await expect.element(units).toHaveValue('3')
  await press('Escape')
  await ask()
  await expect.element(units).toHaveValue('4')
})

test('a termin that is chosen by calendar is kept with its stop, until it is taken over', {
  tags: 'long',
}, async () => {
  keepOrder(transportOf())
  const time = dialog.getByRole('textbox', { name: 'Time' })
  const ask = async () => {
    await visit('/orders/7/edit')
    await page.getByRole('button', { name: 'Date and time of stop 1' }).click()
    await expect.element(time).toBeVisible()
  }
  await ask()
  await time.fill('9:3')
  await ask()
  await expect.element(time).toHaveValue('9:3')
  await time.fill('9:30')
  await dialog.getByRole('button', { name: 'Take over' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await ask()
  await expect.element(time).toHaveValue('09:30')
})
