import type { MatchReason, Reason, Verdict } from '@waybill/contract/bank-statement/bank-statement'
import type { SkontoOffer } from '@waybill/contract/skonto/offers'
import { indexNumbers, type NumberIndex } from './named-numbers.rules.ts'

/** Money that came, as the bank tells it. */
export interface Incoming {
  id: number
  valueDate: string
  amountCents: number
  partnerName: string | null
  partnerIban: string | null
  remittance: string
  endToEndId: string | null
  /** the statement with an entry that says the same, where nothing tells whether both are one */
  resembles?: string | null
}

/** A customer's invoice; of one that is paid nothing is open. */
export interface Claim {
  id: number
  number: string
  customerId: number
  openCents: number
  /** none where Skonto was taken already */
  offers: readonly SkontoOffer[]
}

export interface Known {
  claims: readonly Claim[]
  /** the customers whom a person has known an account of, by IBAN */
  payers: ReadonlyMap<string, readonly number[]>
  customers: ReadonlyMap<number, string>
}

interface Share {
  invoiceId: number
  openCents: number
  amountCents: number
  skontoCents: number
}

export interface Match {
  verdict: Verdict
  reasons: Reason[]
  customerId: number | null
  shares: Share[]
}

/** Brute force over so many invoices of one payment. */
const MOST_COMBINED = 10
const LEAST_NAME = 4

const because = (code: MatchReason, text: string | null = null, cents: number | null = null): Reason => ({
  code,
  text,
  cents,
})

/** What may have come before is never certain: a person says whether it is another movement. */
export const doubted = <Found extends { verdict: Verdict; reasons: Reason[] }>(
  found: Found,
  { resembles = null }: Pick<Incoming, 'resembles'>,
): Found =>
  resembles === null
    ? found
    : {
        ...found,
        verdict: found.verdict === 'certain' ? 'likely' : found.verdict,
        reasons: [because('maybe_known', resembles), ...found.reasons],
      }

/** A firm's name as it is compared: without its legal form, which banks cut and payers abbreviate. */
const nameKey = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/ł/g, 'l')
    .replace(/[^a-z0-9]+/g, ' ')
    .replace(
      / (?:gmbh|ag|kg|ohg|co|mbh|ltd|limited|sp z o o|s a|sa|b v|bv|nv|s r o|a s|kft|srl|s r l|sas|sarl|ug)\b/g,
      '',
    )
    .trim()

interface Open extends Claim {
  left: number
}

/** The most that may be taken off by the value date; nothing of what an entry before has paid in part. */
const skontoBy = ({ offers, left, openCents }: Open, valueDate: string): number =>
  left < openCents ? 0 : Math.max(0, ...offers.filter(({ until }) => valueDate <= until).map((one) => one.amountCents))

const whole = (one: Open, skontoCents = 0): Share => ({
  invoiceId: one.id,
  openCents: one.left,
  amountCents: one.left - skontoCents,
  skontoCents,
})

const sumOf = (shares: readonly Share[]): number => shares.reduce((sum, { amountCents }) => sum + amountCents, 0)

/**
 * The shares that pay these invoices in full with just this amount, with or without the Skonto of each; null where none
 * do, or more than one way does. One invoice alone may also lack less than its Skonto.
 */
function fitting(invoices: readonly Open[], amountCents: number, valueDate: string): Share[] | null {
  const full = invoices.map((one) => whole(one))
  if (sumOf(full) === amountCents) return full
  const [first] = invoices
  if (invoices.length === 1 && first) {
    const missing = first.left - amountCents
    return missing > 0 && missing <= skontoBy(first, valueDate) ? [whole(first, missing)] : null
  }
  if (invoices.length > MOST_COMBINED) {
    const all = invoices.map((one) => whole(one, skontoBy(one, valueDate)))
    return sumOf(all) === amountCents ? all : null
  }
  const ways: Share[][] = []
  for (let mask = 1; mask < 1 << invoices.length; mask += 1) {
    const shares = invoices.map((one, index) => whole(one, mask & (1 << index) ? skontoBy(one, valueDate) : 0))
    const isNew = shares.every(({ skontoCents }, index) => !(mask & (1 << index)) || skontoCents > 0)
    if (isNew && sumOf(shares) === amountCents) ways.push(shares)
  }
  return ways.length === 1 ? ways[0]! : null
}

/** The one part of these invoices that an amount pays in full. */
function fittingPart(invoices: readonly Open[], amountCents: number, valueDate: string): Share[] | null {
  if (invoices.length < 2 || invoices.length > MOST_COMBINED) return null
  const ways: Share[][] = []
  for (let mask = 1; mask < (1 << invoices.length) - 1; mask += 1) {
    const shares = fitting(
      invoices.filter((_one, index) => mask & (1 << index)),
      amountCents,
      valueDate,
    )
    if (shares) ways.push(shares)
  }
  return ways.length === 1 ? ways[0]! : null
}

/** Invoices paid one after the other, the last one in part. */
function inOrder(invoices: readonly Open[], amountCents: number): Share[] {
  let left = amountCents
  return invoices.flatMap((one) => {
    const share = Math.min(left, one.left)
    left -= share
    return share > 0 ? [{ invoiceId: one.id, openCents: one.left, amountCents: share, skontoCents: 0 }] : []
  })
}

/** What is known beside the entries, as it is looked up. */
interface Books extends Known {
  open: ReadonlyMap<number, Open>
  ofCustomer: ReadonlyMap<number, readonly Open[]>
  byName: ReadonlyMap<string, readonly number[]>
  index: NumberIndex
}

interface Payer {
  /** customers who are known to pay from this account */
  known: readonly number[]
  /** the one customer of this name */
  named: number | null
}

const payerOf = ({ payers, byName }: Books, { partnerIban, partnerName }: Incoming): Payer => {
  const key = nameKey(partnerName ?? '')
  const named = key.length < LEAST_NAME ? [] : (byName.get(key) ?? [])
  return {
    known: partnerIban === null ? [] : (payers.get(partnerIban) ?? []),
    named: named.length === 1 ? named[0]! : null,
  }
}

const amountReason = (shares: readonly Share[]): Reason => {
  const skonto = shares.reduce((sum, { skontoCents }) => sum + skontoCents, 0)
  return skonto === 0 ? because('amount_fits') : because('amount_fits_skonto', null, skonto)
}

/** Invoices of one customer are named, so that nothing else can be meant. */
function byNumbers(books: Books, entry: Incoming, named: readonly Open[], payer: Payer): Match {
  const { customerId } = named[0]!
  const names = books.customers
  const reasons = [because('number_named', named.map(({ number }) => number).join(', '))]
  const isKnown = payer.known.includes(customerId)
  const isOther = payer.known.length > 0 && !isKnown
  if (isKnown) reasons.push(because('account_known', names.get(customerId) ?? null))
  if (isOther) reasons.push(because('foreign_account', payer.known.map((id) => names.get(id)).join(', ')))
  if (!isKnown && !isOther && payer.named === customerId)
    reasons.push(because('name_fits', names.get(customerId) ?? null))
  const found = (verdict: Verdict, shares: Share[], ...more: Reason[]): Match => ({
    verdict,
    reasons: [...reasons, ...more],
    customerId,
    shares,
  })

  const { amountCents, valueDate } = entry
  const fits = fitting(named, amountCents, valueDate)
  if (fits) return found(isOther ? 'likely' : 'certain', fits, amountReason(fits))
  const part = fittingPart(named, amountCents, valueDate)
  if (part) return found('likely', part, amountReason(part))
  const full = named.reduce((sum, { left }) => sum + left, 0)
  const shares = inOrder(named, amountCents)
  if (amountCents > full) return found('likely', shares, because('paid_too_much', null, amountCents - full))
  const others = (books.ofCustomer.get(customerId) ?? []).filter(
    (one) => one.left === amountCents && !named.includes(one),
  )
  const lacking = because('part_payment', null, full - amountCents)
  if (others.length > 0)
    return found('likely', shares, lacking, because('other_of_amount', others.map(({ number }) => number).join(', ')))
  return found(isKnown && named.length === 1 ? 'certain' : 'likely', shares, lacking)
}

/** Nothing is named for sure: the payer, the amount and what may be part of a number. */
function byPayer(books: Books, entry: Incoming, hints: readonly Open[], payer: Payer): Match {
  const { amountCents, valueDate } = entry
  const { known, named } = payer
  const customerId = known.length === 1 ? known[0]! : known.length === 0 ? named : null
  const reasons: Reason[] = []
  if (known.length > 1) reasons.push(because('shared_account', known.map((id) => books.customers.get(id)).join(', ')))
  else if (customerId !== null)
    reasons.push(because(known.length === 1 ? 'account_known' : 'name_fits', books.customers.get(customerId) ?? null))
  const found = (verdict: Verdict, shares: Share[], ...more: Reason[]): Match => ({
    verdict,
    reasons: [...reasons, ...more],
    customerId: customerId ?? (shares.length > 0 ? books.open.get(shares[0]!.invoiceId)!.customerId : null),
    shares,
  })

  const meant = hints.filter((one) => customerId === null || one.customerId === customerId)
  const ofHints = meant.flatMap((one) => {
    const shares = fitting([one], amountCents, valueDate)
    return shares ? [{ one, shares }] : []
  })
  if (ofHints.length === 1) {
    const [{ one, shares }] = ofHints as [(typeof ofHints)[number]]
    const isSure = known.length === 1 && customerId === one.customerId
    return found(isSure ? 'certain' : 'likely', shares, because('number_short', one.number), amountReason(shares))
  }
  if (customerId === null) return found('open', [], ...(reasons.length === 0 ? [because('nothing_found')] : []))

  const open = (books.ofCustomer.get(customerId) ?? []).filter(({ left }) => left > 0)
  const ofAmount = open.flatMap((one) => {
    const shares = fitting([one], amountCents, valueDate)
    return shares ? [shares] : []
  })
  if (ofAmount.length === 1) return found('likely', ofAmount[0]!, because('amount_only'), amountReason(ofAmount[0]!))
  const all = ofAmount.length === 0 && open.length > 1 ? fitting(open, amountCents, valueDate) : null
  if (all) return found('likely', all, because('amount_all_open'), amountReason(all))
  return found('open', [])
}

/** What one entry may pay of what the entries before it have left. */
function matchOf(books: Books, entry: Incoming): Match {
  const texts = [entry.remittance, entry.endToEndId ?? '']
  const hits = texts.flatMap((text) => books.index.namedIn(text))
  const all = [...new Map(hits.map(({ id }) => [id, books.open.get(id)!])).values()]
  const strongIds = new Set(hits.filter(({ isStrong }) => isStrong).map(({ id }) => id))
  const strong = all.filter(({ id }) => strongIds.has(id))
  const payable = strong.filter(({ left }) => left > 0)
  const payer = payerOf(books, entry)
  const numbers = (some: readonly Open[]) => some.map(({ number }) => number).join(', ')

  const gone = strong.filter(({ left }) => left === 0)
  const before = gone.filter(({ openCents }) => openCents > 0)
  const paid = gone.filter(({ openCents }) => openCents <= 0)
  const goneReasons = [
    ...(paid.length > 0 ? [because('already_paid', numbers(paid))] : []),
    ...(before.length > 0 ? [because('named_twice', numbers(before))] : []),
  ]
  const customers = new Set(payable.map(({ customerId }) => customerId))
  if (customers.size > 1)
    return {
      verdict: 'open',
      reasons: [because('number_named', numbers(payable)), because('several_customers'), ...goneReasons],
      customerId: null,
      shares: [],
    }
  if (customers.size === 1) {
    const match = byNumbers(books, entry, payable, payer)
    // Something that is paid is named too: a person looks whether it was meant.
    return goneReasons.length === 0
      ? match
      : { ...match, verdict: 'likely', reasons: [...match.reasons, ...goneReasons] }
  }
  if (gone.length > 0) {
    const owners = [...new Set(gone.map(({ customerId }) => customerId))]
    const [owner] = owners as [number]
    // A wrong number is no reason to book on the account of whose number it is.
    const isOwn =
      owners.length === 1 &&
      (payer.known.length === 0 || payer.known.includes(owner)) &&
      (payer.named === null || payer.named === owner)
    return { verdict: 'open', reasons: goneReasons, customerId: isOwn ? owner : null, shares: [] }
  }
  return byPayer(
    books,
    entry,
    all.filter(({ left }) => left > 0),
    payer,
  )
}

/**
 * What each entry pays, in the order of the bank: those that are certain first, so that nothing merely likely takes an
 * invoice from them. No invoice is paid twice by what is proposed.
 */
export function matchEntries(entries: readonly Incoming[], known: Known): Map<number, Match> {
  const open = new Map(
    known.claims.map((one): [number, Open] => [one.id, { ...one, left: Math.max(one.openCents, 0) }]),
  )
  const books: Books = {
    ...known,
    open,
    ofCustomer: Map.groupBy(open.values(), ({ customerId }) => customerId),
    byName: Map.groupBy(known.customers.keys(), (id) => nameKey(known.customers.get(id)!)),
    index: indexNumbers(known.claims),
  }
  const matches = new Map<number, Match>()
  const take = (entry: Incoming, match: Match) => {
    matches.set(entry.id, match)
    for (const { invoiceId, amountCents, skontoCents } of match.shares)
      open.get(invoiceId)!.left -= amountCents + skontoCents
  }
  for (const entry of entries) {
    const match = doubted(matchOf(books, entry), entry)
    if (match.verdict === 'certain') take(entry, match)
  }
  for (const entry of entries) if (!matches.has(entry.id)) take(entry, doubted(matchOf(books, entry), entry))
  return matches
}
