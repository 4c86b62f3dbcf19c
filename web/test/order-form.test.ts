import { listAuditEntries, type AuditEntry } from '@waybill/contract/audit/audit-entry'
import { acceptDocument, listDocuments } from '@waybill/contract/document'
import { getCarrierPapers } from '@waybill/contract/order/clearance/release'
import { findSameLane } from '@waybill/contract/order/lane'
import { listTakenBack, moveOrder, orderApi, undoOrderMove } from '@waybill/contract/order/order'
import { beHere, leaveOrder } from '@waybill/contract/order/presence'
import { getMap } from '@waybill/contract/place'
import { getCreditStanding } from '@waybill/contract/credit/credit'
import { getCustomerForOrder } from '@waybill/contract/customer'
import { listEmailRefusals } from '@waybill/contract/email'
import { carrierCompanyApi } from '@waybill/contract/carrier-company'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessible } from './kit/axe.ts'
import { pageOf, server } from './kit/fake-server.ts'
import { press, type } from './kit/keys.ts'
import { customerForOrderOf } from './records/customer.ts'
import { documentOf } from './records/document.ts'
import { ANNA, FABRYKA, GERMANY, NORDLICHT, offerMasterData, TRANSWARTA } from './records/master-data.ts'
import { answerOrderForm, answerOrderList, keepOrder } from './records/order-screens.ts'
import { assignmentOf, cargoOf, orderOf, orderRowOf, routeOf, stopOf, transportOf } from './records/order.ts'

const dialog = page.getByRole('dialog')
const field = (name: string) => page.field(name)
const path = () => location.pathname
const back = page.getByRole('link', { name: 'Back to the orders' })

beforeEach(() => {
  signIn()
  offerMasterData()
  answerOrderForm()
  answerOrderList([orderRowOf()])
})

const chooseFabryka = async () => {
  await field('customerIds').fill('fabryka meb')
  await page.getByRole('option', { name: FABRYKA.title, exact: true }).click()
}
const reach = async (heading: string) => {
  const found = await page.getByRole('heading', { name: heading }).findElement()
  found.scrollIntoView()
}

test('asks before unsaved changes are left, and not when they were taken back by hand', { tags: 'long' }, async () => {
  const order = keepOrder(orderOf())
  await visit('/orders/7/edit')
  await field('description').fill('Two drops')
  await field('description').fill('')
  await back.click()
  await expect.poll(path).toBe('/orders')

  history.back()
  await field('description').fill('Two drops')
  await back.click()
  await expect.element(dialog).toMatchTextContent('Description')
  await expectAccessible()
  await press('Escape')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(field('description')).toHaveValue('Two drops')

  await back.click()
  await dialog.getByRole('button', { name: 'Save and continue' }).click()
  await expect.poll(path).toBe('/orders')
  expect(order.now().description).toBe('Two drops')

  await visit('/orders/7/edit')
  await field('description').fill('Something else')
  await back.click()
  await dialog.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect.poll(path).toBe('/orders')
  await visit('/orders/7/edit')
  await expect.element(field('description')).toHaveValue('Two drops')
})

test('shows what another person saved meanwhile, and keeps both where they do not clash', async () => {
  const order = keepOrder(orderOf())
  await visit('/orders/7/edit')
  await field('description').fill('Mine')
  order.change({ description: 'Theirs', invoiceText: 'Theirs as well' })
  await press('Control+s')
  const choice = page.getByRole('radiogroup', { name: 'Description' })
  await expect.element(choice).toBeVisible()
  await expect.element(field('description')).toHaveValue('Mine')
  await expect.element(field('invoiceText')).toHaveValue('Theirs as well')
  await expectAccessible()
  // A key that saves does not choose for the person.
  await press('Control+s')
  await expect.element(page.getByText('Not saved yet: choose first what is kept')).toBeVisible()
  expect(order.now().description).toBe('Theirs')
  await choice.getByRole('radio', { name: 'Mine' }).click()
  await page.getByRole('button', { name: 'Apply and save' }).click()
  await expect.poll(order.now).toMatchObject({ description: 'Mine', invoiceText: 'Theirs as well' })
})

test('saves what was typed while a save was on its way, where its key was pressed again', async () => {
  const order = keepOrder(orderOf())
  await visit('/orders/7/edit')
  await field('description').fill('Two drops')
  const letGo = server.holdBack(orderApi.patch)
  await press('Control+s')
  await expect.poll(() => server.calls(orderApi.patch)).toHaveLength(1)
  await field('description').fill('Two drops, third on call')
  await press('Control+s')
  // Once more with nothing new to say: no third call.
  await press('Control+s')
  letGo()
  await expect.poll(() => order.now().description).toBe('Two drops, third on call')
  await expect.element(field('description')).not.toHaveAttribute('data-changed')
  expect(server.calls(orderApi.patch)).toMatchObject([
    { version: 1, body: { description: 'Two drops' } },
    { version: 2, body: { description: 'Two drops, third on call' } },
  ])
})

test('names what is missing beside the field and in a summary that leads there', async () => {
  await visit('/orders/create')
  await page.getByRole('button', { name: 'Save order' }).first().click()
  const summary = page.getByRole('alert').filter({ hasText: 'Not saved yet' })
  await expect.element(summary).toMatchTextContent('Customer')
  await expect.element(summary).toMatchTextContent('The field is required')
  await summary.getByRole('button', { name: 'Customer', exact: true }).click()
  await expect.element(field('customerIds')).toHaveFocus()
  expect(server.calls(orderApi.create)).toEqual([])
})

test('fetches what lies below the fold when it is reached, by the eye or by a hand', async () => {
  keepOrder(orderOf())
  const lower = page.getByRole('region', { name: 'Customers' }).getByRole('table')
  const open = async () => {
    await visit('/orders/7/edit')
    await expect.element(page.getByRole('complementary', { name: 'History' })).toBeVisible()
    await expect.element(field('customerIds')).toBeVisible()
    expect(lower.elements()).toEqual([])
  }
  await open()
  await reach('Emails')
  await expect.element(lower).toBeVisible()
  await open()
  await press('Tab')
  await expect.element(lower).toBeInTheDocument()
})

test('leads to the section that its address names, once the sections above it have come', async () => {
  keepOrder(orderOf())
  await visit('/orders/7/edit#extras')
  await expect.element(page.getByRole('button', { name: 'Add extra' })).toBeInViewport()
  const body = () => document.getElementById('extras-body')!
  await expect.poll(() => body().contains(document.activeElement)).toBe(true)
  await expect.element(field('customerPriceCents')).toBeInTheDocument()
  await expect.poll(() => Math.abs(body().getBoundingClientRect().top) < innerHeight / 2).toBe(true)
})

test('gives a changed carrier no plate of the one before, and a restacked line its new loading metres', {
  tags: 'long',
}, async () => {
  const other = { id: 52, title: 'Zmiana Trans Sp. z o.o.' }
  server.offer(carrierCompanyApi, [TRANSWARTA, other])
  server.answer(getCarrierPapers, {
    papers: { blockedReason: null, isUsedUp: false, licenceNotNeededReason: null, licences: [], insurances: [] },
    demandedCents: null,
    release: null,
  })
  keepOrder(
    orderOf({
      cargo: [cargoOf({ title: 'Kartons', quantity: 4, weightKg: null, ldm: 1.6 })],
      locations: [stopOf()],
      routes: [
        routeOf({
          locationIds: [801],
          assignment: assignmentOf({
            carrierCompanyId: TRANSWARTA.id,
            carrierCompany: TRANSWARTA,
            plateNumber: 'PO 1A234',
            driverText: 'Jan',
          }),
        }),
      ],
    }),
    () => ({}),
  )
  await visit('/orders/7/edit')
  await expect.element(field('cargo.0.ldm')).toHaveValue('1.6')
  field('cargo.0.title').element().focus()
  await press('Alt+Enter')
  await field('cargo.0.stackingFactor').fill('2')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect.element(field('cargo.0.ldm')).toHaveValue('0.8')

  await reach('Carriers and routes')
  await expect.element(field('routes.0.assignment.plateNumber')).toHaveValue('PO 1A234')
  await field('routes.0.assignment.carrierCompanyId').fill('zmiana')
  await expect
    .element(page.getByRole('option', { name: other.title }))
    .toHaveAttribute('data-combobox-selected', 'true')
  await press('Enter')
  await expect.element(field('routes.0.assignment.plateNumber')).toHaveValue('')
  await expect.element(field('routes.0.assignment.driverText')).toHaveValue('')
  const saved = server.next(orderApi.patch)
  await press('Control+s')
  expect((await saved).body).toMatchObject({
    cargo: [{ id: 701, stackingFactor: 2, ldm: 0.8 }],
    routes: [{ assignment: { carrierCompanyId: other.id, plateNumber: null, driverText: null } }],
  })
})

test('keeps the rows of a new order that was refused, and says where a stop was assumed', {
  tags: 'long',
}, async () => {
  const assumed = page.getByText('The stops of one line are assumed')
  await visit('/orders/create')
  await field('locations.1.city').fill('Frechen')
  await press('Control+s')
  await expect.element(page.getByRole('alert').filter({ hasText: 'Not saved yet' })).toBeVisible()
  // What nobody wrote in is still there to be written in, and the fault stands at the row that it is of.
  await expect.element(field('locations.0.city')).toHaveValue('')
  await expect.element(field('locations.1.city')).toHaveValue('Frechen')
  await expect.element(field('cargo.0.title')).toBeVisible()
  await expect.element(page.getByRole('alert').getByRole('button', { name: /Stop 2 › Country/ })).toBeVisible()

  await chooseFabryka()
  await expect.element(assumed).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Add stop' }).click()
  await field('locations.2.city').fill('Bielefeld')
  await expect.element(assumed).toBeVisible()
  await page.getByRole('button', { name: 'They are right' }).click()
  await expect.element(assumed).not.toBeInTheDocument()
})

test('can take a status back within eight seconds', async () => {
  const order = keepOrder(orderOf())
  const canceled = { status: 'canceled', undoUntil: new Date(Date.now() + 8_000).toISOString() } as const
  server.answer(moveOrder, ({ body }) => {
    order.change({ ...canceled, status: body.to })
    return order.now()
  })
  server.answer(undoOrderMove, () => {
    order.change({ status: 'new', undoUntil: null })
    return order.now()
  })
  await visit('/orders/7/edit')
  await page.getByRole('button', { name: 'Status: New. Change' }).click()
  // What is not possible yet says why; cancelling asks for the reason.
  await expect
    .element(page.getByRole('menu'))
    .toMatchTextContent('At least one pick-up and one drop-off with dates are needed')
  await page.getByRole('menuitem', { name: /^Canceled/ }).click()
  await dialog.getByRole('button', { name: 'Cancel order' }).click()
  await expect.element(dialog).toMatchTextContent('The field is required')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Withdrawn by the customer')
  await dialog.getByRole('button', { name: 'Cancel order' }).click()
  await expect.element(page.getByRole('button', { name: /^Status: Canceled/ })).toBeVisible()
  expect(server.calls(moveOrder)).toMatchObject([{ body: { to: 'canceled', reason: 'Withdrawn by the customer' } }])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(page.getByRole('button', { name: 'Status: New. Change' })).toBeVisible()
  expect(server.calls(undoOrderMove)).toHaveLength(1)
})

test('opens an order with a route that nobody was named for yet', async () => {
  keepOrder(orderOf({ routes: [routeOf()] }))
  await visit('/orders/7/edit')
  await reach('Carriers and routes')
  await expect.element(page.getByLabelText('Disponent’s email')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Status: New. Change', exact: true })).toBeVisible()
})

test('says who else has the order open, and in which part of it', { tags: 'long' }, async () => {
  keepOrder(orderOf())
  server.answer(beHere, { others: [{ id: 9, title: 'Person 9', section: 'locations' }] })
  await visit('/orders/7/edit')
  const here = page.getByRole('group', { name: 'Who else has this order open' })
  await expect.element(here).toMatchTextContent('Person 9 in Locations')
  await expectAccessible()
  field('customerOrderNumber').element().focus()
  await expect.poll(() => server.calls(beHere).at(-1)?.body.section).toBe('general')
  await back.click()
  await expect.poll(path).toBe('/orders')
  await expect.poll(() => server.calls(leaveOrder)).toHaveLength(1)
})

test('shows what the same lane cost before, with margins, once both ends have their area', {
  tags: 'long',
}, async () => {
  server.answer(findSameLane, {
    items: [
      {
        id: 5,
        number: '26-00005',
        customer: FABRYKA,
        customerPriceCents: 145_000,
        incomeCents: 145_000,
        marginBp: 1862,
        marginWarningBp: 1000,
        createdAt: '2026-11-20T09:00:00Z',
      },
    ],
  })
  await visit('/orders/create')
  const lane = page.getByRole('region', { name: 'Same lane before' })
  await field('locations.0.countryId').selectOptions('PL Poland')
  await field('locations.0.postal').fill('93-010')
  await field('locations.1.countryId').selectOptions('DE Germany')
  await expect.element(lane).not.toBeInTheDocument()
  expect(server.calls(findSameLane)).toEqual([])
  await field('locations.1.postal').fill('33')
  const before = lane.getByRole('listitem').filter({ hasText: '26-00005' })
  await expect.element(before).toMatchTextContent('1,450.00')
  await expect.element(before).toMatchTextContent('18.6')
  // The order itself is not its own past.
  keepOrder(transportOf())
  await visit('/orders/7/edit')
  await reach('Budget and vehicle')
  await expect
    .poll(() => server.calls(findSameLane).at(-1)?.query)
    .toMatchObject({ fromPostal: '93', toPostal: '33', exceptId: 7 })
})

test('takes cargo only after a customer, and several customers', { tags: 'long' }, async () => {
  await visit('/orders/create')
  await expect.element(page.getByText('Choose the customer first')).toBeVisible()
  await expect.element(field('cargo.0.title')).toHaveAttribute('readonly')
  await chooseFabryka()
  await expect.element(page.getByText('Choose the customer first')).not.toBeInTheDocument()
  const more = page.getByRole('button', { name: 'More: customers, managers' })
  more.element().focus()
  await press('Enter')
  await expect.element(page.getByRole('combobox', { name: 'Further customers' })).toHaveFocus()
  await type('nordlicht masch')
  await page.getByRole('option', { name: NORDLICHT.title, exact: true }).click()
  await press('Escape')
  await field('cargo.0.title').fill('Cabinets of two')
  await field('customerOrderNumber').fill('ZT/11/0356')
  await page.getByRole('button', { name: 'Line 1: type, value, handling, instructions' }).click()
  await dialog.getByRole('combobox', { name: 'Customer' }).click()
  await page.getByRole('option', { name: NORDLICHT.title, exact: true }).click()
  await expectAccessible()
  await press('Escape')
  const made = orderOf({ id: 8 })
  server.answer(orderApi.create, made)
  server.answer(orderApi.get, made)
  await press('Control+s')
  await expect.poll(path).toBe('/orders/8/edit')
  expect(server.calls(orderApi.create)).toMatchObject([
    {
      body: {
        customerIds: [FABRYKA.id, NORDLICHT.id],
        cargo: [{ title: 'Cabinets of two', customerId: NORDLICHT.id }],
      },
    },
  ])
})

test('gives what is marked in a list to Tab, and takes nothing from who walks through', { tags: 'long' }, async () => {
  const person = (id: number, fullName: string) => ({ id, fullName, email: null, phone: null })
  server.answer(
    getCustomerForOrder,
    customerForOrderOf({ contactPersons: [person(1, 'Anna Berg'), person(2, 'Bruno Castell')] }),
  )
  await visit('/orders/create')
  await field('customerIds').fill('nordlicht masch')
  await page.getByRole('option', { name: NORDLICHT.title, exact: true }).click()
  const contact = page.getByRole('combobox', { name: 'Contact person' })
  await expect.element(contact).toHaveValue('Anna Berg')
  const leaveWith = async (typed: string, left: string) => {
    contact.element().focus()
    await press('Control+a')
    await type(typed)
    await press('Tab')
    await expect.element(contact).not.toHaveFocus()
    await expect.element(contact).toHaveValue(left)
  }
  await leaveWith('', 'Anna Berg')
  await leaveWith('nobody', 'Anna Berg')
  await leaveWith('cast', 'Bruno Castell')
  contact.element().focus()
  await press('Tab')
  await expect.element(contact).toHaveValue('Bruno Castell')
})

test('leads into the window of a stop where something in it is wrong', { tags: 'long' }, async () => {
  await visit('/orders/create')
  await chooseFabryka()
  await field('locations.0.city').fill('Łódź')
  await field('locations.0.countryId').selectOptions('PL Poland')
  await field('locations.1.city').fill('Frechen')
  await field('locations.1.countryId').selectOptions('DE Germany')
  field('locations.1.city').element().focus()
  await press('Alt+Enter')
  await field('locations.1.phone').fill('by pigeon')
  await expectAccessible()
  field('locations.1.phone').element().focus()
  await press('Enter')
  await expect.element(dialog).not.toBeInTheDocument()
  await press('Control+s')
  const summary = page.getByRole('alert').filter({ hasText: 'Not saved yet' })
  await expect.element(field('locations.1.phone')).toHaveFocus()
  await press('Escape')
  await expect.element(dialog).not.toBeInTheDocument()
  await summary.getByRole('button', { name: 'Stop 2 › Phone' }).click()
  await expect.element(field('locations.1.phone')).toHaveFocus()
  await expect.element(field('locations.1.phone')).toHaveValue('by pigeon')
})

test('names before a step back which times at stops it takes away', { tags: 'long' }, async () => {
  const [from, to] = transportOf().locations
  const loadedAt = '2026-11-24T07:15:00Z'
  const order = keepOrder(transportOf({ status: 'in_transit', locations: [{ ...from!, loadedAt }, to!] }))
  server.answer(listTakenBack, { items: [{ locationId: from!.id, field: 'loadedAt', at: loadedAt, becomes: null }] })
  server.answer(moveOrder, ({ body }) => {
    order.change({ status: body.to, locations: [from!, to!] })
    return order.now()
  })
  await visit('/orders/7/edit')
  await page.getByRole('button', { name: 'Status: In transit. Change' }).click()
  await page.getByRole('menuitem', { name: /^Scheduled/ }).click()
  await expect
    .element(dialog)
    .toMatchTextContent(/This time at a stop is taken away:\s*Loaded, Łódź: .*08:15 Europe\/Warsaw/)
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('The carrier never came')
  await dialog.getByRole('button', { name: 'Set to Scheduled' }).click()
  await expect.element(page.getByRole('button', { name: /^Status: Scheduled/ })).toBeVisible()
  expect(server.calls(listTakenBack)[0]).toMatchObject({ params: { id: 7 }, query: { to: 'scheduled' } })
  expect(server.calls(moveOrder)).toMatchObject([
    { params: { id: 7 }, version: 1, body: { to: 'scheduled', reason: 'The carrier never came', stopTimes: [] } },
  ])
})

test('asks no longer why there is no POD once the order has heard of it', async () => {
  const [, to] = transportOf().locations
  const unloadedAt = '2026-11-24T15:15:00Z'
  const route = routeOf({ locationIds: transportOf().locations.map(({ id }) => id) })
  const order = keepOrder({
    ...transportOf({ status: 'delivered', locations: [transportOf().locations[0]!, { ...to!, unloadedAt }] }),
    routes: [route],
    pods: [{ routeId: route.id, state: 'toCheck' }],
  })
  const proof = documentOf({ owner: { kind: 'order', id: 7 }, locationIds: [to!.id] })
  server.answer(listDocuments, pageOf([proof]))
  server.answer(acceptDocument, () => {
    order.change({ hasPod: true, pods: [{ routeId: route.id, state: 'accepted' }] })
    return documentOf({ ...proof, acceptance: 'accepted' })
  })
  server.answer(moveOrder, ({ body }) => {
    order.change({ status: body.to })
    return order.now()
  })
  await visit('/orders/7/edit')
  await reach('Other documents')
  const letHear = server.holdBack(orderApi.get)
  await page.getByRole('button', { name: 'Accept CMR 26-00001.pdf' }).click()
  await page.getByRole('button', { name: 'Status: Delivered. Change' }).click()
  await page.getByRole('menuitem', { name: /^Completed/ }).click()
  const why = dialog.getByRole('textbox', { name: 'Why there is no POD' })
  await expect.element(why).toBeVisible()

  letHear()
  await expect.element(why).not.toBeInTheDocument()
  await dialog.getByRole('button', { name: 'Set to Completed' }).click()
  await expect.element(page.getByRole('button', { name: /^Status: Completed/ })).toBeVisible()
  expect(server.calls(moveOrder)).toMatchObject([{ body: { to: 'completed', podWaiverReason: null } }])
})

test('says of a paper whose period is over what it was and when it was deleted, and offers nothing of it', async () => {
  keepOrder(transportOf())
  const gone = documentOf({ title: '', acceptance: 'accepted', deletedAt: '2033-01-02T02:40:00Z' })
  server.answer(listDocuments, pageOf([documentOf({ id: 8 }), gone]))
  await visit('/orders/7/edit')
  await reach('Other documents')
  const papers = page.getByRole('region', { name: 'Other documents' })
  const row = papers.getByRole('listitem').filter({ hasText: 'Deleted on 02 Jan 2033, at the end of its period' })
  await expect.element(row).toMatchTextContent('Proof of delivery')
  await expect.element(papers.getByRole('button', { name: 'Download CMR 26-00001.pdf' })).toBeVisible()
  expect(row.getByRole('button').elements()).toEqual([])
})

test('adds a stop from the places of another customer, its day by calendar, its cargo by drag and by key', {
  tags: 'long',
}, async () => {
  const place = {
    id: 451,
    companyTitle: 'Halle 7 Süd',
    address: 'Am Kai 4',
    countryId: GERMANY.id,
    postal: '20457',
    city: 'Hamburg',
    latitude: null,
    longitude: null,
    contactPerson: 'Ina Rahn',
    phone: null,
    comment: null,
  }
  const customers = [FABRYKA, NORDLICHT]
  keepOrder(transportOf({ customerIds: customers.map(({ id }) => id), customers }), () => ({}))
  server.answer(getMap, { tiles: null })
  server.answer(getCustomerForOrder, ({ params: { id } }) =>
    customerForOrderOf({ id, ...(id === NORDLICHT.id && { pickupLocations: [place] }) }),
  )
  // High enough to hold the line and the stop that it is dragged onto.
  await page.viewport(1280, 1700)
  await visit('/orders/7/edit')
  const add = page.getByRole('button', { name: 'Add stop' })
  const asking = page.getByRole('dialog', { name: 'Add stop' })
  await add.click()
  await expect.element(asking).toBeVisible()
  await expectAccessible()
  // Given up, nothing stays.
  await asking.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(field('locations.2.city')).not.toBeInTheDocument()
  await add.click()
  await asking.getByRole('combobox', { name: 'A place of the customer' }).fill('halle 7')
  await page.getByRole('option', { name: /^Halle 7 Süd/ }).click()
  await expect.element(asking.field('locations.2.city')).toHaveValue('Hamburg')
  await asking.getByRole('button', { name: 'Add stop' }).click()
  await expect.element(field('locations.2.contactPerson')).toHaveValue('Ina Rahn')

  await page.getByRole('button', { name: 'Date and time of stop 3' }).click()
  const when = page.getByRole('dialog', { name: 'Stop 3: date and time' })
  await when.getByRole('button', { name: 'Take over' }).click()
  await expect.element(when).toMatchTextContent('Choose a day.')
  await when.getByRole('button', { name: 'fix' }).click()
  await when.getByRole('button', { name: /^15 / }).click()
  await when.getByRole('textbox', { name: /^Time/ }).fill('7:30')
  await expect.element(when.getByRole('status')).toMatchTextContent('15')
  await expectAccessible()
  await press('Enter')
  await expect.element(field('locations.2.termin')).toHaveValue(expect.stringMatching(/15 .*fix 07:30/))

  const dropOff = page.getByRole('combobox', { name: 'Dropped off at, Cargo line 1' })
  await expect.element(dropOff).toHaveValue('1')
  await page.getByTitle('Drag onto a stop').first().dropTo(field('locations.2.reference'))
  await expect.element(dropOff).toHaveValue('2')
  await dropOff.selectOptions('1')
  // An arrow walks and changes nothing; the list opens on Enter.
  ;(dropOff.element() as HTMLElement).focus()
  await press('ArrowDown')
  await expect.element(dropOff).toHaveValue('1')
  await press('Enter', 'ArrowDown', 'Enter')
  await expect.element(dropOff).toHaveValue('2')
  const sent = server.next(orderApi.patch)
  await press('Control+s')
  expect((await sent).body.locations?.map(({ city, cargoActions }) => [city, cargoActions?.length])).toEqual([
    ['Łódź', 1],
    ['Bielefeld', 0],
    ['Hamburg', 1],
  ])
})

test('says of the contact person’s address that a mail server refused it, in a new order and a saved one', async () => {
  const person = { id: 401, fullName: 'Herr Jansen', phone: null, email: 'jansen@nordlicht.example' }
  server.answer(getCustomerForOrder, ({ params: { id } }) => customerForOrderOf({ id, contactPersons: [person] }))
  server.answer(listEmailRefusals, {
    items: [{ address: person.email, at: '2026-11-20T10:00:00Z', words: '550 no such user' }],
  })
  keepOrder(orderOf({ contactPersonId: 401, contactPerson: { id: 401, title: person.fullName } }), () => ({}))
  const refused = page.getByText('jansen@nordlicht.example refused on')
  await visit('/orders/7/edit')
  await expect.element(refused).toBeVisible()
  await visit('/orders/create')
  await expect.element(refused).not.toBeInTheDocument()
  await chooseFabryka()
  await expect.element(refused).toBeVisible()
})

test('says in its history which mail was taken back, what a driver told and what was emptied, in words', async () => {
  keepOrder(transportOf())
  const entryOf = (id: number, action: AuditEntry['action'], changes: AuditEntry['changes']): AuditEntry => ({
    id,
    at: '2026-11-24T09:00:00Z',
    actor: ANNA,
    apiKey: null,
    action,
    changes,
    reason: null,
  })
  server.answer(
    listAuditEntries,
    pageOf<AuditEntry>([
      entryOf(5, 'mailQueued', [
        { path: 'type', from: null, to: 'order_created' },
        { path: 'to', from: null, to: { emptied: true } },
        { path: 'subject', from: null, to: { emptied: true } },
      ]),
      entryOf(4, 'madeAnonymous', [{ path: 'locations.802.contactPerson', from: { emptied: true }, to: null }]),
      entryOf(3, 'driverTold_loadCarriers', [
        { path: 'route', from: null, to: '26-00007/1' },
        { path: 'said', from: null, to: '77120' },
        { path: 'loadCarriers.Euro pallet', from: null, to: '+9 −6 (1)' },
      ]),
      entryOf(2, 'mailCanceled', [{ path: 'type', from: null, to: 'order_created' }]),
      entryOf(1, 'updated', [
        { path: 'locations.802.termin.kind', from: 'period', to: 'before' },
        { path: 'locations.802.termin.dateFrom', from: '2026-12-03', to: '2026-12-04' },
        { path: 'locations.802.delayReason', from: null, to: 'A2 closed' },
      ]),
    ]),
  )
  await visit('/orders/7/edit')
  const history = page.getByRole('complementary', { name: 'History' })
  const told = 'Load carriers told by the driver (link): 26-00007/1, 77120, Euro pallet +9 −6 (1)'
  await expect.element(history).toMatchTextContent(told)
  const emptied = 'Made anonymousStop 2 › Contact person (emptied: it told of a person) → removed'
  await expect.element(history).toMatchTextContent(emptied)
  await expect.element(history).toMatchTextContent('Mail queued: (emptied: it told of a person)')
  await expect.element(history).toMatchTextContent('Mail canceled: Order created')
  await expect.element(history).not.toMatchTextContent('order_created')
  await expect.element(history).toMatchTextContent('Stop 2 › When period → before')
  await expect.element(history).toMatchTextContent('03 Dec 2026 → 04 Dec 2026')
  await expect.element(history).toMatchTextContent('Stop 2 › Reason of the delay → A2 closed')
})

test('says of no customer how the one before stands to its credit limit', async () => {
  const hint = page.getByText('This customer is near its credit limit.')
  const choose = async ({ title }: { title: string }) => {
    await field('customerIds').fill(title)
    await page.getByRole('option', { name: title, exact: true }).click()
    await expect.element(field('customerIds')).toHaveValue(title)
  }
  server.answer(getCustomerForOrder, ({ params: { id } }) => {
    const customer = id === FABRYKA.id ? FABRYKA : NORDLICHT
    return customerForOrderOf({ ...customer, billingCustomer: customer, hasCreditLimit: true })
  })
  server.answer(getCreditStanding, ({ params: { id } }) => ({ standing: id === FABRYKA.id ? ('near' as const) : null }))
  const letAnswer = server.holdBack(getCreditStanding, ({ params: { id } }) => id === NORDLICHT.id)
  await visit('/orders/create')
  await choose(NORDLICHT)
  await choose(FABRYKA)
  await expect.element(hint).toBeVisible()
  await choose(NORDLICHT)
  await expect.element(hint).not.toBeInTheDocument()
  letAnswer()
  await choose(FABRYKA)
  await expect.element(hint).toBeVisible()
})
