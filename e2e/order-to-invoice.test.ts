import type { Page } from '@playwright/test'
import { textOf } from './support/pdf.ts'
import { expect, test } from './support/test.ts'

// The smallest file that every reader takes for a PDF.
const POD = Buffer.from(
  [
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
    '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
  ].join(' '),
)

const field = (page: Page, name: string) => page.locator(`[name="${name}"]`)

async function pick(page: Page, name: string, typed: string, title: string): Promise<void> {
  await field(page, name).fill(typed)
  await page.getByRole('option', { name: title, exact: true }).click()
}

interface Stop {
  kind: string
  when: string
  company: string
  street: string
  country: string
  postal: string
  city: string
}

async function fillStop(page: Page, index: number, stop: Stop): Promise<void> {
  const at = (name: string) => field(page, `locations.${index}.${name}`)
  await at('kind').selectOption({ label: stop.kind })
  await at('termin').fill(stop.when)
  await at('termin').press('Tab')
  await at('companyTitle').fill(stop.company)
  await at('address').fill(stop.street)
  await at('countryId').selectOption({ label: stop.country })
  await at('postal').fill(stop.postal)
  await at('city').fill(stop.city)
}

/** The menu of the status names what is possible; the dialog asks for what it needs. */
async function move(page: Page, to: string): Promise<void> {
  await page.getByRole('button', { name: /^Status: / }).click()
  await page.getByRole('menuitem', { name: new RegExp(`^${to}`) }).click()
  const dialog = page.getByRole('dialog')
  const confirm = dialog.getByRole('button', { name: `Set to ${to}` })
  const badge = page.getByRole('button', { name: `Status: ${to}. Change` })
  await expect(confirm.or(badge).first()).toBeVisible()
  if (await confirm.isVisible()) await confirm.click()
  await expect(badge).toBeVisible()
}

test('takes order 1 from the customer’s mail to a paid invoice', async ({
  page,
  waybill,
  partners,
  signIn,
  expectAccessible,
  shoot,
}) => {
  test.setTimeout(180_000)
  expect(partners.nordlicht).toBeGreaterThan(0)
  await signIn()

  // 3: the order
  await page.goto('/orders/create')
  await pick(page, 'customerIds', 'nordlicht masch', 'Nordlicht Maschinenbau GmbH')
  await pick(page, 'billingCustomerId', 'nordlicht hold', 'Nordlicht Holding AG')
  await field(page, 'customerOrderNumber').fill('4500129877')
  await fillStop(page, 0, {
    kind: 'Pick-up',
    when: '30.11.2026 8-12',
    company: 'Nordlicht Maschinenbau GmbH',
    street: 'Billbrookdeich 210',
    country: 'DE Germany',
    postal: '22113',
    city: 'Hamburg',
  })
  await fillStop(page, 1, {
    kind: 'Drop-off',
    when: '1.12.2026 7',
    company: 'Wielkopolska Tech Sp. z o.o.',
    street: 'ul. Bukowska 285',
    country: 'PL Poland',
    postal: '60-189',
    city: 'Poznań',
  })
  const cargo = (name: string) => field(page, `cargo.0.${name}`)
  await cargo('quantity').fill('33')
  await cargo('title').fill('Maschinenteile')
  await cargo('lengthCm').fill('120')
  await cargo('widthCm').fill('80')
  await cargo('heightCm').fill('145')
  await cargo('weightKg').fill('21120')
  await cargo('weightKg').press('Tab')
  await expect(cargo('ldm')).toHaveValue('13.2')
  await expect(cargo('volumeM3')).toHaveValue('45.94')
  await field(page, 'customerPriceCents').fill('1180')
  await field(page, 'paymentPeriodDays').fill('45')
  await expect(field(page, 'customerVatBp')).toHaveValue('19')
  await expectAccessible(page)
  await shoot(page, 'order-new-filled')
  await page.getByRole('button', { name: 'Save order' }).first().click()
  await page.waitForURL(/\/orders\/\d+\/edit/)
  const orderId = Number(/orders\/(\d+)/.exec(page.url())![1])

  // 4: the route and its carrier
  await page.getByRole('button', { name: 'Plan a route', exact: true }).click()
  await pick(page, 'routes.0.assignment.carrierCompanyId', 'transw', 'Transwarta Sp. z o.o.')
  await field(page, 'routes.0.assignment.plateNumber').fill('PO 1A234')
  await field(page, 'routes.0.assignment.disponentName').fill('Ewa Lis')
  await field(page, 'routes.0.assignment.driverText').fill('Marek Zieliński')
  await field(page, 'routes.0.assignment.costCents').fill('950')
  await expect(page.getByText('230.00 €').first()).toBeVisible()
  await page.keyboard.press('Control+s')
  await expect(page.getByRole('status').filter({ hasText: 'unsaved' })).toHaveCount(0)
  await shoot(page, 'order-form-planned')

  // 5: the moves and the POD
  await move(page, 'Scheduled')
  await move(page, 'In transit')
  await move(page, 'Delivered')
  const withoutPod = page
    .getByRole('navigation', { name: 'Sections' })
    .getByRole('img', { name: 'The proof of delivery is missing' })
  await expect(withoutPod).toBeVisible()
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles({ name: 'CMR signed.pdf', mimeType: 'application/pdf', buffer: POD })
  await expect(page.getByRole('button', { name: 'CMR signed.pdf' }).first()).toBeVisible()
  // The order, too, has heard of its POD.
  await expect(withoutPod).toHaveCount(0)
  await move(page, 'Completed')
  await expectAccessible(page)
  await shoot(page, 'order-form-completed')
  const { body: order } = await waybill.api('GET', `orders/${orderId}`)
  expect(order).toMatchObject({ status: 'completed', hasPod: true, incomeCents: 23_000, customerPriceCents: 118_000 })

  // 6: the invoice
  await page.getByRole('button', { name: 'Create invoice' }).click()
  await page.waitForURL(/\/invoices\/\d+\/edit/)
  const invoiceId = Number(/invoices\/(\d+)/.exec(page.url())![1])
  await expect(page.getByText('1,404.20 €').first()).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'invoice-draft')
  await page.getByRole('button', { name: 'Send …' }).click()
  await page.waitForURL(/\/edit\/invoice$/)
  await expect(page.getByText('rechnung@nordlicht.example')).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'invoice-mail')
  // The number comes with the sending, and so do the words that wait for it.
  await expect(page.getByRole('textbox', { name: 'Subject' })).toHaveValue(/^Rechnung \[Nummer\] zu /)
  await expect(page.getByText('address for invoices')).toBeVisible()
  await page.getByRole('button', { name: 'Send invoice' }).click()
  await page.waitForURL(/\/edit$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^WB-\d{4}-\d{5}$/)
  const { body: invoice } = await waybill.api('GET', `invoices/${invoiceId}`)
  expect(invoice).toMatchObject({ status: 'sent', amountCents: 118_000, vatCents: 22_420, totalCents: 140_420 })
  const days = (Date.parse(invoice.dueDate) - Date.parse(invoice.invoiceDate)) / 86_400_000
  expect(days).toBe(45)

  const pdf = textOf(await waybill.file(`invoices/${invoiceId}/document`))
  for (const words of [
    invoice.number,
    '1.180,00',
    '224,20',
    '1.404,20',
    'Nordlicht Holding AG',
    '4500129877',
    invoice.dueDate.split('-').reverse().join('.'),
  ])
    expect(pdf).toContain(words)
  const mail = await waybill.mails.waitFor(
    ({ subject, to }) =>
      subject?.includes(invoice.number) === true &&
      (to?.some(({ address }) => address === 'rechnung@nordlicht.example') ?? false),
  )
  expect(mail.text).toContain('4500129877')
  expect(mail.attachments).toHaveLength(1)
  expect(textOf(Buffer.from(mail.attachments[0]!.content as ArrayBuffer))).toBe(pdf)

  await page.getByRole('button', { name: 'Mark as paid' }).click()
  await expect(page.getByText('Paid', { exact: true }).first()).toBeVisible()
  await shoot(page, 'invoice-paid')

  // 2: found again in the list
  await page.goto('/orders')
  await page.getByRole('textbox', { name: 'Find in this list' }).fill('4500129877')
  await expect(page.getByRole('link', { name: order.number })).toBeVisible()
})

test('proposes reverse charge for order 2 and nothing for order 3, with the words on the invoice', async ({
  waybill,
  partners,
}) => {
  const { api, idOf } = waybill
  const countries = {
    PL: await idOf('countries', 'Poland'),
    DE: await idOf('countries', 'Germany'),
    CH: await idOf('countries', 'Switzerland'),
  }
  const departmentId = await idOf('departments', 'FTL West')
  const bill = async (customerId: number, from: number, to: number, customerPriceCents: number) => {
    const stop = (kind: string, countryId: number, city: string, action: string) => ({
      kind,
      countryId,
      city,
      termin: { kind: 'fix', dateFrom: '2026-12-02' },
      cargoActions: [{ cargoKey: 'a', action }],
    })
    const { body: order } = await api('POST', 'orders', {
      customerIds: [customerId],
      departmentId,
      customerPriceCents,
      cargo: [{ key: 'a', title: 'Goods' }],
      locations: [stop('loading', from, 'Here', 'PICK_UP'), stop('unloading', to, 'There', 'DROP_OFF')],
    })
    const { body: invoice } = await api('POST', 'invoices', { entityType: 'customer', orderIds: [order.id] })
    return { invoice, pdf: textOf(await waybill.file(`invoices/${invoice.id as number}/document`)) }
  }
  const second = await bill(partners.fabryka, countries.PL, countries.DE, 145_000)
  expect(second.invoice).toMatchObject({
    amountCents: 145_000,
    vatCents: 0,
    totalCents: 145_000,
    vatGroups: [{ vatBp: 0, vatCategory: 'AE' }],
  })
  expect(second.pdf.toLowerCase()).toContain('odwrotne obciążenie')
  expect(second.pdf).toContain('1 450,00')

  const third = await bill(partners.alpenfaden, countries.PL, countries.CH, 69_000)
  expect(third.invoice).toMatchObject({
    amountCents: 69_000,
    vatCents: 0,
    totalCents: 69_000,
    vatGroups: [{ vatBp: 0, vatCategory: 'O' }],
  })
  expect(third.pdf).toContain('690.00')
})

test('saves order 7 with a warning, and its reference comes through list, PDF and mail unharmed', {
  tag: '@long',
}, async ({ page, waybill, partners, signIn }) => {
  const { api, idOf } = waybill
  const reference = 'SZG-„Ostsee“/26 & Co <dringend>'
  const [germany, poland] = [await idOf('countries', 'Germany'), await idOf('countries', 'Poland')]
  const { status, body: order } = await api('POST', 'orders', {
    customerIds: [partners.nordlichtHolding],
    departmentId: await idOf('departments', 'FTL West'),
    customerOrderNumber: reference,
    customerPriceCents: 210_000,
    cargo: [
      {
        key: 'a',
        title: 'Träger',
        quantity: 12,
        lengthCm: 1340,
        widthCm: 60,
        heightCm: 45,
        stackingFactor: 3,
        weightKg: 25_800,
      },
    ],
    locations: [
      {
        kind: 'loading',
        countryId: germany,
        city: 'Salzgitter',
        termin: { kind: 'period', dateFrom: '2026-11-30', dateTo: '2026-12-04' },
        cargoActions: [{ cargoKey: 'a', action: 'PICK_UP' }],
      },
      {
        kind: 'unloading',
        countryId: poland,
        city: 'Gdynia',
        termin: { kind: 'before', dateFrom: '2026-12-08' },
        cargoActions: [{ cargoKey: 'a', action: 'DROP_OFF' }],
      },
    ],
  })
  expect(status).toBe(201)
  await signIn()
  await page.goto(`/orders/${order.id}/edit`)
  await expect(page.getByText(/25,800.*24,500/).first()).toBeVisible()
  await page.goto('/orders?q=ostsee')
  await expect(page.getByRole('link', { name: order.number })).toBeVisible()
  await expect(page.locator('dringend')).toHaveCount(0)

  const { body: invoice } = await api('POST', 'invoices', { entityType: 'customer', orderIds: [order.id] })
  const { body: draft } = await api('POST', 'emails/preview', { type: 'invoice', invoiceId: invoice.id })
  const sent = await api('POST', `invoices/${invoice.id}/send`, {
    to: draft.to,
    cc: [],
    subject: draft.subject,
    blocks: draft.page.blocks,
    seen: draft.page.seen,
    version: invoice.version,
  })
  expect(sent.status, JSON.stringify(sent.body)).toBe(200)
  const mail = await waybill.mails.waitFor(({ subject }) => subject?.includes(sent.body.number) ?? false)
  expect(mail.text).toContain(reference)
  expect(textOf(Buffer.from(mail.attachments[0]!.content as ArrayBuffer)).replace(/\s+/g, '')).toContain(
    reference.replace(/\s+/g, ''),
  )
})

test('a carrier’s invoice that is approved is read, not typed into', { tag: '@long' }, async ({
  page,
  partners,
  signIn,
  waybill,
}) => {
  const { status, body: invoice } = await waybill.api('POST', 'invoices', {
    entityType: 'carrier',
    carrierCompanyId: partners.transwarta,
    number: 'FV/APPROVED/11/2026',
    amountCents: 125_000,
    vatBp: 0,
    totalCents: 125_000,
    documentCreationDate: '2026-11-20',
    dueDate: '2026-12-20',
  })
  expect(status, JSON.stringify(invoice)).toBe(201)
  await signIn()
  await page.goto(`/invoices/${invoice.id as number}/edit`)
  const number = field(page, 'number')
  await expect(number).toBeEditable()
  await page.getByRole('link', { name: 'Open check' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText('FV/APPROVED/11/2026 approved')).toBeVisible()
  await page.goto(`/invoices/${invoice.id as number}/edit`)
  await expect(number).not.toBeEditable()
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toHaveCount(0)
  await page.reload()
  await expect(number).not.toBeEditable()
  await expect(number).toHaveValue('FV/APPROVED/11/2026')
})

test('a long name in the list ends with its column, not below the link beside it', { tag: '@long' }, async ({
  page,
  signIn,
  waybill,
}) => {
  const title = 'Zakład Transportu Międzynarodowego i Spedycji Wielkopolska-Zachód Sp. z o.o. Sp. k.'
  const countryId = await waybill.idOf('countries', 'Poland')
  const { body: carrier } = await waybill.api('POST', 'carrier-companies', { title, countryId, city: 'Poznań' })
  const { status, body: invoice } = await waybill.api('POST', 'invoices', {
    entityType: 'carrier',
    carrierCompanyId: carrier.id as number,
    number: 'FV/LONG/11/2026',
    amountCents: 118_000,
    vatBp: 0,
    totalCents: 118_000,
    documentCreationDate: '2026-11-20',
    dueDate: '2026-12-20',
  })
  expect(status, JSON.stringify(invoice)).toBe(201)
  await signIn()
  await page.goto('/invoices')
  const link = page.getByRole('table').getByRole('link', { name: title })
  await expect(link).toBeVisible()
  const [name, cell] = await Promise.all([link.boundingBox(), link.locator('xpath=ancestor::td').boundingBox()])
  expect(name!.x + name!.width).toBeLessThanOrEqual(cell!.x + cell!.width)
})

test('leads from a price that is not what was billed to a correction of the difference', { tag: '@long' }, async ({
  page,
  partners,
  shoot,
  signIn,
  waybill,
}) => {
  const { api } = waybill
  const { body: order } = await api('POST', 'orders', {
    customerIds: [partners.nordlicht],
    departmentId: await waybill.idOf('departments', 'FTL West'),
    customerPriceCents: 100_000,
  })
  const { body: draft } = await api('POST', 'invoices', { entityType: 'customer', orderIds: [order.id] })
  const { body: invoice } = await api('POST', `invoices/${draft.id as number}/status`, {
    to: 'sent',
    version: draft.version,
  })
  expect(invoice.paper).toBe('made')
  await signIn()
  await page.goto(`/orders/${order.id as number}/edit`)
  await expect(page.getByText('1,000.00 € net billed in invoice')).toBeVisible()
  await field(page, 'customerPriceCents').fill('900')
  await expect(page.getByText('The price is 100.00 € lower by now.')).toBeVisible()
  const way = page.getByRole('link', { name: 'Write a correction of the difference' })
  await expect(way).toHaveCount(0)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(way).toBeVisible()
  await shoot(page, 'order-billed-otherwise')
  await way.click()
  const dialog = page.getByRole('dialog', { name: 'Write a correction' })
  await expect(dialog).toContainText('100.00 € net')
  await field(page, 'reason').fill('agreed anew')
  await dialog.getByRole('button', { name: 'Write a correction' }).click()
  await expect(field(page, 'lines.0.correctedUnitPriceCents')).toHaveValue('900.00')
  await expect(field(page, 'lines.0.correctedQuantity')).toHaveValue('1')
  await expect(page.getByRole('row', { name: /^Net/ })).toContainText(/[-−]100\.00/)
})

test('tells of cargo that is not what was billed, until the invoice is let stand or taken back', {
  tag: '@long',
}, async ({ page, partners, expectAccessible, shoot, signIn, waybill }) => {
  const { api } = waybill
  const { body: order } = await api('POST', 'orders', {
    customerIds: [partners.nordlicht],
    departmentId: await waybill.idOf('departments', 'FTL West'),
    customerPriceCents: 100_000,
    cargo: [{ title: 'Paper', quantity: 33, weightKg: 20_000 }],
  })
  const { body: draft } = await api('POST', 'invoices', { entityType: 'customer', orderIds: [order.id] })
  await api('POST', `invoices/${draft.id as number}/status`, { to: 'sent', version: draft.version })
  await signIn()
  await page.goto(`/orders/${order.id as number}/edit`)
  const told = page.getByText('Units: billed 33, now 30')
  await expect(field(page, 'cargo.0.quantity')).toHaveValue('33')
  await expect(told).toHaveCount(0)
  await field(page, 'cargo.0.quantity').fill('30')
  await expect(told).toBeVisible()
  const keep = page.getByRole('button', { name: 'The invoice stands' })
  await expect(keep).toHaveCount(0)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(keep).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'order-load-not-billed')
  await page.goto('/dashboard')
  const line = page.getByRole('listitem').filter({ hasText: 'Cargo or route differs from what was billed' })
  await line.getByRole('link', { name: order.number as string }).click()
  await keep.click()
  await expect(told).toHaveCount(0)
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: /^Waits for me/ })).toBeVisible()
  await expect(line.getByRole('link', { name: order.number as string })).toHaveCount(0)

  await page.goto(`/orders/${order.id as number}/edit`)
  await field(page, 'cargo.0.weightKg').fill('15000')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('link', { name: 'Take the invoice back' }).click()
  await expect(page.getByRole('dialog', { name: 'Write a correction' })).toBeVisible()
})

test('does not send reverse charge without a VAT number, and leads to the two fields', { tag: '@long' }, async ({
  page,
  signIn,
  shoot,
  waybill,
}) => {
  const { api, idOf } = waybill
  const { body: customer } = await api('POST', 'customers', {
    title: 'Sans Numéro SARL',
    countryId: await idOf('countries', 'France'),
    invoiceEmail: 'factures@sans.example',
  })
  const { body: order } = await api('POST', 'orders', {
    customerIds: [customer.id],
    departmentId: await idOf('departments', 'FTL West'),
    customerPriceCents: 50_000,
    customerVatBp: 0,
  })
  const { body: invoice } = await api('POST', 'invoices', { entityType: 'customer', orderIds: [order.id] })
  await signIn()
  await page.goto(`/invoices/${invoice.id as number}/edit`)
  await page.getByRole('button', { name: 'Send …' }).click()
  await page.getByRole('button', { name: 'Send invoice' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'BR-AE-2' })).toBeVisible()
  await shoot(page, 'invoice-without-vat-number')
  await page.getByRole('link', { name: 'Choose the VAT category' }).click()
  await expect(page.getByRole('combobox', { name: 'VAT category' })).toBeFocused()
  await page.goBack()
  await page.getByRole('button', { name: 'Send invoice' }).click()
  await page.getByRole('link', { name: 'Add the VAT number' }).click()
  await expect(field(page, 'vatNumber')).toBeFocused()
})
