import { expect, test } from './support/test.ts'

test('an invoice is sent with words of one’s own from the page of its mail', { tag: '@long' }, async ({
  page,
  waybill,
  signIn,
  expectAccessible,
  shoot,
}) => {
  const { api, idOf } = waybill
  const { body: customer } = await api('POST', 'customers', {
    title: 'Möbelhaus Wiesental GmbH',
    language: 'de',
    address: 'Talstraße 4',
    postal: '79539',
    city: 'Lörrach',
    countryId: await idOf('countries', 'Germany'),
    invoiceEmail: 'rechnung@moebel-wiesental.example',
  })
  const { body: order } = await api('POST', 'orders', {
    customerIds: [customer.id],
    departmentId: await idOf('departments', 'FTL West'),
    customerPriceCents: 68_000,
    customerVatBp: 1900,
  })
  const { body: invoice } = await api('POST', 'invoices', { entityType: 'customer', orderIds: [order.id] })
  const form = `/invoices/${invoice.id as number}/edit`
  await signIn()
  await page.goto(`${form}/invoice`)

  const paper = page.getByRole('region', { name: 'As it arrives' })
  const subject = page.getByRole('textbox', { name: 'Subject' })
  await expect(subject).toHaveValue(/^Rechnung \[Nummer\]/)
  await expect(page.getByText('rechnung@moebel-wiesental.example')).toBeVisible()
  await expect(paper).toContainText('809,20')
  await expectAccessible(page)
  await shoot(page, 'invoice-mail-page')

  await page.getByRole('button', { name: 'EN', exact: true }).click()
  await expect(paper).toContainText('Dear')
  await page.getByRole('button', { name: 'DE', exact: true }).click()
  await expect(paper).toContainText('Sehr geehrte')
  await subject.fill('Ihre Rechnung "<eilig>"')
  await page.getByLabel('Copy').fill('buchhaltung@moebel-wiesental.example')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Send invoice' }).click()
  await expect(page).toHaveURL(new RegExp(`${form}$`))

  const mail = await waybill.mails.waitFor(
    ({ to }) => to?.some(({ address }) => address === 'rechnung@moebel-wiesental.example') ?? false,
  )
  expect(mail.subject).toBe('Ihre Rechnung "<eilig>"')
  expect(JSON.stringify(mail.cc)).toContain('buchhaltung@moebel-wiesental.example')
  const { body: sent } = await api('GET', `invoices/${invoice.id as number}`)
  expect(sent).toMatchObject({ status: 'sent' })
  expect(mail.text).toContain(sent.number)
  await page.goto(`${form}/invoice`)
  await expect(page.getByRole('button', { name: 'Send', exact: true }).first()).toBeVisible()
})
