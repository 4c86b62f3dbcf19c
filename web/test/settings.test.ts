import { companyApi } from '@waybill/contract/company'
import { countryApi } from '@waybill/contract/country'
import { departmentApi } from '@waybill/contract/department'
import { salutationApi } from '@waybill/contract/salutation'
import { cargoTypeApi, unitTypeApi, type UnitType } from '@waybill/contract/type-list'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessible } from './kit/axe.ts'
import { pageOf, refusal, server } from './kit/fake-server.ts'
import { mouse, press, type } from './kit/keys.ts'
import { isLong } from './kit/long.ts'
import { keep, type Stored } from './kit/stored.ts'
import { offerMasterData } from './records/master-data.ts'

const field = (label: string) => page.getByRole('textbox', { name: label, exact: true })
const choice = (label: string) => page.getByRole('combobox', { name: label, exact: true })
const option = (name: string) => page.getByRole('option', { name, exact: true })
const titled = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const summary = page.getByRole('alert').filter({ hasText: 'Not saved yet' })

beforeEach(() => {
  signIn()
  offerMasterData()
})

const unitTypeOf = (given: Partial<UnitType> = {}): UnitType => ({
  id: 62,
  version: 1,
  title: 'Europallet',
  titleEn: null,
  titleDe: null,
  titlePl: null,
  shownTitle: given.title ?? 'Europallet',
  lengthCm: 120,
  widthCm: 80,
  heightCm: null,
  state: 'active',
  ...given,
})

test('takes the option that is pressed while the answer to what was typed arrives', { tags: 'long' }, async () => {
  const country = choice('Country')
  const asksFor = (words: string) => server.next(countryApi.compact, ({ query }) => query.q === words)
  await visit('/companies/create')
  await country.click()
  await expect.element(option('Poland')).toBeVisible()
  let giveAnswer = server.holdBack(countryApi.compact)
  let isAsked = asksFor('Po')
  await type('Po')
  await isAsked
  await option('Poland').hover()
  await mouse.down()
  let isRead = server.read(countryApi.compact)
  giveAnswer()
  await isRead
  await mouse.up()
  await expect.element(country).toHaveValue('Poland')
  await expect.poll(() => page.getByRole('option').elements()).toEqual([])

  // Pressed before the typing has rested: nothing is asked yet, and the list stands where it was.
  giveAnswer = server.holdBack(countryApi.compact, ({ query }) => query.q === 'Por')
  field('Code').element().focus()
  await country.click()
  await option('Portugal').hover()
  isAsked = asksFor('Por')
  await Promise.all([type('Por'), mouse.down()])
  await isAsked
  isRead = server.read(countryApi.compact)
  giveAnswer()
  await isRead
  await mouse.up()
  await expect.element(country).toHaveValue('Portugal')

  // A press that closes the list keeps nothing for the next time.
  await country.click()
  await expect.element(option('Portugal')).toBeVisible()
  await page.getByRole('heading', { level: 1 }).click()
  await expect.poll(() => page.getByRole('option').elements()).toEqual([])
  country.element().focus()
  await type('Switz')
  await expect
    .poll(() =>
      page
        .getByRole('option')
        .elements()
        .map(({ textContent }) => textContent),
    )
    .toEqual(['Switzerland'])
})

test('keeps a type list by keyboard alone', { tags: 'long' }, async () => {
  const known = unitTypeOf()
  let made: Stored<UnitType> | null = null
  server.answer(unitTypeApi.list, ({ query }) =>
    pageOf([known, ...(made === null ? [] : [made.now()])].filter(({ state }) => state === (query.state ?? 'active'))),
  )
  const message = 'This value is already in use'
  server.answer(unitTypeApi.create, ({ body }) => {
    if (body.title === known.title)
      return refusal('validation', { errors: [{ path: 'title', code: 'taken', message }] })
    made = keep(unitTypeApi, unitTypeOf({ id: 66, title: body.title }))
    return made.now()
  })
  await visit('/unit-types')
  await expect.element(page.getByRole('link', { name: 'Europallet' })).toBeVisible()
  await press('n')
  await expect.element(titled('New unit type')).toBeVisible()
  field('Title').element().focus()
  await type('Europallet')
  await press('Control+s')
  await expect.element(summary).toMatchTextContent('Title: This value is already in use')
  await expect.element(field('Title')).toHaveFocus()
  await press('End')
  await type(' with frame')
  await press('Control+s')
  await expect.poll(() => location.pathname).toBe('/unit-types/66/edit')
  await expect.element(titled('Europallet with frame')).toBeVisible()
  expect(server.calls(unitTypeApi.create)).toMatchObject([
    { body: { title: 'Europallet' } },
    { body: { title: 'Europallet with frame' } },
  ])
  page.getByRole('button', { name: 'Deactivate' }).element().focus()
  await press('Enter')
  await expect.element(page.getByRole('dialog')).toBeVisible()
  await press('Enter')
  await expect.element(page.getByRole('button', { name: 'Activate', exact: true })).toBeVisible()
  await expectAccessible()
  expect(server.calls(unitTypeApi.patch)).toMatchObject([{ version: 1, body: { state: 'inactive' } }])
  await visit('/unit-types?state=inactive')
  await expect.element(page.getByRole('link', { name: 'Europallet with frame' })).toBeVisible()
})

const TITLES = [
  [
    'de',
    {
      companies: ['Unternehmen', 'Unternehmen anlegen'],
      departments: ['Abteilungen', 'Abteilung anlegen'],
      countries: ['Länder', 'Land anlegen'],
      salutations: ['Anreden', 'Anrede anlegen'],
      'cargo-types': ['Frachtarten', 'Frachtart anlegen'],
    },
  ],
  [
    'pl',
    {
      companies: ['Firmy', 'Nowa firma'],
      departments: ['Działy', 'Nowy dział'],
      countries: ['Kraje', 'Nowy kraj'],
      salutations: ['Zwroty grzecznościowe', 'Nowy zwrot grzecznościowy'],
      'cargo-types': ['Rodzaje ładunku', 'Nowy rodzaj ładunku'],
    },
  ],
] as const
test.each(isLong ? TITLES : TITLES.slice(0, 1))(
  'speaks on every setting the language of the person: %s',
  async (defaultLanguage, screens) => {
    signIn({ defaultLanguage, permissions: ['SETTINGS_ACCESS'] })
    for (const api of [companyApi, departmentApi, countryApi, salutationApi, cargoTypeApi])
      server.answer(api.list, pageOf<never>([]))
    for (const [path, [title, create]] of Object.entries(screens)) {
      await visit(`/${path}`)
      await expect.element(titled(title)).toBeVisible()
      await page.getByRole('link', { name: create, exact: true }).first().click()
      await expect.element(titled(create)).toBeVisible()
    }
  },
)
