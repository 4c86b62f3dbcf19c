import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createVies } from '../partner/vies.ts'
import { useTestApp } from '../../../test/app.ts'

const test = useTestApp()

describe('finding a customer', () => {
  beforeAll(async () => {
    const countryId = await test.idOf('country', 'code', 'DE')
    for (const body of [
      { title: 'Nordlicht Holding AG', city: 'Hamburg' },
      { title: 'Nordlicht Maschinenbau GmbH', city: 'Hamburg' },
      { title: 'Fabryka Mebli Łódź S.A.', city: 'Łódź', vatNumber: 'PL7259012340' },
      { title: '100 % Fracht_Profi GmbH', city: 'Köln' },
    ]) {
      await test.admin.post('customers', { ...body, countryId })
    }
  })

  const found = async (q: string) =>
    (await test.admin.get(`customers?q=${encodeURIComponent(q)}`)).body.items.map(
      (item: { title: string }) => item.title,
    )

  it('takes every word for itself, without accents and in any case', async () => {
    expect(await found('LODZ mebli')).toEqual(['Fabryka Mebli Łódź S.A.'])
    expect(await found('licht bau')).toEqual(['Nordlicht Maschinenbau GmbH'])
    expect(await found('725901')).toEqual(['Fabryka Mebli Łódź S.A.'])
  })

  it('takes one or two letters as the beginning of a word', async () => {
    expect(await found('nordlicht m')).toEqual(['Nordlicht Maschinenbau GmbH'])
    expect(await found('no')).toEqual(['Nordlicht Holding AG', 'Nordlicht Maschinenbau GmbH'])
    expect(await found('ma')).toEqual([])
  })

  it('takes the signs of a pattern for what they are', async () => {
    expect(await found('100 %')).toEqual(['100 % Fracht_Profi GmbH'])
    expect(await found('t_p')).toEqual(['100 % Fracht_Profi GmbH'])
    expect(await found('___')).toEqual([])
    expect(await found('\\')).toEqual([])
  })
})

describe('entering a customer', () => {
  const alike = async (query: string, caller = test.admin) => await caller.get(`customers/lookalikes?${query}`)

  it('is told of those that it may be, by number and by name, to those who keep customers', async () => {
    const countryId = await test.idOf('country', 'code', 'PL')
    const { body: made } = await test.admin.post('customers', {
      title: 'Zakłady Lniane Żyrardów S.A.',
      city: 'Żyrardów',
      vatNumber: 'PL8341705622',
      countryId,
    })
    const { caller: clerk } = await test.userWith('ORDERS_MANAGEMENT')
    expect((await alike('title=Zaklady', clerk)).status).toBe(403)
    expect((await alike('title=Zaklady&colour=red')).status).toBe(422)

    const same = { id: made.id, title: made.title, detail: 'Żyrardów, PL8341705622' }
    const byNumber = await alike(`vatNumber=834-170-56-22&countryId=${countryId}`)
    expect(byNumber.status, JSON.stringify(byNumber.body)).toBe(200)
    expect(byNumber.body).toEqual({ vatNumberShape: 'fits', items: [{ ...same, hasSameNumber: true }] })
    const byName = await alike(`title=${encodeURIComponent('zaklady lniane Zyrardow')}`)
    expect(byName.body).toEqual({ vatNumberShape: null, items: [{ ...same, hasSameNumber: false }] })
    expect((await alike('title=Lniana%20Galanteria')).body.items).toEqual([])
    expect((await alike(`vatNumber=PL123&countryId=${countryId}`)).body.vatNumberShape).toBe('wrong')
  })

  it('finds in select boxes the town and the VAT number beside the name', async () => {
    const { body } = await test.admin.get('customers?q=lniane', { compact: true })
    expect(body.items).toEqual([
      { id: expect.any(Number), title: 'Zakłady Lniane Żyrardów S.A.', detail: 'Żyrardów, PL8341705622' },
    ])
  })
})

describe('a customer', () => {
  it('cannot have the VAT number of another one, however it is written, also when two are saved at once', async () => {
    const countryId = await test.idOf('country', 'code', 'DE')
    const answers = await Promise.all(
      ['DE 287 654 308', 'de287654308', 'DE-287.654.308'].map((vatNumber) =>
        test.admin.post(
          'customers',
          { title: 'Kartonwerk Süd GmbH', countryId, vatNumber },
          { headers: { 'accept-language': 'pl' } },
        ),
      ),
    )
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1)
    const refused = answers.filter((answer) => answer.status === 422)
    expect(refused).toHaveLength(2)
    expect(refused[0]!.body.errors).toEqual([
      {
        path: 'vatNumber',
        code: 'customer_vat_number_taken',
        message: 'Ten numer VAT jest używany przez innego klienta',
      },
    ])
  })

  it('keeps everything that is known of it, and gives it back', async () => {
    const countryId = await test.idOf('country', 'code', 'DE')
    const { id: responsibleUserId } = (await test.admin.get('profile')).body
    const given = {
      alias: 'Kröger',
      title: 'Möbelhaus Kröger GmbH & Co. KG',
      address: 'Industriestr. 14',
      postal: '33689',
      city: 'Bielefeld',
      countryId,
      specialInstructions: 'Deliver until 15:30, register at gate 3',
      warnings: 'Announce the driver the day before until 16:00',
      responsibleUserId,
      paymentOption: 'end_of_period',
      paymentPeriodDays: 45,
      chargeableKgPerM3: 250,
      invoiceEmail: 'rechnung@kroeger.example',
      billingAddress: { title: 'Kröger Verwaltung', city: 'Bielefeld' },
      contactPersons: [
        { fullName: 'Monika Krause', email: 'krause@kroeger.example', language: 'de' },
        { fullName: 'Jonas Hartwig', phone: '+49 521 555 17, ext. 12' },
      ],
      pickupLocations: [
        { companyTitle: 'Kröger Zentrallager', city: 'Gütersloh', countryId, latitude: 51.906, longitude: 8.3785 },
      ],
    }
    const { body: made } = await test.admin.post('customers', {
      ...given,
      emailPreferences: { arrivalCertificate: false },
    })
    const { body: read } = await test.admin.get(`customers/${made.id}`)
    expect(read).toEqual(made)
    expect(read).toMatchObject({
      ...given,
      emailPreferences: { arrivalCertificate: false, pod: true },
      chargeableKgPerLdm: 1750,
      country: { title: expect.any(String) },
      responsibleUser: { id: responsibleUserId },
      creator: { id: responsibleUserId },
    })
  })

  it('that is inactive is offered in no select box, and stays on its orders', async () => {
    const title = 'Auslauf Handels GmbH'
    const { body: made } = await test.admin.post('customers', {
      title,
      countryId: await test.idOf('country', 'code', 'DE'),
    })
    const [department] = (await test.admin.get('departments')).body.items
    const { body: order } = await test.admin.post('orders', { customerIds: [made.id], departmentId: department.id })
    await test.admin.patch(`customers/${made.id}`, { state: 'inactive' }, { version: 1 })
    const offered = async (state: string) =>
      (await test.admin.get(`customers?state=${state}&q=Auslauf`, { compact: true })).body.items.map(
        (one: { title: string }) => one.title,
      )
    expect([await offered('active'), await offered('inactive')]).toEqual([[], [title]])
    expect((await test.admin.get(`orders/${order.id}`)).body.customers).toEqual([{ id: made.id, title }])
  })

  it('keeps its children by id: one changed, one new, one gone, and none of another customer', async () => {
    const countryId = await test.idOf('country', 'code', 'DE')
    const { body: other } = await test.admin.post('customers', {
      title: 'Other GmbH',
      countryId,
      contactPersons: [{ fullName: 'Somebody Else' }],
    })
    const { body: made } = await test.admin.post('customers', {
      title: 'Own GmbH',
      countryId,
      contactPersons: [{ fullName: 'Anna' }, { fullName: 'Bert' }],
    })
    const [anna, bert] = made.contactPersons as { id: number; fullName: string }[]
    const path = `customers/${made.id}`
    const stolen = await test.admin.patch(
      path,
      { contactPersons: [{ id: other.contactPersons[0].id, fullName: 'Mine' }] },
      { version: 1 },
    )
    expect(stolen.body.errors).toEqual([
      expect.objectContaining({ path: 'contactPersons.0.id', code: 'unknown_reference' }),
    ])
    const changed = await test.admin.patch(
      path,
      { contactPersons: [{ fullName: 'Cora' }, { id: bert!.id, fullName: 'Berthold' }] },
      { version: 1 },
    )
    expect(changed.body.contactPersons.map((person: { id: number; fullName: string }) => person.fullName)).toEqual([
      'Cora',
      'Berthold',
    ])
    expect(changed.body.contactPersons[1].id).toBe(bert!.id)
    expect(changed.body.contactPersons.map((person: { id: number }) => person.id)).not.toContain(anna!.id)
  })

  it('tells order entry what it needs and nothing more', async () => {
    const { caller } = await test.userWith('ASSIGNED_ORDERS')
    const id = await test.idOf('customer', 'title', 'Fabryka Mebli Łódź S.A.')
    const { status, body } = await caller.get(`customers/${id}/for-order`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ countryCode: 'DE', paymentPeriodDays: 30, billingCustomer: { id } })
    expect(body).not.toHaveProperty('vatNumber')
    expect((await caller.get(`customers/${id}`)).status).toBe(403)
  })
})

describe('a VAT number', () => {
  const germany = () => test.idOf('country', 'code', 'DE')

  it('must have the shape that its country knows; where the shape is not known here it is not checked', async () => {
    const made = async (vatNumber: string | null, code: string) =>
      test.admin.post('customers', {
        title: 'Zahlwerk GmbH',
        countryId: await test.idOf('country', 'code', code),
        vatNumber,
      })
    const refused = await made('DE12345', 'DE')
    expect(refused.status).toBe(422)
    expect(refused.body.errors).toEqual([
      { path: 'vatNumber', code: 'invalid_vat_number', message: 'This VAT number does not fit the country' },
    ])
    expect((await made('DE 115 235 681', 'DE')).body).toMatchObject({
      vatNumber: 'DE115235681',
      vatNumberShape: 'fits',
    })
    expect((await made('DE115235682', 'DE')).body).toMatchObject({ vatNumberShape: 'doubtful' })
    expect((await made('TR1234567890', 'TR')).body).toMatchObject({ vatNumberShape: 'not_checked' })
    expect((await made(null, 'DE')).body).toMatchObject({ vatNumberShape: null })
  })

  it.each([
    ['5261040828', 'PL', 'PL5261040828'],
    ['gr 123 456 783', 'GR', 'EL123456783'],
    ['u12345675', 'AT', 'ATU12345675'],
    ['CHE-116.281.710 TVA', 'CH', 'CHE116281710'],
    ['de 295 711 238', 'FR', 'DE295711238'],
  ])('%s of a customer in %s is kept as %s', async (vatNumber, code, stored) => {
    const made = await test.admin.post('customers', {
      title: `Kept as ${stored}`,
      countryId: await test.idOf('country', 'code', code),
      vatNumber,
    })
    expect([made.status, made.body.vatNumber]).toEqual([201, stored])
  })

  it('with and without the prefix is one number, and is found in any spelling', async () => {
    const countryId = await test.idOf('country', 'code', 'PL')
    const made = await test.admin.post('customers', {
      title: 'Raz Sp. z o.o.',
      countryId,
      vatNumber: 'PL 783-181-26-92',
    })
    expect(made.status).toBe(201)
    const again = await test.admin.post('customers', { title: 'Dwa Sp. z o.o.', countryId, vatNumber: '7831812692' })
    expect(again.body.errors).toEqual([
      expect.objectContaining({ path: 'vatNumber', code: 'customer_vat_number_taken' }),
    ])
    for (const q of ['7831812692', 'PL7831812692', 'pl 783-181-26-92', 'PL 783.181.2692', '783 181 26 92'])
      for (const compact of [true, false]) {
        const { body } = await test.admin.get(`customers?q=${encodeURIComponent(q)}`, { compact })
        expect(body.items, q).toEqual([expect.objectContaining({ id: made.body.id })])
      }
    expect((await test.admin.get('customers?q=PL%20783-181-26-93')).body.items).toEqual([])
  })

  it('of an old record keeps nobody from saving the rest of it', async () => {
    const { rows } = await test.database.pool.query<{ id: number }>(
      `insert into customer (title, "vatNumber", "countryId", "emailPreferences", "paymentOption",
        "paymentPeriodDays", "chargeableKgPerM3", "chargeableKgPerLdm", "createdAt")
       values ('Altbestand GmbH', 'unknown', $1, '{}', 'per_order', 30, 333, 1750, now()) returning id`,
      [await germany()],
    )
    const path = `customers/${rows[0]!.id}`
    expect((await test.admin.patch(path, { city: 'Bremen' }, { version: 1 })).status).toBe(200)
    expect((await test.admin.patch(path, { vatNumber: 'unknown too' }, { version: 2 })).body.errors).toEqual([
      expect.objectContaining({ path: 'vatNumber', code: 'invalid_vat_number' }),
    ])
  })
})

describe('asking the EU’s register', () => {
  let stop: (() => Promise<void>) | null = null
  afterEach(async () => {
    test.ports.vies = null
    await stop?.()
    stop = null
  })

  /** A register over the wire; answers with what it was asked. */
  async function register(status: number, answer: object): Promise<unknown[]> {
    const asked: unknown[] = []
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        asked.push([request.method, request.url, JSON.parse(body)])
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    stop = () => new Promise((resolve) => server.close(() => resolve()))
    test.ports.vies = createVies({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/rest-api/` })
    return asked
  }
  const customer = async (vatNumber: string | null) =>
    (
      await test.admin.post('customers', {
        title: 'Registrata S.p.A.',
        countryId: await test.idOf('country', 'code', 'IT'),
        vatNumber,
      })
    ).body as { id: number; version: number; isVatCheckable: boolean }
  const ask = ({ id, version }: { id: number; version: number }) =>
    test.admin.post(`customers/${id}/vat-check`, undefined, { version })

  it('is refused while it is switched off, and for a number that it cannot know', async () => {
    const made = await customer('IT 00743110157')
    expect(made.isVatCheckable).toBe(false)
    expect((await ask(made)).body.code).toBe('conflict')
    await register(200, { valid: true })
    expect((await ask(await customer(null))).body.code).toBe('conflict')
    expect((await ask({ id: made.id, version: 7 })).body.code).toBe('stale_version')
  })

  it('keeps the answer with its date, until the number changes', async () => {
    const asked = await register(200, { valid: true, name: 'REGISTRATA S.P.A.', address: '---' })
    const made = await customer('IT 01114601006')
    expect(made.isVatCheckable).toBe(true)
    const { status, body } = await ask(made)
    expect(status).toBe(200)
    expect(asked).toEqual([['POST', '/rest-api/check-vat-number', { countryCode: 'IT', vatNumber: '01114601006' }]])
    expect(body).toMatchObject({
      version: 2,
      vatCheck: { isValid: true, name: 'REGISTRATA S.P.A.', address: null, checkedAt: expect.any(String) },
    })
    const { body: kept } = await test.admin.patch(`customers/${made.id}`, { city: 'Roma' }, { version: 2 })
    expect(kept.vatCheck.isValid).toBe(true)
    const { body: other } = await test.admin.patch(
      `customers/${made.id}`,
      { vatNumber: 'IT 00488410010' },
      { version: 3 },
    )
    expect(other.vatCheck).toBeNull()
    const { body: history } = await test.admin.get(`audit-entries?customerId=${made.id}`)
    expect(JSON.stringify(history.items)).not.toMatch(/vatNumberShape|isVatCheckable/)
  })

  it('says so when it does not answer, and keeps what is known', async () => {
    await register(200, { valid: true, name: null, address: null })
    const made = await customer('IT 00159560366')
    await ask(made)
    await stop?.()
    await register(200, { actionSucceed: false, errorWrappers: [{ error: 'MS_UNAVAILABLE' }] })
    const silent = await ask({ id: made.id, version: 2 })
    expect([silent.status, silent.body.code]).toEqual([409, 'vat_register_silent'])
    await stop?.()
    stop = null
    expect((await ask({ id: made.id, version: 2 })).body.code).toBe('vat_register_silent')
    expect((await test.admin.get(`customers/${made.id}`)).body).toMatchObject({
      version: 2,
      vatCheck: { isValid: true },
    })
    // Saving waits for nobody.
    expect((await customer('IT 00905811006')).isVatCheckable).toBe(true)
    expect((await test.admin.patch(`customers/${made.id}`, { city: 'Torino' }, { version: 2 })).body).toMatchObject({
      city: 'Torino',
      vatCheck: { isValid: true },
    })
  })
})

describe('a contact person', () => {
  it('is addressed by a salutation that exists, which can then not be deleted', async () => {
    const countryId = await test.idOf('country', 'code', 'DE')
    const made = (salutationId: number) =>
      test.admin.post('customers', {
        title: 'Anrede GmbH',
        countryId,
        contactPersons: [{ salutationId, fullName: 'Ina Meier', language: 'de' }],
      })
    expect((await made(999_999)).body.errors).toEqual([
      expect.objectContaining({ path: 'contactPersons.0.salutationId', code: 'unknown_reference' }),
    ])
    const { body: salutation } = await test.admin.post('salutations', {
      title: 'Frau Ingenieurin',
      gender: 'female',
      countryId,
    })
    expect((await made(salutation.id)).body.contactPersons).toEqual([
      expect.objectContaining({ salutationId: salutation.id, fullName: 'Ina Meier', language: 'de' }),
    ])
    expect((await test.admin.delete(`salutations/${salutation.id}`)).body.code).toBe('in_use')
  })
})
