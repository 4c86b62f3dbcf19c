import { getProfile, patchProfile } from '@waybill/contract/session'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessible } from './kit/axe.ts'
import { server } from './kit/fake-server.ts'
import { press, type } from './kit/keys.ts'
import { NORDLICHT, offerMasterData } from './records/master-data.ts'
import { answerOrderForm } from './records/order-screens.ts'

const cell = (name: string) => page.field(name)
const focus = (name: string) => cell(name).element().focus()
const options = page.getByRole('listbox', { name: 'Choices' }).getByRole('option')
const chosen = (name: string) => cell(name).css('option:checked')

beforeEach(() => {
  signIn()
  offerMasterData()
  answerOrderForm()
})

const openNewOrder = async () => {
  await visit('/orders/create')
  await expect.element(cell('customerIds')).toHaveFocus()
  await type('nordlicht masch')
  await expect
    .element(page.getByRole('option', { name: /Nordlicht Masch/ }))
    .toHaveAttribute('data-combobox-selected', 'true')
  await press('Enter')
  await expect.element(cell('customerIds')).toHaveValue(NORDLICHT.title)
}

test('walks a grid with arrows and changes nothing on the way; lists open on Enter, Space and letters', {
  tags: 'long',
}, async () => {
  await openNewOrder()
  // The first stop is a pick-up, and stays one.
  await press('Alt+2')
  const kind = cell('locations.0.kind')
  await expect.element(kind).toHaveFocus()
  await press('ArrowDown', 'ArrowUp', 'End', 'Home', 'PageDown')
  await expect.element(kind).toHaveFocus()
  await expect.element(kind).toHaveValue('loading')
  await expect.element(cell('locations.1.kind')).toHaveValue('unloading')
  await press('ArrowDown')
  await expect.element(cell('locations.1.kind')).toHaveFocus()
  await press('ArrowUp', 'ArrowRight')
  await expect.element(cell('locations.0.termin')).toHaveFocus()

  // Letters that nothing begins with leave it as it is, and so does Escape.
  focus('locations.0.kind')
  await type('xyz')
  await expect.element(page.getByRole('status').filter({ hasText: 'Nothing found' })).toBeVisible()
  await press('Tab')
  await expect.element(kind).toHaveValue('loading')
  focus('locations.0.kind')
  await press('Enter')
  await expect.poll(() => options.elements()).toHaveLength(4)
  await expectAccessible()
  await press('ArrowDown', 'Escape')
  await expect.poll(() => options.elements()).toHaveLength(0)
  await expect.element(kind).toHaveValue('loading')
  await press('Space', 'End', 'Enter')
  await expect.element(kind).toHaveValue('other')
  await expect.element(cell('locations.0.termin')).toHaveFocus()

  focus('locations.0.countryId')
  await type('po')
  await expect.element(options.first()).toMatchTextContent(/Poland|Portugal/)
  // The page that still scrolls to the cell takes no letter away.
  cell('locations.0.countryId').element().dispatchEvent(new Event('scroll'))
  await type('l')
  await press('Tab')
  await expect.element(cell('locations.0.postal')).toHaveFocus()
  await expect.element(chosen('locations.0.countryId')).toHaveTextContent('PL Poland')

  await press('Alt+3')
  focus('cargo.0.unitTypeId')
  await press('ArrowDown')
  await expect.element(cell('cargo.0.unitTypeId')).toHaveValue('')
  await type('eu')
  await press('Enter')
  await expect.element(chosen('cargo.0.unitTypeId')).toHaveTextContent('Europallet')
  await expect.element(cell('cargo.0.title')).toHaveFocus()
  await cell('cargo.0.unitTypeId').click()
  await options.filter({ hasText: /^Roll/ }).click()
  await expect.element(chosen('cargo.0.unitTypeId')).toMatchTextContent(/^Roll/)
})

test('a unit is called in the person’s language, and brings its dimensions but never over typed ones', {
  tags: 'long',
}, async () => {
  const profile = signIn({ permissions: ['ORDERS_MANAGEMENT'] })
  server.answer(patchProfile, ({ body }) => {
    const changed = { ...profile, ...body, version: 2 }
    server.answer(getProfile, changed)
    return changed
  })
  const choose = async (typed: string, shown: string) => {
    focus('cargo.0.unitTypeId')
    await type(typed)
    await press('Tab')
    await expect.element(chosen('cargo.0.unitTypeId')).toHaveTextContent(shown)
  }
  const stands = async (length: string, width: string, height: string) => {
    await expect.element(cell('cargo.0.lengthCm')).toHaveValue(length)
    await expect.element(cell('cargo.0.widthCm')).toHaveValue(width)
    await expect.element(cell('cargo.0.heightCm')).toHaveValue(height)
  }
  await openNewOrder()
  await choose('europal', 'Europallet')
  await stands('120', '80', '')
  await expect.element(cell('cargo.0.ldm')).toHaveValue('0.4')
  await choose('Industriepal', 'Industrial pallet')
  await stands('120', '100', '')
  await cell('cargo.0.widthCm').fill('95')
  await cell('cargo.0.heightCm').fill('150')
  await choose('mesh', 'Mesh box')
  await stands('120', '95', '150')
  await choose('carton', 'Carton')
  await stands('', '95', '150')

  // Another language asks again for what is called otherwise in it.
  await page.getByRole('button', { name: /^Your account/ }).click()
  await page.getByRole('button', { name: 'Deutsch' }).click()
  await expect.element(chosen('cargo.0.unitTypeId')).toHaveTextContent('Karton')
  await press('Escape')
  await stands('', '95', '150')
  await choose('mesh', 'Gitterbox')
  await stands('120', '95', '150')
  focus('locations.0.countryId')
  await type('germany')
  await press('Tab')
  await expect.element(chosen('locations.0.countryId')).toHaveTextContent('DE Deutschland')
})
