import { describe, expect, it } from 'vitest'
import { useTestApp } from '../../../test/app.ts'
import { carried, orderWorld, plainOrder, shipment } from '../../../test/order-examples.ts'
import { FILES, upload } from '../../../test/upload.ts'

const test = useTestApp()
const PATH = 'carrier-companies'
const IBAN = 'PL61109010140000071219812874'
const OTHER_IBAN = 'DE89370400440532013000'

const body = async (more: object = {}) => ({
  title: 'Transwarta Sp. z o.o.',
  countryId: await test.idOf('country', 'code', 'PL'),
  ...more,
})

describe('a carrier company', () => {
  it('is refused to people without the right, but offered to all in select boxes', async () => {
    const { body: made } = await test.admin.post(PATH, await body({ bankAccounts: [{ iban: IBAN }] }))
    const { caller } = await test.userWith('CUSTOMER_MANAGEMENT')
    expect((await caller.get(`${PATH}/${made.id}`)).status).toBe(403)
    expect((await caller.post(PATH, await body())).status).toBe(403)
    expect(
      (await caller.post(`${PATH}/${made.id}/bank-accounts/${made.bankAccounts[0].id}/confirm`, {}, { version: 1 }))
        .status,
    ).toBe(403)
    expect((await caller.get(PATH, { compact: true })).body.items).toContainEqual(
      expect.objectContaining({ id: made.id, title: made.title }),
    )
  })

  it('that is inactive is offered in no select box, and stays on the routes that it drives', async () => {
    const world = await orderWorld(test)
    const { body: carrier } = await test.admin.get(`${PATH}/${world.carrier.id}`)
    const { id, title } = carrier
    const { body: order } = await test.admin.post('orders', {
      ...plainOrder(world, await world.customer('Nordlicht Maschinenbau GmbH', 'DE')),
      ...shipment(world),
      routes: [carried(world)],
    })
    await test.admin.patch(`${PATH}/${id}`, { state: 'inactive' }, { version: carrier.version })
    const offered = async (state: string) =>
      (await test.admin.get(`${PATH}?state=${state}&ids[]=${id}`, { compact: true })).body.items.map(
        (one: { id: number }) => one.id,
      )
    expect([await offered('active'), await offered('inactive')]).toEqual([[], [id]])
    expect((await test.admin.get(`orders/${order.id}`)).body.routes[0].assignment.carrierCompany).toEqual({ id, title })
  })

  it('keeps everything that is known of it, and gives it back', async () => {
    const vehicleTypeIds = (await test.admin.get('vehicle-types?perPage=10', { compact: true })).body.items
      .slice(0, 2)
      .map((one: { id: number }) => one.id) as number[]
    const germany = await test.idOf('country', 'code', 'DE')
    const given = {
      vatNumber: 'PL 781-18-68-512',
      language: 'pl',
      representative: {
        fullName: 'Anna Wójcik',
        position: 'Prezes',
        email: 'anna@transwarta.example',
        phone: '+48 61 555 30 11',
      },
      timocomId: '123456',
      transId: '98765-1',
      website: 'https://transwarta.example',
      address: 'ul. Głogowska 14',
      postal: '60-702',
      city: 'Poznań',
      billingAddress: {
        title: 'Transwarta Faktury',
        address: 'Hauptstraße 1',
        postal: '10827',
        city: 'Berlin',
        countryId: germany,
        emails: ['faktury@transwarta.example', 'biuro@transwarta.example'],
      },
      notes: 'Jumbo on Fridays',
      warnings: 'Call before loading',
      contactPersons: [
        { fullName: 'Ewa Lis', position: 'spedytor', phone: '+48 61 555 30 10', email: 'dispo@transwarta.example' },
      ],
      bankAccounts: [{ bankName: 'Santander', iban: 'pl61 1090 1014 0000 0712 1981 2874', bic: 'wbkppLpp' }],
      drivers: [{ fullName: 'Marek Zieliński', phone: '+48 601 555 392', email: null, plateNumber: 'PO 1A234' }],
      vehicleTypeIds,
    }
    const { status, body: made } = await test.admin.post(PATH, await body(given))
    expect(status, JSON.stringify(made)).toBe(201)
    expect(made).toMatchObject({
      ...given,
      vatNumber: 'PL7811868512',
      bankAccounts: [
        {
          bankName: 'Santander',
          iban: IBAN,
          bic: 'WBKPPLPP',
          enteredBy: { title: 'Administrator' },
          confirmedBy: null,
        },
      ],
      billingCountry: { id: germany },
    })
    expect(made.vehicleTypes.map((one: { id: number }) => one.id).toSorted()).toEqual(vehicleTypeIds.toSorted())
  })

  it('cannot have another carrier’s VAT number, in any spelling, or saved at once; a customer may', async () => {
    const answers = await Promise.all(
      ['PL 526-025-09-95', 'pl5260250995', 'PL.5260250995'].map(async (vatNumber) =>
        test.admin.post(PATH, await body({ vatNumber }), { headers: { 'accept-language': 'de' } }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    const refused = answers.filter(({ status }) => status === 422)
    expect(refused).toHaveLength(2)
    expect(refused[0]!.body.errors).toEqual([
      {
        path: 'vatNumber',
        code: 'carrier_vat_number_taken',
        message: 'Diese USt-IdNr. wird von einem anderen Frachtführer verwendet',
      },
    ])
    const customer = await test.admin.post('customers', await body({ vatNumber: 'PL5260250995' }))
    expect(customer.status).toBe(201)
  })

  it('refuses a VAT number that is not of its country’s shape, where the shape is known', async () => {
    const wrong = await test.admin.post(PATH, await body({ vatNumber: 'PL12' }))
    expect(wrong.body.errors).toEqual([expect.objectContaining({ path: 'vatNumber', code: 'invalid_vat_number' })])
    expect((await test.admin.post(PATH, await body({ vatNumber: 'UA123456789' }))).status).toBe(201)
  })

  it('refuses emails, phone numbers, IBANs and BICs that cannot be, and names their places', async () => {
    const { status, body: problem } = await test.admin.post(
      PATH,
      await body({
        billingAddress: { emails: ['office@carrier.example', 'nobody'] },
        bankAccounts: [{ iban: 'PL61109010140000071219812875', bic: 'WBK' }],
        drivers: [{ fullName: '' }, { fullName: 'Jan', email: 'jan', phone: 'ask Ewa' }],
      }),
    )
    expect(status).toBe(422)
    expect(problem.errors.map((one: { path: string; code: string }) => `${one.path} ${one.code}`).toSorted()).toEqual([
      'bankAccounts.0.bic invalid_bic',
      'bankAccounts.0.iban invalid_iban',
      'billingAddress.emails.1 invalid_email',
      'drivers.0.fullName required',
      'drivers.1.email invalid_email',
      'drivers.1.phone invalid_phone',
    ])
  })
})

describe('a bank account of a carrier', () => {
  it('is confirmed by a second person alone, upon what was read, and unconfirmed once its IBAN changes', async () => {
    const { body: made } = await test.admin.post(PATH, await body({ bankAccounts: [{ iban: IBAN }] }))
    const { body: other } = await test.admin.post(PATH, await body())
    const account = made.bankAccounts[0].id as number
    const confirm = (id = made.id as number) => `${PATH}/${id}/bank-accounts/${account}/confirm`
    expect((await test.admin.post(confirm(), {}, { version: 1 })).body.code).toBe('second_person_needed')
    const { caller, id } = await test.userWith('CARRIER_MANAGEMENT')
    expect((await caller.post(confirm(), {})).status).toBe(428)
    expect((await caller.post(confirm(other.id), {}, { version: 1 })).status).toBe(404)
    await test.admin.patch(`${PATH}/${made.id}`, { notes: 'changed meanwhile' }, { version: 1 })
    expect((await caller.post(confirm(), {}, { version: 1 })).body).toMatchObject({
      code: 'stale_version',
      current: { version: 2 },
    })
    const confirmed = await caller.post(confirm(), {}, { version: 2 })
    expect(confirmed.body).toMatchObject({ version: 3, bankAccounts: [{ id: account, confirmedById: id }] })
    expect((await caller.post(confirm(), {}, { version: 3 })).body.version).toBe(3)
    const { items } = (await test.admin.get(`audit-entries?carrierCompanyId=${made.id}`)).body
    expect(items[0].changes).toContainEqual({ path: `bankAccounts.${account}.confirmedById`, from: null, to: id })
    const renamed = await test.admin.patch(
      `${PATH}/${made.id}`,
      { bankAccounts: [{ id: account, iban: IBAN, bankName: 'Santander' }] },
      { version: 3 },
    )
    expect(renamed.body.bankAccounts[0].confirmedById).toBe(id)
    const changed = await test.admin.patch(
      `${PATH}/${made.id}`,
      { bankAccounts: [{ id: account, iban: OTHER_IBAN }] },
      { version: 4 },
    )
    expect(changed.body.bankAccounts[0]).toMatchObject({ iban: OTHER_IBAN, confirmedById: null, confirmedBy: null })
  })
})

describe('the papers of carriers in their list', () => {
  const addPaper = async (carrierCompanyId: number, documentType: string, days: number | null) => {
    const expiredAt: Record<string, string> =
      days === null
        ? {}
        : { expiredAt: new Date(test.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10) }
    const { status } = await upload(test.admin, {
      fields: { documentType, carrierCompanyId, ...expiredAt },
      file: { name: 'paper.pdf', bytes: FILES.pdf() },
    })
    expect(status).toBe(201)
  }
  const warned = async (query = '') => {
    const { body: page } = await test.admin.get(`${PATH}?q=papers&perPage=100${query}`)
    return Object.fromEntries(
      page.items.map((one: { title: string; documentWarning: string | null }) => [one.title, one.documentWarning]),
    ) as Record<string, string | null>
  }

  it('are marked where one has run out or will within thirty days, unless a newer one replaces it', async () => {
    const carrier = async (title: string, papers: readonly [string, number | null][]) => {
      const { body: made } = await test.admin.post(PATH, await body({ title: `Papers ${title}` }))
      for (const [type, days] of papers) await addPaper(made.id, type, days)
    }
    await carrier('none', [])
    await carrier('endless', [['BUSINESS_REGISTRATION', null]])
    await carrier('valid', [['INSURANCE_DOCUMENT', 31]])
    await carrier('soon', [
      ['INSURANCE_DOCUMENT', 10],
      ['EU_LICENSE', 400],
    ])
    await carrier('today', [['INSURANCE_DOCUMENT', 0]])
    await carrier('late', [
      ['INSURANCE_DOCUMENT', -1],
      ['EU_LICENSE', 10],
    ])
    await carrier('renewed', [
      ['INSURANCE_DOCUMENT', -1],
      ['INSURANCE_DOCUMENT', 364],
    ])
    const all = {
      'Papers none': null,
      'Papers endless': null,
      'Papers valid': null,
      'Papers soon': 'expiring',
      'Papers today': 'expiring',
      'Papers late': 'expired',
      'Papers renewed': null,
    }
    expect(await warned()).toEqual(all)
    expect(await warned('&documentWarning[]=expired')).toEqual({ 'Papers late': 'expired' })
    expect(await warned('&documentWarning[]=expired&documentWarning[]=expiring')).toEqual({
      'Papers late': 'expired',
      'Papers soon': 'expiring',
      'Papers today': 'expiring',
    })
    expect((await test.admin.get(`${PATH}?documentWarning[]=valid`)).status).toBe(422)
    const { body: options } = await test.admin.get(`${PATH}?q=papers%20l`, { compact: true })
    expect(options.items).toEqual([{ id: expect.any(Number), title: 'Papers late', detail: null, warning: 'expired' }])
  })
})
