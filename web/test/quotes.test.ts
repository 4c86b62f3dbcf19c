import { listIntakeMails } from '@waybill/contract/intake/intake'
import { measureDistance } from '@waybill/contract/place'
import { getCustomerForOrder } from '@waybill/contract/customer'
import { listAuditEntries } from '@waybill/contract/audit/audit-entry'
import { listEmailRefusals } from '@waybill/contract/email'
import {
  changeQuote,
  createQuote,
  exportQuotes,
  getQuote,
  getQuotePaper,
  listQuotes,
  loseQuote,
  orderQuote,
  previewQuote,
  sendQuote,
  type Quote,
  type QuoteRow,
} from '@waybill/contract/quote/quote'
import {
  changeRateCard,
  listLaneCosts,
  listRateCards,
  type LaneCosts,
  type RateCard,
} from '@waybill/contract/quote/rate-card'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessible, expectAccessibleInBothLooks } from './kit/axe.ts'
import { pageOf, refusal, server } from './kit/fake-server.ts'
import { press } from './kit/keys.ts'
import { customerForOrderOf } from './records/customer.ts'
import { mailOf } from './records/intake.ts'
import { ANNA, FABRYKA, FTL_WEST, GERMANY, NORDLICHT, offerMasterData, POLAND } from './records/master-data.ts'

const quoteOf = (given: Partial<Quote> = {}): Quote => ({
  id: 7,
  version: 3,
  number: 'Q-26-0418',
  state: 'draft',
  customerId: NORDLICHT.id,
  customer: NORDLICHT,
  contactPersonId: null,
  contactPerson: null,
  departmentId: FTL_WEST.id,
  department: FTL_WEST,
  caseWorkerId: ANNA.id,
  caseWorker: ANNA,
  from: { countryId: GERMANY.id, countryCode: 'DE', postal: '52351', city: 'Düren', date: '2026-12-07' },
  to: { countryId: POLAND.id, countryCode: 'PL', postal: '60-101', city: 'Poznań', date: null },
  goods: 'Paper reels',
  quantity: 22,
  unitTypeId: null,
  unitType: null,
  weightKg: 22_100,
  ldm: 13.6,
  distanceKm: 900,
  costSource: 'typed',
  costCents: 123_992,
  targetBp: 1600,
  priceCents: 148_000,
  validUntil: '2026-12-15',
  remark: null,
  marginBp: 1622,
  createdAt: '2026-12-01T13:05:00Z',
  sentAt: null,
  sentTo: null,
  answeredAt: null,
  answeredBy: null,
  answerRemark: null,
  lostReason: null,
  order: null,
  ...given,
})
const rowOf = (given: Partial<Quote> = {}): QuoteRow => quoteOf(given)
const cardPrice = {
  title: 'Rhine – Poland',
  owner: null,
  baseCents: 130_000,
  isMinimum: false,
  fuelBp: 720,
  fuelCents: 9360,
  surchargeCents: 0,
  totalCents: 139_360,
}
const COSTS: LaneCosts = {
  history: { tripCount: 9, middleCents: 121_800, lowestCents: 115_000, highestCents: 131_000 },
  buy: { ...cardPrice, totalCents: 133_377 },
  sell: cardPrice,
  asked: null,
  answered: [
    { id: 1, number: 'Q-26-0401', priceCents: 144_000, isAccepted: true },
    { id: 2, number: 'Q-26-0399', priceCents: 156_000, isAccepted: false },
  ],
}
const CARD: RateCard = {
  id: 5,
  version: 2,
  kind: 'sell',
  title: 'Łódź – NRW',
  customerId: FABRYKA.id,
  customer: FABRYKA,
  carrierCompanyId: null,
  carrierCompany: null,
  validFrom: '2026-01-01',
  validTo: '2027-06-30',
  lines: [
    {
      fromCountryCode: 'PL',
      fromPostal: '90-95',
      toCountryCode: 'DE',
      toPostal: '50-53',
      upToLdm: 11.4,
      basis: 'flat',
      rateCents: 119_000,
      minimumCents: null,
    },
  ],
  fuel: [{ month: '2026-01', bp: 720 }],
  surcharges: [],
}

const NO_COUNTS = { all: 0, open: 0, followUp: 0, accepted: 0, lost: 0 }
const NO_ANSWERS = { acceptedCount: 0, answeredCount: 0, marginBp: null }

let stored: Quote
const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = page.getByRole('dialog')

beforeEach(() => {
  signIn()
  offerMasterData()
  stored = quoteOf()
  server.answer(getQuote, () => stored)
  server.answer(listLaneCosts, COSTS)
  server.answer(listAuditEntries, pageOf([]))
  server.answer(listIntakeMails, pageOf([]))
  server.answer(measureDistance, refusal('not_found'))
  server.answer(getCustomerForOrder, ({ params }) => customerForOrderOf({ id: params.id, contactPersons: [] }))
})

test('lists quotes with what came of them, and keeps what is shown in the address', { tags: 'long' }, async () => {
  server.answer(listQuotes, ({ query }) => ({
    items:
      query.show === 'lost'
        ? [rowOf({ id: 9, state: 'refused', lostReason: 'price', answerRemark: '1,395' })]
        : [rowOf(), rowOf({ id: 8, number: 'Q-26-0417', state: 'accepted', answeredAt: '2026-12-01T09:00:00Z' })],
    total: 2,
    counts: { all: 4, open: 1, followUp: 1, accepted: 1, lost: 1 },
    openCents: 148_000,
    lately: { acceptedCount: 58, answeredCount: 91, marginBp: 1410 },
  }))
  await visit('/quotes')
  const first = page.getByRole('row', { name: 'Q-26-0418' })
  await expect.element(first).toMatchTextContent('Draft')
  await expect.element(first).toMatchTextContent('1,480.00')
  await expect.element(page.getByRole('row', { name: 'Q-26-0417' })).toMatchTextContent('no order yet')
  await expect.element(page.getByText('58 of 91')).toBeVisible()
  await expectAccessibleInBothLooks()
  await page.getByRole('link', { name: 'Lost' }).click()
  await expect.element(page.getByRole('row', { name: 'Q-26-0418' })).toMatchTextContent('Too dear: 1,395')
  expect(location.search).toContain('show=lost')
  await press('n')
  await expect.poll(() => location.pathname).toBe('/quotes/create')
})

test('the list changes as customers and colleagues do, and is taken along as it is narrowed', {
  tags: 'long',
}, async () => {
  let state: Quote['state'] = 'sent'
  server.answer(listQuotes, () => ({
    items: [rowOf({ state })],
    total: 1,
    counts: { all: 1, open: 1, followUp: 0, accepted: 0, lost: 0 },
    openCents: 148_000,
    lately: NO_ANSWERS,
  }))
  await visit('/quotes?show=open&q=poznan')
  const row = page.getByRole('row', { name: 'Q-26-0418' })
  await expect.element(row).toMatchTextContent('Sent')
  state = 'accepted'
  await expect
    .poll(() => {
      server.tell('changed', { kind: 'quote', ids: [7] })
      return row.element().textContent
    })
    .toMatch('Accepted')
  server.answer(exportQuotes, { blob: new Blob(['x']), fileName: 'quotes.xlsx' } as never)
  await button('Export this list').click()
  await page.getByRole('menuitem', { name: 'XLSX' }).click()
  await expect.element(page.getByText('quotes.xlsx')).toBeVisible()
  expect(server.calls(exportQuotes)[0]!.query).toMatchObject({ show: 'open', q: 'poznan', format: 'xlsx' })
})

test('shows a quote as PDF once it is saved with a price, and says so where it cannot be made', {
  tags: 'long',
}, async () => {
  const open = vi.spyOn(window, 'open').mockReturnValue(null)
  onTestFinished(() => open.mockRestore())
  server.answer(getQuotePaper, refusal('unavailable'))
  await visit('/quotes/edit/7')
  await button('PDF').click()
  await expect.element(page.getByText('The PDF could not be made')).toBeVisible()
  expect(open).not.toHaveBeenCalled()
  const words = '%PDF-1.7 Angebot'
  server.answer(getQuotePaper, { blob: new Blob([words], { type: 'application/pdf' }), fileName: 'Angebot.pdf' })
  await button('PDF').click()
  await expect.poll(() => open.mock.calls).toHaveLength(1)
  expect(await (await fetch(open.mock.calls[0]![0]!)).text()).toBe(words)
  expect(server.calls(getQuotePaper).at(-1)!.params).toEqual({ id: 7 })
  await page.getByRole('textbox', { name: 'Price, net' }).fill('')
  await userEvent.tab()
  await expect.element(button('PDF')).not.toBeInTheDocument()
})

test('says of an answered price that it holds no longer', { tags: 'long' }, async () => {
  const asked = { answerCount: 2, lowestCents: 99_000, carrier: 'Transwarta', answeredAt: '2026-11-02T09:00:00Z' }
  server.answer(listLaneCosts, { ...COSTS, asked: { ...asked, heldUntil: '2026-11-05' } })
  stored = quoteOf({ priceCents: null, costSource: null, costCents: null })
  await visit('/quotes/edit/7')
  const answers = page.getByRole('button', { name: /Answers of carriers/ })
  await expect.element(answers).toMatchTextContent(/990\.00.*Transwarta · held until .*5/)
  await expectAccessibleInBothLooks()
})

test('puts sources of cost beside each other, chosen by keys, and proposes a price for the margin', async () => {
  stored = quoteOf({ priceCents: null, costSource: null, costCents: null })
  await visit('/quotes/edit/7')
  const history = page.getByRole('button', { name: /Lane history/ })
  await expect.element(history).toMatchTextContent('1,218.00')
  await expect.element(history).toMatchTextContent('middle of 9 trips in 12 months')
  await expect.element(page.getByRole('button', { name: /Answers of carriers/ })).toBeDisabled()
  await expectAccessible()
  await press('1')
  await expect.element(history).toHaveAttribute('aria-pressed', 'true')
  await expect.element(page.getByRole('textbox', { name: 'Price, net' })).toHaveValue('1,450.00')
  await press('2')
  await expect.element(page.getByRole('textbox', { name: 'Expected cost' })).toHaveValue('1,333.77')
  await expect.element(page.getByRole('textbox', { name: 'Price, net' })).toHaveValue('1,587.83')
  // What somebody has typed stays.
  await page.getByRole('textbox', { name: 'Price, net' }).fill('1,480')
  await userEvent.tab()
  await history.click()
  await expect.element(page.getByRole('textbox', { name: 'Price, net' })).toHaveValue('1,480.00')
  await page.getByRole('button', { name: 'Take the price of the rate card' }).click()
  await expect.element(page.getByRole('textbox', { name: 'Price, net' })).toHaveValue('1,393.60')
  await expect.element(page.getByRole('img', { name: /Accepted: 1,440.00; Declined: 1,560.00/ })).toBeVisible()
  server.answer(changeQuote, ({ version }) =>
    version === 4
      ? quoteOf({ version: 5 })
      : refusal('stale_version', { current: quoteOf({ version: 4, priceCents: 1 }) }),
  )
  await button('Save').click()
  await expect.element(page.getByRole('alert')).toMatchTextContent('Somebody else has changed this quote meanwhile.')
  await button('Show what is saved').click()
  await expect.element(page.getByRole('textbox', { name: 'Price, net' })).toHaveValue('0.01')
  expect(server.calls(changeQuote)[0]!.body).toMatchObject({
    costSource: 'history',
    costCents: 121_800,
    priceCents: 139_360,
  })
})

test('makes a quote once customer and lane are there, then sends what was looked at', { tags: 'long' }, async () => {
  await visit('/quotes/create')
  await expect.element(button('Save')).toHaveAttribute('title', 'Please choose the customer')
  const choose = async (name: string, text: string, option: string) => {
    await page.getByRole('combobox', { name, exact: true }).fill(text)
    await page.getByRole('option', { name: option }).first().click()
  }
  await choose('Customer', 'Nordlicht M', NORDLICHT.title)
  await expect
    .element(button('Save'))
    .toHaveAttribute('title', 'Please enter country and postcode or town of both ends')
  await choose('From country', 'Germ', 'Germany')
  await choose('To country', 'Pol', 'Poland')
  await page.getByRole('group', { name: 'From', exact: true }).getByRole('textbox', { name: 'City' }).fill('Düren')
  await page.getByRole('group', { name: 'To', exact: true }).getByRole('textbox', { name: 'Postcode' }).fill('60-101')
  await page.getByRole('textbox', { name: 'Price, net' }).fill('1,480')
  server.answer(createQuote, () => stored)
  await button('Save').click()
  await expect.poll(() => location.pathname).toBe('/quotes/edit/7')
  expect(server.calls(createQuote)[0]!.body).toMatchObject({
    customerId: NORDLICHT.id,
    from: { countryId: GERMANY.id, postal: null, city: 'Düren' },
    to: { countryId: POLAND.id, postal: '60-101', city: null },
    priceCents: 148_000,
    costSource: null,
  })
  server.answer(previewQuote, { to: null, subject: 'Quote Q-26-0418', html: '<p>We offer</p>' })
  await expect.element(page.getByRole('button', { name: /Send quote/ })).toBeVisible()
  await press('Control+Enter')
  const send = dialog.getByRole('button', { name: 'Send' })
  await expect.element(dialog.getByText('No address is on record.')).toBeVisible()
  await expect.element(send).toBeDisabled()
  server.answer(listEmailRefusals, {
    items: [{ address: 'old@nordlicht.example', at: '2026-11-20T10:00:00Z', words: '550 no such user' }],
  })
  await dialog.getByRole('textbox', { name: 'To' }).fill('old@nordlicht.example')
  await expect.element(dialog.getByText('old@nordlicht.example refused on')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'To' }).fill('b@nordlicht.example')
  await expect.element(dialog.getByText('refused on')).not.toBeInTheDocument()
  await expectAccessible()
  server.answer(
    sendQuote,
    quoteOf({ version: 4, state: 'sent', sentAt: '2026-12-01T14:06:00Z', sentTo: 'b@nordlicht.example' }),
  )
  await send.click()
  await expect.element(page.getByText('Quote sent to b@nordlicht.example')).toBeVisible()
  // What was sent is read.
  await expect.element(page.getByRole('textbox', { name: 'Price, net' })).toHaveAttribute('readonly')
  await expect.element(button('Take back')).toBeVisible()
})

const isBack = page.getByText(/Your unsaved typing of .* is back/)

test('keeps what is typed in a quote over a reload, and never writes over what others saved meanwhile', {
  tags: 'long',
}, async () => {
  await visit('/quotes/edit/7')
  const price = page.getByRole('textbox', { name: 'Price, net' })
  await price.fill('1,515')
  await visit('/quotes/edit/7')
  await expect.element(isBack).toBeVisible()
  await expect.element(price).toHaveValue('1,515.00')
  await button('Discard it').click()
  await expect.element(price).toHaveValue('1,480.00')
  await visit('/quotes/edit/7')
  await expect.element(price).toHaveValue('1,480.00')
  await expect.element(isBack).not.toBeInTheDocument()

  await price.fill('1,516')
  stored = quoteOf({ version: 4, remark: 'Theirs' })
  await visit('/quotes/edit/7')
  await expect.element(price).toHaveValue('1,516.00')
  server.answer(changeQuote, refusal('stale_version', { current: stored }))
  await press('Control+s')
  await expect.element(page.getByRole('alert')).toMatchTextContent('Somebody else has changed this quote meanwhile.')
  expect(server.calls(changeQuote)[0]).toMatchObject({ version: 3, body: { priceCents: 151_600 } })
})

test('keeps a new quote until it is left on purpose', { tags: 'long' }, async () => {
  await visit('/quotes/create')
  const goods = page.getByRole('textbox', { name: 'Goods' })
  await goods.fill('Paper reels')
  await visit('/quotes/create')
  await expect.element(goods).toHaveValue('Paper reels')
  server.answer(listQuotes, { items: [], total: 0, counts: NO_COUNTS, openCents: 0, lately: NO_ANSWERS })
  await page.getByRole('link', { name: 'Quotes' }).first().click()
  await dialog.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect.poll(() => location.pathname).toBe('/quotes')
  await press('n')
  await expect.element(goods).toHaveValue('')
})

test('keeps the lines of a rate card that was left for another', { tags: 'long' }, async () => {
  server.answer(listRateCards, { items: [CARD, { ...CARD, id: 6, title: 'Nord' }] })
  await visit('/rate-cards?card=5')
  const add = page.getByRole('button', { name: 'Add line' })
  await add.click()
  const second = page.getByRole('textbox', { name: 'To postcodes, line 2' })
  await second.fill('57-59')
  await page.getByRole('link', { name: 'Nord', exact: true }).click()
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Nord')
  await expect.element(isBack).not.toBeInTheDocument()
  await visit('/rate-cards?card=5')
  await expect.element(isBack).toBeVisible()
  await expect.element(second).toHaveValue('57-59')
  // A line more is a row of its own, not the one that was kept.
  await add.click()
  await expect.element(page.getByRole('textbox', { name: 'To postcodes, line 3' })).toHaveValue('')
  await expect.element(second).toHaveValue('57-59')
})

test('makes the order by a key, or says why it was lost', async () => {
  stored = quoteOf({ state: 'sent', sentAt: '2026-12-01T14:06:00Z', sentTo: 'b@nordlicht.example' })
  await visit('/quotes/edit/7')
  await button('Lost …').click()
  await dialog.getByRole('textbox', { name: 'What they said' }).fill('1,395')
  server.answer(loseQuote, refusal('conflict'))
  await dialog.getByRole('button', { name: 'Mark as lost' }).click()
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  expect(server.calls(loseQuote)[0]).toMatchObject({ version: 3, body: { reason: 'price', remark: '1,395' } })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  server.answer(
    orderQuote,
    quoteOf({
      version: 4,
      state: 'accepted',
      answeredAt: '2026-12-02T09:12:00Z',
      answeredBy: 'hand',
      order: { id: 99, number: '26-04812' },
    }),
  )
  await expect.element(dialog).not.toBeInTheDocument()
  await press('o')
  await expect.element(page.getByRole('link', { name: 'Order 26-04812' })).toBeVisible()
  expect(page.getByRole('button', { name: /Make the order/ }).elements()).toHaveLength(0)
  expect(server.calls(orderQuote)).toHaveLength(1)
})

test('asks how many units there are before it makes the order of a quote without a number', {
  tags: 'long',
}, async () => {
  const answered = {
    state: 'accepted',
    answeredAt: '2026-12-02T09:12:00Z',
    answeredBy: 'link',
    quantity: null,
  } as const
  stored = quoteOf(answered)
  server.answer(orderQuote, quoteOf({ ...answered, version: 4, order: { id: 99, number: '26-04812' } }))
  await visit('/quotes/edit/7')
  await page.getByRole('button', { name: /Make the order/ }).click()
  await expect.element(dialog).toMatchTextContent('does not say how many units there are')
  await expectAccessible()
  const make = dialog.getByRole('button', { name: 'Make the order' })
  await expect.element(make).toBeDisabled()
  expect(server.calls(orderQuote)).toEqual([])
  await dialog.getByRole('textbox', { name: 'Quantity' }).fill('33')
  await make.click()
  await expect.element(page.getByRole('link', { name: 'Order 26-04812' })).toBeVisible()
  expect(server.calls(orderQuote)).toMatchObject([{ version: 3, body: { quantity: 33 } }])
})

test('leads to the rate cards by themselves who may not quote', async () => {
  signIn({ permissions: ['CUSTOMER_MANAGEMENT'] })
  server.answer(listRateCards, { items: [CARD] })
  await visit('/rate-cards')
  const nav = page.getByRole('navigation', { name: 'Main', exact: true })
  await expect.element(nav.getByRole('link', { name: 'Rate cards' })).toHaveAttribute('aria-current', 'page')
  expect(nav.getByRole('link', { name: 'Quotes' }).elements()).toHaveLength(0)
})

test('tries a rate card before it is saved, and takes rows of a spreadsheet', { tags: 'long' }, async () => {
  server.answer(listRateCards, { items: [CARD] })
  await visit('/rate-cards?card=5')
  // A tab of the quotes, and where those may be opened the navigation shows them.
  const nav = page.getByRole('navigation', { name: 'Main', exact: true })
  await expect.element(nav.getByRole('link', { name: 'Quotes' })).toHaveAttribute('aria-current', 'page')
  expect(nav.getByRole('link', { name: 'Rate cards' }).elements()).toHaveLength(0)
  const tried = page.getByRole('region', { name: 'Try it' })
  await expect.element(tried).toMatchTextContent('No line fits')
  await tried.getByRole('textbox', { name: 'From postcode' }).fill('92-412')
  await tried.getByRole('textbox', { name: 'To postcode' }).fill('50226')
  await tried.getByRole('textbox', { name: 'Ldm' }).fill('11.2')
  await expect.element(tried).toMatchTextContent('Line 1: 1,190.00 + diesel 7.2 % 85.68 = 1,275.68 €')
  await expectAccessibleInBothLooks()
  const cell = (name: string) => page.getByRole('textbox', { name, exact: true })
  const pasted = new DataTransfer()
  pasted.setData('text/plain', '50-53\t13.6\tflat\t1,275.00\n57\t13.6\ttransport\t1,205.00\t420')
  cell('To postcodes, line 1')
    .element()
    .dispatchEvent(new ClipboardEvent('paste', { clipboardData: pasted, bubbles: true, cancelable: true }))
  await expect.element(cell('Price €, line 2')).toHaveValue('1,205.00')
  await expect.element(cell('From postcodes, line 2')).toHaveValue('90-95')
  await expect.element(tried).toMatchTextContent('Line 1: 1,275.00')
  await cell('To postcodes, line 2').fill('57-3')
  await expect.element(page.getByRole('button', { name: /^Save/ })).toHaveAttribute('title', 'A line is not complete')
  await cell('To postcodes, line 2').fill('57-59')
  server.answer(changeRateCard, { ...CARD, version: 3 })
  await press('Control+s')
  await expect.element(page.getByText('The rate card was saved successfully')).toBeVisible()
  expect(server.calls(changeRateCard)[0]).toMatchObject({
    version: 2,
    body: {
      lines: [
        { toPostal: '50-53', upToLdm: 13.6, rateCents: 127_500, minimumCents: null },
        { fromPostal: '90-95', toPostal: '57-59', rateCents: 120_500, minimumCents: 42_000 },
      ],
    },
  })
})

test('names the mail that asked for it', async () => {
  server.answer(listIntakeMails, pageOf([mailOf({ subject: 'Anfrage Düren – Posen' })]))
  await visit('/quotes/edit/7')
  await expect
    .element(page.getByRole('list', { name: 'Came in' }).getByRole('link', { name: 'Anfrage Düren – Posen' }))
    .toHaveAttribute('href', '/intake/7')
  expect(server.calls(listIntakeMails).map(({ query }) => query.quoteId)).toEqual([[7]])
})

test('a day that is typed and not left yet is kept, and one that cannot be read changes nothing', {
  tags: 'long',
}, async () => {
  server.answer(listRateCards, { items: [CARD] })
  await visit('/rate-cards?card=5')
  const until = page.getByRole('textbox', { name: 'Valid to' })
  await until.fill('31.5.2027')
  await expect.element(page.getByRole('button', { name: /^Save/ })).toBeEnabled()
  await visit('/rate-cards?card=5')
  await expect.element(isBack).toBeVisible()
  await expect.poll(() => (until.element() as HTMLInputElement).value).toContain('31 May 2027')
  // The first of these letters are a day.
  await until.fill('4')
  await until.fill('4.x')
  await press('Tab')
  await expect.element(until).toHaveAttribute('aria-invalid', 'true')
  server.answer(changeRateCard, CARD)
  const saved = server.next(changeRateCard)
  await press('Control+s')
  expect((await saved).body.validTo).toBe('2027-05-31')
})

test('an address typed for a quote is there again after a reload, and is gone once it was sent', {
  tags: 'long',
}, async () => {
  server.answer(previewQuote, { to: null, subject: 'Quote Q-26-0418', html: '<p>We offer</p>' })
  server.answer(listEmailRefusals, { items: [] })
  const to = dialog.getByRole('textbox', { name: 'To' })
  const send = async () => {
    await page.getByRole('button', { name: /Send quote/ }).click()
    await expect.element(to).toBeVisible()
  }
  await visit('/quotes/edit/7')
  await send()
  await to.fill('einkauf@nordlicht.example')
  await visit('/quotes/edit/7')
  await send()
  await expect.element(to).toHaveValue('einkauf@nordlicht.example')
  server.answer(sendQuote, refusal('unavailable'))
  await dialog.getByRole('button', { name: 'Send' }).click()
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  await expect.element(to).toHaveValue('einkauf@nordlicht.example')
  server.answer(sendQuote, quoteOf({ version: 4 }))
  await dialog.getByRole('button', { name: 'Send' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await visit('/quotes/edit/7')
  await send()
  await expect.element(to).toHaveValue('')
})
