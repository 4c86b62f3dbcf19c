import { RefusedXml } from '../../kit/xml/refused-xml.ts'
import { beginsLikeXml } from '../../kit/xml/xml-text.ts'
import { all, allSaid, first, parseXml, said, type XmlElement } from '../../kit/xml/xml-tree.ts'
import { centsOf, dayOf, ibanOf } from '../../kit/xml/xml-values.ts'
import { RefusedStatement, type StatementRefusal } from './statement-refusal.rules.ts'

/** One movement on our account; of a batch whose parts are told, one of its parts. */
export interface ReadEntry {
  /** the bank's reference with day and amount, or all that it says where it gives none */
  identity: string
  /** the bank's reference is on no other entry of its statement */
  hasOwnReference: boolean
  bookingDate: string
  valueDate: string
  /** positive came in, negative went out */
  amountCents: number
  partnerName: string | null
  partnerIban: string | null
  remittance: string
  endToEndId: string | null
  /** of the file that ordered it: its message, or the batch in it */
  messageId: string | null
  /** code and words of the bank for what it sent back */
  returnReason: string | null
}

export interface ReadStatement {
  iban: string
  number: string | null
  fromDate: string | null
  toDate: string | null
  openingCents: number | null
  closingCents: number | null
  /** announced and not booked: left out */
  pendingCount: number
  entries: ReadEntry[]
}

// .02 of 2009 and .08 of 2019 are what banks send; what lies between them differs in nothing that is read.
const NAMESPACE = /^urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.\d\d$/
/** A file holds no more entries, those of batches counted one by one. */
const MOST_ENTRIES = 5_000
// An entry of .08 has 30 to 60, and 150 with all that it can say.
const MAX_ELEMENTS = 800_000
const LENGTHS = { name: 140, remittance: 2000, id: 35, reason: 140, number: 40 } as const
// What banks write where there is nothing to say.
const SAYS_NOTHING = /^(?:NON-?REF|NOT ?PROVIDED|NONE|UNKNOWN|0+)$/i

const noticed = { rounded: false }
const meant = (text: string | null): string | null => (text === null || SAYS_NOTHING.test(text) ? null : text)
const cut = (text: string | null, max: number): string | null => text?.replace(/\s+/g, ' ').slice(0, max) ?? null
const refuse = (code: StatementRefusal): never => {
  throw new RefusedStatement(code)
}

/** An amount in euros with its sign: `CRDT` came in. */
function signedCents(amount: XmlElement | undefined, direction: string | null): number {
  if (amount !== undefined && amount.attributes.Ccy !== 'EUR') refuse('statement_not_euro')
  const cents = centsOf(amount?.text.trim() || null, noticed)
  if (cents === null || cents < 0 || (direction !== 'CRDT' && direction !== 'DBIT'))
    return refuse('statement_incomplete')
  return direction === 'CRDT' ? cents : -cents
}

/** Since .08 a party stands within `Pty`, its date and time within a choice. */
const partyName = (parties: XmlElement | undefined, role: string): string | null =>
  said(parties, role, 'Pty', 'Nm') ?? said(parties, role, 'Nm') ?? said(parties, role, 'Agt', 'FinInstnId', 'Nm')
const dateOf = (date: XmlElement | undefined): string | null => dayOf(said(date, 'Dt') ?? said(date, 'DtTm'))

interface Party {
  name: string | null
  iban: string | null
}

/** Who is at the other end: of what came back, who the money had gone to. */
function partnerOf(details: XmlElement | undefined, isIncoming: boolean, ours: string): Party {
  const parties = first(details, 'RltdPties')
  const of = (role: 'Dbtr' | 'Cdtr'): Party => ({
    name: partyName(parties, role) ?? partyName(parties, `Ultmt${role}`),
    iban: ibanOf(said(parties, `${role}Acct`, 'Id', 'IBAN') ?? said(parties, `${role}Acct`, 'Id', 'Othr', 'Id')),
  })
  const [expected, other] = isIncoming ? [of('Dbtr'), of('Cdtr')] : [of('Cdtr'), of('Dbtr')]
  return expected.iban === ours || (expected.name === null && expected.iban === null && other.iban !== ours)
    ? other
    : expected
}

const remittanceOf = (details: XmlElement | undefined): string[] => {
  const info = first(details, 'RmtInf')
  return [
    ...allSaid(info, 'Ustrd'),
    ...allSaid(info, 'Strd', 'RfrdDocInf', 'Nb'),
    ...allSaid(info, 'Strd', 'CdtrRefInf', 'Ref'),
    ...allSaid(info, 'Strd', 'AddtlRmtInf'),
  ]
}

function returnReasonOf(details: XmlElement | undefined): string | null {
  const info = first(details, 'RtrInf')
  if (info === undefined) return null
  const words = [said(info, 'Rsn', 'Cd') ?? said(info, 'Rsn', 'Prtry'), ...allSaid(info, 'AddtlInf')].filter(
    (part) => part !== null,
  )
  return words.length === 0 ? 'RTR' : words.join(', ')
}

type Movement = Omit<ReadEntry, 'identity' | 'hasOwnReference'> & { reference: string | null }

/** What an entry comes to: its parts where the bank tells all of them with amounts that add up, else itself. */
function movementsOf(entry: XmlElement, ours: string): Movement[] {
  const direction = said(entry, 'CdtDbtInd')
  const whole = signedCents(first(entry, 'Amt'), direction)
  const bookingDate = dateOf(first(entry, 'BookgDt')) ?? dateOf(first(entry, 'ValDt'))
  if (bookingDate === null) return refuse('statement_incomplete')
  const valueDate = dateOf(first(entry, 'ValDt')) ?? bookingDate
  const reference = meant(said(entry, 'AcctSvcrRef'))
  const batch = first(entry, 'NtryDtls', 'Btch')
  const parts = all(entry, 'NtryDtls', 'TxDtls')
  const describe = (
    details: readonly (XmlElement | undefined)[],
    amountCents: number,
    reference: string | null,
  ): Movement => {
    const [one] = details
    const ids = (name: string) =>
      details.map((each) => meant(said(each, 'Refs', name))).find((id) => id !== null) ?? null
    const partner = details.length === 1 ? partnerOf(one, amountCents > 0, ours) : { name: null, iban: null }
    const texts = details.flatMap(remittanceOf)
    return {
      reference,
      bookingDate,
      valueDate,
      amountCents,
      partnerName: cut(partner.name, LENGTHS.name),
      partnerIban: partner.iban,
      remittance: cut((texts.length > 0 ? texts : allSaid(entry, 'AddtlNtryInf')).join(' '), LENGTHS.remittance) ?? '',
      endToEndId: details.length === 1 ? cut(ids('EndToEndId'), LENGTHS.id) : null,
      messageId: cut(
        ids('PmtInfId') ?? ids('MsgId') ?? meant(said(batch, 'PmtInfId')) ?? meant(said(batch, 'MsgId')),
        LENGTHS.id,
      ),
      returnReason: cut(details.map(returnReasonOf).find((reason) => reason !== null) ?? null, LENGTHS.reason),
    }
  }
  if (whole === 0) return []
  if (parts.length <= 1) return [describe([parts[0]], whole, reference)]
  const amounts = parts.map((part) => first(part, 'Amt') ?? first(part, 'AmtDtls', 'TxAmt', 'Amt'))
  const isTold = amounts.every((amount) => amount?.attributes.Ccy === 'EUR')
  const signed = isTold
    ? parts.map((part, index) => signedCents(amounts[index], said(part, 'CdtDbtInd') ?? direction))
    : []
  if (!isTold || signed.includes(0) || signed.reduce((sum, cents) => sum + cents, 0) !== whole)
    return [describe(parts, whole, reference)]
  return parts.map((part, index) => {
    const own = meant(said(part, 'Refs', 'AcctSvcrRef'))
    const place = own ?? (reference === null ? null : String(index + 1))
    return describe([part], signed[index]!, place === null ? null : `${reference ?? ''}/${place}`)
  })
}

/**
 * What entries are known by: the bank's reference with day and amount, for some banks give one reference to several;
 * without it all that an entry says. What is the same twice has one identity, and is counted where it is stored.
 */
function identified(movements: readonly Movement[]): ReadEntry[] {
  const ofReference = Map.groupBy(movements, ({ reference }) => reference)
  return movements.map(({ reference, ...entry }) => {
    const { bookingDate, amountCents } = entry
    const fields = reference === null ? entry : { reference, bookingDate, amountCents }
    const hasOwnReference = reference !== null && ofReference.get(reference)!.length === 1
    return { ...entry, hasOwnReference, identity: JSON.stringify(fields, Object.keys(fields).sort()) }
  })
}

/** A balance by its code; of several days the first opening and the last closing. */
function balanceOf(statement: XmlElement, codes: readonly string[], which: 0 | -1): number | null {
  const found = all(statement, 'Bal').filter((balance) => codes.includes(said(balance, 'Tp', 'CdOrPrtry', 'Cd') ?? ''))
  const balance = found.at(which)
  return balance === undefined ? null : signedCents(first(balance, 'Amt'), said(balance, 'CdtDbtInd'))
}

/** `BOOK` is booked; what is pending or only informs comes again once it is. In .02 the code stands bare. */
const isBooked = (entry: XmlElement): boolean =>
  (said(entry, 'Sts', 'Cd') ?? said(entry, 'Sts', 'Prtry') ?? said(entry, 'Sts')) === 'BOOK'

/**
 * Reads the statements of a camt.053 file as it streams: an entry is dropped once it has been read. Time and memory are
 * limited by the process that this runs in. Throws `RefusedStatement`.
 */
export function parseCamt(bytes: Uint8Array): ReadStatement[] {
  if (!beginsLikeXml(bytes)) refuse('statement_unknown')
  const read = new Map<XmlElement, { movements: Movement[]; pending: number }>()
  let count = 0
  try {
    const root = parseXml(bytes, {
      maxElements: MAX_ELEMENTS,
      take(element, parent) {
        if (element.name !== 'Ntry' || parent.name !== 'Stmt') return false
        if (!NAMESPACE.test(element.namespace)) refuse('statement_unknown')
        const known = read.get(parent) ?? { movements: [], pending: 0 }
        read.set(parent, known)
        if (isBooked(element)) {
          const movements = movementsOf(element, ibanOf(said(parent, 'Acct', 'Id', 'IBAN')) ?? '')
          count += movements.length
          if (count > MOST_ENTRIES) refuse('statement_too_heavy')
          known.movements.push(...movements)
        } else known.pending += 1
        return true
      },
    })
    const statements = all(root, 'BkToCstmrStmt', 'Stmt')
    if (root.name !== 'Document' || !NAMESPACE.test(root.namespace) || statements.length === 0)
      refuse('statement_unknown')
    return statements.map((statement): ReadStatement => {
      const currency = said(statement, 'Acct', 'Ccy')
      if (currency !== null && currency !== 'EUR') refuse('statement_not_euro')
      const { movements, pending } = read.get(statement) ?? { movements: [], pending: 0 }
      return {
        iban: ibanOf(said(statement, 'Acct', 'Id', 'IBAN')) ?? refuse('statement_incomplete'),
        number: cut(
          said(statement, 'LglSeqNb') ?? said(statement, 'ElctrncSeqNb') ?? said(statement, 'Id'),
          LENGTHS.number,
        ),
        fromDate: dayOf(said(statement, 'FrToDt', 'FrDtTm')),
        toDate: dayOf(said(statement, 'FrToDt', 'ToDtTm')),
        openingCents: balanceOf(statement, ['OPBD', 'PRCD'], 0),
        closingCents: balanceOf(statement, ['CLBD'], -1),
        pendingCount: pending,
        entries: identified(movements),
      }
    })
  } catch (error) {
    if (error instanceof RefusedXml) refuse(`statement_${error.code}`)
    throw error
  }
}
