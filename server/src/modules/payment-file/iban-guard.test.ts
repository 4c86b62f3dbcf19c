import type { CarrierCompany } from '@waybill/contract/carrier-company'
import type { PaymentProposal } from '@waybill/contract/payment-file/payment-file'
import { accountStanding } from '@waybill/contract/kit/bank/bank'
import { PERMISSIONS } from '@waybill/contract/permissions'
import { beforeAll, describe, expect, it } from 'vitest'
import { useTestApp, type Answer, type Caller } from '../../../test/app.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../test/order-examples.ts'
import { ibanOf, paymentWorld, type PaymentWorld } from '../../../test/payments/payment-examples.ts'
import { encodeForm, FILES } from '../../../test/upload.ts'

const test = useTestApp()
let world: PaymentWorld
let orders: OrderWorld
/** one person with every right that there is */
let thief: Caller
let customerId: number

beforeAll(async () => {
  world = await paymentWorld(test)
  orders = await orderWorld(test)
  customerId = await orders.customer('Hansa Bau GmbH', 'DE')
  thief = (await test.userWith(...PERMISSIONS)).caller
})

let accounts = 0
const newIban = () => ibanOf('PL', 28, 900_000 + (accounts += 1))

const record = async (id: number): Promise<CarrierCompany> => (await test.admin.get(`carrier-companies/${id}`)).body
const accountOf = async (id: number, iban: string) => (await record(id)).bankAccounts.find((one) => one.iban === iban)

const confirm = async (caller: Caller, id: number, iban: string): Promise<Answer> => {
  const { version } = await record(id)
  return caller.post(
    `carrier-companies/${id}/bank-accounts/${(await accountOf(id, iban))?.id ?? 1}/confirm`,
    {},
    { version },
  )
}
const change = async (caller: Caller, id: number, bankAccounts: object[]): Promise<Answer> => {
  const { version } = await record(id)
  return caller.patch(`carrier-companies/${id}`, { bankAccounts }, { version })
}

/** An approved invoice with this IBAN: no run takes it, whatever the thief tries by now. */
async function expectNoMoney(carrierCompanyId: number, iban: string): Promise<void> {
  const refused = await confirm(thief, carrierCompanyId, iban)
  expect([404, 409], JSON.stringify(refused.body)).toContain(refused.status)
  const { id } = await world.invoice({ id: carrierCompanyId, iban })
  const { body } = await thief.get<PaymentProposal>(
    `payment-files/proposal?debtorBankId=${world.debtorBankId}&dueUntil=2035-01-01`,
  )
  expect(body.items.map((one) => one.id)).not.toContain(id)
  expect(body.leftOut.find((one) => one.id === id)?.reason).toMatch(/^iban_(unknown|unconfirmed)$/)
  const run = await thief.post('payment-files', {
    invoiceIds: [id],
    debtorBankId: world.debtorBankId,
    executionDate: body.firstDay,
  })
  expect([run.status, run.body.errors[0].code]).toEqual([422, expect.stringMatching(/^iban_(unknown|unconfirmed)$/)])
}

interface Schema {
  $ref?: string
  properties?: Record<string, Schema>
  [part: string]: unknown
}

/** True where a schema has a field of this name, however deep. */
function names(schema: unknown, name: RegExp, whole: unknown, seen = new Set<string>()): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  const { $ref, properties } = schema as Schema
  if (typeof $ref === 'string') {
    if (seen.has($ref)) return false
    seen.add($ref)
    const found = $ref
      .slice(2)
      .split('/')
      .reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], whole)
    return names(found, name, whole, seen)
  }
  if (properties && Object.keys(properties).some((key) => name.test(key))) return true
  return Object.values(schema).some((part) => names(part, name, whole, seen))
}

describe('the endpoints that take an IBAN', () => {
  it('are those that are tried here, and no other', async () => {
    const { body } = await test.anonymous.get<{ paths: Record<string, Record<string, { requestBody?: object }>> }>(
      'openapi.json',
    )
    const found = Object.entries(body.paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([, { requestBody }]) => {
          const isForm = JSON.stringify(requestBody ?? {}).includes('multipart/form-data')
          return isForm || names(requestBody, /iban|bankAccount/i, body)
        })
        .map(([method]) => `${method.toUpperCase()} ${path.replace('/api', '')}`),
    )
    expect(found.toSorted()).toEqual(
      [
        // tried below
        'POST /carrier-companies',
        'PUT /carrier-companies/{id}',
        'PATCH /carrier-companies/{id}',
        'POST /carrier-companies/{id}/bank-accounts',
        'POST /carrier-companies/import',
        'POST /invoices',
        'PUT /invoices/{id}',
        'PATCH /invoices/{id}',
        'POST /upload-documents/{token}',
        // our own accounts: money leaves from them, and from those alone that another person confirmed
        'POST /companies',
        'PUT /companies/{id}',
        'PATCH /companies/{id}',
        // files, of which none is read onto a record
        'POST /customers/import',
        'POST /orders/import',
        'POST /upload',
        'POST /upload-documents/{token}/files',
        'POST /new-papers/{token}',
        'POST /drive/{token}/files',
        'POST /invoices/read-e-invoice',
        'POST /bank-statements',
        'POST /intake-mails/upload',
      ].toSorted(),
    )
  })
})

describe('one person with every right gets no money to an account', () => {
  const newCarrier = async (caller: Caller, iban: string, title = `Firma ${accounts}`): Promise<number> => {
    const { status, body } = await caller.post('carrier-companies', {
      title,
      countryId: orders.countries.PL,
      bankAccounts: [{ iban }],
    })
    expect(status, JSON.stringify(body)).toBe(201)
    return body.id
  }

  it('by making the carrier', async () => {
    const iban = newIban()
    await expectNoMoney(await newCarrier(thief, iban), iban)
  })

  it('by changing a confirmed account, its number or its BIC, by PATCH and PUT', async () => {
    const { id, iban } = await world.carrier('Bestätigt GmbH')
    const account = (await accountOf(id, iban))!
    const other = newIban()
    expect((await change(thief, id, [{ id: account.id, iban: other }])).status).toBe(200)
    await expectNoMoney(id, other)
    const before = await record(id)
    const { id: _id, version, createdAt: _c, country: _k, billingCountry: _b, vehicleTypes: _v, ...body } = before
    const put = await thief.put(
      `carrier-companies/${id}`,
      { ...body, bankAccounts: [{ id: account.id, iban, bic: 'BREXPLPWXXX' }] },
      { version },
    )
    expect(put.status, JSON.stringify(put.body)).toBe(200)
    await expectNoMoney(id, iban)
  })

  it('by saying that somebody confirmed it, or entered it', async () => {
    const { id, iban } = await world.carrier('Behauptet GmbH', { isConfirmed: false })
    const account = (await accountOf(id, iban))!
    for (const claim of [{ confirmedById: 1 }, { confirmedAt: '2026-01-01T00:00:00Z' }, { enteredById: 1 }]) {
      const answer = await change(thief, id, [{ id: account.id, iban, ...claim }])
      expect(answer.status, JSON.stringify(claim)).toBe(422)
    }
    expect((await accountOf(id, iban))!.confirmedById).toBeNull()
  })

  it('by taking the account of another carrier along, or swapping two', async () => {
    const good = await world.carrier('Gut GmbH')
    const iban = newIban()
    const bad = await newCarrier(thief, iban)
    const foreign = (await accountOf(good.id, good.iban))!
    expect((await change(thief, bad, [{ id: foreign.id, iban }])).status).toBe(422)
    expect((await change(thief, bad, [{ iban: good.iban }, { iban }])).status).toBe(200)
    await expectNoMoney(bad, iban)
    await expectNoMoney(bad, good.iban)
    // Two accounts of one carrier cannot change places either.
    const [first, second] = [(await accountOf(good.id, good.iban))!, newIban()]
    await change(thief, good.id, [{ id: first.id, iban: first.iban }, { iban: second }])
    const added = (await accountOf(good.id, second))!
    const swapped = await change(thief, good.id, [
      { id: first.id, iban: second },
      { id: added.id, iban: first.iban },
    ])
    // An IBAN stands on a record once, at every moment.
    expect([swapped.status, swapped.body.errors?.[0]]).toMatchObject([422, { path: 'iban', code: 'taken' }])
    await expectNoMoney(good.id, second)
  })

  it('by deleting it and entering it anew, nor after somebody else did so, or gave it a BIC', async () => {
    const iban = newIban()
    const id = await newCarrier(thief, iban)
    await change(thief, id, [])
    await change(thief, id, [{ iban }])
    await expectNoMoney(id, iban)
    // Somebody else touches it, and means no harm.
    await change(world.first, id, [])
    await change(world.first, id, [{ iban }])
    expect((await accountOf(id, iban))!.enteredById).not.toBeNull()
    await expectNoMoney(id, iban)
    const { id: account } = (await accountOf(id, iban))!
    await change(world.first, id, [{ id: account, iban, bic: 'BREXPLPWXXX' }])
    await expectNoMoney(id, iban)
    // Another person does confirm it.
    expect((await confirm(world.second, id, iban)).status).toBe(200)
  })

  it('by an import', async () => {
    const iban = newIban()
    const title = 'Importiert GmbH'
    const text = `Company;Country;IBAN\n${title};PL;${iban}\n`
    const { body, contentType } = await encodeForm({
      fields: { commit: '1' },
      file: { name: 'carriers.csv', bytes: FILES.text(text) },
    })
    const imported = await thief.post('carrier-companies/import', body, { headers: { 'content-type': contentType } })
    expect(imported.body, JSON.stringify(imported.body)).toMatchObject({ created: 1 })
    const id = await test.idOf('carrier_company', 'title', title)
    expect(await accountOf(id, iban)).toMatchObject({ source: 'import', confirmedById: null })
    await expectNoMoney(id, iban)
    await change(world.first, id, [])
    await change(world.first, id, [{ iban }])
    await expectNoMoney(id, iban)
  })

  it('by typing it on an invoice, or changing it there, from which somebody else takes it over', async () => {
    const { id } = await world.carrier('Rechnung GmbH')
    const carrier = { id, iban: newIban() }
    const given = { entityType: 'carrier', companyId: world.companyId, carrierCompanyId: id, amountCents: 100 }
    const made = await thief.post('invoices', { ...given, number: 'T-1', iban: carrier.iban })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    await expectNoMoney(id, carrier.iban)
    const patched = newIban()
    const honest = await world.invoice(carrier, { isApproved: false, iban: null })
    const changed = await thief.patch(`invoices/${honest.id}`, { iban: patched }, { version: honest.version })
    expect(changed.status, JSON.stringify(changed.body)).toBe(200)
    const replaced = newIban()
    const other = await world.invoice(carrier, { isApproved: false, iban: null })
    const put = await thief.put(
      `invoices/${other.id}`,
      { ...given, number: other.number, iban: replaced },
      { version: other.version },
    )
    expect(put.status, JSON.stringify(put.body)).toBe(200)
    for (const [iban, invoiceId] of [
      [carrier.iban, made.body.id],
      [patched, honest.id],
      [replaced, other.id],
    ]) {
      const { version } = await record(id)
      const entered = await world.first.post(`carrier-companies/${id}/bank-accounts`, { iban, invoiceId }, { version })
      expect(entered.status, JSON.stringify(entered.body)).toBe(201)
      await expectNoMoney(id, iban)
    }
    // Who typed it afterwards, as it stands on every paper of that carrier, may well confirm it.
    const known = newIban()
    await change(world.first, id, [{ iban: known }])
    await world.invoice({ id, iban: known })
    const typist = (await test.userWith('INVOICES_PROCESSING', 'CARRIER_MANAGEMENT')).caller
    const more = { ...given, number: 'T-9', iban: known }
    expect((await typist.post('invoices', more)).status).toBe(201)
    expect((await confirm(typist, id, known)).status).toBe(200)
  })

  it('by taking it onto the record', async () => {
    const { id, iban: known } = await world.carrier('Aufnahme GmbH')
    const iban = newIban()
    const enter = async (body: object, caller = thief) =>
      caller.post(`carrier-companies/${id}/bank-accounts`, body, { version: (await record(id)).version })
    const codes = ({ status, body }: Answer) => [
      status,
      ...(body.errors ?? []).map((one: { path: string; code: string }) => `${one.path} ${one.code}`),
    ]
    const bill = await world.invoice({ id, iban })
    expect(codes(await enter({ iban: known }))).toEqual([422, 'iban taken'])
    expect(codes(await enter({ iban: 'DE00' }))).toEqual([422, 'iban invalid_iban'])
    expect(codes(await enter({ iban, invoiceId: 999_999 }))).toEqual([422, 'invoiceId unknown_reference'])
    expect(codes(await enter({ iban: newIban(), invoiceId: bill.id }))).toEqual([422, 'invoiceId iban_of_invoice'])
    const stale = await thief.post(`carrier-companies/${id}/bank-accounts`, { iban }, { version: 99 })
    expect(stale.status).toBe(409)
    const entered = await enter({ iban, invoiceId: bill.id })
    expect(entered.status).toBe(201)
    expect(await accountOf(id, iban)).toMatchObject({
      source: 'hand',
      sourceInvoice: { id: bill.id, title: bill.number },
      enteredAt: expect.any(String),
      confirmedAt: null,
    })
    await expectNoMoney(id, iban)
  })

  it('through the link of a carrier, which that person has made', async () => {
    const { id } = orders.carrier
    const iban = newIban()
    const { body: order } = await test.admin.post(
      'orders',
      plainOrder(orders, customerId, {
        ...shipment(orders),
        routes: [{ ...carried(orders), locationKeys: ['from', 'to'] }],
      }),
    )
    const link = await thief.post(
      `routes/${order.routes[0].id}/upload-link`,
      { linkId: null },
      { version: order.version },
    )
    expect(link.status, JSON.stringify(link.body)).toBe(200)
    const token = link.body.link.url.split('/').at(-1)
    const form = await encodeForm({
      fields: { kind: 'invoice' },
      file: {
        name: 'bill.pdf',
        bytes: FILES.text('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'),
      },
    })
    const file = await test.anonymous.post(`upload-documents/${token}/files`, form.body, {
      headers: { 'content-type': form.contentType },
    })
    expect(file.status, JSON.stringify(file.body)).toBe(201)
    const sent = await test.anonymous.post(`upload-documents/${token}`, {
      invoiceNumber: 'L-1',
      documentCreationDate: '2026-01-07',
      amountCents: 90_000,
      vatBp: 0,
      totalCents: 90_000,
      iban,
      differenceReason: 'waiting time',
    })
    expect(sent.status, JSON.stringify(sent.body)).toBe(200)
    const invoiceId = (await world.clerk.get(`invoices?carrierCompanyId[]=${id}`)).body.items[0].id
    await expectNoMoney(id, iban)
    const { version } = await record(id)
    const entered = await world.first.post(`carrier-companies/${id}/bank-accounts`, { iban, invoiceId }, { version })
    expect(entered.status, JSON.stringify(entered.body)).toBe(201)
    expect(await accountOf(id, iban)).toMatchObject({ source: 'upload', sourceInvoice: { id: invoiceId } })
    await expectNoMoney(id, iban)
    expect((await confirm(world.second, id, iban)).status).toBe(200)
    // Of an account that one of us has typed over the carrier’s, whoever confirms it hears so, and of whom.
    const typed = newIban()
    const view = (await world.clerk.get(`invoices/${invoiceId}`)).body
    const typist = await test.userWith('INVOICES_PROCESSING')
    const changed = await typist.caller.patch(`invoices/${invoiceId}`, { iban: typed }, { version: view.version })
    expect(changed.status, JSON.stringify(changed.body)).toBe(200)
    const taken = await world.first.post(
      `carrier-companies/${id}/bank-accounts`,
      { iban: typed, invoiceId },
      { version: (await record(id)).version },
    )
    expect(taken.status, JSON.stringify(taken.body)).toBe(201)
    expect(await accountOf(id, typed)).toMatchObject({
      source: 'hand',
      sourceInvoice: { id: invoiceId },
      typedBy: [{ id: typist.id }],
    })
    expect(await accountOf(id, iban)).toMatchObject({ source: 'upload', typedBy: [] })
  })

  it('not even as the database’s own role', async () => {
    const { id, iban } = await world.carrier('Nur SQL GmbH', { isConfirmed: false })
    await expect(
      test.database.pool.query(
        `update carrier_bank_account set "confirmedById" = "enteredById" where "carrierCompanyId" = $1`,
        [id],
      ),
    ).rejects.toThrow('second person')
    expect((await confirm(world.second, id, iban)).status).toBe(200)
    await expect(
      test.database.pool.query(`update carrier_bank_account set iban = $2 where "carrierCompanyId" = $1`, [
        id,
        newIban(),
      ]),
    ).rejects.toThrow('second person')
    await expect(test.database.pool.query('delete from carrier_iban_author')).rejects.toThrow('denied')
  })
})

describe('an administrator alone', () => {
  const newCarrier = async (): Promise<{ id: number; iban: string }> => {
    const iban = newIban()
    const countryId = await test.idOf('country', 'code', 'PL')
    const body = { title: `Noteć Trans ${iban}`, countryId, bankAccounts: [{ iban }] }
    const made = await test.admin.post('carrier-companies', body)
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    return { id: made.body.id, iban }
  }

  it('cannot confirm an account that they entered, nor the one that they put in its place', async () => {
    const { id, iban } = await newCarrier()
    expect((await confirm(test.admin, id, iban)).body.code).toBe('second_person_needed')
    expect((await confirm(world.second, id, iban)).status).toBe(200)
    const swapped = newIban()
    const [account] = (await record(id)).bankAccounts
    expect((await change(test.admin, id, [{ id: account!.id, iban: swapped }])).status).toBe(200)
    const refused = await confirm(test.admin, id, swapped)
    expect([refused.status, refused.body.code]).toEqual([409, 'second_person_needed'])
    expect((await accountOf(id, swapped))?.confirmedById).toBeNull()
  })

  it('with a second user leaves traces: who entered and who confirmed, and when, fresh for thirty days', async () => {
    const { id, iban } = await newCarrier()
    const entered = await accountOf(id, iban)
    // What the second one is shown before confirming.
    expect(entered).toMatchObject({ enteredBy: { id: expect.any(Number) }, enteredAt: expect.any(String) })
    const { caller, id: madeId } = await test.userWith('CARRIER_MANAGEMENT')
    expect((await confirm(caller, id, iban)).status).toBe(200)
    const confirmed = await accountOf(id, iban)
    expect(confirmed).toMatchObject({ enteredById: entered!.enteredById, confirmedById: madeId })
    expect(accountStanding(confirmed!, new Date())).toBe('fresh')
    const { body: history } = await test.admin.get(`audit-entries?carrierCompanyId=${id}`)
    expect(JSON.stringify(history.items)).toContain('confirmedById')
  })
})

it('a bill to a customer is in no run', async () => {
  const line = { text: 'Freight', quantity: 1, unitPriceCents: 1000, vatBp: 1900, vatCategory: 'S' }
  const body = { entityType: 'customer', companyId: world.companyId, billingCustomerId: customerId, lines: [line] }
  const bill = await test.admin.post('invoices', body)
  expect(bill.status, JSON.stringify(bill.body)).toBe(201)
  const { debtorBankId } = world
  const { body: proposal } = await world.clerk.get<PaymentProposal>(
    `payment-files/proposal?debtorBankId=${debtorBankId}&dueUntil=2035-01-01`,
  )
  expect([...proposal.items, ...proposal.leftOut].map(({ id }) => id)).not.toContain(bill.body.id)
  const wish = { invoiceIds: [bill.body.id], debtorBankId, executionDate: proposal.firstDay }
  const run = await world.clerk.post('payment-files', wish)
  expect([run.status, run.body.errors[0]]).toMatchObject([422, { path: 'invoiceIds.0', code: 'invalid_value' }])
})
