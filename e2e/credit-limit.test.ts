import { expect, test } from './support/test.ts'

test('an order beyond the credit limit is saved and not planned, until the limit is lifted', { tag: '@long' }, async ({
  page,
  waybill,
  signIn,
  expectAccessible,
  shoot,
}) => {
  const { api, idOf } = waybill
  const done = async (method: string, path: string, body?: object) => {
    const answer = await api(method, path, body)
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300)
    return answer.body
  }
  const countryId = await idOf('countries', 'Germany')
  const customer = await done('POST', 'customers', {
    title: 'Knapp bei Kasse GmbH',
    countryId,
    city: 'Bremen',
    creditLimitCents: 100_000,
  })
  const order = await done('POST', 'orders', {
    customerIds: [customer.id],
    departmentId: await idOf('departments', 'FTL West'),
    customerPriceCents: 150_000,
    customerVatBp: 0,
    disposition: 'OWN_FLEET',
    cargo: [{ key: 'a', title: 'Goods' }],
    locations: ['loading', 'unloading'].map((kind, index) => ({
      kind,
      countryId,
      city: index === 0 ? 'Bremen' : 'Torgau',
      termin: { kind: 'fix', dateFrom: '2026-12-02' },
      cargoActions: [{ cargoKey: 'a', action: index === 0 ? 'PICK_UP' : 'DROP_OFF' }],
    })),
  })
  expect(order.credit).toBe('over')

  await signIn()
  await page.goto(`/orders/${order.id}/edit`)
  await expect(page.getByText('This customer is over its credit limit')).toBeVisible()
  await page.getByRole('button', { name: 'Status: New. Change' }).click()
  await expect(page.getByRole('menu')).toContainText('The customer is over its credit limit')
  await expectAccessible(page)
  await shoot(page, 'order-over-limit')
  const refused = await api('POST', `orders/${order.id}/status`, { to: 'scheduled', version: order.version })
  expect(refused.body.errors[0]).toMatchObject({ path: 'billingCustomerId', code: 'credit_limit' })

  await page.goto(`/customer/${customer.id}/edit`)
  await page
    .getByRole('navigation', { name: 'Parts of the form' })
    .getByRole('button', { name: 'Payment options' })
    .click()
  const credit = page.getByRole('region', { name: 'Credit' })
  await expect(credit).toContainText('0.00 € of 1,000.00 € used')
  await credit.getByRole('button', { name: 'Lift the limit' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Pays tomorrow')
  await page.getByRole('button', { name: 'Lift', exact: true }).click()
  await expect(credit).toContainText('Pays tomorrow')
  await expectAccessible(page)
  await shoot(page, 'credit-lifted')

  await page.goto(`/orders/${order.id}/edit`)
  await expect(page.getByText('This customer is near its credit limit.')).toBeVisible()
  await done('POST', `orders/${order.id}/status`, { to: 'scheduled', version: order.version })
  await page.goto(`/customer/${customer.id}/edit`)
  await page
    .getByRole('navigation', { name: 'Parts of the form' })
    .getByRole('button', { name: 'Payment options' })
    .click()
  await expect(credit).toContainText('1,500.00 € of 1,000.00 € used (150 %)')
})
