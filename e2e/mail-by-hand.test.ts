import type { Page } from '@playwright/test'
import { expect, test } from './support/test.ts'
import type { Waybill } from './support/waybill.ts'

/** An order with a carrier that somebody can be written to about. */
async function orderWithCarrier({ api, idOf }: Waybill, name: string) {
  const [DE, PL] = [await idOf('countries', 'Germany'), await idOf('countries', 'Poland')]
  const customer = await api('POST', 'customers', {
    title: `${name} Möbel GmbH`,
    language: 'de',
    countryId: DE,
    city: 'Hamburg',
    contactPersons: [
      { fullName: 'Katrin Böhm', email: `boehm@${name}.example` },
      { fullName: 'Jan Petersen', email: `petersen@${name}.example` },
    ],
  })
  const carrier = await api('POST', 'carrier-companies', { title: `${name} Trans`, countryId: PL, city: 'Poznań' })
  const made = await api('POST', 'orders', {
    customerIds: [customer.body.id],
    contactPersonId: customer.body.contactPersons[0].id,
    departmentId: await idOf('departments', 'FTL West'),
    customerOrderNumber: `${name}-1`,
    cargo: [{ key: 'c', title: 'Pallets', quantity: 4, lengthCm: 120, widthCm: 80, heightCm: 100, weightKg: 1200 }],
    locations: [
      {
        key: 'a',
        kind: 'loading',
        countryId: DE,
        city: 'Hamburg',
        cargoActions: [{ cargoKey: 'c', action: 'PICK_UP' }],
      },
      {
        key: 'b',
        kind: 'unloading',
        countryId: PL,
        city: 'Poznań',
        cargoActions: [{ cargoKey: 'c', action: 'DROP_OFF' }],
      },
    ],
    routes: [
      {
        assignment: {
          carrierCompanyId: carrier.body.id,
          plateNumber: 'PO 4T112',
          driverText: 'Marek Zieliński',
          disponentName: 'Ewa Nowak',
          disponentEmail: `nowak@${name}.example`,
        },
      },
    ],
  })
  expect([made.status, made.body.errors]).toEqual([201, undefined])
  return made.body as { id: number; number: string }
}

const to = (address: string) => (mail: { to?: { address?: string | undefined }[] }) =>
  mail.to?.some((one) => one.address === address) ?? false

const paper = (page: Page) => page.getByRole('region', { name: 'As it arrives' })

test('a mail is written, checked and sent from the order, and nothing typed is lost on the way', {
  tag: '@long',
}, async ({ page, waybill, signIn, expectAccessible, shoot }) => {
  const order = await orderWithCarrier(waybill, 'hansa')
  await signIn()
  await page.goto(`/orders/${order.id}/edit`)
  const emails = page.getByRole('region', { name: 'Emails' })
  await emails.scrollIntoViewIfNeeded()
  await emails.getByRole('button', { name: 'New mail' }).click()
  const window = page.getByRole('dialog')
  await expect(window.getByRole('button', { name: /^Invoice This mail is written on the invoice/ })).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'new-mail')
  await window.getByRole('button', { name: 'Driver information' }).click()
  await expect(page).toHaveURL(new RegExp(`/orders/${order.id}/edit/driver_information\\?route=\\d+$`))
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Driver information')
  await expect(paper(page)).toContainText('PO 4T112')
  await expect(page.getByText('boehm@hansa.example')).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'mail-by-hand')

  // Another reader, another language, words of one's own.
  await page
    .getByRole('group', { name: 'Suggested' })
    .getByRole('button', { name: /Jan Petersen/ })
    .click()
  await page.getByLabel('Copy').fill('lager@elsewhere.example')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'EN', exact: true }).click()
  await expect(paper(page)).toContainText('Dear')
  await page.getByLabel('Subject').fill('Your vehicle "<urgent>"')
  await paper(page).getByText('This vehicle will load').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' He has 12 straps.')
  await page.reload()
  await page.getByRole('button', { name: 'EN', exact: true }).click()
  await expect(page.getByLabel('Subject')).toHaveValue('Your vehicle "<urgent>"')
  await expect(paper(page)).toContainText('He has 12 straps.')
  await expect(page.getByText('lager@elsewhere.example')).toBeVisible()

  await page.getByRole('button', { name: 'Send', exact: true }).first().click()
  await expect(page).toHaveURL(new RegExp(`/orders/${order.id}/edit$`))
  const mail = await waybill.mails.waitFor(to('petersen@hansa.example'))
  expect(mail.subject).toBe('Your vehicle "<urgent>"')
  expect(mail.text).toContain('He has 12 straps.')
  expect(mail.text).toContain('PO 4T112')
})

test('by the keys alone: what is not saved is saved first, then Alt+E, the type, a word, Ctrl+Enter', {
  tag: '@long',
}, async ({ page, waybill, signIn }) => {
  const order = await orderWithCarrier(waybill, 'keys')
  await signIn()
  await page.goto(`/orders/${order.id}/edit`)
  const number = page.getByLabel('Customer order number')
  await number.fill('keys-2')
  await page.keyboard.press('Alt+e')
  const window = page.getByRole('dialog')
  await expect(window).toContainText('An email cannot be sent before the order is saved.')
  await page.keyboard.press('Enter')
  await expect(window.getByRole('button', { name: 'Order created' })).toBeVisible()
  await window.getByRole('button', { name: 'Order created' }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(window.getByRole('button', { name: 'Transport order' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(paper(page)).toContainText('PO 4T112')
  await page.keyboard.press('Alt+2')
  await expect(paper(page)).toContainText('Guten Tag')
  await page.keyboard.press('Alt+1')
  await expect(paper(page)).toContainText('Dear')
  await page.getByLabel('Subject').focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Our transport order')
  await page.keyboard.press('Control+Enter')
  const mail = await waybill.mails.waitFor(to('nowak@keys.example'))
  expect(mail.subject).toBe('Our transport order')
  await expect(page).toHaveURL(new RegExp(`/orders/${order.id}/edit$`))
})
