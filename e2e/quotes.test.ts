import { linkIn } from './support/people.ts'
import { expectPublicHeaders } from './support/public-page.ts'
import { expect, test } from './support/test.ts'

test('a quote goes out by mail, the customer accepts it on a phone, and it becomes an order', { tag: '@long' }, async ({
  page,
  browser,
  baseURL,
  waybill,
  partners,
  signIn,
  expectAccessible,
  shoot,
}) => {
  const { api, idOf } = waybill
  const { body: made } = await api('POST', 'quotes', {
    customerId: partners.nordlicht,
    departmentId: await idOf('departments', 'FTL West'),
    from: { countryId: await idOf('countries', 'Germany'), postal: '52351', city: 'Düren', date: '2098-02-04' },
    to: { countryId: await idOf('countries', 'Poland'), postal: '60-101', city: 'Poznań', date: '2098-02-05' },
    goods: 'Paper reels',
    ldm: 13.6,
    weightKg: 22_100,
    costSource: 'typed',
    costCents: 120_000,
    priceCents: 148_000,
    validUntil: '2098-01-20',
  })
  await signIn()
  await page.goto(`/quotes/edit/${made.id}`)
  await page.getByRole('button', { name: /Send quote/ }).click()
  const window = page.getByRole('dialog')
  await expect(window.getByText(`, Düren – Poznań`)).toBeVisible()
  await window.getByRole('textbox', { name: 'To' }).fill('orders@nordlicht.example')
  await window.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Quote sent to orders@nordlicht.example')).toBeVisible()
  const { body: mails } = await api('GET', `emails?quoteId=${made.id}`)
  const { body: mail } = await api('GET', `emails/${mails.items[0].id}`)
  expect(mail.attachments).toMatchObject([{ title: expect.stringMatching(/^Angebot_Q-.*\.pdf$/) }])

  const link = await linkIn(waybill, 'orders@nordlicht.example', '/quote/')
  const phone = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    baseURL,
    locale: 'en-GB',
  })
  const customer = await phone.newPage()
  const answer = await customer.goto(new URL(link).pathname)
  expectPublicHeaders(answer)
  await customer.getByRole('button', { name: 'EN', exact: true }).click()
  await expect(customer.getByRole('heading', { name: `Quote ${made.number}` })).toBeVisible()
  await expect(customer.getByText('1,480.00 €')).toBeVisible()
  await expect(customer.getByText('1,200')).toHaveCount(0)
  await expectAccessible(customer)
  await shoot(customer, 'quote-page')
  await customer.getByLabel('Remark for us').fill('Ramp 4')
  // A telephone that dropped the page has it again.
  await customer.reload()
  await expect(customer.getByLabel('Remark for us')).toHaveValue('Ramp 4')
  await customer.getByRole('button', { name: 'Accept the quote' }).click()
  await expect(customer.getByRole('heading', { name: 'Thank you for your order.' })).toBeVisible()
  await shoot(customer, 'quote-accepted')
  expect(await phone.cookies()).toEqual([])
  await customer.goto('/quote/not-a-link')
  await expect(customer.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
  await phone.close()

  await page.goto('/quotes?show=followUp')
  const row = page.getByRole('row', { name: made.number })
  await expect(row.getByText('no order yet')).toBeVisible()
  await row.getByRole('link', { name: made.number }).click()
  await expect(page.getByText('„Ramp 4“')).toBeVisible()
  await page.getByRole('button', { name: /Make the order/ }).click()
  // The quote does not say how many units there are, and papers print it.
  await window.getByLabel('Quantity').fill('22')
  await window.getByRole('button', { name: 'Make the order' }).click()
  await page.getByRole('link', { name: /^Order \d/ }).click()
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toContainText(/\d\d-\d{5}/)
  const [number] = /\d\d-\d{5}/.exec((await heading.textContent())!)!
  const { body: orders } = await api('GET', `orders?q=${number}`)
  expect(orders.items).toMatchObject([{ customerPriceCents: 148_000, from: { city: 'Düren' }, to: { city: 'Poznań' } }])

  // And the year to come knows of it at once.
  await page.goto('/reports?by=customer&from=2098-02&to=2098-02')
  await expect(page.getByRole('row', { name: /Nordlicht/ })).toContainText('1,480')
})
