import { describe, expect, it } from 'vitest'
import { useTestApp } from '../../../test/app.ts'

const test = useTestApp()
const body = async () => ({ title: 'Dr.', gender: 'female', countryId: await test.idOf('country', 'code', 'AT') })

describe('salutations', () => {
  it('are refused to people without the right, but offered to all in select boxes', async () => {
    const { caller } = await test.userWith('ORDERS_MANAGEMENT')
    expect((await test.anonymous.get('salutations', { compact: true })).status).toBe(401)
    expect((await caller.get('salutations')).status).toBe(403)
    expect((await caller.post('salutations', await body())).status).toBe(403)
    const compact = await caller.get('salutations?q=mevr', { compact: true })
    expect(compact.body.items).toEqual([{ id: expect.any(Number), title: 'Mevrouw (Ms)' }])
  })

  it('need a gender and a country that exists', async () => {
    const { status, body: problem } = await test.admin.post('salutations', { title: 'Dr.', gender: 'other' })
    expect(status).toBe(422)
    expect(problem.errors).toEqual([
      expect.objectContaining({ path: 'gender', code: 'invalid_value' }),
      expect.objectContaining({ path: 'countryId', code: 'required' }),
    ])
    const nowhere = await test.admin.post('salutations', { ...(await body()), countryId: 9_999_999 })
    expect(nowhere.body.errors).toEqual([expect.objectContaining({ path: 'countryId', code: 'unknown_reference' })])
  })

  it('may be the same for both genders and in two countries, but not twice alike', async () => {
    expect((await test.admin.post('salutations', await body())).status).toBe(201)
    expect((await test.admin.post('salutations', { ...(await body()), gender: 'male' })).status).toBe(201)
    expect(
      (await test.admin.post('salutations', { ...(await body()), countryId: await test.idOf('country', 'code', 'CH') }))
        .status,
    ).toBe(201)
    const twice = await test.admin.post('salutations', await body())
    expect(twice.status).toBe(422)
    expect(twice.body.errors[0]).toMatchObject({ path: 'title', code: 'taken' })
  })

  it('are found by gender and country, and hold their country against deletion', async () => {
    const poland = await test.idOf('country', 'code', 'PL')
    const { items } = (await test.admin.get(`salutations?countryId[]=${poland}&gender[]=female`)).body
    expect(items).toMatchObject([{ title: 'Pani', gender: 'female', country: { id: poland, title: 'Poland' } }])
    const { body: fiji } = await test.admin.post('countries', {
      title: 'Fiji',
      code: 'FJ',
      isEu: false,
      standardVatBp: 1500,
      timeZone: 'Pacific/Fiji',
    })
    const { body: made } = await test.admin.post('salutations', { title: 'Ratu', gender: 'male', countryId: fiji.id })
    expect((await test.admin.delete(`countries/${fiji.id}`)).body.code).toBe('in_use')
    expect((await test.admin.delete(`salutations/${made.id}`)).status).toBe(204)
    expect((await test.admin.delete(`countries/${fiji.id}`)).status).toBe(204)
  })
})
