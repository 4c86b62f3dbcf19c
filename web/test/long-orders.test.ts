import { carrierCompanyApi } from '@waybill/contract/carrier-company'
import { getCarrierPapers } from '@waybill/contract/order/clearance/release'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { drawingsDuring } from './kit/drawings.ts'
import { server } from './kit/fake-server.ts'
import { press } from './kit/keys.ts'
import { offerMasterData, TRANSWARTA } from './records/master-data.ts'
import { keepOrder } from './records/order-screens.ts'
import { assignmentOf, cargoOf, orderOf, routeOf, stopOf, transportOf } from './records/order.ts'

const field = (name: string) => page.field(name)

beforeEach(() => {
  signIn()
  offerMasterData()
  server.offer(carrierCompanyApi, [TRANSWARTA])
  server.answer(getCarrierPapers, {
    papers: { blockedReason: null, isUsedUp: false, licenceNotNeededReason: null, licences: [], insurances: [] },
    demandedCents: null,
    release: null,
  })
})

const LINES = 200
const lineIds = Array.from({ length: LINES }, (_, index) => 1001 + index)

/** Fetched at one stop; every second line is for the second stop, the others for the third. */
const longOrder = () =>
  orderOf({
    cargo: lineIds.map((id) => cargoOf({ id, title: `Crate ${id}`, quantity: 1, weightKg: 10 })),
    locations: [
      stopOf({ id: 801, cargoActions: lineIds.map((cargoId) => ({ cargoId, action: 'PICK_UP' })) }),
      ...[0, 1].map((half) =>
        stopOf({
          id: 802 + half,
          position: 1 + half,
          kind: 'unloading',
          cargoActions: lineIds
            .filter((_, index) => index % 2 === half)
            .map((cargoId) => ({ cargoId, action: 'DROP_OFF' as const })),
        }),
      ),
    ],
  })

test('a key in the weight of one of 200 lines draws that line and what says its weight', { tags: 'long' }, async () => {
  keepOrder(longOrder())
  await visit('/orders/7/edit')
  await page.getByRole('button', { name: 'Cargo, prices, time zone, comment' }).last().click()
  await expect.element(page.getByRole('checkbox', { name: 'Crate 1001: picked up' }).first()).toBeInTheDocument()
  await field('cargo.4.weightKg').click()
  await press('End')
  const drawn = await drawingsDuring(async () => {
    await press('7')
    await expect.element(page.getByText('2,097 kg').first()).toBeVisible()
  })
  expect(drawn.get('CargoRow')).toBe(1)
  // Where it is fetched and where it is brought, not at the third stop.
  expect(drawn.get('CargoChips')).toBe(2)
  for (const name of ['StopCard', 'StopDetails', 'OrderFormContents', 'OrderRoutesSection', 'OrderFormHeader'])
    expect([name, drawn.get(name)]).toEqual([name, undefined])
})

test('a title of one of 200 lines is drawn where it stands, and no figure of theirs', async () => {
  keepOrder(longOrder())
  await visit('/orders/7/edit')
  await field('cargo.4.title').click()
  await press('End')
  const drawn = await drawingsDuring(async () => {
    await press('x')
    await expect.element(field('cargo.4.title')).toHaveValue('Crate 1005x')
  })
  expect(drawn.get('CargoRow')).toBe(1)
  expect(drawn.get('CargoChips')).toBeUndefined()
})

test('a weight that cannot be read yet leaves the carrier of the route judged by what can be', async () => {
  const order = transportOf()
  keepOrder({
    ...order,
    routes: [
      routeOf({
        locationIds: order.locations.map(({ id }) => id),
        assignment: assignmentOf({ carrierCompanyId: TRANSWARTA.id, carrierCompany: TRANSWARTA }),
      }),
    ],
  })
  await visit('/orders/7/edit')
  const heading = await page.getByRole('heading', { name: 'Carriers and routes' }).findElement()
  heading.scrollIntoView()
  const clearance = page.getByRole('region', { name: 'Clearance of the carrier' })
  await expect.element(clearance).toBeVisible()
  await field('cargo.0.weightKg').fill('12x')
  await press('Tab')
  await expect.element(field('cargo.0.weightKg')).toHaveAttribute('aria-invalid', 'true')
  await expect.element(clearance).toBeVisible()
  await field('cargo.0.weightKg').fill('2790')
  await expect.element(field('cargo.0.weightKg')).not.toHaveAttribute('aria-invalid')
})
