import { describe, expect, it } from 'vitest'
import { vehicleApi } from '@waybill/contract/vehicle/vehicle'
import { useTestApp } from '../../../test/app.ts'
import { describeResource } from '../../../test/describe-resource.ts'

const test = useTestApp()
let count = 0
const body = async () => ({ title: `HH-WB ${(count += 1)}`, kind: 'truck' })

async function carrier(): Promise<number> {
  const { body: made } = await test.admin.post('carrier-companies', {
    title: `Transwarta ${(count += 1)}`,
    countryId: await test.idOf('country', 'code', 'PL'),
  })
  return made.id
}

describe('vehicles', () => {
  it('are refused to people without the right, but offered to all in select boxes', async () => {
    const { caller } = await test.userWith('INVOICES_PROCESSING')
    expect((await test.anonymous.get('vehicles', { compact: true })).status).toBe(401)
    expect((await caller.get('vehicles')).status).toBe(403)
    expect((await caller.post('vehicles', await body())).status).toBe(403)
    const { body: created } = await test.admin.post('vehicles', { title: 'PO 5WB41', kind: 'truck' })
    const compact = await caller.get('vehicles?q=5wb', { compact: true })
    expect(compact.body.items).toEqual([{ id: created.id, title: 'PO 5WB41' }])
  })

  it('are read by who plans with them, and written by who keeps the settings alone', async () => {
    const inspected = { ...(await body()), nextInspectionOn: '2027-03-31', note: 'Mondays only' }
    const { body: made } = await test.admin.post('vehicles', inspected)
    for (const right of ['ORDERS_MANAGEMENT', 'ASSIGNED_ORDERS'] as const) {
      const { caller } = await test.userWith(right)
      const { items } = (await caller.get(`vehicles?q=${encodeURIComponent(made.title)}`)).body
      expect(items).toMatchObject([{ id: made.id, nextInspectionOn: '2027-03-31', note: 'Mondays only' }])
      expect((await caller.get(`vehicles/${made.id}`)).body.title).toBe(made.title)
      const version = made.version as number
      for (const answer of [
        await caller.post('vehicles', await body()),
        await caller.patch(`vehicles/${made.id}`, { note: null }, { version }),
        await caller.delete(`vehicles/${made.id}`),
      ])
        expect(answer.status, right).toBe(403)
    }
  })

  it('are refused without a letter or a figure in the plate, and with a plate that another one has', async () => {
    const empty = await test.admin.post('vehicles', { title: ' – ', kind: 'truck' })
    expect(empty.body.errors).toEqual([expect.objectContaining({ path: 'title', code: 'invalid_value' })])
    await test.admin.post('vehicles', { title: 'HH-AB 2041', kind: 'truck' })
    const second = await test.admin.post('vehicles', { title: 'hh ab2041', kind: 'trailer' })
    expect(second.status).toBe(422)
    expect(second.body.errors[0]).toMatchObject({ path: 'title', code: 'taken' })
  })

  it("name the carrier where they are a carrier's, and none where they are ours", async () => {
    const without = await test.admin.post('vehicles', { title: 'PO 7K412', kind: 'carrier' })
    expect(without.body.errors).toEqual([expect.objectContaining({ path: 'carrierCompanyId', code: 'required' })])
    const ours = await test.admin.post('vehicles', { ...(await body()), carrierCompanyId: await carrier() })
    expect(ours.body.errors).toEqual([expect.objectContaining({ path: 'carrierCompanyId', code: 'invalid_value' })])
    const nobody = await test.admin.post('vehicles', { title: 'PO 1', kind: 'carrier', carrierCompanyId: 9_999_999 })
    expect(nobody.body.errors).toEqual([
      expect.objectContaining({ path: 'carrierCompanyId', code: 'unknown_reference' }),
    ])
  })

  it('show what they carry, who drives and whose they are', async () => {
    const [type, carrierCompanyId] = [await test.idOf('vehicle_type', 'title', 'Reefer'), await carrier()]
    const { body: made, status } = await test.admin.post('vehicles', {
      title: 'PO 9K001',
      kind: 'carrier',
      vehicleTypeId: type,
      ldm: 13.6,
      payloadKg: 24_500,
      heightCm: 270,
      carrierCompanyId,
      nextInspectionOn: '2027-03-31',
      note: 'Mondays only',
    })
    expect(status).toBe(201)
    expect(made).toMatchObject({
      ldm: 13.6,
      payloadKg: 24_500,
      heightCm: 270,
      nextInspectionOn: '2027-03-31',
      vehicleType: { id: type, title: 'Reefer' },
      carrierCompany: { id: carrierCompanyId },
      driver: null,
    })
    const { items } = (await test.admin.get(`vehicles?carrierCompanyId[]=${carrierCompanyId}&kind[]=carrier`)).body
    expect(items).toMatchObject([{ id: made.id }])
    expect((await test.admin.delete(`carrier-companies/${carrierCompanyId}`)).body.code).toBe('in_use')
  })
})

describeResource({ api: vehicleApi, test, kind: 'vehicle', body, change: { note: 'Renamed' }, required: 'title' })
