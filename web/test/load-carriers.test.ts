import { listEmailRefusals } from '@waybill/contract/email'
import { loadCarrierPlaceApi } from '@waybill/contract/load-carrier/place'
import {
  billLoadCarriers,
  changeMovement,
  createMovement,
  listAccounts,
  listMovements,
  removeMovement,
  type Account,
  type Accounts,
  type Movement,
  type Movements,
  type Stated,
} from '@waybill/contract/load-carrier/account'
import { saveLimits } from '@waybill/contract/load-carrier/limit'
import {
  answerStatement,
  countOpenQuestions,
  getStatementLetter,
  listNotAgreed,
  listWithoutNote,
  previewStatement,
  sendStatement,
} from '@waybill/contract/load-carrier/statement'
import { getStopLoadCarriers, saveStopLoadCarriers, type StopLoadCarriers } from '@waybill/contract/load-carrier/stop'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessible, expectAccessibleInBothLooks } from './kit/axe.ts'
import { refusal, server } from './kit/fake-server.ts'
import { press, type } from './kit/keys.ts'
import { ANNA, FABRYKA, NORDLICHT, offerMasterData, TRANSWARTA, WAYBILL } from './records/master-data.ts'
import { answerOrderForm, keepOrder } from './records/order-screens.ts'
import { transportOf } from './records/order.ts'

const EURO = { id: 1, title: 'Euro pallet', priceCents: 1250 }
const BOX = { id: 2, title: 'Mesh box', priceCents: 7800 }

const balanceOf = (typeId: number, pieces: number) => ({
  typeId,
  pieces,
  limit: null as number | null,
  ages: { to30: 0, to60: 0, to90: pieces, over90: 0 },
})
const statedAs = (state: Stated['state'], isOverdue = false): Stated => ({
  id: 61,
  sentAt: '2026-11-04T09:00:00Z',
  state,
  answeredAt: state === 'waiting' ? null : '2026-11-05T09:00:00Z',
  answeredBy: state === 'waiting' ? null : 'Anna Żak',
  remark: state === 'objected' ? 'WT 0977 was brought back' : null,
  isOverdue,
})
const NO_SLIPS = { count: 0, sizeBytes: 0 }
const accountOf = (holder: { id: number; title: string }, given: Partial<Account> = {}): Account => ({
  holder: { kind: 'customer', ...holder, detail: 'DE Hamburg' },
  balances: [balanceOf(1, 43), balanceOf(2, -4)],
  oldestDays: 64,
  worthCents: 22_550,
  stated: statedAs('waiting'),
  hasMoved: false,
  to: 'pal@nordlicht.example',
  ...given,
})
const movementOf = (given: Partial<Movement> = {}): Movement => ({
  id: 9,
  version: 3,
  movedOn: '2026-11-20',
  type: { id: 1, title: 'Euro pallet' },
  given: 33,
  received: 10,
  damaged: 2,
  balance: 43,
  noteNumber: 'WT 0931',
  note: 'brought back',
  stop: null,
  order: null,
  invoice: null,
  isAgreed: false,
  createdBy: ANNA,
  ...given,
})
const atStop = movementOf({
  id: 8,
  movedOn: '2026-11-19',
  given: 20,
  received: 0,
  damaged: 0,
  balance: 20,
  noteNumber: null,
  note: null,
  stop: { title: 'Möbelhaus Kröger, Bielefeld', orderNumber: '26-00007' },
})

let accounts: Accounts
let movements: Movement[]
let drafts: Movements['drafts']
let stated: Stated | null
let limits: Movements['limits']
const dialog = page.getByRole('dialog')
const field = (name: string) => dialog.getByRole('textbox', { name })
const list = page.getByRole('region', { name: 'Customers' })
const tabs = page.getByRole('navigation', { name: 'Load carriers' })
const account = page.getByRole('region', { name: NORDLICHT.title })

beforeEach(() => {
  signIn()
  offerMasterData()
  server.offer(loadCarrierPlaceApi, [{ id: 51, title: 'Möbelhaus Kröger' }])
  accounts = {
    asOf: '2026-12-01T14:12:00Z',
    types: [EURO, BOX],
    items: [accountOf(NORDLICHT), accountOf(FABRYKA, { balances: [balanceOf(1, -3)], worthCents: -3750 })],
    total: { accountCount: 2, worthCents: 18_800, balances: [{ typeId: 1, pieces: 40 }] },
  }
  movements = [movementOf(), atStop]
  drafts = []
  stated = statedAs('waiting')
  limits = { version: 0, items: [] }
  server.answer(countOpenQuestions, { withoutNote: 7, notAgreed: 0 })
  server.answer(listAccounts, () => accounts)
  server.answer(listMovements, () => ({
    holder: { kind: 'customer' as const, ...NORDLICHT, detail: 'DE Hamburg' },
    items: movements,
    olderCount: 4,
    drafts,
    stated,
    limits,
  }))
})

test('says that nothing is open, and otherwise that nothing fits', { tags: 'long' }, async () => {
  accounts = { ...accounts, items: [], total: { accountCount: 0, worthCents: 0, balances: [] } }
  await visit('/load-carriers')
  await expect.element(page.getByText('No customer has open load carriers')).toBeVisible()
  await expectAccessibleInBothLooks()
  await page.getByRole('textbox', { name: 'Find an account' }).fill('nobody')
  await expect.element(page.getByText('No account fits')).toBeVisible()
  expect(location.search).toContain('q=nobody')
})

test('shows the tabs that one may see, and is closed to others', async () => {
  signIn({ permissions: ['CARRIER_MANAGEMENT'] })
  await visit('/load-carriers')
  await expect
    .poll(() =>
      tabs
        .getByRole('link')
        .elements()
        .map(({ textContent }) => textContent),
    )
    .toEqual(['Carriers', 'Places', 'Without a pallet note7', 'Not agreed'])
  expect(server.calls(listAccounts).at(-1)!.query).toMatchObject({ holder: 'carrier' })
})

test('keeps what is asked in the address, and shows ages where one type is chosen', async () => {
  await visit('/load-carriers?holder=customer&older=60&show=all&type=1')
  await expect.element(list.getByRole('columnheader', { name: '61–90 d' })).toBeVisible()
  expect(server.calls(listAccounts).at(-1)!.query).toMatchObject({
    holder: 'customer',
    olderThan: '60',
    show: 'all',
    typeId: 1,
  })
  await expect.element(list.getByRole('row', { name: NORDLICHT.title })).toMatchTextContent('+43')
  await page.getByRole('button', { name: 'Not zero' }).click()
  await expect.poll(() => location.search).not.toContain('show=all')
  expect(location.search).toContain('older=60')
  await tabs.getByRole('link', { name: 'Carriers' }).click()
  await expect.poll(() => location.search).toContain('holder=carrier')
})

test('opens an account by keys, with its movements and what lacks a pallet note', async () => {
  await visit('/load-carriers')
  await expect.element(list.getByRole('row', { name: FABRYKA.title })).toMatchTextContent('−3')
  await press('j', 'Enter')
  await expect.poll(() => location.search).toContain(`account=${NORDLICHT.id}`)
  await expect.element(account).toMatchTextContent('Last statement 04 Nov 2026, no answer yet')
  await expect.element(account).toMatchTextContent('1 movement without a pallet note can be disputed')
  await expect.element(account.getByText('4 older movements are contained in the balance.')).toBeVisible()
  // Typed at a stop: the order is named, and it is corrected there.
  const rows = account.getByRole('row')
  await expect.element(rows.nth(2)).toMatchTextContent('26-00007')
  expect(rows.nth(2).getByRole('button').elements()).toHaveLength(0)
  await expectAccessibleInBothLooks()
})

test('enters a movement once whole pieces are typed, and says what is refused', { tags: 'long' }, async () => {
  await visit(`/load-carriers?account=${NORDLICHT.id}`)
  await expect.element(account).toBeVisible()
  await press('n')
  const enter = dialog.getByRole('button', { name: 'Enter' })
  await expect.element(enter).toHaveAttribute('title', 'Please enter how many were given or received')
  await field('Given').fill('1x2')
  await expect.element(field('Given')).toHaveValue('12')
  await field('Damaged').fill('13')
  await expect.element(enter).toHaveAttribute('title', 'No more can be damaged than were moved')
  await field('Damaged').fill('')
  await field('Pallet note').fill('HK 0412')
  await expectAccessible()
  server.answer(
    createMovement,
    refusal('validation', {
      errors: [{ path: 'movedOn', code: 'invalid_value', message: 'The value is not allowed here' }],
    }),
  )
  await enter.click()
  await expect.element(dialog.getByRole('alert')).toMatchTextContent('The value is not allowed here')
  server.answer(createMovement, movementOf())
  await enter.click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(server.calls(createMovement).at(-1)!.body).toMatchObject({
    holder: { kind: 'customer', id: NORDLICHT.id },
    typeId: 1,
    given: 12,
    received: 0,
    damaged: 0,
    noteNumber: 'HK 0412',
    note: null,
  })
})

test('keeps what is typed of a movement over a closed tab, beside its own account alone', {
  tags: 'long',
}, async () => {
  server.answer(listMovements, ({ query }) => ({
    holder: { kind: 'customer' as const, ...(query.holderId === FABRYKA.id ? FABRYKA : NORDLICHT), detail: 'DE' },
    items: [],
    olderCount: 0,
    drafts: [],
    stated: null,
    limits,
  }))
  await visit(`/load-carriers?account=${NORDLICHT.id}`)
  await expect.element(account).toBeVisible()
  await press('n')
  await field('Given').fill('12')
  await field('Pallet note').fill('HK 0412')
  await visit(`/load-carriers?account=${FABRYKA.id}`)
  await expect.element(page.getByRole('region', { name: FABRYKA.title })).toBeVisible()
  await press('n')
  await expect.element(field('Pallet note')).toHaveValue('')
  await visit(`/load-carriers?account=${NORDLICHT.id}`)
  await expect.element(account).toBeVisible()
  await press('n')
  await expect.element(field('Given')).toHaveValue('12')
  await expect.element(field('Pallet note')).toHaveValue('HK 0412')
  await press('Escape')
  await expect.element(dialog).not.toBeInTheDocument()
  await press('n')
  await expect.element(field('Pallet note')).toHaveValue('')
})

test('tells who corrects a movement that somebody else has corrected, and takes over what is saved', {
  tags: 'long',
}, async () => {
  await visit(`/load-carriers?account=${NORDLICHT.id}`)
  await account.getByRole('button', { name: 'Correct the movement of 20 Nov 2026, Euro pallet' }).click()
  await field('Given').fill('34')
  const current = movementOf({ version: 4, given: 30 })
  server.answer(changeMovement, ({ version }) =>
    version === 4 ? movementOf({ version: 5 }) : refusal('stale_version', { current }),
  )
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.element(dialog.getByRole('alert')).toMatchTextContent('given 30, received 10')
  await dialog.getByRole('button', { name: 'Show what is saved' }).click()
  await expect.element(field('Given')).toHaveValue('30')
  await field('Given').fill('34')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(server.calls(changeMovement).map(({ version, body }) => [version, (body as { given: number }).given])).toEqual(
    [
      [3, 34],
      [4, 34],
    ],
  )
})

test('takes a movement out after asking', async () => {
  await visit(`/load-carriers?account=${NORDLICHT.id}`)
  await account.getByRole('button', { name: 'Correct the movement of 20 Nov 2026, Euro pallet' }).click()
  for (const [name, value] of [
    ['Given', '33'],
    ['Received', '10'],
    ['Damaged', '2'],
    ['Pallet note', 'WT 0931'],
  ] as const)
    await expect.element(field(name)).toHaveValue(value)
  await dialog.getByRole('button', { name: 'Take out' }).click()
  await expect.element(dialog).toMatchTextContent('leaves the account; the history keeps it')
  expect(server.calls(removeMovement)).toHaveLength(0)
  server.answer(removeMovement, {})
  await dialog.getByRole('button', { name: 'Take out' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(server.calls(removeMovement)).toMatchObject([{ version: 3 }])
})

test('shows a statement before it is sent, and what became of it', { tags: 'long' }, async () => {
  const balances = [{ typeId: 1, pieces: 43 }]
  let to: string | null = null
  server.answer(listEmailRefusals, ({ query }) => ({
    items: query.address.map((address) => ({ address, at: '2026-11-20T10:00:00Z', words: '550 No such user' })),
  }))
  server.answer(previewStatement, () => ({
    to,
    language: 'de' as const,
    subject: 'Palettenkonto',
    html: '<p>Saldo</p>',
    balances,
    slips: { count: 2, sizeBytes: 2_800_000 },
  }))
  await visit(`/load-carriers?account=${NORDLICHT.id}`)
  await expect.element(account).toBeVisible()
  await press('s')
  const send = dialog.getByRole('button', { name: 'Send statement' })
  await expect.element(dialog.getByText('No address is on record.')).toBeVisible()
  await expect.element(send).toBeDisabled()
  await field('To').fill('pal@nordlicht.example')
  await expect.element(dialog.getByText('pal@nordlicht.example refused on')).toBeVisible()
  await expect.element(dialog).toMatchTextContent('2 pictures of pallet notes go along (2.8 MB).')
  await expectAccessible()
  server.answer(
    sendStatement,
    refusal('validation', {
      errors: [{ path: 'balances', code: 'balance_changed', message: 'The balance has changed' }],
    }),
  )
  to = 'other@nordlicht.example'
  await send.click()
  await expect.element(dialog.getByRole('alert')).toMatchTextContent('The balance has changed')
  // What was typed stays.
  await expect.element(field('To')).toHaveValue('pal@nordlicht.example')
  server.answer(sendStatement, { emailId: 90 })
  await send.click()
  await expect.element(page.getByText('Statement sent to pal@nordlicht.example')).toBeVisible()
  expect(server.calls(sendStatement).at(-1)!.body).toEqual({
    holder: { kind: 'customer', id: NORDLICHT.id },
    to: 'pal@nordlicht.example',
    balances,
  })
})

test('puts the receiver of a statement in hand as soon as it is there, unless one has gone on', {
  tags: 'long',
}, async () => {
  server.answer(previewStatement, {
    to: null,
    language: 'de',
    subject: 'Palettenkonto',
    html: '<p>Saldo</p>',
    balances: [{ typeId: 1, pieces: 43 }],
    slips: NO_SLIPS,
  })
  const open = async () => {
    const letGo = server.holdBack(previewStatement)
    await visit(`/load-carriers?account=${NORDLICHT.id}`)
    await expect.element(account).toBeVisible()
    await press('s')
    await expect.element(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus()
    return letGo
  }
  const letGo = await open()
  letGo()
  await expect.element(field('To')).toHaveFocus()
  await type('pal@nordlicht.example')
  await expect.element(field('To')).toHaveValue('pal@nordlicht.example')

  const letGoAgain = await open()
  await press('Shift+Tab')
  const cross = document.activeElement
  letGoAgain()
  await expect.element(field('To')).toBeVisible()
  expect(document.activeElement).toBe(cross)
})

test('shows the letter that goes with a statement, and says why there is none', { tags: 'long' }, async () => {
  server.answer(listEmailRefusals, { items: [] })
  server.answer(previewStatement, {
    to: 'pal@nordlicht.example',
    language: 'de',
    subject: 'Palettenkonto',
    html: '<p>Saldo</p>',
    balances: [{ typeId: 1, pieces: 43 }],
    slips: NO_SLIPS,
  })
  server.answer(getStatementLetter, refusal('forbidden'))
  await visit(`/load-carriers?account=${NORDLICHT.id}`)
  await expect.element(account).toBeVisible()
  await press('s')
  const open = vi.spyOn(window, 'open').mockReturnValue(null)
  onTestFinished(() => open.mockRestore())
  const letter = dialog.getByRole('button', { name: 'Show the letter (PDF)' })
  await letter.click()
  await expect.element(page.getByText('The letter could not be made')).toBeVisible()
  expect(open).not.toHaveBeenCalled()

  const words = '%PDF-1.7 Saldenmitteilung'
  server.answer(getStatementLetter, {
    blob: new Blob([words], { type: 'application/pdf' }),
    fileName: 'Saldenmitteilung.pdf',
  })
  await letter.click()
  await expect.poll(() => open.mock.calls).toHaveLength(1)
  const [address, target, features] = open.mock.calls[0]!
  expect([target, features]).toEqual(['_blank', 'noopener'])
  expect(await (await fetch(address!)).text()).toBe(words)
  expect(server.calls(getStatementLetter).at(-1)!.query).toEqual({ holder: 'customer', holderId: NORDLICHT.id })
  // The window stays, for the letter is looked at before it is sent.
  await expect.element(dialog.getByRole('button', { name: 'Send statement' })).toBeEnabled()
})

test('bills what is kept, as a draft; what is on one already is not offered again', { tags: 'long' }, async () => {
  drafts = [{ invoice: { id: 77, title: 'R-00077' }, typeId: 1, pieces: 3 }]
  signIn({ permissions: ['CUSTOMER_MANAGEMENT'] })
  await visit(`/load-carriers?account=${NORDLICHT.id}`)
  await expect.element(account.getByText('3 pieces (Euro pallet) are on draft R-00077')).toBeVisible()
  await expect.element(account.getByRole('link', { name: 'R-00077' })).not.toBeInTheDocument()
  await expect.element(account.getByRole('button', { name: 'Bill the difference' })).not.toBeInTheDocument()

  signIn({ permissions: ['CUSTOMER_MANAGEMENT', 'INVOICES_PROCESSING'] })
  await visit(`/load-carriers?account=${NORDLICHT.id}`)
  await expect.element(account.getByRole('link', { name: 'R-00077' })).toBeVisible()
  await press('b')
  const make = dialog.getByRole('button', { name: 'Make the draft' })
  await expect.element(field('Euro pallet: Bill')).toHaveValue('40')
  // What we hold of theirs is theirs to bill.
  await expect.element(dialog.getByText('Mesh box')).not.toBeInTheDocument()
  await expect.element(dialog).toMatchTextContent(/Net 500\.00\s€/)
  await field('Euro pallet: Price per piece €').fill('')
  await expect.element(make).toBeDisabled()
  await field('Euro pallet: Price per piece €').fill('13.1')
  await field('Euro pallet: Bill').fill('')
  await expect.element(make).toBeDisabled()
  await field('Euro pallet: Bill').fill('12')
  await expect.element(dialog).toMatchTextContent(/Net 157\.20\s€/)
  await expectAccessibleInBothLooks()

  // Typed is kept over a reload, and what is refused stays.
  await visit(`/load-carriers?account=${NORDLICHT.id}`)
  await expect.element(account).toBeVisible()
  await press('b')
  await expect.element(field('Euro pallet: Bill')).toHaveValue('12')
  server.answer(
    billLoadCarriers,
    refusal('validation', {
      errors: [{ path: 'lines.0.pieces', code: 'exceeds_balance', message: 'Only 9 are left' }],
    }),
  )
  await make.click()
  await expect.element(dialog.getByRole('alert')).toMatchTextContent('Only 9 are left')
  await expect.element(field('Euro pallet: Bill')).toHaveValue('12')
  server.answer(billLoadCarriers, { invoice: { id: 78, title: 'R-00078' } })
  await make.click()
  await expect.poll(() => location.pathname).toBe('/invoices/78/edit')
  expect(server.calls(billLoadCarriers).at(-1)!.body).toEqual({
    holder: { kind: 'customer', id: NORDLICHT.id },
    companyId: WAYBILL.id,
    billingCustomerId: NORDLICHT.id,
    lines: [{ typeId: 1, pieces: 12, priceCents: 1310 }],
  })
})

test('shows what an invoice billed, which is corrected there alone', async () => {
  movements = [movementOf({ id: 1_000_000_000_009, noteNumber: null, invoice: { id: 79, title: 'WB-2026-00079' } })]
  await visit(`/load-carriers?account=${NORDLICHT.id}`)
  await expect.element(account.getByRole('link', { name: 'WB-2026-00079' })).toBeVisible()
  await expect.element(account.getByText('without a pallet note')).not.toBeInTheDocument()
  await expect.element(account.getByRole('button', { name: /^Correct the movement/ })).not.toBeInTheDocument()
})

test('shows one account at a time on a phone', async () => {
  await page.viewport(390, 844)
  await visit('/load-carriers')
  await list.getByRole('link', { name: NORDLICHT.title }).click()
  await expect.element(account).toBeVisible()
  await expect.element(list).not.toBeInTheDocument()
  await expectAccessible()
  await account.getByRole('button', { name: 'Back to the accounts' }).click()
  await expect.element(list).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
})

test('types at a stop of an order what was exchanged there', { tags: 'long' }, async () => {
  let kept: StopLoadCarriers = {
    version: 0,
    partner: 'place',
    customerId: null,
    movedOn: '2026-12-01',
    noteNumber: null,
    note: null,
    lines: [],
    told: null,
    isAsTold: false,
    types: [EURO, BOX],
    place: 'Möbelhaus Kröger, Bielefeld',
    customers: [NORDLICHT],
    formerCustomer: null,
    carrier: TRANSWARTA,
  }
  answerOrderForm()
  keepOrder(transportOf())
  server.answer(getStopLoadCarriers, () => kept)
  await visit('/orders/7/edit')
  await page.getByRole('button', { name: 'Load carriers at stop 2' }).click()
  await expect.element(dialog).toMatchTextContent(`The same pieces move the account of ${TRANSWARTA.title}`)
  await field('Euro pallet: Left there').fill('9')
  await field('Euro pallet: Taken along').click()
  await press('=')
  await expect.element(field('Euro pallet: Taken along')).toHaveValue('9')
  await field('Euro pallet: Taken along').fill('6')
  await field('Pallet note').fill('88231')
  await expectAccessible()
  const save = dialog.getByRole('button', { name: 'Save' })
  kept = { ...kept, version: 1, lines: [{ typeId: 1, given: 4, received: 0, damaged: 0 }] }
  server.answer(saveStopLoadCarriers, ({ version }) =>
    version === kept.version ? { ...kept, version: 2 } : refusal('stale_version', { current: kept }),
  )
  await save.click()
  await expect.element(dialog.getByRole('alert')).toMatchTextContent('Somebody else has saved load carriers')
  await dialog.getByRole('button', { name: 'Show what is saved' }).click()
  await expect.element(field('Euro pallet: Left there')).toHaveValue('4')
  await field('Euro pallet: Left there').fill('9')
  await save.click()
  await expect.element(page.getByText('The load carriers of stop 2 were saved')).toBeVisible()
  expect(server.calls(saveStopLoadCarriers).at(-1)).toMatchObject({
    version: 1,
    body: { partner: 'place', customerId: null, lines: [{ typeId: 1, given: 9, received: 0, damaged: 0 }] },
  })
})

test('shows at a stop what the driver told beside what is typed, and enters it', async () => {
  const told = {
    at: '2026-12-01T09:12:00.000Z',
    noteNumber: '77120',
    lines: [
      { typeId: 1, given: 9, received: 6, damaged: 1 },
      { typeId: 2, given: 2, received: 0, damaged: 0 },
    ],
  }
  const kept: StopLoadCarriers = {
    version: 3,
    partner: 'place',
    customerId: null,
    movedOn: '2026-12-01',
    noteNumber: null,
    note: null,
    lines: [{ typeId: 1, given: 9, received: 5, damaged: 0 }],
    told,
    isAsTold: false,
    types: [EURO, BOX],
    place: 'Möbelhaus Kröger, Bielefeld',
    customers: [NORDLICHT],
    formerCustomer: null,
    carrier: TRANSWARTA,
  }
  answerOrderForm()
  keepOrder(transportOf())
  server.answer(getStopLoadCarriers, () => kept)
  server.answer(saveStopLoadCarriers, () => ({ ...kept, version: 4 }))
  await visit('/orders/7/edit')
  await page.getByRole('button', { name: 'Load carriers at stop 2' }).click()
  await expect
    .element(dialog)
    .toMatchTextContent(
      'The driver told on 01 Dec 10:12: Euro pallet 9 left there, 6 taken along, 1 damaged; ' +
        'Mesh box 2 left there, 0 taken along, pallet note 77120.',
    )
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Enter it here' }).click()
  await expect.element(field('Euro pallet: Taken along')).toHaveValue('6')
  await expect.element(field('Pallet note')).toHaveValue('77120')
  await expect.element(dialog).toMatchTextContent('The driver told the same on 01 Dec 10:12.')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByText('The load carriers of stop 2 were saved')).toBeVisible()
  expect(server.calls(saveStopLoadCarriers).at(-1)).toMatchObject({
    version: 3,
    body: { noteNumber: '77120', lines: told.lines },
  })
})

test('says at a stop that nobody has saved yet what the driver told', async () => {
  answerOrderForm()
  keepOrder(transportOf())
  server.answer(getStopLoadCarriers, () => ({
    version: 1,
    partner: 'place' as const,
    customerId: null,
    movedOn: '2026-12-01',
    noteNumber: null,
    note: null,
    lines: [],
    told: { at: '2026-12-01T09:12:00.000Z', noteNumber: null, lines: [] },
    isAsTold: true,
    types: [EURO],
    place: 'Möbelhaus Kröger, Bielefeld',
    customers: [NORDLICHT],
    formerCustomer: null,
    carrier: TRANSWARTA,
  }))
  await visit('/orders/7/edit')
  await page.getByRole('button', { name: 'Load carriers at stop 2' }).click()
  await expect.element(dialog).toMatchTextContent('Told by the driver on 01 Dec 10:12. Nobody of ours has saved it yet')
})

test('asks at a stop whose pieces they are, where the order has other customers now', { tags: 'long' }, async () => {
  answerOrderForm()
  keepOrder(transportOf())
  const former = { id: 4711, title: 'Altkunde AG' }
  const kept: StopLoadCarriers = {
    version: 1,
    partner: 'customer' as const,
    customerId: former.id,
    movedOn: '2026-12-01',
    noteNumber: null,
    note: null,
    lines: [{ typeId: 1, given: 4, received: 0, damaged: 0 }],
    told: null,
    isAsTold: false,
    types: [EURO],
    place: null,
    customers: [NORDLICHT],
    formerCustomer: former,
    carrier: TRANSWARTA,
  }
  server.answer(getStopLoadCarriers, () => kept)
  await visit('/orders/7/edit')
  await page.getByRole('button', { name: 'Load carriers at stop 2' }).click()
  await expect.element(dialog).toMatchTextContent(`stand in the account of ${former.title}`)
  await expect.element(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
  await expectAccessible()
})

test('sends the statements that are due one after the other, and says which stayed and why', async () => {
  const due = (id: number, title: string, given: Partial<Account> = {}): Account =>
    accountOf({ id, title }, { stated: null, hasMoved: true, to: `pal@${id}.example`, ...given })
  const agreed = accountOf(NORDLICHT, { stated: statedAs('agreed') })
  const items = [due(21, 'Kröger'), due(22, 'Fulda Küchen'), due(23, 'Wohnwelt', { to: null }), agreed]
  accounts = { ...accounts, items }
  await visit('/load-carriers')
  await page.getByRole('button', { name: 'Send 3 statements …' }).click()
  const boxes = () => dialog.getByRole('checkbox').elements() as HTMLInputElement[]
  // Who has no address can be sent nothing; who has agreed is not asked again.
  await expect
    .poll(() => boxes().map(({ checked, disabled }) => [checked, disabled]))
    .toEqual([
      [true, false],
      [true, false],
      [false, true],
      [false, false],
    ])
  await expect.element(dialog.getByText('1 has no address')).toBeVisible()
  await expect.element(dialog.getByText(NORDLICHT.title)).not.toBeInTheDocument()
  await expectAccessibleInBothLooks()
  await dialog.getByRole('checkbox', { name: 'Show 1 that is not due, too' }).click()
  await expect.element(dialog.getByRole('checkbox', { name: NORDLICHT.title })).not.toBeChecked()
  server.answer(sendStatement, ({ body }) =>
    (body as { holder: { id: number } }).holder.id === 21
      ? refusal('validation', {
          errors: [{ path: 'balances', code: 'balance_changed', message: 'The balance has changed' }],
        })
      : { emailId: 90 },
  )
  await dialog.getByRole('button', { name: 'Send 2 statements' }).click()
  await expect.element(dialog.getByRole('alert')).toMatchTextContent('1 was not sent.')
  await expect.element(page.getByText('1 statement sent')).toBeVisible()
  await expect.element(dialog.getByRole('row', { name: 'Kröger' })).toMatchTextContent('The balance has changed')
  await expect.element(dialog.getByText('Fulda Küchen')).not.toBeInTheDocument()
  expect(server.calls(sendStatement).map(({ body }) => body)).toMatchObject([
    { holder: { kind: 'customer', id: 21 }, to: 'pal@21.example', balances: [{ typeId: 1 }, { typeId: 2 }] },
    { holder: { kind: 'customer', id: 22 } },
  ])
  server.answer(sendStatement, { emailId: 91 })
  await dialog.getByRole('button', { name: 'Send 1 statement' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
})

test('agrees on limits, and offers to bill what is beyond them', async () => {
  signIn({ permissions: ['CUSTOMER_MANAGEMENT', 'INVOICES_PROCESSING'] })
  await visit(`/load-carriers?account=${NORDLICHT.id}`)
  await account.getByRole('button', { name: 'Agree on a limit …' }).click()
  await expect.element(field('Euro pallet')).toHaveFocus()
  await type('2x0')
  await expect.element(field('Euro pallet')).toHaveValue('20')
  await expectAccessible()
  limits = { version: 3, items: [{ typeId: 1, pieces: 30 }] }
  server.answer(saveLimits, ({ version }) =>
    version === 3 ? { version: 4, items: [] } : refusal('stale_version', { current: limits }),
  )
  await press('Enter')
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  // What is typed stays, and goes upon what is saved now.
  await expect.element(field('Euro pallet')).toHaveValue('20')
  await expect.poll(() => server.calls(listMovements).length).toBeGreaterThan(1)
  limits = { version: 4, items: [{ typeId: 1, pieces: 20 }] }
  accounts.items[0]!.balances[0]!.limit = 20
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(server.calls(saveLimits).at(-1)!.body).toEqual({
    holder: { kind: 'customer', id: NORDLICHT.id },
    items: [{ typeId: 1, pieces: 20 }],
  })
  await expect.element(account).toMatchTextContent('limit 20 (Euro pallet)')
  await expect.element(list.getByRole('row', { name: NORDLICHT.title })).toMatchTextContent('23 over the limit of 20')
  await account.getByRole('button', { name: /Bill 23 over the limit, 287\.50/ }).click()
  await expect.element(field('Euro pallet: Bill')).toHaveValue('23')
})

test('notes what a holder said by telephone: with a name, and why where it objects', { tags: 'long' }, async () => {
  await visit(`/load-carriers?account=${NORDLICHT.id}`)
  await account.getByRole('button', { name: 'Note an answer …' }).click()
  const note = dialog.getByRole('button', { name: 'Note it' })
  await expect.element(field('Who said so')).toHaveFocus()
  await expect.element(note).toHaveAttribute('title', 'Please enter who said so')
  await type('Anna Żak')
  await expect.element(field('Remark')).not.toBeRequired()
  await dialog.getByText('Objects').click()
  await expect.element(field('Remark')).toBeRequired()
  await expect.element(note).toHaveAttribute('title', 'Please enter what they object to')
  await field('Remark').fill('WT 0977 was brought back')
  await expectAccessibleInBothLooks()
  server.answer(answerStatement, refusal('conflict'))
  await note.click()
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  await expect.element(field('Remark')).toHaveValue('WT 0977 was brought back')
  server.answer(answerStatement, { state: 'objected' })
  stated = statedAs('objected')
  await note.click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(server.calls(answerStatement).at(-1)!.body).toEqual({
    isAgreed: false,
    name: 'Anna Żak',
    remark: 'WT 0977 was brought back',
  })
  await expect.element(account).toMatchTextContent('objected to')
  await expect.element(account).toMatchTextContent('„WT 0977 was brought back“ Anna Żak')
  // What is agreed is noted no more.
  stated = statedAs('agreed')
  await visit(`/load-carriers?account=${NORDLICHT.id}`)
  await expect.element(account).toMatchTextContent('agreed')
  await expect.element(account.getByRole('button', { name: 'Note an answer …' })).not.toBeInTheDocument()
})

test('lists what can be disputed and what is not agreed, with the way to each account', async () => {
  const holder = { kind: 'carrier' as const, ...TRANSWARTA, detail: 'PL Poznań' }
  server.answer(listWithoutNote, {
    items: [
      {
        id: 8,
        movedOn: '2026-11-13',
        type: { id: 1, title: 'Euro pallet' },
        given: 30,
        received: 0,
        holders: [{ kind: 'place', id: 51, title: 'Möbelhaus Kröger', detail: 'DE Bielefeld' }, holder],
        note: null,
        stop: { title: 'Möbelhaus Kröger, Bielefeld', orderNumber: '26-00007' },
        order: { id: 7, title: '26-00007' },
      },
    ],
    total: 7,
  })
  server.answer(listNotAgreed, {
    items: [
      {
        id: 61,
        holder,
        sentAt: '2026-11-04T09:00:00Z',
        sentBy: ANNA,
        state: 'objected',
        answer: { at: '2026-11-05T09:00:00Z', name: 'Anna Żak', remark: 'WT 0977 was brought back' },
        balances: [{ type: { id: 1, title: 'Euro pallet' }, pieces: 43 }],
        hasMoved: true,
      },
    ],
    total: 1,
  })
  await visit('/load-carriers')
  await tabs.getByRole('link', { name: 'Without a pallet note' }).click()
  const disputed = page.getByRole('region', { name: 'Without a pallet note' })
  await expect.element(disputed.getByRole('link', { name: '26-00007' })).toBeVisible()
  await expect.element(disputed).toMatchTextContent('6 more are not listed.')
  expect(location.search).toContain('tab=withoutNote')
  await expectAccessibleInBothLooks()
  await disputed.getByRole('link', { name: TRANSWARTA.title }).click()
  await expect.poll(() => location.search).toBe(`?holder=carrier&account=${TRANSWARTA.id}`)
  await tabs.getByRole('link', { name: 'Not agreed' }).click()
  const objections = page.getByRole('region', { name: 'Not agreed' })
  await expect.element(objections).toMatchTextContent('WT 0977 was brought back')
  await expect.element(objections).toMatchTextContent('(moved since)')
  await expectAccessibleInBothLooks()
})

test('says that nothing is disputed, and why a list could not be read', { tags: 'long' }, async () => {
  server.answer(listWithoutNote, { items: [], total: 0 })
  server.answer(listNotAgreed, refusal('internal'))
  await visit('/load-carriers?tab=withoutNote')
  await expect.element(page.getByText('Every movement has its pallet note')).toBeVisible()
  await visit('/load-carriers?tab=notAgreed')
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  server.answer(listNotAgreed, { items: [], total: 0 })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('No statement is in dispute')).toBeVisible()
})
