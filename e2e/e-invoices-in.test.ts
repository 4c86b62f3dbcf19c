import { expect, test } from './support/test.ts'

const money = (element: string, amount: string) => `<cbc:${element} currencyID="EUR">${amount}</cbc:${element}>`
const CATEGORY = '<cbc:ID>S</cbc:ID><cbc:Percent>19</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme>'
const party = (role: string, name: string, vatNumber: string) =>
  `<cac:Accounting${role}Party><cac:Party><cac:PartyTaxScheme><cbc:CompanyID>${vatNumber}</cbc:CompanyID>` +
  '<cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme><cac:PartyLegalEntity>' +
  `<cbc:RegistrationName>${name}</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:Accounting${role}Party>`

/** An XRechnung as a carrier sends it. */
const xrechnung = (number: string) =>
  '<?xml version="1.0" encoding="UTF-8"?><Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" ' +
  'xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" ' +
  'xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">' +
  '<cbc:CustomizationID>urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0</cbc:CustomizationID>' +
  `<cbc:ID>${number}</cbc:ID><cbc:IssueDate>2026-11-03</cbc:IssueDate><cbc:DueDate>2026-12-03</cbc:DueDate>` +
  '<cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode><cbc:Note>Danke für Ihren Auftrag</cbc:Note>' +
  '<cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>' +
  party('Supplier', 'Eilfracht Nord GmbH', 'DE136695976') +
  party('Customer', 'Waybill Spedition GmbH', 'DE811569869') +
  '<cac:PaymentMeans><cbc:PaymentMeansCode>58</cbc:PaymentMeansCode><cac:PayeeFinancialAccount>' +
  '<cbc:ID>DE89370400440532013000</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMeans>' +
  `<cac:TaxTotal>${money('TaxAmount', '190.00')}<cac:TaxSubtotal>${money('TaxableAmount', '1000.00')}` +
  `${money('TaxAmount', '190.00')}<cac:TaxCategory>${CATEGORY}</cac:TaxCategory></cac:TaxSubtotal></cac:TaxTotal>` +
  `<cac:LegalMonetaryTotal>${money('LineExtensionAmount', '1000.00')}${money('TaxExclusiveAmount', '1000.00')}` +
  `${money('TaxInclusiveAmount', '1190.00')}${money('PayableAmount', '1190.00')}</cac:LegalMonetaryTotal>` +
  `<cac:InvoiceLine><cbc:ID>1</cbc:ID><cbc:InvoicedQuantity unitCode="C62">1</cbc:InvoicedQuantity>` +
  `${money('LineExtensionAmount', '1000.00')}<cac:Item><cbc:Name>Fracht Hamburg – München</cbc:Name>` +
  `<cac:ClassifiedTaxCategory>${CATEGORY}</cac:ClassifiedTaxCategory></cac:Item>` +
  `<cac:Price>${money('PriceAmount', '1000.00')}</cac:Price></cac:InvoiceLine></Invoice>`

const fileOf = (text: string, name = 'xrechnung.xml') => ({
  name,
  mimeType: 'application/xml',
  buffer: Buffer.from(text),
})

test.beforeEach(({ signIn }) => signIn())

test('fills a carrier’s invoice from its XRechnung, keeps the file and shows it as an invoice', {
  tag: '@long',
}, async ({ page, waybill, expectAccessible }) => {
  const { api, idOf } = waybill
  await api('POST', 'carrier-companies', {
    title: 'Eilfracht Nord',
    countryId: await idOf('countries', 'Germany'),
    vatNumber: 'DE136695976',
  })
  await page.goto('/invoices/create?side=carrier')
  const field = (name: string) => page.locator(`[name="${name}"]`)
  const chooser = page.getByLabel('Electronic invoice')

  // What is no invoice is refused, and nothing is filled in.
  await chooser.setInputFiles(fileOf('<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>', 'bad.xml'))
  await expect(page.getByText('bad.xml was not read')).toBeVisible()
  await expect(field('number')).toHaveValue('')

  // What was typed stays, and is told where it differs.
  await field('amountCents').fill('990')
  await field('amountCents').press('Tab')
  await chooser.setInputFiles(fileOf(xrechnung('EF-2026-77')))
  await expect(page.getByText('xrechnung.xml was read: its values were filled in.')).toBeVisible()
  await expect(field('number')).toHaveValue('EF-2026-77')
  await expect(field('iban')).toHaveValue(/DE89 ?3704/)
  await expect(field('amountCents')).toHaveValue('990.00')
  const differences = page.getByRole('row', { name: /Net amount/ })
  await expect(differences).toContainText('1,000.00')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Take over all' }).click()
  await expect(differences).toHaveCount(0)
  await expect(field('amountCents')).toHaveValue('1,000.00')
  await expect(field('totalCents')).toHaveValue('1,190.00')

  await page
    .getByRole('button', { name: 'Create', exact: true })
    .or(page.getByRole('button', { name: 'Save' }))
    .first()
    .click()
  await expect(page).toHaveURL(/\/invoices\/\d+\/edit/)
  const show = page.getByRole('button', { name: 'Show xrechnung.xml as invoice' })
  await show.click()
  const window = page.getByRole('dialog')
  await expect(window.getByRole('heading', { name: 'Invoice EF-2026-77' })).toBeVisible()
  await expect(window.getByText('Eilfracht Nord GmbH')).toBeVisible()
  await expect(window.getByText('Fracht Hamburg – München')).toBeVisible()
  await expect(window.getByText('1,190.00 EUR')).toBeVisible()
  await expectAccessible(page)
})

test('says of a carrier’s invoice what it cannot fill in, and takes the routes of the order that it names', {
  tag: '@long',
}, async ({ page, partners, waybill }) => {
  const { api, idOf } = waybill
  const germany = await idOf('countries', 'Germany')
  const { body: carrier } = await api('POST', 'carrier-companies', {
    title: 'Wattkurier',
    countryId: germany,
    vatNumber: 'DE129273398',
  })
  const { status, body: order } = await api('POST', 'orders', {
    customerIds: [partners.nordlicht],
    departmentId: await idOf('departments', 'FTL West'),
    locations: ['Hamburg', 'Bremen'].map((city, index) => ({
      key: city,
      kind: index === 0 ? 'loading' : 'unloading',
      termin: { kind: 'fix', dateFrom: '2026-11-16', timeFrom: '08:00' },
      countryId: germany,
      city,
    })),
    routes: [
      {
        locationKeys: ['Hamburg', 'Bremen'],
        assignment: { carrierCompanyId: carrier.id, plateNumber: 'HB 1', costCents: 95_000, vatBp: 1900 },
      },
    ],
  })
  expect(status, JSON.stringify(order)).toBe(201)
  const paper = (number: string) => xrechnung(number).replace('DE136695976', 'DE129273398')
  const field = (name: string) => page.locator(`[name="${name}"]`)
  const chooser = page.getByLabel('Electronic invoice')
  const putAway = page.getByRole('button', { name: 'Put the file away' })

  await page.goto('/invoices/create?side=carrier')
  await chooser.setInputFiles({ name: 'setup.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') })
  await expect(page.getByText('setup.exe was not read')).toBeVisible()

  await chooser.setInputFiles(fileOf(paper('WK-1').replaceAll('EUR', 'USD')))
  await expect(
    page.getByText('The invoice is in USD, and so are the amounts here. No payment run takes it: it is paid by hand.'),
  ).toBeVisible()
  await expect(field('number')).toHaveValue('WK-1')
  await expect(field('amountCents')).not.toHaveValue('')
  // What the file filled in goes with it, but for what was typed over it.
  await field('number').fill('WK-0')
  await putAway.click()
  await expect(field('amountCents')).toHaveValue('')
  await expect(field('number')).toHaveValue('WK-0')
  await expect(page.getByText('The invoice is in USD')).toHaveCount(0)

  const half = (rate: number, vat: string) =>
    `<cac:TaxSubtotal>${money('TaxableAmount', '500.00')}${money('TaxAmount', vat)}` +
    `<cac:TaxCategory>${CATEGORY.replace('>19<', `>${rate}<`)}</cac:TaxCategory></cac:TaxSubtotal>`
  const twoRates = paper('WK-1')
    .replace(/<cac:TaxSubtotal>.*<\/cac:TaxSubtotal>/, half(19, '95.00') + half(7, '35.00'))
    .replaceAll('190.00', '130.00')
    .replaceAll('1190.00', '1130.00')
    .replace(
      '</cbc:DocumentCurrencyCode>',
      `</cbc:DocumentCurrencyCode><cac:OrderReference><cbc:ID>${order.number as string}</cbc:ID></cac:OrderReference>`,
    )
  await chooser.setInputFiles(fileOf(twoRates))
  await expect(
    page.getByText('The invoice has several VAT rates: net and total were filled in, no rate.'),
  ).toBeVisible()
  await expect(page.getByText(`The routes of ${order.number as string} were taken`)).toBeVisible()
  await expect(field('amountCents')).toHaveValue('1,000.00')
  await expect(field('totalCents')).toHaveValue('1,130.00')
  await expect(page.getByLabel(`Share of ${order.number as string}/1, net`)).toHaveValue('1,000.00')
  await expect(page.getByText(/\+50\.00\s€/)).toBeVisible()

  // A net amount that is typed takes the total along only where nobody has typed that.
  await field('amountCents').fill('950')
  await field('amountCents').press('Tab')
  await expect(page.getByLabel(`Share of ${order.number as string}/1, net`)).toHaveValue('950.00')
  await expect(field('totalCents')).toHaveValue('1,130.00')
})

test('fills a credit note in with its amounts below zero', { tag: '@long' }, async ({ page }) => {
  const field = (name: string) => page.locator(`[name="${name}"]`)
  await page.goto('/invoices/create?side=carrier')
  await page.getByLabel('Electronic invoice').setInputFiles(fileOf(xrechnung('GS-7').replace('>380<', '>381<')))
  await expect(page.getByText(/This is a credit note: its amounts stand below zero/)).toBeVisible()
  await expect(field('number')).toHaveValue('GS-7')
  await expect(field('amountCents')).toHaveValue(/^[-−]1,000\.00$/)
  await expect(field('totalCents')).toHaveValue(/^[-−]1,190\.00$/)
  await expect(page.getByText('credit note', { exact: true })).toBeVisible()
})
