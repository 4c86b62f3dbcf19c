import { holdBack } from './support/hold-back.ts'
import { addPerson, signInAs } from './support/people.ts'
import { expect, test } from './support/test.ts'
import type { Waybill } from './support/waybill.ts'

async function addOrder({ api, idOf }: Waybill, customerId: number, more: object = {}) {
  const departmentId = await idOf('departments', 'FTL West')
  const { status, body } = await api('POST', 'orders', { customerIds: [customerId], departmentId, ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return body as { id: number; number: string }
}

test('names somebody in a note by keyboard, who finds it on the dashboard until the notes are open', {
  tag: '@long',
}, async ({ page, browser, waybill, partners, signIn, expectAccessible, shoot }) => {
  const order = await addOrder(waybill, partners.nordlicht)
  const named = await addPerson(waybill, { permissions: ['ORDERS_MANAGEMENT'] })
  const { body: user } = await waybill.api('GET', `users/${named.id}`)
  const name = user.fullName as string
  await signIn()
  await page.goto(`/orders/${order.id}/edit`)
  const rail = page.getByRole('complementary', { name: 'History, mails, notes' })
  const field = rail.getByLabel('Note', { exact: true })
  await field.pressSequentially(`Ramp 2, @${name.slice(0, 8).toLowerCase()}`)
  await expect(page.getByRole('option', { name, exact: true })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await field.press('Escape')
  await expect(page.getByRole('option', { name, exact: true })).toBeHidden()
  await field.fill('Ramp 2, ')
  await field.press('End')
  // Enter comes before the answer, and takes what that brings.
  const letReaders = await holdBack(page, 'orders/*/readers')
  await field.pressSequentially(`@${name}`)
  await page.keyboard.press('Enter')
  letReaders()
  await expect(field).toHaveValue(`Ramp 2, @${name} `)
  await page.keyboard.press('Control+Enter')
  await expect(rail.getByText(`Note: Ramp 2, @${name}`)).toBeVisible()
  await rail.getByRole('button', { name: /^Notes/ }).click()
  await expect(rail.getByRole('listitem')).toContainText([`Ramp 2, @${name}`])
  await expectAccessible(page)
  await shoot(page, 'order-notes')

  const theirs = await (await browser.newContext({ baseURL: waybill.url })).newPage()
  await signInAs(theirs, waybill, named)
  await theirs.goto('/dashboard')
  const line = theirs.getByRole('listitem').filter({ hasText: 'named you in a note' })
  await line.getByRole('link', { name: order.number }).click()
  await expect(theirs.getByRole('complementary').getByText(`Ramp 2, @${name}`)).toBeVisible()
  // What another writes comes by itself.
  await field.fill('It is ramp 3')
  await page.keyboard.press('Control+Enter')
  await expect(theirs.getByRole('complementary').getByText('It is ramp 3')).toBeVisible()
  await theirs.goto('/dashboard')
  await expect(theirs.getByText('Nothing waits for you.')).toBeVisible()
  await theirs.context().close()
})

test('shows saved views as tabs with counts, begins with the chosen one, and selects all that match', {
  tag: '@long',
}, async ({ page, waybill, expectAccessible, shoot }) => {
  const { body: customer } = await waybill.api('POST', 'customers', {
    title: 'Ansichten AG',
    countryId: await waybill.idOf('countries', 'Germany'),
  })
  for (let count = 0; count < 12; count += 1)
    await addOrder(waybill, customer.id as number, count < 3 ? { disposition: 'FOR_SALE' } : {})
  // Views and widths are a person's own, and stay with them.
  await signInAs(page, waybill, await addPerson(waybill, { permissions: ['ORDERS_MANAGEMENT'] }))
  await page.goto(`/orders?customerId[]=${customer.id as number}&perPage=10`)
  await page.getByRole('button', { name: 'Save view', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Save view' })
  await dialog.getByLabel('Name').fill('Of Ansichten')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('The view “Of Ansichten” was saved')).toBeVisible()
  const tab = page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Of Ansichten 12' })
  await expect(tab).toHaveAttribute('aria-current', 'page')
  await page.getByRole('button', { name: 'Views: Of Ansichten' }).click()
  await page.getByRole('menuitem', { name: 'Begin with this view' }).click()
  await expectAccessible(page)
  await shoot(page, 'orders-saved-view')

  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/orders') asked.push(searchParams.getAll('customerId[]').join())
  })
  await page.goto('/orders')
  await expect(tab).toHaveAttribute('aria-current', 'page')
  await expect(page.getByRole('checkbox', { name: 'Select this page' })).toBeVisible()
  // The list without the view is never asked for; that with it once more where an order changed meanwhile.
  expect([...new Set(asked)]).toEqual([String(customer.id)])
  await page.getByRole('button', { name: /^All/ }).first().click()
  await expect(tab).not.toHaveAttribute('aria-current', 'page')
  await tab.click()

  await page.getByRole('checkbox', { name: 'Select this page' }).check()
  await page.getByRole('region', { name: '10 selected' }).getByRole('button', { name: 'All 12' }).click()
  const bar = page.getByRole('region', { name: '12 selected' })
  await bar.getByRole('button', { name: 'Disposition' }).click()
  const question = page.getByRole('dialog', { name: 'Disposition of 12 orders' })
  await question.getByRole('combobox', { name: 'Disposition' }).or(question.getByLabel('Disposition')).first().click()
  await page.getByRole('option').first().click()
  await question.getByRole('button', { name: 'Set disposition' }).click()
  await expect(page.getByText('12 orders changed')).toBeVisible()
})

test('keeps the width that somebody gave a column', { tag: '@long' }, async ({ page, waybill }) => {
  await signInAs(page, waybill, await addPerson(waybill, { permissions: ['ORDERS_MANAGEMENT'] }))
  await page.goto('/orders')
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByLabel('Width of Customer, px').fill('240')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  const head = page.getByRole('columnheader', { name: 'Customer' })
  await expect.poll(async () => Math.round((await head.boundingBox())!.width)).toBe(240)
  const box = (await head.boundingBox())!
  await page.mouse.move(box.x + box.width - 3, box.y + 10)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width + 37, box.y + 10, { steps: 4 })
  await page.mouse.up()
  await expect.poll(async () => Math.round((await head.boundingBox())!.width)).toBe(280)
  await page.reload()
  await expect.poll(async () => Math.round((await head.boundingBox())!.width)).toBe(280)
})

test('makes an invoice on its own page and sends it from the form, without the right to orders', {
  tag: '@long',
}, async ({ page, waybill, partners, signIn, expectAccessible, shoot }) => {
  const order = await addOrder(waybill, partners.nordlichtHolding, { customerPriceCents: 50_000 })
  const clerk = await addPerson(waybill, { permissions: ['INVOICES_PROCESSING'] })
  await signIn(clerk)
  await page.goto('/invoices')
  await page
    .getByRole('link', { name: /New invoice/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('The field is required').first()).toBeVisible()
  await page.getByLabel('Orders').fill(order.number)
  await page.getByRole('option', { name: `${order.number} · Nordlicht Holding AG` }).click()
  await page.keyboard.press('Escape')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page).toHaveURL(/\/invoices\/\d+\/edit/)

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Deactivate' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
  await expect(page.getByRole('button', { name: 'Send …' })).toBeHidden()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Activate' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click()

  await page.getByRole('button', { name: 'Send …' }).click()
  await expect(page).toHaveURL(/\/edit\?mail=/)
  await page.getByRole('button', { name: 'Send invoice' }).click()
  await expect(page.getByText('Your email sent successfully')).toBeVisible()
  await expect(page.getByRole('heading', { name: /^WB-/ })).toBeVisible()
  // It left without anybody reloading.
  await expect(page.getByRole('region', { name: 'Mails' }).getByText('sent', { exact: true })).toBeVisible()
  await shoot(page, 'invoice-sent-from-form')
})
