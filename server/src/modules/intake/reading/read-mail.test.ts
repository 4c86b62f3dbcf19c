import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { LearnedRule, MailText, Reading } from '@waybill/contract/intake/reading'
import { readKnownTowns } from '../../place/known-towns.ts'
import { samplesIn, type Sample } from '../../../../test/mails/samples.ts'
import { scoreMails, tally } from '../../../../test/mails/score.ts'
import { readMail, type Known } from './read-mail.ts'
import { MOST_READ, senderText } from './text/page.ts'

const samples = samplesIn()
const changing = samplesIn('changes')

let known: Known
beforeAll(async () => {
  known = { towns: await readKnownTowns() }
})

const sentAt = '2027-01-11T09:00:00+01:00'
const mail = (text: string, more: Partial<MailText> = {}): MailText => ({
  text,
  subject: null,
  from: null,
  sentAt,
  ...more,
})

const lane = (day: string): string =>
  `Abholung: Alba GmbH, Lindenweg 1, 28195 Bremen${day}\nLieferung: Beta AG, Ringstr. 2, 04109 Leipzig`

/** Every value with its path; lists and objects are gone through. */
function valuesOf(value: unknown, path: string): [string, unknown][] {
  if (value === null || value === undefined) return []
  if (typeof value !== 'object') return [[path, value]]
  return Object.entries(value).flatMap(([key, one]) => valuesOf(one, `${path}.${key}`))
}

function spanAt(reading: Reading, path: string) {
  for (let at = path; at !== ''; at = at.includes('.') ? at.slice(0, at.lastIndexOf('.')) : '') {
    const span = reading.spans[at]
    if (span !== undefined) return span
  }
  return undefined
}

const letters = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/&[a-z]{2,6};|<[^<>]{0,30}>/g, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()

/** What makes a reading unfit to be shown: a value without a place, or a place outside the mail. */
function faultsOf(reading: Reading, source: MailText): string[] {
  const sources = {
    text: source.text,
    subject: source.subject ?? '',
    sender: source.from === null ? '' : senderText(source.from),
  }
  const faults: string[] = []
  for (const [path, value] of [...valuesOf(reading.orders, 'orders'), ...valuesOf(reading.changes, 'changes')]) {
    const span = spanAt(reading, path)
    if (span === undefined) {
      faults.push(`${path} has no place`)
      continue
    }
    const [from, to, of = 'text'] = span
    if (from < 0 || to > sources[of].length || from >= to) faults.push(`${path} stands outside: ${span.join(' ')}`)
    const written = letters(sources[of].slice(from, to))
    const isCopied = /(?:companyTitle|\.title|address|postal|customerOrderNumber|contactPerson|phone|reference)$/.test(
      path,
    )
    if (isCopied && !path.endsWith('vatNumber') && !written.includes(letters(String(value)).slice(0, 3)))
      faults.push(`${path}: ${String(value)} is not what stands there: ${written}`)
  }
  return faults
}

describe('mails about orders that were placed before', () => {
  const rowsOf = () =>
    scoreMails(changing.map(({ name, mail, truth }) => ({ name, truth, reading: readMail(mail, known) })))

  it('are taken for changes, cancellations or neither, and say what they say: 92 % of it, and nothing invented', () => {
    const rows = rowsOf()
    const { stated, right, sureWrong } = tally(rows)
    const notRight = rows.filter(({ status }) => status !== 'right')
    expect(right / stated, JSON.stringify(notRight.slice(0, 20))).toBeGreaterThanOrEqual(0.92)
    expect([sureWrong, notRight.filter(({ status }) => status === 'invented')]).toEqual([0, []])
    expect(notRight.filter(({ field }) => field === 'kind')).toEqual([])
  })

  it('have every value in its place', () => {
    for (const { name, mail } of changing) expect(faultsOf(readMail(mail, known), mail), name).toEqual([])
  })
})

describe('the goal on our own mails', () => {
  it('reads 92 % of what they state, at most 0.5 % sure but wrong, and invents nothing', () => {
    const rows = scoreMails(samples.map(({ name, mail, truth }) => ({ name, truth, reading: readMail(mail, known) })))
    const { stated, right, sureWrong } = tally(rows)
    const notRight = rows.filter(({ status }) => status !== 'right')
    expect(right / stated, JSON.stringify(notRight.slice(0, 20))).toBeGreaterThanOrEqual(0.92)
    expect(sureWrong / stated).toBeLessThanOrEqual(0.005)
    expect(rows.filter(({ status }) => status === 'invented')).toEqual([])
  })

  it('is sure of a good part, so that a person need not look at all of it', () => {
    const rows = scoreMails(samples.map(({ name, mail, truth }) => ({ name, truth, reading: readMail(mail, known) })))
    const { stated, sure } = tally(rows)
    expect(sure / stated).toBeGreaterThan(0.3)
  })

  it('gives every value a place in the mail where it stands', () => {
    for (const { name, mail } of samples) expect(faultsOf(readMail(mail, known), mail), name).toEqual([])
  })
})

describe('damaged mails', () => {
  const leftovers = [
    '<br>',
    '&nbsp;',
    '<td style="x">',
    '=C3=BC',
    'Ã¼',
    '\ufffd',
    '\u0000',
    '>',
    '\t',
    '|',
    '☃',
    '(((((',
    '{{{{',
  ]
  const bombs = [
    'a',
    ' ',
    '1',
    '1 ',
    '1.',
    'x1',
    '-',
    '(',
    '12x',
    '\n',
    'ul. ',
    'GmbH ',
    '0 ',
    '@',
    'a@',
    '12345 ',
    '8-',
    '5 kg ',
    'Mo ',
    'in Ulm ',
    'statt 5 ',
    'noch 3 Pal ',
    ', bisher ',
    'zu 5 EUR ',
  ].map((piece) => piece.repeat(Math.floor(50_000 / piece.length)))
  interface Mutation {
    kind: 'drop' | 'swap' | 'put' | 'cut' | 'join'
    at: number
    other?: number
    piece?: string
  }
  const mutation: fc.Arbitrary<Mutation> = fc.oneof(
    fc.record({ kind: fc.constant('drop' as const), at: fc.nat(1_000) }),
    fc.record({ kind: fc.constant('swap' as const), at: fc.nat(1_000), other: fc.nat(1_000) }),
    fc.record({ kind: fc.constant('put' as const), at: fc.nat(1_000), piece: fc.constantFrom(...leftovers) }),
    fc.record({ kind: fc.constant('cut' as const), at: fc.nat(1_000) }),
    fc.record({ kind: fc.constant('join' as const), at: fc.nat(1_000) }),
  )
  const changed = (text: string, mutations: readonly Mutation[]): string => {
    let lines = text.split('\n')
    for (const one of mutations) {
      const at = one.at % Math.max(1, lines.length)
      if (one.kind === 'drop') lines = lines.toSpliced(at, 1)
      else if (one.kind === 'swap') {
        const other = one.other! % lines.length
        lines = lines.with(at, lines[other]!).with(other, lines[at]!)
      } else if (one.kind === 'put') {
        const place = one.at % (lines[at]!.length + 1)
        lines = lines.with(at, lines[at]!.slice(0, place) + one.piece! + lines[at]!.slice(place))
      } else if (one.kind === 'cut') lines = lines.with(at, lines[at]!.slice(0, one.at % (lines[at]!.length + 1)))
      else lines = lines.toSpliced(at, 2, `${lines[at]} ${lines[at + 1] ?? ''}`)
      if (lines.length === 0) lines = ['']
    }
    return lines.join('\n')
  }

  const expectOfMutations = (of: readonly Sample[], runs: { numRuns: number; seed?: number }) =>
    fc.assert(
      fc.property(fc.constantFrom(...of), fc.array(mutation, { minLength: 1, maxLength: 12 }), (sample, mutations) => {
        const broken = { ...sample.mail, text: changed(sample.mail.text, mutations) }
        expect(faultsOf(readMail(broken, known), broken)).toEqual([])
      }),
      runs,
    )

  it('are read without an error, every value in its place', () =>
    expectOfMutations([...samples, ...changing], { numRuns: 300, seed: 92 }))

  it('end within the name of a town, which is none then', () => {
    const cut = mail('Za utrudnienia przepraszamy.\nDzień do\nIwona Pająk\n', {
      subject: 'Re: Zlecenie SK-2027-19 - zmiana',
    })
    expect(readMail(cut, known).changes).toEqual([])
  })

  it('are read so 300 times of each sample', { tags: 'long', timeout: 600_000 }, () => {
    for (const sample of [...samples, ...changing]) expectOfMutations([sample], { numRuns: 300 })
  })

  it('take about as long as ordinary mails of their length, junk and repetition without end too', {
    tags: 'long',
    timeout: 300_000,
  }, () => {
    const asked = changing.find(({ name }) => name.startsWith('02-'))!
    const ordinary = samples.map(({ mail: { text } }) => text).join('\n')
    for (const { mail: sample } of [samples[0]!, asked]) {
      // Of this thread alone: others of the process go on with what earlier tests began. The better of two: what the
      // engine frees of earlier tests it frees once.
      const costOf = (filling: string) => {
        const once = () => {
          const began = process.threadCpuUsage()
          readMail({ ...sample, ...mail(`${sample.text}\n${filling}`) }, known)
          const { user, system } = process.threadCpuUsage(began)
          return user + system
        }
        return Math.min(once(), once())
      }
      const calmOf = (length: number) => ordinary.repeat(Math.ceil(length / ordinary.length)).slice(0, length)
      // Four times as long, about four times the work.
      expect(costOf(calmOf(160_000)) / costOf(calmOf(40_000))).toBeLessThan(10)
      for (const bomb of bombs) {
        const junk = bomb.repeat(3)
        const calm = calmOf(junk.length)
        // Twice as long at the most; what grows by the square of the length takes hundreds of times as long.
        expect(costOf(junk) / costOf(calm), JSON.stringify(bomb.slice(0, 8))).toBeLessThan(10)
      }
    }
  })

  it('are read up to a length, and not beyond it', { tags: 'long' }, () => {
    const order = `${lane('')}\n5 Paletten 900 kg\n`
    expect(readMail(mail(order + ' '.repeat(MOST_READ)), known).orders).toHaveLength(1)
    expect(readMail(mail(' '.repeat(MOST_READ) + order), known).orders).toEqual([])
  })

  it('keep letters that were put together from two', () => {
    const text =
      'Abholung: Würth Öfen GmbH, Lindenweg 1, 90402 Nürnberg\nLieferung: Beta AG, Ringstr. 2, 50667 Köln\n5 Paletten'
    const source = mail(text.normalize('NFD'))
    const reading = readMail(source, known)
    expect(reading.orders[0]!.stops.map(({ city }) => city)).toEqual(['Nürnberg', 'Köln'])
    expect(faultsOf(reading, source)).toEqual([])
  })
})

describe('doubt', () => {
  const order = (lines: string) => `${lane(', 14.01.2027')}\n${lines}`

  it('shows both weights where the parts and the sum differ, and is sure of neither', () => {
    const reading = readMail(mail(order('10 Paletten je 500 kg\nGesamtgewicht: 5.400 kg')), known)
    expect(reading.contradictions).toMatchObject([{ field: 'cargo.weightKg', values: [5_000, 5_400] }])
    expect(reading.contradictions[0]!.paths).toEqual(
      reading.contradictions[0]!.values.map(() => 'orders.0.cargo.0.weightKg'),
    )
    expect(reading.sure['orders.0.cargo.0.weightKg']).toBe(false)
  })

  it('keeps the order of a mail that does not read as one, with its places', () => {
    const source = mail(order('3 Paletten, 900 kg\nBitte ein Angebot, kein Auftrag'))
    const reading = readMail(source, known)
    expect([reading.kind, reading.orders]).toEqual(['other', []])
    const { orders, ...rest } = reading.setAside!
    expect(orders[0]!.cargo).toMatchObject([{ quantity: 3, weightKg: 900 }])
    expect(faultsOf({ ...reading, ...rest, orders }, source)).toEqual([])
    expect(readMail(mail('Guten Tag, kein Auftrag.'), known).setAside).toBeNull()
  })

  it('is sure of a weight that is proved by arithmetic', () => {
    const reading = readMail(mail(order('10 Paletten je 500 kg\nGesamtgewicht: 5.000 kg')), known)
    expect(reading.contradictions).toEqual([])
    expect(reading.sure['orders.0.cargo.0.weightKg']).toBe(true)
  })

  it('shows a weekday that is another day’s', () => {
    const reading = readMail(mail(order('3 Paletten').replace('14.01.2027', 'Freitag, 14.01.2027')), known)
    const { termin } = reading.orders[0]!.stops[0]!
    expect(termin!.dateFrom).toBe('2027-01-14')
    // A Thursday; the Friday beside it may be meant as well.
    expect(reading.contradictions).toMatchObject([
      {
        field: 'stops.termin',
        values: ['Freitag, 14.01.2027', { ...termin, dateFrom: '2027-01-15' }],
        paths: [null, 'orders.0.stops.0.termin'],
      },
    ])
    expect(reading.sure['orders.0.stops.0.termin']).toBe(false)
  })

  it('takes no amount without a currency for a price', () => {
    expect(readMail(mail(order('3 Paletten\nPreis: 480 netto')), known).orders[0]!.price).toBeNull()
    expect(readMail(mail(order('3 Paletten\nPreis: 480 EUR netto')), known).orders[0]!.price).toEqual({
      amountCents: 48_000,
      currency: 'EUR',
      vat: 'net',
    })
  })
})

describe('what was learned from a sender', () => {
  it('is read where a first line is a number, below a line that ends with a colon, and not in a signature', () => {
    const number = { field: 'customerOrderNumber', label: null, position: 'firstLine' } as const
    const numberOf = (text: string, rules: LearnedRule[]) =>
      readMail(mail(text), known, rules).orders[0]!.customerOrderNumber
    expect(numberOf(`ZX 81-4\n${lane('')}\n3 Paletten`, [number])).toBe('ZX 81-4')
    expect(numberOf(`Guten Tag 2,\n${lane('')}\n3 Paletten`, [number])).toBeNull()
    const label = { field: 'customerOrderNumber', label: 'Vorgang', position: null } as const
    expect(numberOf(`${lane('')}\n3 Paletten\nVorgang:\n  ZX 81-4`, [label])).toBe('ZX 81-4')
    expect(numberOf(`${lane('')}\n3 Paletten\nMit freundlichen Grüßen\nVorgang: ZX 81-4`, [label])).toBeNull()
  })

  it('wins over the general rules, and says so', () => {
    const text = `${lane('')}\n3 Paletten\nVorgang: ZX 81-4`
    expect(readMail(mail(text), known).orders[0]!.customerOrderNumber).toBeNull()
    const reading = readMail(mail(text), known, [{ label: 'Vorgang', position: null, field: 'customerOrderNumber' }])
    expect(reading.orders[0]!.customerOrderNumber).toBe('ZX 81-4')
    expect(reading.learned).toEqual(['orders.0.customerOrderNumber'])
    const [from, to] = reading.spans['orders.0.customerOrderNumber']!
    expect(text.slice(from, to)).toBe('ZX 81-4')
  })
})
