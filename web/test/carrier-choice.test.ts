import { getCarrierForOrder } from '@waybill/contract/carrier-company'
import { listEmailRefusals } from '@waybill/contract/email'
import {
  listCarrierChoices,
  type CarrierChoice,
  type CarrierChoices,
} from '@waybill/contract/order/choice/carrier-choice'
import { askPrices, getPriceRound, takePrice, type PriceRound } from '@waybill/contract/order/choice/price-round'
import { getCarrierPapers } from '@waybill/contract/order/clearance/release'
import { orderApi } from '@waybill/contract/order/order'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessibleInBothLooks } from './kit/axe.ts'
import { refusal, server } from './kit/fake-server.ts'
import { press, type } from './kit/keys.ts'
import { answerOf, carrierForOrderOf, choiceOf, choicesOf, roundOf } from './records/carrier-choice.ts'
import { offerMasterData, TRANSWARTA } from './records/master-data.ts'
import { keepOrder } from './records/order-screens.ts'
import { assignmentOf, orderOf, routeOf, stopOf } from './records/order.ts'

const dialog = page.getByRole('dialog')
const row = (title: string) => dialog.getByRole('row', { name: title })
const FRIULANA = { id: 61, title: 'Friulana Trasporti S.r.l.' }
const ADRIA = { id: 62, title: 'Adria Linee S.r.l.' }

const cleared = { papers: { ...choiceOf().papers }, demandedCents: null, release: null }

beforeEach(() => {
  signIn()
  offerMasterData()
  server.answer(getCarrierPapers, cleared)
})

const keepRoute = (given: Parameters<typeof routeOf>[0] = {}, round: PriceRound | null = null) => {
  server.answer(getPriceRound, { round })
  const order = keepOrder(
    orderOf({
      locations: [stopOf({ routeId: 901 })],
      routes: [routeOf({ locationIds: [801], assignment: assignmentOf(), ...given })],
    }),
    () => ({}),
  )
  server.answer(getCarrierForOrder, ({ params }) => carrierForOrderOf({ id: (params as { id: number }).id }))
  return order
}
const answer = (items: CarrierChoice[], more: Partial<CarrierChoices> = {}) =>
  server.answer(listCarrierChoices, choicesOf({ items, ...more }))

// A section is drawn once somebody comes to it.
const visitRoutes = async () => {
  await visit('/orders/7/edit')
  const heading = await page.getByRole('heading', { name: 'Carriers and routes' }).findElement()
  heading.scrollIntoView()
}
const open = async () => {
  await visitRoutes()
  await expect.element(page.getByRole('button', { name: 'Choose carrier …' })).toBeEnabled()
  await press('Alt+c')
}

test('offers no carrier that is not cleared for a scheduled route, and says why', async () => {
  keepRoute({ status: 'scheduled' })
  answer([
    choiceOf({
      ...ADRIA,
      why: 'notCleared',
      isCleared: false,
      reasons: [{ code: 'insurance_ends', endsOn: '2026-12-03', insuredCents: null, text: null }],
    }),
  ])
  await open()
  await expect.element(row(ADRIA.title)).toMatchTextContent('The insurance ends on 03 Dec 2026')
  await expect.element(dialog).toMatchTextContent('Not cleared for this route')
  await expect.element(dialog).toMatchTextContent('The route is scheduled: it takes a carrier that is cleared')
  await expect.element(dialog.getByRole('button', { name: /^Assign/ })).toBeDisabled()
})

test('says why each stands where it stands, and puts the one in hand on the route with Enter', {
  tags: 'long',
}, async () => {
  keepRoute()
  answer([
    choiceOf({ ...FRIULANA, why: 'cheapestPunctual' }),
    choiceOf({ ...TRANSWARTA, why: 'lessPunctual', priceCents: 115_000, onTime: { inTime: 8, measured: 9 } }),
  ])
  await open()
  await expect.element(dialog).toMatchTextContent('First, because it is the cheapest of those above 90 % on time.')
  await expect.element(row(FRIULANA.title)).toMatchTextContent('1,180.00')
  await expect.element(row(TRANSWARTA.title)).toMatchTextContent('below 90 % on time')
  await press('ArrowDown')
  await expect.element(dialog).toMatchTextContent('Number 2: it drove this lane 9 times')
  await expectAccessibleInBothLooks()
  await press('ArrowUp')
  await press('Enter')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(page.field('routes.0.assignment.costCents')).toHaveValue('1,180.00')
  await expect.element(page.field('routes.0.assignment.disponentName')).toHaveValue('Elisa Furlan')
  await press('Control+s')
  await expect
    .poll(() => server.calls(orderApi.patch))
    .toMatchObject([
      { body: { routes: [{ assignment: { carrierCompanyId: FRIULANA.id, costCents: 118_000 } }] }, version: 1 },
    ])
})

test('takes another price than the last one, and keeps one that was agreed already', { tags: 'long' }, async () => {
  keepRoute({ assignment: assignmentOf({ costCents: 110_000 }) })
  answer([choiceOf({ ...FRIULANA })])
  await open()
  const cost = dialog.getByLabelText('Cost, net')
  await expect.element(cost).toHaveValue('1,100.00')
  await cost.fill('1190')
  await expect.element(dialog).toMatchTextContent('leaves 260.00 €')
  await press('Enter')
  await expect.element(page.field('routes.0.assignment.costCents')).toHaveValue('1,190.00')
})

test('looks for a name that the lane does not know, by the slash', { tags: 'long' }, async () => {
  keepRoute()
  server.answer(listCarrierChoices, ({ query }) =>
    choicesOf({ items: (query as { q?: string }).q === 'adria' ? [choiceOf({ ...ADRIA, why: 'new', trips: 0 })] : [] }),
  )
  await open()
  await expect.element(dialog).toMatchTextContent('Nobody has driven this lane yet')
  await expect.element(dialog.getByRole('button', { name: 'Assign' })).toBeDisabled()
  await press('/')
  await type('adria')
  await expect.element(row(ADRIA.title)).toBeVisible()
  await press('Escape')
  await expect.element(dialog).not.toBeInTheDocument()
})

const GRUBER = { id: 63, title: 'Gruber Trans GmbH' }
const priced = (
  id: number,
  carrierCompany: { id: number; title: string },
  priceCents: number,
  remark = '',
  holdsUntil = '2099-12-02',
) =>
  answerOf({
    id,
    carrierCompany,
    state: 'priced',
    priceCents,
    remark,
    holdsUntil,
    answeredAt: '2026-12-01T13:10:00Z',
  })

test('asks those who are ticked until a deadline, and shows a refusal', { tags: 'long' }, async () => {
  keepRoute()
  answer([
    choiceOf({ ...FRIULANA }),
    choiceOf({ ...GRUBER, email: null }),
    choiceOf({ ...TRANSWARTA }),
    choiceOf({ ...ADRIA, isCleared: false, why: 'notCleared', reasons: [] }),
  ])
  server.answer(askPrices, refusal('conflict'))
  server.answer(listEmailRefusals, {
    items: [{ address: 'dispo@friulana.example', at: '2026-11-20T10:00:00Z', words: '550 no such user' }],
  })
  await open()
  await expect.element(row(FRIULANA.title)).toBeVisible()
  await dialog.getByRole('radio', { name: FRIULANA.title }).click()
  await press('a')
  const tick = (title: string) => dialog.getByRole('checkbox', { name: `Ask ${title}` })
  await expect.element(tick(FRIULANA.title)).toBeChecked()
  await expect.element(tick(GRUBER.title)).toBeDisabled()
  await expect.element(tick(ADRIA.title)).not.toBeChecked()
  await expect.element(dialog).toMatchTextContent('never the customer or its price')
  await expect.element(dialog.getByText('dispo@friulana.example refused on')).toBeVisible()
  await expectAccessibleInBothLooks()
  await tick(TRANSWARTA.title).click()
  await dialog.getByLabelText('We pay at most').fill('1300')
  await dialog.getByLabelText('Remark for the carriers').fill('Two drivers')
  await dialog.getByLabelText('Answer until').fill('2020-01-01T10:00')
  await expect.element(dialog.getByRole('button', { name: 'Send 1 request' })).toBeDisabled()
  await dialog.getByLabelText('Answer until').fill('2099-01-01T10:00')
  await press('Enter')
  expect(server.calls(askPrices)).toEqual([])
  await dialog.getByRole('button', { name: 'Send 1 request' }).click()
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  expect(server.calls(askPrices)).toMatchObject([
    { params: { id: 901 }, body: { carrierCompanyIds: [FRIULANA.id], limitCents: 130_000, remark: 'Two drivers' } },
  ])
})

test('asks until no time that the clocks skip, and has what was typed again after a closed tab', {
  tags: 'long',
}, async () => {
  keepRoute()
  answer([choiceOf({ ...FRIULANA })])
  await open()
  await expect.element(row(FRIULANA.title)).toBeVisible()
  await dialog.getByRole('radio', { name: FRIULANA.title }).click()
  await press('a')
  // The last Sunday of March: the browser stands in Berlin.
  await dialog.getByLabelText('Answer until').fill('2099-03-29T02:30')
  await expect.element(dialog).toMatchTextContent('The clocks skip this time; 01:30 and 03:30 are around it')
  await expect.element(dialog.getByRole('button', { name: 'Send 1 request' })).toBeDisabled()
  await dialog.getByLabelText('Answer until').fill('2099-03-29T03:30')
  await expect.element(dialog.getByRole('button', { name: 'Send 1 request' })).toBeEnabled()
  await dialog.getByLabelText('Remark for the carriers').fill('Two drivers')
  await open()
  await expect.element(row(FRIULANA.title)).toBeVisible()
  await dialog.getByRole('radio', { name: FRIULANA.title }).click()
  await press('a')
  await expect.element(dialog.getByLabelText('Remark for the carriers')).toHaveValue('Two drivers')
  await expect.element(dialog.getByLabelText('Answer until')).toHaveValue('2099-03-29T03:30')
})

test('sets answers beside each other, the cheapest above, and takes the one in hand', { tags: 'long' }, async () => {
  const order = keepRoute(
    {},
    roundOf({
      limitCents: 119_000,
      answers: [
        priced(91, GRUBER, 120_500, 'comes from Brescia'),
        priced(92, FRIULANA, 119_000),
        answerOf({ id: 93, carrierCompany: TRANSWARTA }),
        answerOf({
          id: 94,
          carrierCompany: ADRIA,
          state: 'declined',
          answeredAt: '2026-12-01T13:00:00Z',
          remark: 'No truck',
        }),
      ],
    }),
  )
  answer([choiceOf({ ...FRIULANA }), choiceOf({ ...GRUBER, prices: [] })])
  server.answer(takePrice, () => {
    order.change({})
    return roundOf({ closedAt: '2026-12-01T13:30:00Z', closeReason: 'taken', takenAnswerId: 91 })
  })
  await open()
  await expect.element(dialog).toMatchTextContent('2 of 4 answered with a price')
  const rows = dialog.getByRole('row')
  await expect.element(rows.nth(1)).toMatchTextContent(FRIULANA.title)
  await expect.element(rows.nth(1)).toMatchTextContent('+10.00')
  await expect.element(rows.nth(2)).toMatchTextContent('above the limit')
  await expect.element(rows.nth(2)).toMatchTextContent('245.00')
  await expect.element(rows.nth(3)).toMatchTextContent('no answer yet')
  await expect.element(rows.nth(4)).toMatchTextContent('not this time')
  await expect.element(dialog.getByRole('button', { name: 'Take 1,190.00 €' })).toBeEnabled()
  await dialog.getByRole('radio', { name: GRUBER.title }).click()
  await expect.element(dialog.getByRole('button', { name: 'Take 1,205.00 €' })).toBeEnabled()
  await expectAccessibleInBothLooks()
  await dialog.getByRole('button', { name: 'Take 1,205.00 €' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(server.calls(takePrice)).toMatchObject([
    { params: { id: 901, roundId: 81 }, version: 1, body: { answerId: 91, tellOthers: true } },
  ])
})

test('takes no price that holds no longer, though it is the cheapest one', { tags: 'long' }, async () => {
  keepRoute({}, roundOf({ answers: [priced(91, GRUBER, 99_000, '', '2026-01-31'), priced(92, FRIULANA, 119_000)] }))
  answer([choiceOf({ ...FRIULANA }), choiceOf({ ...GRUBER, prices: [] })])
  await open()
  await expect.element(row(GRUBER.title)).toMatchTextContent('holds no longer')
  await expect.element(dialog.getByRole('radio', { name: GRUBER.title })).toBeDisabled()
  await expect.element(dialog.getByRole('button', { name: 'Take 1,190.00 €' })).toBeEnabled()
})
