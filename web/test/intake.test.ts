import {
  assignIntakeMail,
  closeIntakeMail,
  fileIntakeMail,
  getIntakeAttachment,
  getIntakeFile,
  listIntakeMails,
  reopenIntakeMail,
  takeIntakeMail,
} from '@waybill/contract/intake/intake'
import { deleteTaughtRule, listTaughtRules } from '@waybill/contract/intake/learned-rule'
import { getMailDrafts, saveMailDraft, saveSecondOrder } from '@waybill/contract/order/intake/mail-draft'
import { getCustomerForOrder, customerApi, findCustomerLookalikes } from '@waybill/contract/customer'
import { createExtra, type ExtraWrite } from '@waybill/contract/order/extra'
import { moveOrder, orderApi, type Order, type OrderWrite } from '@waybill/contract/order/order'
import { measureDistance } from '@waybill/contract/place'
import { quoteMailDraft } from '@waybill/contract/quote/mail-quote'
import { listLaneCosts } from '@waybill/contract/quote/rate-card'
import { userApi } from '@waybill/contract/user'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { pageOf, refusal, server } from './kit/fake-server.ts'
import { press } from './kit/keys.ts'
import { customerForOrderOf, customerOf } from './records/customer.ts'
import { extraOf } from './records/extra.ts'
import { changedOrderOf, changeOf, draftOf, keepMail, keepMailList, lineOf, mailOf, markOf } from './records/intake.ts'
import { GERMANY, NORDLICHT, offerMasterData, POLAND, ZACHARIAS } from './records/master-data.ts'
import { keepOrder } from './records/order-screens.ts'
import { orderOf, transportOf } from './records/order.ts'

const pane = page.getByRole('complementary', { name: 'The customer’s mail' })

const saveButton = page.getByRole('button', { name: 'Save order' })
const orderKnown = (current: unknown) =>
  refusal('conflict', {
    errors: [{ path: 'customerOrderNumber', code: 'order_known', message: 'The customer has placed it already' }],
    current,
  })

beforeEach(() => {
  signIn()
  offerMasterData()
})

test('says when the same words came in before, and which order they became', { tags: 'long' }, async () => {
  const before = { id: 3, receivedAt: '2026-11-20T08:10:00Z', orders: [{ id: 81, title: '26-01758' }] }
  keepMail(mailOf({ sameText: before }))
  await visit('/intake/7')
  await expect.element(pane).toMatchTextContent('The same words came in before: 20 Nov')
  await expect.element(pane.getByRole('link', { name: '26-01758' })).toHaveAttribute('href', '/orders/81/edit')
})

test('goes on where the number turns out to be known when it is saved', { tags: 'long' }, async () => {
  keepMail(mailOf(), { drafts: [draftOf({ values: { customerOrderNumber: null } })] })
  server.answer(saveMailDraft, orderKnown({ order: { id: 81, title: '26-01758' }, createdAt: '2026-11-20T08:10:00Z' }))
  await visit('/intake/7')
  await page.field('customerOrderNumber').fill('4711')
  await saveButton.click()
  await expect.element(page.getByText('The customer has placed 4711 already.')).toBeVisible()
  await expect.element(page.getByText('It is 26-01758 of')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'File the mail with 26-01758' })).toBeEnabled()
  await expect.element(saveButton).toBeDisabled()
  // Another number is no longer that order's.
  await page.field('customerOrderNumber').fill('4712')
  await expect.element(page.getByText('has placed')).not.toBeInTheDocument()
  await expect.element(saveButton).toBeEnabled()
  await page.field('customerOrderNumber').fill('4711')

  const saved = orderOf({ id: 82, customerVatBp: 1900 })
  keepOrder(saved)
  server.answer(saveSecondOrder, saved)
  await page.getByRole('button', { name: 'A new order, same number' }).click()
  await press('Control+Enter')
  await expect.poll(() => server.calls(saveSecondOrder).map(({ body }) => body.customerOrderNumber)).toEqual(['4711'])
  await expect.poll(() => location.pathname).toBe('/orders/82/edit')
  expect(server.calls(fileIntakeMail)).toEqual([])
})

test('goes on where the order of that number is one that the person may not see', { tags: 'long' }, async () => {
  keepMail(mailOf())
  server.answer(saveMailDraft, orderKnown(null))
  await visit('/intake/7')
  await saveButton.click()
  await expect.element(page.getByText('It is an order of a colleague that you may not see.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: /^File the mail with/ })).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'A new order, same number' })).toBeEnabled()
})

test('takes the other reading of a field with F7, and only shows what is none of it', { tags: 'long' }, async () => {
  const by = (dateFrom: string) => ({ kind: 'fix' as const, dateFrom, timeFrom: '08:00', dateTo: null, timeTo: null })
  const doubts = [
    markOf({ path: 'locations.0.postal', others: [{ value: 'Poznań', span: null, isChoice: false }] }),
    markOf({
      path: 'locations.0.termin',
      others: [
        { value: 'Fr 30.11.2026', span: null, isChoice: false },
        { value: by('2026-11-27'), span: null, isChoice: true },
      ],
    }),
    markOf({ path: 'cargo.0.weightKg', others: [{ value: 1240, span: null, isChoice: true }] }),
  ]
  keepMail(mailOf(), { drafts: [draftOf({ marks: doubts })] })
  await visit('/intake/7')
  await expect.element(page.field('locations.0.postal')).toHaveValue('22113')

  // The fields are walked through as they stand on the page.
  await press('F8')
  await expect.element(pane).toMatchTextContent('does not fit: Fr 30.11.2026')
  await expect.element(pane.getByRole('button', { name: 'or Fri 27 Nov fix 08:00' })).toBeVisible()
  await press('F7')
  await expect.element(page.field('locations.0.termin')).toHaveValue('27.11.2026 fix 08:00')

  await press('F8')
  await expect.element(pane).toMatchTextContent('does not fit: Poznań')
  await press('F7')
  await expect.element(page.field('locations.0.postal')).toHaveValue('22113')
  await expect.element(pane.getByRole('button', { name: /^or / })).not.toBeInTheDocument()

  await press('F8')
  await press('F7')
  await expect.element(page.field('cargo.0.weightKg')).toHaveValue('1,240')
})

/** The order of 26-00007; a save is merged into it row by row. */
const keepTransport = (given: Partial<Order> = {}) =>
  keepOrder(transportOf({ customerVatBp: 1900, ...given }), ({ cargo = [], locations = [], ...body }, before) => {
    const rows = <Row extends object>(old: readonly Row[], sent: unknown): Row[] =>
      old.map((row, place) => ({ ...row, ...(sent as Row[])[place] }))
    return { ...body, cargo: rows(before.cargo, cargo), locations: rows(before.locations, locations) }
  })

test('says what differs from the order of the same number, and opens it with what is chosen', async () => {
  const order = keepTransport()
  const again = {
    order: { id: 7, title: '26-00007' },
    createdAt: '2026-11-20T08:10:00Z',
    about: changedOrderOf(),
    differences: [
      { path: 'locations', isTakeable: false, now: 2, after: 3, isSure: false, span: null },
      { path: 'cargo.0.weightKg', isTakeable: true, now: 2790, after: 3000, isSure: true, span: null },
      { path: 'customerPriceCents', isTakeable: true, now: 145_000, after: 150_000, isSure: false, span: null },
    ],
  }
  const mail = keepMail(mailOf(), { drafts: [draftOf({ again })] })
  server.answer(fileIntakeMail, () => mail.change({ state: 'saved', orders: [again.order] }))
  await visit('/intake/7')
  await expect.element(page.getByRole('row', { name: /Weight in kg 2,790 3,000/ })).toBeVisible()
  // What is not sure is chosen by hand, and another number of stops not at all.
  await expect.element(page.getByRole('checkbox', { name: /Weight/ })).toBeChecked()
  await expect.element(page.getByRole('checkbox', { name: /price/i })).not.toBeChecked()
  await expect.element(page.getByRole('row', { name: /by hand/ })).toMatchTextContent('23')
  await page.getByRole('button', { name: 'Open 26-00007 with 1 change' }).click()
  await expect.poll(() => location.pathname).toBe('/orders/7/edit')
  await expect.element(page.field('cargo.0.weightKg')).toHaveValue('3,000')
  await expect.element(page.getByText('not saved yet: Cargo line 1')).toBeVisible()
  await press('Control+s')
  await expect.poll(() => server.calls(fileIntakeMail).map(({ body }) => body)).toEqual([{ orderId: 7, position: 0 }])
  expect(order.now().cargo[0]!.weightKg).toBe(3000)
  expect(order.now().customerPriceCents).toBe(145_000)
})

test('says that nothing differs, and offers no change of an order that is merged', { tags: 'long' }, async () => {
  const again = (given: object) => ({
    order: { id: 7, title: '26-00007' },
    createdAt: '2026-11-20T08:10:00Z',
    about: changedOrderOf(),
    differences: [],
    ...given,
  })
  keepMail(mailOf(), { drafts: [draftOf({ again: again({}) })] })
  await visit('/intake/7')
  await expect.element(page.getByText('26-00007 says the same.')).toBeVisible()
  const differences = [{ path: 'customerPriceCents', isTakeable: true, now: 1, after: 2, isSure: true, span: null }]
  const merged = again({ about: changedOrderOf({ status: 'merged' }), differences })
  keepMail(mailOf(), { drafts: [draftOf({ again: merged })] })
  await visit('/intake/7')
  await expect.element(page.getByText('26-00007 can no longer be changed: Merged.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: /^Open 26-00007 with/ })).not.toBeInTheDocument()
})

const RESCHEDULED = { kind: 'fix' as const, dateFrom: '2026-12-04', timeFrom: '10:00', dateTo: null, timeTo: null }
/** A mail that asks for three changes of the order 26-00007, one of them by hand. */
function keepChange(given: Parameters<typeof changedOrderOf>[0] = {}) {
  const of = { order: { id: 7, title: '26-00007' } }
  const mail = keepMail(mailOf({ kind: 'change' }), {
    changes: [
      changeOf({ ...of, path: 'cargo.0.quantity', now: 9 }),
      changeOf({ ...of, field: 'dropOff.termin', path: 'locations.1.termin', after: RESCHEDULED }),
      changeOf({ ...of, field: 'price.surcharge', after: 13_500 }),
    ],
    orders: [changedOrderOf({ toldCarriers: ['Van Houtte Transport'], ...given })],
  })
  server.offer(orderApi, [])
  server.answer(fileIntakeMail, () => mail.change({ state: 'saved', orders: [of.order] }))
  return mail
}

test('takes the chosen changes over into the order, saves nothing by itself, and files the mail after it', async () => {
  const order = keepTransport()
  keepChange()
  await visit('/intake/7')
  await expect.element(page.getByText('Van Houtte Transport knows 26-00007 as it is.')).toBeVisible()
  await expect.element(page.getByRole('row', { name: /Surcharge by hand/ })).toBeVisible()
  await page.getByRole('checkbox', { name: 'Take over: Quantity' }).click()
  await page.getByRole('button', { name: 'Open 26-00007 with 1 change' }).click()
  await expect.element(page.field('locations.1.termin')).toHaveValue('Fri 4 Dec fix 10:00')
  await expect.element(page.field('cargo.0.quantity')).toHaveValue('9')
  await expect.element(page.getByText('Taken over from the mail “Auftrag 4711”, not saved yet: Stop 2')).toBeVisible()
  expect(new URLSearchParams(location.search).has('changes')).toBe(false)
  expect([order.now().version, server.calls(fileIntakeMail)]).toEqual([1, []])

  await press('Control+s')
  await expect.element(page.getByText('The mail “Auftrag 4711” is filed with this order.')).toBeVisible()
  expect(order.now().locations[1]!.termin).toEqual(RESCHEDULED)
  expect(server.calls(fileIntakeMail).map(({ body }) => body)).toEqual([{ orderId: 7, position: null }])
  // A later save is none of the mail's.
  await page.field('customerOrderNumber').fill('ZT/12')
  await press('Control+s')
  await expect.poll(() => order.now().customerOrderNumber).toBe('ZT/12')
  expect(server.calls(fileIntakeMail)).toHaveLength(1)
})

/** Selects words of the mail's text, over passages that were read as well. */
async function select(words: string) {
  const text = (await page.getByRole('region', { name: 'Text of the mail' }).findElement()) as HTMLElement
  const range = document.createRange()
  const at = text.textContent.indexOf(words)
  for (const [end, length] of [
    ['setStart', 0],
    ['setEnd', words.length],
  ] as const) {
    const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT)
    let left = at + length
    let node = walker.nextNode()!
    for (; left > node.textContent!.length; node = walker.nextNode()!) left -= node.textContent!.length
    range[end](node, left)
  }
  // As the hand that selects does: a field that still had the focus would take the selection back with its next value.
  text.focus()
  getSelection()!.removeAllRanges()
  getSelection()!.addRange(range)
}

test('puts selected words into a field of the order, and marks where they stand', async () => {
  server.offer(orderApi, [])
  keepMail(mailOf(), { drafts: [draftOf({ values: { customerOrderNumber: null } })] })
  await visit('/intake/7')
  // The mail stands beside the form anew once it is in hand.
  await expect.element(page.field('customerOrderNumber')).toBeVisible()
  // Nothing is selected.
  await press('F2')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()

  await select('4711')
  await press('F2')
  const window = page.getByRole('dialog', { name: 'The selected words are …' })
  const field = window.getByRole('combobox', { name: 'Field of the order' })
  await expect.element(field).toHaveFocus()
  await expect.element(window.getByRole('button', { name: 'Put them there' })).toBeDisabled()
  const choose = async (part: string) => {
    await field.fill(part)
    const option = page.getByRole('option', { name: new RegExp(part, 'i') }).first()
    await expect.element(option).toHaveAttribute('data-combobox-selected', 'true')
    await press('Enter')
  }
  await choose('Cargo line 1 › Weight')
  await expect.element(window.getByText('It becomes: 4,711')).toBeVisible()
  await choose('Stop 1 › When')
  await expect.element(window.getByText('These words cannot be put there.')).toBeVisible()
  await choose('order number')
  await expect.element(window.getByText('It becomes: 4711')).toBeVisible()
  await press('Enter')
  await expect.element(window).not.toBeInTheDocument()
  await expect.element(page.field('customerOrderNumber')).toHaveValue('4711')
  await expect.element(page.field('customerOrderNumber')).toHaveFocus()
  const passage = pane.getByRole('button', { name: '4711' })
  await expect.element(passage).toHaveAttribute('data-passage', 'customerOrderNumber')
  // And by keys from the passage to its field; by any other key nowhere.
  for (const key of ['Enter', ' ']) {
    ;(passage.element() as HTMLElement).focus()
    await press('ArrowDown')
    await expect.element(passage).toHaveFocus()
    await press(key)
    await expect.element(page.field('customerOrderNumber')).toHaveFocus()
  }
})

/** A mail that asks for one change of the order 26-00007. */
function keepAsked(...changes: Parameters<typeof changeOf>[0][]) {
  const order = { id: 7, title: '26-00007' }
  const mail = keepMail(mailOf({ kind: 'change' }), {
    changes: changes.map((change) => changeOf({ order, ...change })),
    orders: [changedOrderOf()],
  })
  server.offer(orderApi, [])
  server.answer(fileIntakeMail, () => mail.change({ state: 'saved', orders: [order] }))
}
const WAITING = { field: 'price.surcharge', path: 'extras', after: 13_500, extra: 'waiting_time' as const }

test('opens a surcharge as an extra, filled in, and files the mail once it is saved', async () => {
  keepTransport()
  keepAsked(WAITING, WAITING, { ...WAITING, after: 2500, extra: 'tolls' })
  server.answer(createExtra, ({ body }) => extraOf(body as ExtraWrite))
  await visit('/intake/7')
  await page.getByRole('button', { name: 'Open 26-00007 with 3 changes' }).click()
  const editor = page.getByRole('form', { name: 'Add extra' })
  const kind = editor.getByRole('combobox', { name: 'Kind' })
  await expect.element(page.field('extra-priceCents')).toHaveValue('135.00')
  await expect.element(kind).toHaveValue('Waiting time')
  await expect.element(kind).toHaveFocus()
  expect([server.calls(createExtra), server.calls(fileIntakeMail)]).toEqual([[], []])

  // Two that are alike are two.
  await editor.getByRole('button', { name: 'Save extra' }).click()
  await expect.poll(() => server.calls(createExtra)).toHaveLength(1)
  await expect.element(kind).toHaveFocus()
  await editor.getByRole('button', { name: 'Save extra' }).click()
  await expect.element(kind).toHaveValue('Tolls')
  await expect.element(page.getByText('The mail “Auftrag 4711” is filed with this order.')).toBeVisible()
  const waiting = { kind: 'waiting_time', quantity: 1, unit: 'flat', priceCents: 13_500, costCents: null }
  expect(server.calls(createExtra).map(({ body }) => body)).toMatchObject([waiting, waiting])
  expect(new Set(server.calls(createExtra).map(({ headers }) => headers.get('idempotency-key'))).size).toBe(2)
  // What is given up is not asked for again.
  await editor.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(page.getByRole('button', { name: 'Add extra' })).toBeVisible()
  expect(server.calls(createExtra)).toHaveLength(2)
})

test('adds a stop and a line of cargo that a mail asks for, unsaved', async () => {
  const order = keepTransport()
  const stop = {
    ...draftOf().values.locations[0]!,
    kind: 'unloading' as const,
    city: 'Erfurt',
    companyTitle: 'Kunert Bau',
  }
  const line = { ...draftOf().values.cargo[0]!, title: 'Fliesen', quantity: 3, weightKg: 1850 }
  keepAsked(
    { field: 'stop.added', path: 'locations', after: 'Kunert Bau Erfurt', stop },
    { field: 'cargo.added', path: 'cargo', after: '3 Fliesen', line },
  )
  await visit('/intake/7')
  await page.getByRole('button', { name: 'Open 26-00007 with 2 changes' }).click()
  await expect.element(page.getByText('not saved yet: Another stop and More cargo.')).toBeVisible()
  await expect.element(page.field('locations.2.city')).toHaveValue('Erfurt')
  await expect.element(page.field('cargo.1.title')).toHaveValue('Fliesen')
  expect(order.now().locations).toHaveLength(2)
  // What was taken over and is still unsaved does not come twice.
  await visit('/intake/7')
  await page.getByRole('button', { name: 'Open 26-00007 with 2 changes' }).click()
  await expect.element(page.field('locations.2.city')).toHaveValue('Erfurt')
  await expect.element(page.getByText('not saved yet: Another stop and More cargo.')).toBeVisible()
  await expect.element(page.field('locations.3.city')).not.toBeInTheDocument()
  await expect.element(page.field('cargo.2.title')).not.toBeInTheDocument()

  // Whether the server takes it is no matter of this page.
  server.answer(orderApi.patch, refusal('unavailable'))
  await press('Control+s')
  await expect.poll(() => server.calls(orderApi.patch)).toHaveLength(1)
  const { locations, cargo } = server.calls(orderApi.patch)[0]!.body as OrderWrite
  expect(locations.map(({ city, kind }) => [city, kind]).at(-1)).toEqual(['Erfurt', 'unloading'])
  expect(locations.at(-1)!.cargoActions).toEqual([{ cargoKey: cargo.at(-1)!.key, action: 'DROP_OFF' }])
  expect([cargo.at(-1)!.quantity, cargo.at(-1)!.weightKg]).toEqual([3, 1850])
  await expect.element(page.field('locations.2.city')).toHaveValue('Erfurt')
})

test('takes nothing over into an order that was saved meanwhile, and files nothing by itself', {
  tags: 'long',
}, async () => {
  const order = keepTransport({ version: 2 })
  keepChange()
  await visit('/intake/7')
  await page.getByRole('button', { name: 'Open 26-00007 with 2 changes' }).click()
  await expect.element(page.getByText('Nothing was taken over')).toBeVisible()
  await expect.element(page.field('cargo.0.quantity')).toHaveValue('9')
  await page.field('customerOrderNumber').fill('ZT/12')
  await press('Control+s')
  await expect.poll(() => order.now().customerOrderNumber).toBe('ZT/12')
  expect(server.calls(fileIntakeMail)).toEqual([])
  await expect.element(page.getByRole('link', { name: 'To the mail' })).toHaveAttribute('href', '/intake/7')
})

test('says it where the order is saved and the mail cannot be filed', { tags: 'long' }, async () => {
  keepTransport()
  keepChange()
  const code = 'mail_in_hand'
  server.answer(
    fileIntakeMail,
    refusal('conflict', { errors: [{ path: 'assignedTo', code, message: 'Ben has it in hand' }] }),
  )
  await visit('/intake/7')
  await page.getByRole('button', { name: 'Open 26-00007 with 2 changes' }).click()
  await expect.element(page.field('cargo.0.quantity')).toHaveValue('7')
  await press('Control+s')
  await expect.element(page.getByText('the mail is not filed with it: Ben has it in hand')).toBeVisible()
})

test('chooses nothing beforehand where nobody is sure of the order', async () => {
  keepChange({ isCertain: false })
  await visit('/intake/7')
  await expect.element(page.getByRole('button', { name: 'Open 26-00007 with 0 changes' })).toBeDisabled()
  await expect.element(page.getByRole('checkbox', { name: 'Take over: Quantity' })).not.toBeChecked()
})

test('opens the order that a mail cancels where the reason is asked, and files the mail after it', {
  tags: 'long',
}, async () => {
  keepTransport()
  const cancellation = changeOf({ order: { id: 7, title: '26-00007' }, field: 'order', now: 'new', after: 'canceled' })
  const mail = keepMail(mailOf({ kind: 'cancel' }), { changes: [cancellation], orders: [changedOrderOf()] })
  server.offer(orderApi, [])
  server.answer(fileIntakeMail, () => mail.change({ state: 'saved' }))
  server.answer(moveOrder, () => transportOf({ customerVatBp: 1900, status: 'canceled', version: 2 }))
  await visit('/intake/7')
  await page.getByRole('button', { name: 'Cancel 26-00007 …' }).click()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog).toBeVisible()
  expect(server.calls(moveOrder)).toEqual([])
  await dialog.getByRole('textbox').fill('The customer canceled by mail')
  await dialog
    .getByRole('button', { name: /cancel|move/i })
    .last()
    .click()
  await expect.poll(() => server.calls(moveOrder).map(({ body }) => body.to)).toEqual(['canceled'])
  await expect
    .poll(() => server.calls(fileIntakeMail).map(({ body }) => body))
    .toEqual([{ orderId: 7, position: null }])
})

test('files one order of a mail and goes on with the next; what was filed wrongly opens again', {
  tags: 'long',
}, async () => {
  const order = { id: 81, title: '26-01758' }
  const about = changedOrderOf(order)
  const again = { order, createdAt: '2026-11-20T08:10:00Z', about, differences: [] }
  const drafts = [draftOf({ position: 0, again }), draftOf({ position: 1, values: { customerOrderNumber: '4712' } })]
  const mail = keepMail(mailOf(), { drafts })
  server.answer(fileIntakeMail, () => mail.change({ orders: [again.order] }))
  await visit('/intake/7')
  await expect.element(saveButton).toBeDisabled()
  await page.getByRole('button', { name: 'File the mail with 26-01758' }).click()
  await expect.element(page.field('customerOrderNumber')).toHaveValue('4712')
  expect(server.calls(fileIntakeMail).map(({ body }) => body)).toEqual([{ orderId: 81, position: 0 }])
  await expect.element(page.getByRole('button', { name: 'Nothing more in it' })).toBeVisible()

  mail.change({ state: 'saved', mayReopen: true })
  server.answer(reopenIntakeMail, () => mail.change({ state: 'new', assignedTo: null, orders: [], mayReopen: false }))
  await visit('/intake/7')
  await expect.element(page.getByText('This mail is with 26-01758')).toBeVisible()
  await page.getByRole('button', { name: 'Open it again' }).click()
  await expect.element(saveButton).toBeVisible()
  expect(server.calls(getMailDrafts).length).toBeGreaterThan(2)
})

test('keeps what was read where a change is a new order all the same', async () => {
  const changes = [changeOf({ after: 4 })]
  const empty = draftOf({ values: { customerOrderNumber: null, cargo: [], locations: [] } })
  keepMail(mailOf({ kind: 'change' }))
  server.answer(getMailDrafts, ({ query }) =>
    query.as === 'order' ? { drafts: [draftOf()], changes, orders: [] } : { drafts: [empty], changes, orders: [] },
  )
  await visit('/intake/7')
  await page.getByRole('button', { name: 'Read it as a new order all the same' }).click()
  await expect.element(page.field('customerOrderNumber')).toHaveValue('4711')
  await expect.element(page.field('locations.1.city')).toHaveValue('Poznań')
})

test('says of an inquiry that it does not read as an order, and shows what it says', async () => {
  keepMail(mailOf({ kind: 'other' }))
  await visit('/intake/7')
  await expect.element(page.getByText('This mail does not read as an order')).toBeVisible()
  await expect.element(page.field('locations.1.city')).toHaveValue('Poznań')
})

test('opens the file that a mail came as', async () => {
  keepMail(mailOf({ unread: ['scan.png'] }))
  server.answer(getIntakeFile, { blob: new Blob(['mail'], { type: 'message/rfc822' }), fileName: 'mail.eml' })
  await visit('/intake/7')
  await expect.element(pane).toMatchTextContent('Not read: scan.png')
  await pane.getByRole('button', { name: 'Open the file' }).click()
  await expect.poll(() => server.calls(getIntakeFile).map(({ params }) => params.id)).toEqual([7])
  server.answer(getIntakeFile, refusal('file_missing'))
  await pane.getByRole('button', { name: 'Open the file' }).click()
  await expect.element(pane.getByRole('alert')).toMatchTextContent('no longer in the file storage')

  keepMail(mailOf({ id: 8, source: 'paste', fileName: null }))
  await visit('/intake/8')
  await expect.element(pane).toBeVisible()
  await expect.element(pane.getByRole('button', { name: 'Open the file' })).not.toBeInTheDocument()
})

test('says after saving what was learned, and forgets it at once where that is asked', async () => {
  keepMail(mailOf())
  const saved = orderOf({ id: 82, customerVatBp: 1900 })
  keepOrder(saved)
  server.answer(saveMailDraft, saved)
  server.answer(listTaughtRules, {
    items: [
      {
        id: 51,
        field: 'customerOrderNumber',
        label: 'Vorgang',
        position: null,
        usedCount: 0,
        lastUsedAt: null,
        triedCount: 12,
        foundCount: 11,
        learnedAt: '2026-11-24T09:00:00Z',
        learnedBy: null,
      },
    ],
  })
  await visit('/intake/7')
  await page.field('customerOrderNumber').fill('4799')
  await saveButton.click()
  await expect.element(page.getByText('Remembered for this customer’s next mails')).toBeVisible()
  const sentence = 'Customer order number after “Vorgang” (tried on the last 12 mails, found in 11)'
  await expect.element(page.getByText(sentence)).toBeVisible()
  server.answer(deleteTaughtRule, refusal('not_found'))
  await page.getByRole('button', { name: 'Forget it' }).click()
  await expect.element(page.getByText('Not deleted')).toBeVisible()
  const params = server.calls(deleteTaughtRule).map(({ params: { id, ruleId } }) => [id, ruleId])
  expect(params).toEqual([[7, 51]])
})

test('opens each attachment by itself, and says which were not read and where an order stands', {
  tags: 'long',
}, async () => {
  const attachments = [
    { name: 'a.pdf', isRead: true },
    { name: 'locked.pdf', isRead: false },
    { name: 'a.pdf', isRead: true },
  ]
  const standing = draftOf({ attachment: { place: 2, name: 'a.pdf' } })
  keepMail(mailOf({ unread: ['locked.pdf'], attachments }), { drafts: [standing] })
  server.answer(getIntakeAttachment, { blob: new Blob(['x'], { type: 'text/plain' }), fileName: 'a.pdf' })
  await visit('/intake/7')
  await expect.element(page.getByText('This order stands in a.pdf.')).toBeVisible()
  const list = pane.getByRole('list', { name: 'Attachments' })
  await expect.element(list).toMatchTextContent('locked.pdf (not read)')
  await list.getByRole('button', { name: 'a.pdf' }).last().click()
  const places = () => server.calls(getIntakeAttachment).map(({ params }) => params.place)
  await expect.poll(places).toEqual([2])
  server.answer(getIntakeAttachment, refusal('not_found'))
  await list.getByRole('button', { name: /locked/ }).click()
  await expect.element(list.getByRole('alert')).toBeVisible()
})

test('an order lists the mails that it came from', async () => {
  keepOrder(orderOf())
  const attachment = { place: 2, name: 'b.pdf' }
  const became = [
    { id: 6, title: '26-00006' },
    { id: 7, title: '26-00007', attachment },
  ]
  server.answer(listIntakeMails, pageOf([mailOf({ state: 'saved', orders: became })]))
  server.answer(getIntakeAttachment, { blob: new Blob(['x'], { type: 'text/plain' }), fileName: 'b.pdf' })
  await visit('/orders/7/edit')
  const heading = await page.getByRole('heading', { name: 'Emails' }).findElement()
  heading.scrollIntoView()
  const list = page.getByRole('list', { name: 'Came in' })
  await expect.element(list).toMatchTextContent('Nordlicht')
  await expect.element(list.getByRole('link', { name: 'Auftrag 4711' })).toHaveAttribute('href', '/intake/7')
  expect(server.calls(listIntakeMails).map(({ query }) => query.orderId)).toEqual([[7]])
  // The file of this order alone, where the mail holds several.
  await list.getByRole('button', { name: 'b.pdf' }).click()
  await expect.poll(() => server.calls(getIntakeAttachment).map(({ params }) => params)).toEqual([{ id: 7, place: 2 }])
})

test('says of a scan that a person reads it, and of a long mail that it was cut', async () => {
  keepMail(mailOf({ text: '', kind: 'other', unread: ['fax.pdf'] }))
  await visit('/intake/7')
  await expect.element(pane).toMatchTextContent('Nothing could be read here')
  await expect.element(pane.getByRole('button', { name: 'Open the file' })).toBeVisible()
  keepMail(mailOf({ isCut: true }))
  await visit('/intake/7')
  await expect.element(pane).toMatchTextContent('only its beginning was read')
})

test('says a price in other money beside the empty field', async () => {
  const said = { amountCents: 420_000, currency: 'PLN', why: 'currency' as const }
  const marks = [markOf({ path: 'customerPriceCents', said })]
  keepMail(mailOf(), { drafts: [draftOf({ values: { customerPriceCents: null }, marks })] })
  await visit('/intake/7')
  await expect.element(page.field('customerPriceCents')).toBeVisible()
  await press('F8')
  await expect.element(pane).toMatchTextContent('The mail says 4,200.00 PLN: type the price in euros.')
  await expect.element(page.field('customerPriceCents')).toHaveValue('')
})

test('asks for a quantity that the mail does not say', async () => {
  keepMail(mailOf(), { drafts: [draftOf({ values: { cargo: [lineOf({ quantity: null })] } })] })
  await visit('/intake/7')
  await expect.element(page.field('cargo.0.quantity')).toHaveValue('')
  await saveButton.click()
  await expect.element(page.field('cargo.0.quantity')).toHaveAttribute('aria-invalid', 'true')
  expect(server.calls(saveMailDraft)).toEqual([])
})

test('gives a mail back to everybody, and offers what has waited longest', async () => {
  const mail = keepMail(mailOf())
  await visit('/intake/7')
  await page.getByRole('button', { name: 'Give it back' }).click()
  await expect.poll(() => location.pathname).toBe('/intake')
  expect(mail.now()).toMatchObject({ state: 'new', assignedTo: null })
  expect(server.calls(takeIntakeMail)).toHaveLength(1)
  await expect
    .poll(() => server.calls(listIntakeMails).map(({ query }) => [query.waitsForMe, query.sort]))
    .toContainEqual([true, 'receivedAt'])
})

test('puts a mail aside that is no order, with the reason that stands in the list', async () => {
  const mail = keepMail(mailOf())
  server.answer(closeIntakeMail, ({ body }) => mail.change({ state: 'not_order', reason: body.reason }))
  await visit('/intake/7')
  await page.getByRole('button', { name: 'Not an order' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabelText('Why it is none').fill('invitation')
  await dialog.getByRole('button', { name: 'Put it aside' }).click()
  await expect.poll(() => location.pathname).toBe('/intake')
  expect(mail.now()).toMatchObject({ state: 'not_order', reason: 'invitation' })
  // By keys, and without a reason.
  keepMailList([mailOf()])
  await visit('/intake')
  await expect.element(page.getByRole('link', { name: 'Auftrag 4711' })).toBeVisible()
  await press('j', 'x')
  await expect.element(dialog).toBeVisible()
  expect(server.calls(closeIntakeMail)).toHaveLength(1)
  await press('Enter')
  await expect.element(dialog).not.toBeInTheDocument()
  expect(server.calls(closeIntakeMail).at(-1)!.body).toEqual({ reason: null })
})

test('says in the window why a mail cannot be put aside, and keeps the reason', { tags: 'long' }, async () => {
  keepMail(mailOf())
  const code = 'mail_in_hand'
  server.answer(
    closeIntakeMail,
    refusal('conflict', { errors: [{ path: 'assignedTo', code, message: 'Ben has it in hand' }] }),
  )
  await visit('/intake/7')
  await page.getByRole('button', { name: 'Not an order' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabelText('Why it is none').fill('invitation')
  await dialog.getByRole('button', { name: 'Put it aside' }).click()
  await expect.element(dialog).toMatchTextContent('Ben has it in hand')
  await expect.element(dialog.getByLabelText('Why it is none')).toHaveValue('invitation')
  expect(location.pathname).toBe('/intake/7')
})

test('gives a mail to a colleague, and says why it cannot be given', { tags: 'long' }, async () => {
  const mail = keepMail(mailOf())
  server.offer(userApi, [ZACHARIAS])
  const code = 'unknown_reference'
  server.answer(
    assignIntakeMail,
    refusal('validation', { errors: [{ path: 'userId', code, message: 'Nobody of this name' }] }),
  )
  await visit('/intake/7')
  await page.getByRole('button', { name: 'Give to …' }).click()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog.getByRole('button', { name: 'Give it' })).toBeDisabled()
  await dialog.getByLabelText('Person').click()
  await page.getByRole('option', { name: ZACHARIAS.title }).click()
  await dialog.getByRole('button', { name: 'Give it' }).click()
  await expect.element(dialog).toMatchTextContent('Nobody of this name')
  server.answer(assignIntakeMail, () => mail.change({ state: 'new', assignedTo: ZACHARIAS }))
  await dialog.getByRole('button', { name: 'Give it' }).click()
  await expect.poll(() => location.pathname).toBe('/intake')
  expect(server.calls(assignIntakeMail).map(({ body }) => body.userId)).toEqual([ZACHARIAS.id, ZACHARIAS.id])
})

test('closes no mail that a colleague has in hand', async () => {
  keepMailList([mailOf({ state: 'drafted', assignedTo: ZACHARIAS })])
  await visit('/intake')
  await expect.element(page.getByRole('link', { name: 'Auftrag 4711' })).toBeVisible()
  await press('j', 'x')
  expect(server.calls(closeIntakeMail)).toEqual([])
})

test('files a change of an order that was not found with one that a person picks', async () => {
  const mail = keepMail(mailOf({ kind: 'cancel' }), {
    changes: [changeOf({ reference: '4799', field: 'order', after: 'canceled' })],
  })
  server.offer(orderApi, [{ id: 81, title: '26-01758' }])
  server.answer(fileIntakeMail, () => mail.change({ state: 'saved', orders: [{ id: 81, title: '26-01758' }] }))
  await visit('/intake/7')
  await expect.element(page.getByText('4799 not found')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'File the mail' })).toBeDisabled()
  await page.getByLabelText('The order it is about').fill('01758')
  await page.getByRole('option', { name: '26-01758' }).click()
  await page.getByRole('button', { name: 'File the mail with 26-01758' }).click()
  await expect.poll(() => location.pathname).toBe('/intake')
  expect(server.calls(fileIntakeMail).map(({ body }) => body)).toEqual([{ orderId: 81, position: null }])
})

test('offers to pick the order where a change says nothing that could be read', async () => {
  keepMail(mailOf({ kind: 'change' }))
  server.offer(orderApi, [])
  await visit('/intake/7')
  await expect.element(page.getByText('no value of it could be read')).toBeVisible()
  await expect.element(page.getByLabelText('The order it is about')).toBeVisible()
})

const PROPOSED = {
  title: 'Neu GmbH',
  email: 'a@neu.example',
  vatNumber: 'DE811569869',
  address: 'Am Wall 3',
  postal: '28195',
  city: 'Bremen',
  countryId: GERMANY.id,
}
const ofStranger = () =>
  draftOf({ values: { customerId: null }, customer: { found: null, by: null, proposed: PROPOSED } })

test('makes the customer of what the mail says, and chooses it', { tags: 'long' }, async () => {
  keepMail(mailOf({ customer: null }), { drafts: [ofStranger()] })
  server.answer(findCustomerLookalikes, { items: [], vatNumberShape: null })
  server.answer(customerApi.create, ({ body }) => customerOf({ id: 91, title: body.title }))
  await visit('/intake/7')
  await page.getByRole('button', { name: 'Create the customer' }).click()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog.getByLabelText('Name')).toHaveValue('Neu GmbH')
  await expect.element(dialog.getByLabelText('City')).toHaveValue('Bremen')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(server.calls(customerApi.create).map(({ body }) => body)).toMatchObject([
    {
      title: 'Neu GmbH',
      vatNumber: 'DE811569869',
      address: 'Am Wall 3',
      postal: '28195',
      city: 'Bremen',
      countryId: GERMANY.id,
      invoiceEmail: 'a@neu.example',
    },
  ])
  await expect.element(page.getByText('Not among the customers yet')).not.toBeInTheDocument()
  const saved = orderOf({ id: 82, customerVatBp: 1900 })
  keepOrder(saved)
  server.answer(saveMailDraft, saved)
  await saveButton.click()
  await expect.poll(() => server.calls(saveMailDraft).map(({ body }) => body.customerIds)).toEqual([[91]])
})

test('says who can make the customer where the person cannot', async () => {
  signIn({ permissions: ['ORDERS_MANAGEMENT'] })
  keepMail(mailOf({ customer: null }), { drafts: [ofStranger()] })
  await visit('/intake/7')
  await expect.element(page.getByText('Somebody who manages customers can create it')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Create the customer' })).not.toBeInTheDocument()
})

test('finds mails by words and by who has them, and says so in the address', { tags: 'long' }, async () => {
  keepMailList([mailOf()])
  await visit('/intake?tab=open')
  await expect.element(page.getByRole('link', { name: 'Auftrag 4711' })).toBeVisible()
  await press('/')
  const find = page.getByRole('searchbox', { name: 'Find a mail' })
  await expect.element(find).toHaveFocus()
  keepMailList([])
  await find.fill('jansen')
  await expect.element(page.getByText('No mail matches')).toBeVisible()
  expect(server.calls(listIntakeMails).at(-1)!.query).toMatchObject({ q: 'jansen', status: ['new'] })
  await page.getByRole('button', { name: 'Mine' }).click()
  await expect
    .poll(() => server.calls(listIntakeMails).at(-1)!.query)
    .toMatchObject({ q: 'jansen', status: ['new'], mine: true })
  expect(location.search).toBe('?tab=open&q=jansen&who=mine')
  await page.getByLabelText('Person').fill(ZACHARIAS.title)
  await page.getByRole('option', { name: ZACHARIAS.title }).click()
  await expect
    .poll(() => server.calls(listIntakeMails).at(-1)!.query)
    .toMatchObject({ q: 'jansen', assignedToId: [ZACHARIAS.id] })
})

test('makes a quote of a mail that asks for a price', { tags: 'long' }, async () => {
  const line = lineOf({ title: 'Maschinenteile', unitTypeId: 62, quantity: 4, weightKg: 1180, ldm: 1.6 })
  const mail = keepMail(mailOf({ kind: 'other' }), {
    drafts: [draftOf({ values: { cargo: [line, { ...line, quantity: 2, weightKg: 320.5, ldm: 0.8 }] } })],
  })
  server.answer(getCustomerForOrder, customerForOrderOf())
  server.answer(measureDistance, refusal('not_found'))
  server.answer(listLaneCosts, refusal('unavailable'))
  server.answer(
    quoteMailDraft,
    refusal('conflict', {
      errors: [{ path: 'assignedTo', code: 'mail_in_hand', message: 'Zacharias has it in hand' }],
    }),
  )
  await visit('/intake/7')
  await page.getByRole('button', { name: 'Make a quote of it' }).click()
  await expect.poll(() => location.pathname + location.search).toBe('/quotes/create?mail=7&draft=0')
  await expect.element(page.getByText('A mail of the customer asks for this price')).toBeVisible()
  await press('Control+s')
  await expect.element(page.getByText('Zacharias has it in hand')).toBeVisible()
  expect(server.calls(quoteMailDraft)[0]).toMatchObject({
    params: { id: 7, position: 0 },
    body: {
      customerId: NORDLICHT.id,
      from: { countryId: GERMANY.id, postal: '22113', city: 'Hamburg', date: '2026-11-30' },
      to: { countryId: POLAND.id, postal: '60-189', city: 'Poznań', date: '2026-12-01' },
      goods: 'Maschinenteile',
      quantity: 6,
      unitTypeId: 62,
      weightKg: 1500.5,
      ldm: 2.4,
      priceCents: null,
    },
  })
  expect(mail.now().state).toBe('drafted')
})

test('shows the quote that a mail became, in the list and beside the mail', async () => {
  const quoted = mailOf({ state: 'saved', kind: 'other', quotes: [{ id: 18, title: 'Q-26-0418' }] })
  keepMail(quoted)
  keepMailList([quoted])
  await visit('/intake')
  await expect.element(page.getByRole('link', { name: 'Q-26-0418' })).toHaveAttribute('href', '/quotes/edit/18')
  await visit('/intake/7')
  await expect.element(page.getByText('This mail is with Q-26-0418')).toBeVisible()
})

test('a mail that is pasted or typed is there again after a closed tab, until it is given up', {
  tags: 'long',
}, async () => {
  keepMailList([])
  const text = page.getByRole('dialog').getByRole('textbox', { name: 'Paste a mail' })
  const paste = async () => {
    await visit('/intake')
    await page.getByRole('button', { name: 'Paste a mail' }).click()
    await expect.element(text).toBeVisible()
  }
  await paste()
  await text.fill('Two pallets from Kiel to Gent')
  await paste()
  await expect.element(text).toHaveValue('Two pallets from Kiel to Gent')
  await press('Escape')
  await paste()
  await expect.element(text).toHaveValue('')
})
