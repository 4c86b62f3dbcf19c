import { beforeAll, describe, expect, it } from 'vitest'
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

  const found = async (q: string) => (await test.admin.get(`customers?q=${encodeURIComponent(q)}`)).body.items.map((item: { title: string }) => item.title)

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

describe('a customer', () => {
  it('cannot have the VAT number of another one, however it is written, also when two are saved at once', async () => {
    const countryId = await test.idOf('country', 'code', 'DE')
    const answers = await Promise.all(['DE 287 654 308', 'de287654308', 'DE-287.654.308'].map((vatNumber) => test.admin.post('customers', { title: 'Kartonwerk Süd GmbH', countryId, vatNumber }, { headers: { 'accept-language': 'pl' } })))
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1)
    const refused = answers.filter((answer) => answer.status === 422)
    expect(refused).toHaveLength(2)
    expect(refused[0]!.body.errors).toEqual([{ path: 'vatNumber', code: 'customer_vat_number_taken', message: 'Ten numer VAT jest używany przez innego klienta' }])
  })

  it('keeps its children by id: one changed, one new, one gone, and none of another customer', async () => {
    const countryId = await test.idOf('country', 'code', 'DE')
    const { body: other } = await test.admin.post('customers', { title: 'Other GmbH', countryId, contactPersons: [{ fullName: 'Somebody Else' }] })
    const { body: made } = await test.admin.post('customers', { title: 'Own GmbH', countryId, contactPersons: [{ fullName: 'Anna' }, { fullName: 'Bert' }] })
    const [anna, bert] = made.contactPersons as { id: number; fullName: string }[]
    const path = `customers/${made.id}`
    const stolen = await test.admin.patch(path, { contactPersons: [{ id: other.contactPersons[0].id, fullName: 'Mine' }] }, { version: 1 })
    expect(stolen.body.errors).toEqual([expect.objectContaining({ path: 'contactPersons.0.id', code: 'unknown_reference' })])
    const changed = await test.admin.patch(path, { contactPersons: [{ fullName: 'Cora' }, { id: bert!.id, fullName: 'Berthold' }] }, { version: 1 })
    expect(changed.body.contactPersons.map((person: { id: number; fullName: string }) => person.fullName)).toEqual(['Cora', 'Berthold'])
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
