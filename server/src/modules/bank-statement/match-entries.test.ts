import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { generatedEntries } from '../../../test/payments/generated-entries.ts'
import { schemaFaults } from '../../../test/payments/payment-examples.ts'
import { statementXml } from '../../../test/payments/statement-xml.ts'
import { parseCamt } from './camt.rules.ts'
import { matchEntries, type Claim, type Known } from './match-entries.rules.ts'
import { indexNumbers } from './named-numbers.rules.ts'

const OURS = 'DE89370400440532013000'
const seed = Number(process.env.STATEMENT_SEED ?? 20261123)

/** A generated day, written as a bank does, read as ours and matched. */
function matched(given: number, pattern: string, version: '02' | '08' = '08') {
  const { known, entries, truths } = generatedEntries(given, { count: 1000, unknown: 60, pattern })
  const xml = statementXml({ iban: OURS, entries, version })
  const [statement] = parseCamt(Buffer.from(xml))
  const read = statement!.entries.map((entry, id) => ({ ...entry, id }))
  const matches = matchEntries(read, known)
  let right = 0
  const wrong: unknown[] = []
  const missed: unknown[] = []
  for (const [id, truth] of truths.entries()) {
    const { verdict, shares, reasons } = matches.get(id)!
    const booked = shares
      .map(({ invoiceId, amountCents, skontoCents }) => ({ invoiceId, amountCents, skontoCents }))
      .sort((a, b) => a.invoiceId - b.invoiceId)
    const isRight =
      truth !== null && JSON.stringify(booked) === JSON.stringify([...truth].sort((a, b) => a.invoiceId - b.invoiceId))
    const { remittance, amountCents } = read[id]!
    if (verdict === 'certain' && isRight) right += 1
    else if (verdict === 'certain') wrong.push({ remittance, amountCents, booked, truth, reasons })
    else if (truth !== null) missed.push({ remittance, amountCents, verdict, reasons })
  }
  return { right, wrong, missed, xml, matches, entries: read, known }
}

describe(`a thousand entries (seed ${seed})`, () => {
  it.each([
    ['WB-{YYYY}-{NNNNN}', '08'],
    ['RE{YY}-{NNNNNN}', '02'],
    ['FV/{NNNN}/{YYYY}', '08'],
  ] as const)('of which 940 can be known are matched, and none wrongly: %s, .%s', (pattern, version) => {
    const { right, wrong, missed } = matched(seed, pattern, version)
    expect(wrong).toEqual([])
    expect(missed).toEqual([])
    expect(right).toBe(940)
  })

  it('with numbers as short as a pattern lets them be are never matched wrongly', () => {
    for (const pattern of ['A{YY}/{N}', '{YYYY}{N}', '{N}.{YY}']) {
      const { wrong, right } = matched(seed, pattern)
      expect(wrong, pattern).toEqual([])
      expect(right, pattern).toBeGreaterThan(400)
    }
  })

  it('pay no invoice twice, and no cent more than came', () => {
    const { matches, entries, known } = matched(seed + 1, 'WB-{YYYY}-{NNNNN}')
    const paid = new Map<number, number>()
    for (const { id, amountCents } of entries) {
      const { shares } = matches.get(id)!
      expect(shares.reduce((sum, share) => sum + share.amountCents, 0)).toBeLessThanOrEqual(amountCents)
      for (const share of shares) {
        expect(share.amountCents).toBeGreaterThan(0)
        paid.set(share.invoiceId, (paid.get(share.invoiceId) ?? 0) + share.amountCents + share.skontoCents)
      }
    }
    for (const { id, openCents } of known.claims)
      expect(paid.get(id) ?? 0, `invoice ${id}`).toBeLessThanOrEqual(openCents)
  })

  it('are written as the published schema wants them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'waybill-camt-'))
    try {
      const path = join(folder, 'statement.xml')
      await writeFile(path, matched(seed, 'WB-{YYYY}-{NNNNN}').xml)
      expect(await schemaFaults(path, 'camt.053.001.08')).toBe('')
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('a number', () => {
  const index = indexNumbers([
    { id: 1, number: 'WB-2026-00123' },
    { id: 2, number: 'WB-2026-00012' },
    { id: 3, number: 'WB-2026-01234' },
  ])
  const sure = (text: string) => index.namedIn(text).flatMap(({ id, isStrong }) => (isStrong ? [id] : []))

  it.each([
    ['WB-2026-00123'],
    ['wb 2026 00123'],
    ['202600123'],
    ['RG2026/123'],
    ['Rechnung 2026-123, Danke'],
    ['EREF+4711 SVWZ+WB-2026-0 0123'],
    ['WB-20\n26-00123'],
    ['2026123'],
  ])('is found in “%s”', (text) => expect(sure(text)).toEqual([1]))

  it.each([['4202600123'], ['2026001230'], ['2026'], ['26.11.2026'], ['WB'], ['123'], ['20260012 Berlin 12345']])(
    'is not sure in “%s”',
    (text) => expect(sure(text)).toEqual([]),
  )
})

describe('an entry', () => {
  const claim = (id: number, customerId: number, openCents: number): Claim => ({
    id,
    number: `WB-2026-${String(id).padStart(5, '0')}`,
    customerId,
    openCents,
    offers: [],
  })
  const known: Known = {
    claims: [claim(1, 7, 10_000), claim(2, 7, 4_000), claim(3, 8, 10_000), claim(4, 7, 0)],
    payers: new Map([['DE1', [7]]]),
    customers: new Map([
      [7, 'Vogelsang GmbH'],
      [8, 'Brandt Papier AG'],
    ]),
  }
  const match = (remittance: string, amountCents: number, partnerIban: string | null = null, partnerName = 'X') => {
    const { verdict, reasons, shares, customerId } = matchEntries(
      [{ id: 1, valueDate: '2026-11-23', amountCents, partnerIban, partnerName, remittance, endToEndId: null }],
      known,
    ).get(1)!
    return [verdict, reasons.map(({ code }) => code).join(' '), customerId, shares.map(({ invoiceId }) => invoiceId)]
  }
  it.each([
    [match('WB-2026-00001', 10_000), ['certain', 'number_named amount_fits', 7, [1]]],
    [match('WB-2026-00003', 10_000, 'DE1'), ['likely', 'number_named foreign_account amount_fits', 8, [3]]],
    [match('WB-2026-00001', 6_000), ['likely', 'number_named part_payment', 7, [1]]],
    [match('WB-2026-00001', 6_000, 'DE1'), ['certain', 'number_named account_known part_payment', 7, [1]]],
    [
      match('WB-2026-00001', 4_000, 'DE1'),
      ['likely', 'number_named account_known part_payment other_of_amount', 7, [1]],
    ],
    [match('WB-2026-00001', 11_000), ['likely', 'number_named paid_too_much', 7, [1]]],
    [match('WB-2026-00004', 10_000, 'DE1'), ['open', 'already_paid', 7, []]],
    [match('WB-2026-00004', 10_000, null, 'Brandt Papier AG'), ['open', 'already_paid', null, []]],
    [match('WB-2026-00001 WB-2026-00003', 20_000), ['open', 'number_named several_customers', null, []]],
    [match('Danke', 4_000, 'DE1'), ['likely', 'account_known amount_only amount_fits', 7, [2]]],
    [match('Danke', 14_000, 'DE1'), ['likely', 'account_known amount_all_open amount_fits', 7, [1, 2]]],
    [match('Danke', 10_000, null, 'VOGELSANG GMBH'), ['likely', 'name_fits amount_only amount_fits', 7, [1]]],
    [match('Danke', 10_000), ['open', 'nothing_found', null, []]],
    [match('Danke', 99, 'DE1'), ['open', 'account_known', 7, []]],
  ])('is %j', (found, expected) => expect(found).toEqual(expected))

  it('that pays what another has paid already is looked at', () => {
    const twice = [1, 2].map((id) => ({
      id,
      valueDate: '2026-11-23',
      amountCents: 10_000,
      partnerIban: null,
      partnerName: null,
      remittance: 'WB-2026-00001',
      endToEndId: null,
    }))
    const matches = matchEntries(twice, known)
    expect([matches.get(1)!.verdict, matches.get(2)!.verdict]).toEqual(['certain', 'open'])
    expect(matches.get(2)!.reasons.map(({ code }) => code)).toEqual(['named_twice'])
  })
})
