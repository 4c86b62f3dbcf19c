import { needsBic } from '@waybill/contract/payment-file/sepa'
import { sepaText, type Umlauts } from './sepa-text.rules.ts'
import type { Debtor } from './payment-file.table.ts'

/** Who is paid, as the record says; written in full only where the bank lies outside the EEA. */
export interface Creditor {
  title: string
  address: string | null
  postal: string | null
  city: string | null
  countryCode: string
  iban: string
  bic: string | null
}

interface FilePayment {
  endToEndId: string
  amountCents: number
  remittance: string
  creditor: Creditor
}

interface FileData {
  messageId: string
  /** RFC 3339 */
  createdAt: string
  /** `YYYY-MM-DD` */
  executionDate: string
  debtor: Debtor
  payments: readonly FilePayment[]
  umlauts: Umlauts
}

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09'

// As long as the banks take them: shorter than the schema allows (EPC115-06).
const LENGTHS = { name: 70, street: 70, postal: 16, town: 35, remittance: 140 } as const

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
const escape = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign]!)

/** XML that was made here; plain text is none. */
interface Xml {
  readonly xml: string
}

/** An element with its text, or with what stands in it; what is null is left out. */
function el(name: string, content: string | readonly (Xml | null)[], attributes = ''): Xml {
  const inner =
    typeof content === 'string' ? escape(content) : content.map((one) => (one === null ? '' : one.xml)).join('')
  return { xml: `<${name}${attributes}>${inner}</${name}>` }
}

/** Integer cents as the file writes amounts: `1234.50`. */
const amountText = (cents: number): string => {
  const digits = String(cents).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** The country of an IBAN. */
export const countryOf = (iban: string): string => iban.slice(0, 2)

/** Structured, in the order of the schema; null without town and country, which every bank wants. */
function addressOf(
  { address, postal, city, countryCode }: Pick<Creditor, 'address' | 'postal' | 'city' | 'countryCode'>,
  umlauts: Umlauts,
): Xml | null {
  const part = (name: string, text: string | null, max: number) => {
    const written = sepaText(text ?? '', max, umlauts)
    return written === '' ? null : el(name, written)
  }
  const town = part('TwnNm', city, LENGTHS.town)
  if (town === null) return null
  return el('PstlAdr', [
    part('StrtNm', address, LENGTHS.street),
    part('PstCd', postal, LENGTHS.postal),
    town,
    el('Ctry', countryCode),
  ])
}

/** True where everything is there that a bank outside the EEA wants of a creditor's address. */
export const hasFullAddress = (creditor: Pick<Creditor, 'address' | 'postal' | 'city'>): boolean =>
  [creditor.address, creditor.postal, creditor.city].every((part) => sepaText(part ?? '', LENGTHS.town) !== '')

const nameOf = (title: string, umlauts: Umlauts): string => sepaText(title, LENGTHS.name, umlauts) || 'NOTPROVIDED'

const agent = (name: string, bic: string | null): Xml =>
  el(name, [el('FinInstnId', [bic === null ? el('Othr', [el('Id', 'NOTPROVIDED')]) : el('BICFI', bic)])])

function paymentOf({ endToEndId, amountCents, remittance, creditor }: FilePayment, umlauts: Umlauts): Xml {
  const isOutside = needsBic(countryOf(creditor.iban))
  return el('CdtTrfTxInf', [
    el('PmtId', [el('EndToEndId', endToEndId)]),
    el('Amt', [el('InstdAmt', amountText(amountCents), ' Ccy="EUR"')]),
    isOutside ? agent('CdtrAgt', creditor.bic) : null,
    el('Cdtr', [el('Nm', nameOf(creditor.title, umlauts)), isOutside ? addressOf(creditor, umlauts) : null]),
    el('CdtrAcct', [el('Id', [el('IBAN', creditor.iban)])]),
    el('RmtInf', [el('Ustrd', sepaText(remittance, LENGTHS.remittance, umlauts))]),
  ])
}

/**
 * A SEPA credit transfer initiation, pain.001.001.09: one debtor, one day, in UTF-8. Count and sum stand at both levels
 * and come from the same integer cents as the amounts.
 */
export function paymentFileXml({ messageId, createdAt, executionDate, debtor, payments, umlauts }: FileData): string {
  const count = String(payments.length)
  const sum = amountText(payments.reduce((cents, payment) => cents + payment.amountCents, 0))
  const debtorName = nameOf(debtor.title, umlauts)
  const isOutside = [debtor.iban, ...payments.map(({ creditor }) => creditor.iban)].some((iban) =>
    needsBic(countryOf(iban)),
  )
  const root = el(
    'Document',
    [
      el('CstmrCdtTrfInitn', [
        el('GrpHdr', [
          el('MsgId', messageId),
          el('CreDtTm', `${createdAt.slice(0, 19)}Z`),
          el('NbOfTxs', count),
          el('CtrlSum', sum),
          el('InitgPty', [el('Nm', debtorName)]),
        ]),
        el('PmtInf', [
          el('PmtInfId', `${messageId}-1`),
          el('PmtMtd', 'TRF'),
          el('NbOfTxs', count),
          el('CtrlSum', sum),
          el('PmtTpInf', [el('SvcLvl', [el('Cd', 'SEPA')])]),
          el('ReqdExctnDt', [el('Dt', executionDate)]),
          el('Dbtr', [el('Nm', debtorName), isOutside ? addressOf(debtor, umlauts) : null]),
          el('DbtrAcct', [el('Id', [el('IBAN', debtor.iban)]), el('Ccy', 'EUR')]),
          agent('DbtrAgt', needsBic(countryOf(debtor.iban)) ? debtor.bic : null),
          el('ChrgBr', 'SLEV'),
          ...payments.map((payment) => paymentOf(payment, umlauts)),
        ]),
      ]),
    ],
    ` xmlns="${NAMESPACE}"`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root.xml}\n`
}
