import { createHash } from 'node:crypto'

/** How an entry is kept once for ever: what it is known by, and which of the same it is. */
export const entryKey = (identity: string, count: number): string =>
  createHash('sha256').update(`${identity}#${count}`).digest('hex')

/** What a statement says of its place among the others of its account. */
export interface Placed {
  sha256: string
  /** which statement of its file */
  position: number
  number: string | null
  fromDate: string | null
  toDate: string | null
  openingCents: number | null
  closingCents: number | null
}

const isOfOneFile = (one: Placed, other: Placed): boolean =>
  one.sha256 === other.sha256 &&
  one.position !== other.position &&
  one.number !== null &&
  other.number !== null &&
  one.number !== other.number

const isSame = (one: Placed, other: Placed): boolean =>
  one.openingCents === other.openingCents && one.closingCents === other.closingCents

/** One ends where the other begins, and no day says otherwise; what begins and ends alike may as well be a repeat. */
const isFollowedBy = (one: Placed, next: Placed): boolean =>
  one.closingCents !== null &&
  one.closingCents === next.openingCents &&
  one.openingCents !== one.closingCents &&
  next.openingCents !== next.closingCents &&
  (one.toDate === null || next.fromDate === null || one.toDate <= next.fromDate)

/**
 * The statements that hold no entry of this one for certain: those before and after it in the chain of balances, and
 * others of its file. Of all others an entry that is the same came again.
 */
export function apartFrom<Other extends Placed>(statement: Placed, others: readonly Other[]): Other[] {
  const apart = new Set(others.filter((other) => isOfOneFile(statement, other)))
  for (const isNext of [isFollowedBy, (one: Placed, other: Placed) => isFollowedBy(other, one)]) {
    const reached = new Set<Placed>([statement])
    for (const one of reached)
      for (const other of others)
        if (!reached.has(other) && !isSame(statement, other) && isNext(one, other)) {
          reached.add(other)
          apart.add(other)
        }
  }
  return [...apart]
}

const isBalanced = ({ openingCents, closingCents }: Placed): boolean => openingCents !== null && closingCents !== null

/** The bank gives both the same number and days: a file that was fetched again. */
const isNamedSame = (one: Placed, other: Placed): boolean =>
  one.number !== null && one.number === other.number && one.fromDate === other.fromDate && one.toDate === other.toDate

/**
 * Nothing tells whether these hold the same entries or others that look the same: one of them does not say its
 * balances, and they are not called the same.
 */
export const isUnsure = (one: Placed, other: Placed): boolean =>
  !(isBalanced(one) && isBalanced(other)) && !isNamedSame(one, other)
