import { getCarrierForOrder } from '@waybill/contract/carrier-company'
import {
  listCarrierChoices,
  type CarrierChoice,
  type CarrierChoices,
} from '@waybill/contract/order/choice/carrier-choice'
import { getCarrierPapers } from '@waybill/contract/order/clearance/release'
import { orderApi } from '@waybill/contract/order/order'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessibleInBothLooks } from './kit/axe.ts'
import { server } from './kit/fake-server.ts'
import { press, type } from './kit/keys.ts'
import { carrierForOrderOf, choiceOf, choicesOf } from './records/carrier-choice.ts'
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

const keepRoute = (given: Parameters<typeof routeOf>[0] = {}) => {
  keepOrder(
    orderOf({
      locations: [stopOf({ routeId: 901 })],
      routes: [routeOf({ locationIds: [801], assignment: assignmentOf(), ...given })],
    }),
    () => ({}),
  )
  server.answer(getCarrierForOrder, ({ params }) => carrierForOrderOf({ id: (params as { id: number }).id }))
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

test('says why each stands where it stands, and puts the one in hand on the route with Enter', async () => {
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

test('takes another price than the last one, and keeps one that was agreed already', async () => {
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

test('looks for a name that the lane does not know, by the slash', async () => {
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
