// What a holder keeps is billed: a draft moves nothing, a sent invoice and its corrections do (decision 153).
import { beforeAll, describe, expect, it } from 'vitest'
import type { HolderKind, Movements } from '@waybill/contract/load-carrier/account'
import { useTestApp, type Answer, type Caller } from '../../../test/app.ts'
import { readyCompany, readyCustomer } from '../../../test/e-invoices/generated-invoices.ts'
import { INVOICE_MAIL } from '../../../test/mail-server.ts'
import { textOf } from '../../../test/papers/pdf-text.ts'

const test = useTestApp({ beginsOn: '2026-12-01T09:00:00Z' })
let clerk: Caller
let companyId: number
let germany: number
let types: { id: number; title: string; priceCents: number }[]

beforeAll(async () => {
  clerk = (await test.userWith('INVOICES_PROCESSING', 'CUSTOMER_MANAGEMENT', 'CARRIER_MANAGEMENT')).caller
  companyId = (await readyCompany(test)).id
  types = (await test.admin.get('load-carrier-types?sort=priceCents')).body.items
  germany = (await test.admin.get('countries?q=Germany')).body.items[0].id
})

const euro = () => types[0]!.id
const box = () => types.at(-1)!.id
let count = 0
const customer = () => readyCustomer(test, 'pdf', { title: `Möbelhaus ${(count += 1)} GmbH` })
async function carrier(): Promise<number> {
  const { body } = await test.admin.post('carrier-companies', { title: `Trans ${(count += 1)}`, countryId: germany })
  return body.id
}

const faults = ({ status, body }: Answer) => [
  status,
  ...(body.errors ?? []).map((one: { path: string; code: string }) => `${one.path} ${one.code}`),
]
/** An account that holds so many of ours. */
async function given(kind: HolderKind, id: number, pieces: number, typeId = euro()): Promise<void> {
  const { status, body } = await test.admin.post('load-carriers/movements', {
    holder: { kind, id },
    movedOn: '2026-11-20',
    typeId,
    given: pieces,
  })
  expect(status, JSON.stringify(body)).toBe(201)
}
const bill = (kind: HolderKind, id: number, more: object = {}, caller = clerk): Promise<Answer> =>
  caller.post('load-carriers/bill', {
    holder: { kind, id },
    companyId,
    billingCustomerId: id,
    lines: [{ typeId: euro(), pieces: 17, priceCents: 1250 }],
    ...more,
  })
/** The draft that a bill made, with its version. */
async function billed(kind: HolderKind, id: number, more: object = {}) {
  const { status, body } = await bill(kind, id, more)
  expect(status, JSON.stringify(body)).toBe(201)
  return (await clerk.get(`invoices/${body.invoice.id}`)).body
}
async function sent({ id, version }: { id: number; version: number }) {
  const { status, body } = await clerk.post(`invoices/${id}/send`, INVOICE_MAIL, { version })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const movementsOf = async (kind: HolderKind, id: number): Promise<Movements> =>
  (await test.admin.get(`load-carriers/movements?holder=${kind}&holderId=${id}`)).body
const balanceOf = async (kind: HolderKind, id: number, typeId = euro()) =>
  (await movementsOf(kind, id)).items.find(({ type }) => type.id === typeId)?.balance ?? 0

describe('a bill for load carriers', () => {
  it('needs the right to invoices and the right to the account', async () => {
    const id = await customer()
    await given('customer', id, 20)
    const sales = (await test.userWith('CUSTOMER_MANAGEMENT')).caller
    const accountant = (await test.userWith('INVOICES_PROCESSING')).caller
    expect((await bill('customer', id, {}, sales)).status).toBe(403)
    expect((await bill('customer', id, {}, accountant)).status).toBe(403)
    expect((await movementsOf('customer', id)).drafts).toEqual([])
  })

  it('refuses what there is not: a record, a type, more pieces than are out, a type twice', async () => {
    const id = await customer()
    await given('customer', id, 20)
    const line = { typeId: euro(), pieces: 17, priceCents: 1250 }
    expect(faults(await bill('customer', 999_999))).toEqual([422, 'holder.id unknown_reference'])
    expect(faults(await bill('customer', id, { companyId: 999_999 }))).toEqual([422, 'companyId unknown_reference'])
    expect(faults(await bill('customer', id, { billingCustomerId: 999_999 }))).toEqual([
      422,
      'billingCustomerId unknown_reference',
    ])
    expect(faults(await bill('customer', id, { lines: [{ ...line, typeId: 999_999 }] }))).toEqual([
      422,
      'lines.0.typeId unknown_reference',
    ])
    expect(faults(await bill('customer', id, { lines: [line, line] }))).toEqual([422, 'lines.1.typeId duplicate_key'])
    expect(faults(await bill('customer', id, { lines: [line, { ...line, typeId: box(), pieces: 1 }] }))).toEqual([
      422,
      'lines.1.pieces exceeds_balance',
    ])
    expect(faults(await bill('customer', id, { lines: [{ ...line, pieces: 0 }] }))).toEqual([
      422,
      'lines.0.pieces too_small',
    ])
    // What is on a draft is not billed again, also by two at once.
    const both = await Promise.all([bill('customer', id), bill('customer', id)])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 422])
    expect((await bill('customer', id, { lines: [{ ...line, pieces: 4 }] })).body.errors[0]).toMatchObject({
      code: 'exceeds_balance',
      message: 'The account has not so many pieces left to bill (3)',
    })
  })

  it('moves nothing as a draft, and what its lines say once it is sent', { tags: 'long' }, async () => {
    const id = await customer()
    await given('customer', id, 20)
    await given('customer', id, 4, box())
    const draft = await billed('customer', id, {
      lines: [
        { typeId: euro(), pieces: 17, priceCents: 1250 },
        { typeId: box(), pieces: 4, priceCents: 7800 },
      ],
    })
    expect(draft).toMatchObject({ status: 'created', billingCustomerId: id, amountCents: 17 * 1250 + 4 * 7800 })
    expect(draft.lines).toMatchObject([
      { quantity: 17, unitPriceCents: 1250, vatBp: 1900, vatCategory: 'S' },
      { quantity: 4, unitPriceCents: 7800 },
    ])
    expect(draft.lines[0].text).toContain('nicht zurückgegeben')
    const before = await movementsOf('customer', id)
    expect(before.drafts).toEqual([
      { invoice: { id: draft.id, title: draft.innerNumber }, typeId: euro(), pieces: 17 },
      { invoice: { id: draft.id, title: draft.innerNumber }, typeId: box(), pieces: 4 },
    ])
    expect(await balanceOf('customer', id)).toBe(20)

    // The draft is an invoice as every other: fewer pieces, and a line that is taken out.
    const { body: changed } = await clerk.patch(
      `invoices/${draft.id}`,
      { lines: [{ ...draft.lines[0], netCents: undefined, quantity: 15 }] },
      { version: draft.version },
    )
    const invoice = await sent(changed)
    const after = await movementsOf('customer', id)
    expect(after.drafts).toEqual([])
    expect(after.items[0]).toMatchObject({
      received: 15,
      given: 0,
      balance: 5,
      movedOn: '2026-12-01',
      invoice: { id: invoice.id, title: invoice.number },
      stop: null,
      createdBy: null,
    })
    expect(await balanceOf('customer', id, box())).toBe(4)
    const { body: history } = await test.admin.get(`audit-entries?customerId=${id}`)
    expect(history.items.map(({ action }: { action: string }) => action)).toContain('loadCarriersBilled')
  })

  it('follows its corrections: fewer pieces, another price alone, and all taken back', { tags: 'long' }, async () => {
    const id = await customer()
    await given('customer', id, 20)
    const invoice = await sent(await billed('customer', id))
    expect(await balanceOf('customer', id)).toBe(3)
    const correct = async (lines: object[] | null) => {
      const { version } = (await clerk.get(`invoices/${invoice.id}`)).body
      const { body } = await clerk.post(
        `invoices/${invoice.id}/correction`,
        { reason: 'counted anew', lines },
        { version },
      )
      return sent(body)
    }
    const should = (correctedQuantity: number, correctedUnitPriceCents: number) => ({
      text: 'Paletten',
      unitPriceCents: 1,
      vatBp: 0,
      vatCategory: 'AE',
      correctsLineId: invoice.lines[0].id,
      correctedQuantity,
      correctedUnitPriceCents,
    })
    await correct([should(12, 1250)])
    expect(await balanceOf('customer', id)).toBe(8)
    await correct([should(12, 1000)])
    expect(await balanceOf('customer', id)).toBe(8)
    await correct(null)
    expect(await balanceOf('customer', id)).toBe(20)
    expect((await movementsOf('customer', id)).items.map(({ given: out, received }) => [out, received])).toEqual([
      [12, 0],
      [5, 0],
      [0, 17],
      [20, 0],
    ])
  })

  it('holds its pieces while its draft is put aside: it may be taken up again', async () => {
    const id = await customer()
    await given('customer', id, 20)
    const draft = await billed('customer', id)
    const aside = await clerk.patch(`invoices/${draft.id}`, { state: 'inactive' }, { version: draft.version })
    expect(aside.status).toBe(200)
    expect((await movementsOf('customer', id)).drafts).toHaveLength(1)
    expect(faults(await bill('customer', id))).toEqual([422, 'lines.0.pieces exceeds_balance'])
  })

  it('is forgotten with its draft', async () => {
    const id = await customer()
    await given('customer', id, 20)
    const draft = await billed('customer', id)
    const gone = await clerk.post(`invoices/${draft.id}/status`, { to: 'canceled' }, { version: draft.version })
    expect(gone.status).toBe(200)
    expect((await movementsOf('customer', id)).drafts).toEqual([])
    expect(await balanceOf('customer', id)).toBe(20)
    expect((await bill('customer', id)).status).toBe(201)
  })

  it('of a carrier goes to the customer that one names; line and statement say what it is', async () => {
    const [id, payer] = [await carrier(), await customer()]
    await given('carrier', id, 30)
    const draft = await billed('carrier', id, { billingCustomerId: payer })
    expect(draft.lines[0].text).toContain('nicht zurückgegeben von Trans ')
    const invoice = await sent(draft)
    expect(await balanceOf('carrier', id)).toBe(13)
    expect((await movementsOf('customer', payer)).items).toEqual([])
    const letter = await test.admin.get(`load-carriers/statement/letter?holder=carrier&holderId=${id}`)
    const words = textOf(letter.raw)
    expect(words).toContain('berechnet mit Rechnung')
    expect(words).toContain(invoice.number)
    const preview = await test.admin.get(`load-carriers/statement?holder=carrier&holderId=${id}`)
    expect(preview.body.html).toContain(`berechnet mit Rechnung ${invoice.number}`)
    const table = await test.admin.get(`load-carriers/movements/export?holder=carrier&holderId=${id}&format=csv`)
    expect(table.raw.toString()).toContain(invoice.number)
  })

  it('cannot be corrected as a movement', async () => {
    const id = await customer()
    await given('customer', id, 20)
    await sent(await billed('customer', id))
    const [line] = (await movementsOf('customer', id)).items
    const movement = { holder: { kind: 'customer', id }, movedOn: '2026-11-20', typeId: euro(), given: 1 }
    expect((await test.admin.delete(`load-carriers/movements/${line!.id}`, { version: 0 })).status).toBeGreaterThan(400)
    expect(
      (await test.admin.put(`load-carriers/movements/${line!.id}`, movement, { version: 0 })).status,
    ).toBeGreaterThan(400)
    expect(await balanceOf('customer', id)).toBe(3)
  })
})
