import { invoiceNumber } from '@waybill/contract/company'
import { skontoOffers } from '@waybill/contract/skonto/offers'
import type { Claim, Known } from '../../src/modules/bank-statement/match-entries.rules.ts'
import { randomFrom, type Random } from '../long/writers.ts'
import { ibanOf } from './payment-examples.ts'
import type { WrittenEntry } from './statement-xml.ts'

/** What an entry is for: what a person who knows would book. Null: nobody can know it from the statement alone. */
export type Truth = readonly { invoiceId: number; amountCents: number; skontoCents: number }[] | null

interface Generated {
  known: Known
  entries: WrittenEntry[]
  truths: Truth[]
}

const VALUE_DATE = '2026-11-23'
const SURNAMES = 'Vogelsang Brandt Nowak Kowalski Öztürk Lindqvist Żuraw Keller Ćwik Sørensen'.split(' ')
const TRADES = 'Verpackungen Maschinenbau Papier Textil Stahlhandel Getränke Möbel Chemie'.split(' ')

/** How people write a number into a transfer. */
const SPELLINGS: readonly ((number: string, random: Random) => string)[] = [
  (number) => number,
  (number) => `Rechnung Nr. ${number} vom 12.10.2026`,
  (number) => number.replaceAll(/[-/]/g, ' '),
  (number) => number.replaceAll(/[-/]/g, ''),
  (number) => `RG${number.replaceAll(/[-/]/g, '').toLowerCase()}`,
  (number) => `Zahlung ${number.replace(/^[A-Za-z]+[-/]?/, '')} danke`,
  (number) => number.replaceAll(/(?<=\D|^)0+(?=\d)/g, ''),
  (number, random) => {
    const at = Math.max(2, number.length - 1 - random(4))
    return `SVWZ+FAKTURA ${number.slice(0, at)} ${number.slice(at)} KD 4711`
  },
  (number) => `/INV/${number}/ Kd-Nr. 30815, 10115 Berlin`,
  (number) =>
    `faktura: ${number
      .split('')
      .join(' ')
      .replaceAll(/(\d) (?=\d)/g, '$1')}`,
]

/** Open invoices, payers and the movements of a day; the same seed, the same day. `unknown` of them cannot be known. */
export function generatedEntries(
  seed: number,
  { count, unknown, pattern }: { count: number; unknown: number; pattern: string },
): Generated {
  const random = randomFrom(seed)
  const pick = <T>(from: readonly T[]): T => from[random(from.length)]!
  const customers = new Map<number, string>()
  const accounts = new Map<number, string>()
  for (let id = 1; id <= 400; id += 1) {
    customers.set(id, `${pick(SURNAMES)} ${pick(TRADES)} ${id} GmbH`)
    accounts.set(id, ibanOf('DE', 22, 50_000_000 + id))
  }
  // Two of three customers have paid before.
  const payers = new Map([...accounts].filter(([id]) => id % 3 > 0).map(([id, iban]) => [iban, [id]]))
  const skonto = [{ percentBp: 200, days: 14 }]
  const claims: Claim[] = []
  for (let id = 1; id <= count * 3; id += 1) {
    const openCents = 5_000 + random(500_000)
    claims.push({
      id,
      number: invoiceNumber(pattern, 2026, id),
      customerId: 1 + random(400),
      openCents: id % 25 === 0 ? 0 : openCents,
      offers: id % 4 === 0 ? skontoOffers(skonto, '2026-11-15', openCents) : [],
    })
  }
  const free = claims.filter(({ openCents }) => openCents > 0)
  const paid = claims.filter(({ openCents }) => openCents === 0)
  const next = (): Claim => free.splice(random(free.length), 1)[0]!
  const iban = (one: Claim): string => accounts.get(one.customerId)!
  const written = (one: Claim): string => pick(SPELLINGS)(one.number, random)
  const from = (one: Claim, more: Partial<WrittenEntry> & { cents: number }): WrittenEntry => ({
    reference: null,
    name: customers.get(one.customerId)!,
    iban: iban(one),
    ...more,
  })
  const full = (one: Claim) => ({ invoiceId: one.id, amountCents: one.openCents, skontoCents: 0 })

  const knowable: readonly (() => [WrittenEntry, Truth])[] = [
    () => {
      const one = next()
      return [from(one, { cents: one.openCents, remittance: written(one) }), [full(one)]]
    },
    // Paid by somebody else than ever before.
    () => {
      const one = next()
      const entry = from(one, { cents: one.openCents, remittance: written(one), name: 'Factoring Bank AG' })
      return [{ ...entry, iban: ibanOf('FR', 27, 1 + random(900_000)) }, [full(one)]]
    },
    () => {
      const one = next()
      return [from(one, { cents: one.openCents, remittance: 'SIEHE AVIS', endToEndId: one.number }), [full(one)]]
    },
    // Several of one customer, in texts of the length that banks cut them to.
    () => {
      const one = next()
      const others = free.filter(({ customerId }) => customerId === one.customerId).slice(0, 1 + random(3))
      for (const other of others) free.splice(free.indexOf(other), 1)
      const all = [one, ...others]
      const remittance = all.map(({ number }) => number).join(', ')
      return [
        from(one, {
          cents: all.reduce((sum, { openCents }) => sum + openCents, 0),
          remittance: remittance.match(/.{1,35}/g)!,
        }),
        all.map(full),
      ]
    },
    () => {
      const at = free.findIndex(({ offers }) => offers.length > 0)
      const one = free.splice(at, 1)[0]!
      const skontoCents = one.offers[0]!.amountCents
      const amountCents = one.openCents - skontoCents
      const entry = from(one, { cents: amountCents, remittance: `${written(one)} abzgl. 2 % Skonto` })
      return [entry, [{ invoiceId: one.id, amountCents, skontoCents }]]
    },
    // In part, from an account that is known.
    () => {
      const at = free.findIndex((one) => payers.has(iban(one)) && one.offers.length === 0)
      const one = free.splice(at, 1)[0]!
      const amountCents = Math.floor(one.openCents / 2) - 1
      const entry = from(one, { cents: amountCents, remittance: `${one.number} 1. Rate` })
      return [entry, [{ invoiceId: one.id, amountCents, skontoCents: 0 }]]
    },
  ]
  const unknowable: readonly (() => WrittenEntry)[] = [
    () => ({ cents: 1 + random(400_000), remittance: 'Zahlung', name: 'Unbekannt AG', iban: ibanOf('AT', 20, 9) }),
    () => {
      const one = pick(paid)
      return from(one, { cents: 5_000 + random(90_000), remittance: written(one) })
    },
    () => {
      const [one, other] = [next(), next()]
      const cents = one.openCents + other.openCents
      return from(one, { cents, remittance: `${one.number} ${other.number}` })
    },
    // A wrong number: that of somebody else.
    () => {
      const at = free.findIndex((one) => payers.has(iban(one)))
      const one = free.splice(at, 1)[0]!
      const mistaken = next()
      return { ...from(one, { cents: mistaken.openCents, remittance: written(mistaken) }) }
    },
    // Nothing but the amount, which another one has too.
    () => {
      const one = next()
      return { cents: one.openCents, remittance: 'Fracht November', name: 'Holding SE', iban: ibanOf('NL', 18, 3) }
    },
    // Far too much.
    () => {
      const one = next()
      return from(one, { cents: one.openCents * 2 + 17, remittance: written(one) })
    },
  ]
  const pairs: { entry: WrittenEntry; truth: Truth }[] = []
  for (let at = 0; at < count; at += 1) {
    if (at < unknown) pairs.push({ entry: unknowable[at % unknowable.length]!(), truth: null })
    else {
      const [entry, truth] = knowable[at % knowable.length]!()
      pairs.push({ entry, truth })
    }
  }
  for (let at = pairs.length - 1; at > 0; at -= 1) {
    const other = random(at + 1)
    ;[pairs[at], pairs[other]] = [pairs[other]!, pairs[at]!]
  }
  return {
    known: { claims, payers, customers },
    entries: pairs.map(({ entry }, at) => ({
      ...entry,
      date: VALUE_DATE,
      reference: `BR${String(at).padStart(8, '0')}`,
    })),
    truths: pairs.map(({ truth }) => truth),
  }
}
