import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { IntakeMail } from '@waybill/contract/intake/intake'
import type { LearnedRuleRow } from '@waybill/contract/intake/learned-rule'
import type { Draft } from '@waybill/contract/order/intake/mail-draft'
import type { OrderInput } from '@waybill/contract/order/order'
import { useTestApp, type Answer, type Caller } from '../../../../test/app.ts'
import { orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'

const test = useTestApp({ beginsOn: '2026-11-24T09:00:00Z' })
let world: OrderWorld
let planner: Caller
let keeper: Caller

beforeAll(async () => {
  world = await orderWorld(test)
  planner = (await test.userWith('ORDERS_MANAGEMENT')).caller
  keeper = (await test.userWith('CUSTOMER_MANAGEMENT')).caller
})

let count = 0
/** A customer with contact persons of these addresses. */
const customerOf = (...addresses: string[]): Promise<number> =>
  world.customer(`Kunde ${(count += 1)} GmbH`, 'DE', {
    contactPersons: addresses.map((email) => ({ fullName: 'Silke Jansen', email })),
  })
const address = (name = 'dispo') => `${name}@firma${(count += 1)}.example`

const LANE = `Abholung: Alba GmbH, Lindenweg 1, 28195 Bremen
Lieferung: Beta AG, Ringstr. 2, 04109 Leipzig
3 Paletten Schrauben`

/** A mail of this sender, and how it is read. */
async function bringIn(from: string, lines: string, subject = 'Transport'): Promise<{ id: number; draft: Draft }> {
  const { status, body } = await planner.post('intake-mails', {
    text: `From: S <${from}>\nSubject: ${subject}\n\n${lines}\n${LANE}\nMail ${(count += 1)}`,
  })
  expect([status, body.isNew], JSON.stringify(body)).toEqual([201, true])
  return { id: body.id, draft: await draftOf(body.id) }
}
const draftOf = async (id: number): Promise<Draft> =>
  (await planner.get(`intake-mails/${id}/drafts`)).body.drafts[0] as Draft
const numberIn = ({ values }: Draft) => values.customerOrderNumber
const markOf = ({ marks }: Draft, path: string) => marks.find((one) => one.path === path)
const readAgain = async (id: number): Promise<Draft> => {
  const { version } = (await planner.get(`intake-mails/${id}`)).body as IntakeMail
  expect((await planner.post(`intake-mails/${id}/read`, {}, { version })).status).toBe(200)
  return draftOf(id)
}

/** Saves the draft as it was proposed, but for what a person has corrected. */
async function save(id: number, customerId: number, corrected: Partial<OrderInput>, path = 'order'): Promise<number> {
  const { values } = await draftOf(id)
  const { customerOrderNumber, paymentPeriodDays } = values
  const { cargo, locations } = shipment(world)
  const [line] = values.cargo
  const goods = {
    ...cargo![0]!,
    ...Object.fromEntries(Object.entries(line ?? {}).filter(([key]) => key in cargo![0]!)),
  }
  const { status, body } = await planner.post(
    `intake-mails/${id}/drafts/0/${path}`,
    plainOrder(world, customerId, {
      customerOrderNumber,
      paymentPeriodDays,
      cargo: [{ ...goods, quantity: line?.quantity ?? 1 }],
      locations: locations!.map((stop, place) => ({ ...stop, reference: values.locations[place]?.reference ?? null })),
      ...corrected,
    }),
  )
  expect(status, JSON.stringify(body)).toBe(201)
  return body.id
}
const rulesOf = async (customerId: number, caller = keeper): Promise<LearnedRuleRow[]> =>
  (await caller.get(`customers/${customerId}/learned-rules`)).body.items
const shortOf = (rules: readonly LearnedRuleRow[]) =>
  rules.map(({ field, label, position }) => `${field} ${label ?? position}`)
const forget = (caller: Caller, customerId: number, id: number): Promise<Answer> =>
  caller.delete(`customers/${customerId}/learned-rules/${id}`)

describe('what is refused', () => {
  it('is everything without the right to customers, and rules of another customer', async () => {
    const from = address()
    const customerId = await customerOf(from)
    const { id } = await bringIn(from, 'Vorgang: ZX 81-4')
    await save(id, customerId, { customerOrderNumber: 'ZX 81-4' })
    const [rule] = await rulesOf(customerId)
    const other = await customerOf(address())
    for (const [caller, status] of [
      [test.anonymous, 401],
      [planner, 403],
    ] as const) {
      expect((await caller.get(`customers/${customerId}/learned-rules`)).status).toBe(status)
      expect((await forget(caller, customerId, rule!.id)).status).toBe(status)
    }
    expect((await keeper.get('customers/999999/learned-rules')).status).toBe(404)
    expect((await forget(keeper, other, rule!.id)).status).toBe(404)
    expect((await forget(keeper, customerId, 999_999)).status).toBe(404)
    expect(await rulesOf(customerId)).toHaveLength(1)
    expect((await forget(keeper, customerId, rule!.id)).status).toBe(204)
    expect((await forget(keeper, customerId, rule!.id)).status).toBe(404)
  })
})

describe('a correction', () => {
  it('is where the next mail of the sender is read, says so, and can be forgotten', async () => {
    const from = address()
    const customerId = await customerOf(from)
    const first = await bringIn(from, 'Vorgang: ZX 81-4')
    expect(numberIn(first.draft)).toBeNull()
    await save(first.id, customerId, { customerOrderNumber: 'ZX 81-4' })
    expect(await rulesOf(customerId)).toMatchObject([
      {
        field: 'customerOrderNumber',
        label: 'Vorgang',
        position: null,
        usedCount: 0,
        lastUsedAt: null,
        learnedAt: expect.stringMatching(/^2026-11-24T09:00/),
        learnedBy: { title: expect.any(String) },
      },
    ])
    // Of a colleague of the same company, in small letters and without a colon.
    const next = await bringIn(from.replace('dispo', 'export'), '- vorgang ZX 90-1')
    expect(numberIn(next.draft)).toBe('ZX 90-1')
    expect(markOf(next.draft, 'customerOrderNumber')).toMatchObject({ state: 'check', isLearned: true })
    const { text } = (await planner.get(`intake-mails/${next.id}`)).body as IntakeMail
    expect(text.slice(...markOf(next.draft, 'customerOrderNumber')!.span!)).toBe('ZX 90-1')
    await readAgain(next.id)
    expect(await rulesOf(customerId)).toMatchObject([
      { usedCount: 1, lastUsedAt: expect.stringMatching(/^2026-11-24T09:00/) },
    ])
    // Saved as it was read, it teaches nothing new.
    const [{ id: ruleId }] = (await rulesOf(customerId)) as [LearnedRuleRow]
    expect((await forget(keeper, customerId, ruleId)).status).toBe(204)
    expect(numberIn(await draftOf(next.id))).toBe('ZX 90-1')
    const old = await readAgain(next.id)
    expect([numberIn(old), old.marks.some(({ isLearned }) => isLearned)]).toEqual([null, false])
  })

  it('wins over the general rules', async () => {
    const from = address()
    const customerId = await customerOf(from)
    const lines = (ours: string, theirs: string) => `Auftragsnummer: ${theirs}\nSachkonto: ${ours}`
    const first = await bringIn(from, lines('SK-4411', 'AB-7001'))
    expect(numberIn(first.draft)).toBe('AB-7001')
    await save(first.id, customerId, { customerOrderNumber: 'SK-4411' })
    const next = await bringIn(from, lines('SK-4412', 'AB-7002'))
    expect(numberIn(next.draft)).toBe('SK-4412')
    const [rule] = await rulesOf(customerId)
    await forget(keeper, customerId, rule!.id)
    expect(numberIn(await readAgain(next.id))).toBe('AB-7002')
  })

  it('takes the place of one before it of the same field, and keeps those of others', { tags: 'long' }, async () => {
    const from = address()
    const customerId = await customerOf(from)
    const first = await bringIn(from, 'Vorgang: ZX 1-1\nKostenstelle: KS 700')
    await save(first.id, customerId, { customerOrderNumber: 'ZX 1-1' })
    const [before] = await rulesOf(customerId)
    const second = await bringIn(from, 'Vorgang: ZX 1-2\nKostenstelle: KS 701')
    const locations = shipment(world).locations!.map((stop, place) => (place ? { ...stop, reference: 'ZX 1-2' } : stop))
    await save(second.id, customerId, { customerOrderNumber: 'KS 701', locations })
    const after = await rulesOf(customerId)
    expect(shortOf(after)).toEqual(['customerOrderNumber Kostenstelle', 'dropOff.reference Vorgang'])
    expect(after[0]!.id).not.toBe(before!.id)
    // Who still looks at the old one deletes nothing.
    expect((await forget(keeper, customerId, before!.id)).status).toBe(404)
    const { draft } = await bringIn(from, 'Vorgang: ZX 1-3\nKostenstelle: KS 702')
    expect([numberIn(draft), draft.values.locations.at(-1)!.reference]).toEqual(['KS 702', 'ZX 1-3'])
  })

  it('is learned of a number that is the whole subject, and of figures behind one label', async () => {
    const from = address()
    const customerId = await customerOf(from)
    const first = await bringIn(from, 'Bruttomasse gesamt: 1.840', 'WG: KX1203')
    const { cargo } = shipment(world)
    await save(first.id, customerId, {
      customerOrderNumber: 'KX1203',
      cargo: [{ ...cargo![0]!, quantity: 3, weightKg: 1840 }],
    })
    expect(shortOf(await rulesOf(customerId))).toEqual([
      'customerOrderNumber subject',
      'cargo.weightKg Bruttomasse gesamt',
    ])
    const { draft } = await bringIn(from, 'Bruttomasse gesamt: 2.110', 'KX1204')
    expect([numberIn(draft), draft.values.cargo[0]?.weightKg]).toEqual(['KX1204', 2110])
    // Words where a number belongs are none.
    expect(numberIn((await bringIn(from, 'Hallo', 'Transport morgen')).draft)).toBeNull()
  })

  it('teaches nothing that was typed freely, is half of a word, or stands behind a value', async () => {
    const from = address()
    const customerId = await customerOf(from)
    const { id } = await bringIn(from, 'Vorgang: ZX 81-4711\nBremen: LR-77\nTor 5: LR-78')
    const locations = (reference: string) => shipment(world).locations!.map((stop) => ({ ...stop, reference }))
    await save(id, customerId, { customerOrderNumber: '4711', locations: locations('LR-77') })
    const second = await bringIn(from, 'Vorgang: ZX 81-4711\nBremen: LR-77\nTor 5: LR-78')
    await save(second.id, customerId, { customerOrderNumber: 'frei erfunden 1', locations: locations('LR-78') })
    expect(await rulesOf(customerId)).toEqual([])
  })

  it('is not used where its words announce two different values', { tags: 'long' }, async () => {
    const from = address()
    const customerId = await customerOf(from)
    const { id } = await bringIn(from, 'Vorgang: ZX 5-1')
    await save(id, customerId, { customerOrderNumber: 'ZX 5-1' })
    expect(numberIn((await bringIn(from, 'Vorgang: ZX 5-2\nVorgang: ZX 5-3')).draft)).toBeNull()
  })
})

describe('before it is kept, a correction', () => {
  const taughtBy = async (id: number, caller = planner): Promise<LearnedRuleRow[]> =>
    (await caller.get(`intake-mails/${id}/learned-rules`)).body.items
  const takeBack = (caller: Caller, id: number, ruleId: number) =>
    caller.delete(`intake-mails/${id}/learned-rules/${ruleId}`)

  it('is tried on the customer’s last mails, and not learned where it would read one of them wrongly', async () => {
    const from = address()
    const customerId = await customerOf(from)
    const lines = (ours: string, theirs: string) => `Vorgang: ${ours}\nKostenstelle: ${theirs}`
    const number = async (given: string, saved: string, sender = from) => {
      const { id } = await bringIn(sender, given)
      await save(id, customerId, { customerOrderNumber: saved })
      return id
    }
    // In two mails the number was typed from the telephone, beside a cost center that is none.
    await number(lines('keiner', 'KS 811'), 'TEL 1')
    await number(lines('keiner', 'KS 812'), 'TEL 2')
    expect(await rulesOf(customerId)).toEqual([])
    const wrong = await number(lines('keiner', 'KS 813'), 'KS 813')
    expect([await rulesOf(customerId), await taughtBy(wrong)]).toEqual([[], []])
    // What reads none of them otherwise is kept, and says on how many it was tried.
    const right = await number(lines('ZX 8-14', 'KS 814'), 'ZX 8-14')
    const [rule] = await taughtBy(right)
    expect(rule).toMatchObject({ field: 'customerOrderNumber', label: 'Vorgang', triedCount: 3, foundCount: 0 })
    expect(await rulesOf(customerId)).toEqual([rule])
    // A mail of somebody else that became an order of this customer proves nothing.
    await number(lines('ZX 8-15', 'KS 815'), 'TEL 3', 'nobody@else.example')
    const reference = shipment(world).locations!.map((stop, place) => (place ? { ...stop, reference: 'KS 816' } : stop))
    const { id } = await bringIn(from, lines('ZX 8-16', 'KS 816'))
    await save(id, customerId, { locations: reference })
    expect(await taughtBy(id)).toMatchObject([
      { field: 'dropOff.reference', label: 'Kostenstelle', triedCount: 4, foundCount: 0 },
    ])
  })

  it('counts in how many mails it finds what was saved', async () => {
    const from = address()
    const customerId = await customerOf(from)
    for (const number of ['ZX 4-1', 'ZX 4-2']) {
      const { id } = await bringIn(from, `Vorgang: ${number}`)
      await save(id, customerId, { customerOrderNumber: number })
      const [rule] = await rulesOf(customerId)
      if (number === 'ZX 4-1') expect((await forget(keeper, customerId, rule!.id)).status).toBe(204)
      else expect(rule).toMatchObject({ triedCount: 1, foundCount: 1 })
    }
  })

  it('is named to who taught it, who can take it back; nobody else can', async () => {
    const from = address()
    const customerId = await customerOf(from)
    const { id } = await bringIn(from, 'Vorgang: ZX 3-1')
    await save(id, customerId, { customerOrderNumber: 'ZX 3-1' })
    const [rule] = await taughtBy(id)
    const few = (await test.userWith('ASSIGNED_ORDERS')).caller
    const colleague = (await test.userWith('ORDERS_MANAGEMENT')).caller
    const other = await bringIn(from, 'Anderes')
    expect((await few.get(`intake-mails/${id}/learned-rules`)).status).toBe(404)
    for (const [caller, mailId, status] of [
      [test.anonymous, id, 401],
      [few, id, 404],
      [colleague, id, 404],
      [planner, other.id, 404],
      [planner, id, 204],
      [planner, id, 404],
    ] as const)
      expect((await takeBack(caller, mailId, rule!.id)).status, `${mailId} ${status}`).toBe(status)
    expect(await rulesOf(customerId)).toEqual([])
    expect(numberIn((await bringIn(from, 'Vorgang: ZX 3-2')).draft)).toBeNull()
  })
})

describe('whose mails are read by a rule', () => {
  it('are of the customer’s own senders: not of others, of a shared mailbox, or of who writes for two', async () => {
    const free = `erika${(count += 1)}@gmail.com`
    const both = address('agentur')
    const freund = await customerOf(free, both)
    const other = await customerOf(both)
    const learnsFrom = async (from: string, customerId: number) => {
      const { id } = await bringIn(from, `Vorgang: ZX 7-${count}`)
      await save(id, customerId, { customerOrderNumber: `ZX 7-${count - 1}` })
    }
    await learnsFrom(both, freund)
    await learnsFrom('nobody@else.example', freund)
    // Of the one, saved for the other.
    await learnsFrom(free, other)
    expect([await rulesOf(freund), await rulesOf(other)]).toEqual([[], []])
    await learnsFrom(free, freund)
    expect(shortOf(await rulesOf(freund))).toEqual(['customerOrderNumber Vorgang'])
    expect(numberIn((await bringIn(free, 'Vorgang: ZX 8-1')).draft)).toBe('ZX 8-1')
    for (const from of [both, 'someone.else@gmail.com'])
      expect(numberIn((await bringIn(from, 'Vorgang: ZX 8-2')).draft), from).toBeNull()
  })

  it('are never those of another sender, whoever that is', { tags: 'long' }, async () => {
    const from = address()
    const domain = from.split('@')[1]!
    const customerId = await customerOf(from)
    const lines = 'Vorgang: ZX 9-1\nKostenstelle: KS 9-2'
    const mail = await bringIn(from, lines)
    await save(mail.id, customerId, { customerOrderNumber: 'KS 9-2' })
    expect(shortOf(await rulesOf(customerId))).toEqual(['customerOrderNumber Kostenstelle'])
    const word = fc.stringMatching(/^[a-z]{1,8}$/)
    const others = fc.oneof(
      // Nearly the customer's own domain.
      fc.constantFrom(`x${domain}`, `${domain}.com`, `mail.${domain}`, domain.slice(1)).map((one) => `dispo@${one}`),
      fc.tuple(word, word).map(([name, company]) => `${name}@${company}.example`),
      word.map((name) => `${name}.${domain}@gmx.de`),
    )
    await fc.assert(
      fc.asyncProperty(others, async (sender) => {
        const { draft } = await bringIn(sender, lines)
        expect([draft.marks.filter(({ isLearned }) => isLearned), numberIn(draft)]).toEqual([[], numberIn(mail.draft)])
      }),
      { numRuns: 5, examples: [[`dispo@x${domain}`], [`dispo@mail.${domain}`]] },
    )
  })
})
