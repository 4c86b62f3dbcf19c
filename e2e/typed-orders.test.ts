import type { Page } from '@playwright/test'
import { expect, test } from './support/test.ts'
import type { Waybill } from './support/waybill.ts'

/*
 * Transport orders as customers mail them, typed in by somebody who never touches the mouse. Every key counts one, a chord too, and the sums
 * are printed.
 */

class Typist {
  readonly #page: Page
  keys = 0

  constructor(page: Page) {
    this.#page = page
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      await this.#page.keyboard.press(key)
      this.keys += 1
    }
  }

  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text)
    this.keys += [...text].length
  }

  /** Cells of a grid or fields of a form, each left with Tab; an empty one is passed over. */
  async fill(...texts: string[]): Promise<void> {
    for (const text of texts) {
      await this.type(text)
      await this.press('Tab')
    }
  }

  /** From a list below a field: a part of the name, and what is marked once the list has come, as one does who looks. */
  async pick(part: string, title: string): Promise<void> {
    await this.type(part)
    await expect(this.#page.getByRole('option', { name: title }).first()).toHaveAttribute('data-combobox-selected', 'true')
    await this.press('Enter')
  }
}

/** A customer on file, as the record below each order says. */
async function addCustomer({ api, idOf }: Waybill, country: string, record: object): Promise<void> {
  const { status, body } = await api('POST', 'customers', { countryId: await idOf('countries', country), ...record })
  expect(status, JSON.stringify(body)).toBe(201)
}

async function openNewOrder(page: Page): Promise<Typist> {
  await page.goto('/orders')
  await expect(page.getByRole('row').first()).toBeVisible()
  const typist = new Typist(page)
  await typist.press('n')
  await expect(page.locator('[name=customerIds]')).toBeFocused()
  return typist
}

/** Saves, and gives what the server holds. */
async function saved(page: Page, typist: Typist, { api }: Waybill) {
  await typist.press('Control+Enter')
  await page.waitForURL(/\/orders\/\d+\/edit/)
  const { body } = await api('GET', `orders/${/orders\/(\d+)/.exec(page.url())![1]}`)
  return body
}

test('order 1: a full truck for Poznań', async ({ page, waybill, partners, signIn }) => {
  // Key by key: slower than filling fields at once.
  test.setTimeout(180_000)
  expect(partners.nordlicht).toBeGreaterThan(0)
  await signIn()
  const typist = await openNewOrder(page)
  await typist.pick('masc', 'Nordlicht Maschinenbau GmbH')
  await typist.press('Tab')
  await typist.fill('4500129877', '')
  await typist.pick('hold', 'Nordlicht Holding AG')
  await typist.press('Alt+2')
  await typist.fill('')
  await typist.type('30.11 8-12')
  await typist.press('Enter')
  await typist.pick('no', 'Nordlicht Maschinenbau GmbH')
  await typist.type('1.12 7')
  await typist.press('Enter')
  await typist.fill('Wielkopolska Tech Sp. z o.o.', 'ul. Bukowska 285', 'PL', '60-189', 'Poznań')
  await typist.type('Pani Nowicka +48 61 555 22 10')
  await typist.press('Alt+3')
  await typist.fill('33', 'Eu', 'Maschinenteile', '120', '80', '145')
  await typist.type('33*640')
  await typist.press('Alt+Enter')
  await expect(page.getByRole('dialog').locator('input:focus')).toBeVisible()
  await typist.type('86000')
  await typist.press('Enter')
  await typist.press('Alt+4')
  await typist.fill('1180', '', '45', '', '', '')
  await typist.press('Space')
  const order = await saved(page, typist, waybill)
  expect(order).toMatchObject({
    customerOrderNumber: '4500129877',
    billingCustomer: { title: 'Nordlicht Holding AG' },
    customerPriceCents: 118_000,
    customerVatBp: 1900,
    paymentPeriodDays: 45,
    isTransshipmentForbidden: true,
    locations: [
      { kind: 'loading', termin: { kind: 'period', dateFrom: '2026-11-30', timeFrom: '08:00', timeTo: '12:00' }, companyTitle: 'Nordlicht Maschinenbau GmbH', postal: '22113', city: 'Hamburg', contactPerson: 'Herr Jansen', phone: '+49 40 5550 1204' },
      { kind: 'unloading', termin: { kind: 'fix', dateFrom: '2026-12-01', timeFrom: '07:00' }, companyTitle: 'Wielkopolska Tech Sp. z o.o.', postal: '60-189', city: 'Poznań', phone: '+48 61 555 22 10' },
    ],
    cargo: [{ quantity: 33, weightKg: 21_120, ldm: 13.2, volumeM3: 45.936, valueCents: 8_600_000 }],
  })
  console.log(`order 1: ${typist.keys} keys`)
  expect(typist.keys).toBeLessThanOrEqual(220)
})

test('order 4: three consignments for Milan, one after the other', async ({ page, waybill, signIn }) => {
  test.setTimeout(180_000)
  await addCustomer(waybill, 'Germany', { title: 'Kartonwerk Süd GmbH', vatNumber: 'DE287654308', language: 'de', address: 'Daimlerstr. 7', postal: '86368', city: 'Gersthofen' })
  await signIn()
  const typist = await openNewOrder(page)
  const consignment = async (termin: string, consignee: readonly string[], cargo: readonly string[], more: () => Promise<void>, price: string) => {
    await expect(page.locator('[name=customerIds]')).toBeFocused()
    await typist.pick('kart', 'Kartonwerk Süd GmbH')
    await typist.press('Alt+2', 'Tab')
    await typist.type('1.12 7-15')
    await typist.press('Enter')
    await typist.pick('ka', 'Kartonwerk Süd GmbH')
    // Past the contact, whom the mail does not name.
    await typist.press('Enter')
    await typist.type(termin)
    await typist.press('Enter')
    await typist.fill(...consignee)
    await typist.press('Alt+3')
    await typist.fill(...cargo)
    await more()
    await typist.press('Alt+4')
    await typist.type(price)
  }
  const details = async () => {
    await typist.press('Alt+Enter')
    await expect(page.getByRole('dialog').locator('input:focus')).toBeVisible()
  }
  const orderOf = async (price: number) => {
    const { body } = await waybill.api('GET', `orders?customerId[]=${await waybill.idOf('customers', 'Kartonwerk Süd GmbH')}&perPage=10`)
    const views = await Promise.all(body.items.map(async ({ id }: { id: number }) => (await waybill.api('GET', `orders/${id}`)).body))
    return views.find(({ customerPriceCents }) => customerPriceCents === price)
  }
  await consignment('3.12 -12', ['Officina Brambilla S.r.l.', 'Via Mecenate 76', 'IT', '20138', 'Milano'], ['5', 'Me', '', '124', '83,5', '97', '5*420'], async () => {
    // Twice stackable: value, cargo type and packages are passed over.
    await details()
    await typist.press('Tab', 'Tab', 'Tab')
    await typist.type('2')
    await typist.press('Enter')
  }, '410')
  await typist.press('Alt+n')
  await expect(page.getByText(/saved successfully/)).toBeVisible()
  await consignment('3.12 14', ['Cartiera Olona', 'Via Sempione 210', 'IT', '20025', 'Legnano'], ['2', 'Ro', 'Rollen Papier, liegend', '180', '125', '125', '2*1150'], async () => {
    await details()
    await typist.press('Tab', 'Tab', 'Tab', 'Tab', 'Tab')
    await typist.type('Keile nötig')
    await typist.press('Control+Enter')
  }, '520')
  await typist.press('Alt+n')
  await consignment('4.12 9-11', ['Studio Verdi', 'Corso Como 9', 'IT', '20154', 'Milano'], ['1', 'Eu', 'Muster', '120', '80', '90', '95'], async () => {}, '165')
  await typist.press('Alt+n')
  await expect.poll(() => orderOf(16_500)).toBeDefined()
  expect(await orderOf(41_000)).toMatchObject({ cargo: [{ quantity: 5, stackingFactor: 2, weightKg: 2100, ldm: 1.294 }] })
  console.log(`order 4: ${typist.keys} keys`)
  expect(typist.keys).toBeLessThanOrEqual(450)
})
