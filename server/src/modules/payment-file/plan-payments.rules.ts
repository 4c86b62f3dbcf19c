/** An invoice or, with a negative total, a credit note of one carrier. */
interface Payable {
  id: number
  /** as the remittance text names it, in the characters of SEPA */
  reference: string
  iban: string | null
  totalCents: number
}

interface Planned<Item> {
  iban: string
  amountCents: number
  remittance: string
  items: Item[]
}

/** As much as the remittance text of a payment holds (EPC115-06). */
const MOST_CHARACTERS = 140
/** The most that one SEPA payment may be: 999,999,999.99 €. */
export const MOST_CENTS = 99_999_999_999

const textOf = (items: readonly Payable[]): string => items.map(({ reference }) => reference).join(', ')
const sumOf = (items: readonly Payable[]): number => items.reduce((sum, { totalCents }) => sum + totalCents, 0)
const fits = (items: readonly Payable[]): boolean =>
  textOf(items).length <= MOST_CHARACTERS && sumOf(items) <= MOST_CENTS
const ibanOf = (items: readonly Payable[]): string => items.find(({ totalCents }) => totalCents > 0)!.iban!

/**
 * The payments to one carrier. Credit notes are set off against its invoices, the largest first, and never leave a
 * payment of nothing or less; what cannot be set off is `left`. The invoices of an account are one payment where
 * `combine` says so, as many as the remittance text can name; else each is its own, but for those that a credit note
 * needs.
 */
export function planPayments<Item extends Payable>(
  given: readonly Item[],
  { combine }: { combine: boolean },
): { payments: Planned<Item>[]; left: Item[] } {
  const credits = given.filter(({ totalCents }) => totalCents < 0).toSorted((a, b) => a.totalCents - b.totalCents)
  const open = new Set(given.filter(({ totalCents }) => totalCents > 0))
  const chunks: Item[][] = []
  const left: Item[] = []
  for (const credit of credits) {
    const room = chunks.find((chunk) => sumOf(chunk) + credit.totalCents > 0 && fits([...chunk, credit]))
    if (room) {
      room.push(credit)
      continue
    }
    const made = coverFor(credit, [...open])
    if (made === null) left.push(credit)
    else {
      chunks.push([...made, credit])
      for (const item of made) open.delete(item)
    }
  }
  for (const item of given.filter((one) => open.has(one))) {
    const room = combine ? chunks.find((chunk) => ibanOf(chunk) === item.iban && fits([...chunk, item])) : undefined
    if (room) room.push(item)
    else chunks.push([item])
  }
  const payments = chunks.map((chunk) => {
    // As they were given: by due date.
    const items = given.filter((item) => chunk.includes(item))
    return { iban: ibanOf(chunk), amountCents: sumOf(items), remittance: textOf(items), items }
  })
  return { payments, left }
}

/**
 * What of a carrier is not paid because it owes us: the credit notes that cannot be set off, and invoices that come to
 * as much, so that nobody pays a carrier that is to pay us. As little as may be is held back.
 */
export function heldByCredits<Item extends Payable>(given: readonly Item[]): Item[] {
  const { payments, left } = planPayments(given, { combine: false })
  const held = [...left]
  let owedCents = -sumOf(left)
  const open = payments.toSorted((a, b) => a.amountCents - b.amountCents)
  while (owedCents > 0 && open.length > 0) {
    const enough = open.findIndex(({ amountCents }) => amountCents >= owedCents)
    const [payment] = open.splice(enough, 1)
    held.push(...payment!.items)
    owedCents -= payment!.amountCents
  }
  return held
}

/**
 * What of one carrier can be closed without a payment: everything where it comes to nothing, else each credit note with
 * the first invoice of the same amount.
 */
export function setOffsOf<Item extends Pick<Payable, 'id' | 'totalCents'>>(given: readonly Item[]): Item[][] {
  const credits = given.filter(({ totalCents }) => totalCents < 0)
  if (credits.length === 0) return []
  if (given.reduce((sum, { totalCents }) => sum + totalCents, 0) === 0) return [[...given]]
  const open = given.filter(({ totalCents }) => totalCents > 0)
  return credits.flatMap((credit) => {
    const at = open.findIndex(({ totalCents }) => totalCents === -credit.totalCents)
    return at < 0 ? [] : [[...open.splice(at, 1), credit]]
  })
}

/** The fewest invoices of one account that come to more than a credit note; null where they do not. */
function coverFor<Item extends Payable>(credit: Item, open: readonly Item[]): Item[] | null {
  const accounts = Map.groupBy(open, ({ iban }) => iban)
  const candidates = [...accounts.values()].flatMap((items) => {
    const cover: Item[] = []
    for (const item of items.toSorted((a, b) => b.totalCents - a.totalCents)) {
      cover.push(item)
      if (sumOf(cover) + credit.totalCents > 0) return fits([...cover, credit]) ? [cover] : []
    }
    return []
  })
  return candidates.toSorted((a, b) => a.length - b.length)[0] ?? null
}
