import { beforeAll, describe, expect, it } from 'vitest'
import { useTestApp, type Answer, type Caller } from '../../../test/app.ts'

const test = useTestApp()

const inLanguage = (language: string) => ({ headers: { 'accept-language': language } })
const titlesIn = async (path: string, language: string, caller: Caller = test.admin): Promise<string[]> => {
  const { body } = await caller.get(path, { compact: true, ...inLanguage(language) })
  return body.items.map((one: { title: string }) => one.title)
}
const found = (path: string, q: string) => `${path}?perPage=100&q=${encodeURIComponent(q)}`
const exported = async (path: string, language: string): Promise<string> =>
  (await test.admin.get(path, inLanguage(language))).raw.toString('utf8')

let germany: number
let mesh: { id: number; version: number }

beforeAll(async () => {
  germany = await test.idOf('country', 'code', 'DE')
  mesh = (await test.admin.get('unit-types?q=Mesh')).body.items[0]
})

describe('what a type, salutation, role or country is called', () => {
  it('is refused where it is too long or of a language that we do not speak, and may be left out', async () => {
    const { status, body } = await test.admin.post('cargo-types', {
      title: 'Glass',
      titleDe: 'x'.repeat(101),
      titleFr: 'Verre',
    })
    expect(status).toBe(422)
    expect(body.errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`).toSorted()).toEqual([
      'titleDe too_long',
      'titleFr unknown_field',
    ])
    const made = await test.admin.post('cargo-types', { title: 'Glass' }, inLanguage('de'))
    expect(made.body).toMatchObject({ titleEn: null, titleDe: null, titlePl: null, shownTitle: 'Glass' })
  })

  it('goes by the language of the person in select boxes, in the order of what is shown there', async () => {
    const { caller } = await test.userWith('ORDERS_MANAGEMENT')
    for (const [path, de, pl] of [
      ['unit-types', 'Gitterbox', 'Gitterboks'],
      ['vehicle-types', 'Kühlauflieger', 'Chłodnia'],
      ['cargo-types', 'Stückgut', 'Drobnica'],
      ['special-handling-types', 'Hebebühne', 'Winda załadowcza'],
      ['salutations', 'Pani (Frau)', 'Frau (Pani)'],
      ['countries', 'Österreich', 'Niemcy'],
    ] as const) {
      expect(await titlesIn(`${path}?perPage=100`, 'de', caller), path).toContain(de)
      expect(await titlesIn(`${path}?perPage=100`, 'pl', caller), path).toContain(pl)
    }
    const countries = await titlesIn('countries?perPage=100', 'de')
    expect(countries).toEqual(countries.toSorted(new Intl.Collator('und').compare))
  })

  it('is found by any of its titles, in whichever language the person reads', async () => {
    for (const q of ['Gitterbox', 'Mesh', 'gitterboks', 'mes', 'gi'])
      expect(await titlesIn(found('unit-types', q), 'pl'), q).toContain('Gitterboks')
    for (const q of ['Reefer', 'kühl', 'chłod', 'ch'])
      expect(await titlesIn(found('vehicle-types', q), 'de'), q).toContain('Kühlauflieger')
    for (const q of ['Germany', 'Niemcy', 'ni', 'DE'])
      expect(await titlesIn(found('countries', q), 'de'), q).toContain('Deutschland')
  })

  it('goes by the language of the person in lists and their files, walked page by page, too', async () => {
    const { body } = await test.admin.get('vehicle-types?perPage=100', inLanguage('de'))
    const shown = body.items.map((one: { shownTitle: string }) => one.shownTitle)
    expect(shown).toEqual(shown.toSorted(new Intl.Collator('und').compare))
    expect(body.items.find((one: { title: string }) => one.title === 'Reefer').shownTitle).toBe('Kühlauflieger')

    const walked: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Answer = await test.admin.get(
        `vehicle-types?perPage=10${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
        inLanguage('de'),
      )
      walked.push(...page.body.items.map((one: { shownTitle: string }) => one.shownTitle))
      cursor = page.body.nextCursor
    }
    expect(walked).toEqual(shown)
    expect(await exported('vehicle-types/export?format=csv', 'pl')).toContain('Chłodnia')
    expect(await exported('user-roles/export?format=csv', 'pl')).toContain('Księgowość')
    expect(await exported('countries/export?format=csv', 'de')).toContain('Österreich')
    expect(await exported('salutations/export?format=csv', 'de')).toContain('Niederlande')
  })

  it('goes by the language of the person wherever another record refers to it', async () => {
    const roleId = await test.idOf('user_role', 'title', 'Accounting')
    const user = await test.admin.post('users', { fullName: 'Ada Buch', email: 'ada@example.com', roleId })
    const reefer = await test.idOf('vehicle_type', 'title', 'Reefer')
    const billingAddress = { title: 'Rechnung', address: null, postal: null, city: null, countryId: germany }
    const carrier = await test.admin.post('carrier-companies', {
      title: 'Kühl GmbH',
      countryId: germany,
      vehicleTypeIds: [reefer],
      billingAddress,
    })
    expect([user.status, carrier.status], JSON.stringify(carrier.body)).toEqual([201, 201])
    const customer = await test.admin.post('customers', { title: 'Kunde', countryId: germany })
    const read = async (path: string) => (await test.admin.get(path, inLanguage('pl'))).body
    expect((await read(`users/${user.body.id}`)).role).toEqual({ id: roleId, title: 'Księgowość' })
    expect(await read(`customers/${customer.body.id}`)).toMatchObject({ country: { id: germany, title: 'Niemcy' } })
    expect(await read(`carrier-companies/${carrier.body.id}`)).toMatchObject({
      country: { title: 'Niemcy' },
      billingCountry: { title: 'Niemcy' },
      vehicleTypes: [{ id: reefer, title: 'Chłodnia' }],
    })
    for (const list of ['customers', 'companies', 'departments'])
      expect((await read(list)).items[0].country.title, list).toBe('Niemcy')
    expect(await exported('carrier-companies/export?format=csv', 'pl')).toContain('Niemcy')
  })

  it('may be sent back as it was read in another language', async () => {
    const made = await test.admin.post('customers', { title: 'Rückweg', countryId: germany }, inLanguage('de'))
    expect(made.body.country.title).toBe('Deutschland')
    const again = await test.admin.put(`customers/${made.body.id}`, made.body, inLanguage('pl'))
    expect(again.status, JSON.stringify(again.body)).toBe(200)
    const type = (await test.admin.get(`unit-types/${mesh.id}`, inLanguage('de'))).body
    expect(type.shownTitle).toBe('Gitterbox')
    expect((await test.admin.put(`unit-types/${mesh.id}`, type, inLanguage('pl'))).status).toBe(200)
    const foreign = { ...again.body, country: { id: germany + 1, title: 'Niemcy' } }
    expect((await test.admin.put(`customers/${made.body.id}`, foreign)).status).toBe(422)
  })

  it('is the title that it is kept by where its language has none; that one alone is taken', async () => {
    const made = await test.admin.post('unit-types', { title: 'Gestell', titlePl: 'Stojak' })
    expect(made.status).toBe(201)
    expect(await titlesIn(found('unit-types', 'stojak'), 'de')).toEqual(['Gestell'])
    expect(await titlesIn(found('unit-types', 'gestell'), 'pl')).toEqual(['Stojak'])
    expect((await test.admin.post('unit-types', { title: 'Regal', titlePl: 'Stojak' })).status).toBe(201)
    const twice = await test.admin.post('unit-types', { title: 'Gestell' })
    expect(twice.body.errors).toEqual([expect.objectContaining({ path: 'title', code: 'taken' })])
  })
})

describe('what a unit measures', () => {
  it('is refused below nothing and above a hundred metres', async () => {
    const { status, body } = await test.admin.post('unit-types', { title: 'Brett', lengthCm: -1, widthCm: 10_001 })
    expect(status).toBe(422)
    expect(body.errors.map(({ path }: { path: string }) => path).toSorted()).toEqual(['lengthCm', 'widthCm'])
  })

  it('is known of the usual ones, and told where one is picked', async () => {
    const { body } = await test.admin.get('unit-types?q=europal', { compact: true, ...inLanguage('de') })
    expect(body.items).toEqual([
      {
        id: expect.any(Number),
        title: 'Europalette',
        names: ['Europaleta', 'Europallet'],
        dimensions: { lengthCm: 120, widthCm: 80, heightCm: null },
      },
    ])
  })

  it('may be left out and changed, and stands in its history', async () => {
    const made = await test.admin.post('unit-types', { title: 'Kabeltrommel', lengthCm: 82.5 })
    expect(made.body).toMatchObject({ lengthCm: 82.5, widthCm: null, heightCm: null })
    const { id, version } = made.body
    const changed = await test.admin.patch(`unit-types/${id}`, { widthCm: 60 }, { version })
    expect(changed.body).toMatchObject({ lengthCm: 82.5, widthCm: 60 })
    const { body } = await test.admin.get(`audit-entries?unitTypeId=${id}`)
    expect(body.items[0].changes).toEqual([{ path: 'widthCm', from: null, to: 60 }])
  })
})
