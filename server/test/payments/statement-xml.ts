/** A bank statement as a bank writes it; what is left out is not told. */
export interface WrittenEntry {
  /** positive came in, negative went out */
  cents: number
  date?: string
  valueDate?: string
  reference?: string | null
  remittance?: string | readonly string[]
  name?: string
  iban?: string | null
  endToEndId?: string
  messageId?: string
  paymentInformationId?: string
  returnCode?: string
  isPending?: boolean
  /** a batch: the parts it is made of, whose amounts are told unless `isUntold` */
  parts?: readonly WrittenEntry[]
  isUntold?: boolean
}

interface Written {
  iban: string
  entries: readonly WrittenEntry[]
  version?: '02' | '08'
  number?: string
  date?: string
  currency?: string
  openingCents?: number
  /** the bank says neither balances nor days, as it must not */
  isBare?: boolean
}

const escape = (text: string): string =>
  text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign]!)
const el = (name: string, inner: string, attributes = ''): string => `<${name}${attributes}>${inner}</${name}>`
const given = (name: string, text: string | null | undefined): string =>
  text === undefined || text === null ? '' : el(name, escape(text))
const amount = (cents: number): string =>
  `${String(Math.trunc(Math.abs(cents) / 100))}.${String(Math.abs(cents) % 100).padStart(2, '0')}`
const money = (cents: number, currency = 'EUR'): string => el('Amt', amount(cents), ` Ccy="${currency}"`)
const direction = (cents: number): string => el('CdtDbtInd', cents < 0 ? 'DBIT' : 'CRDT')

function details(entry: WrittenEntry, version: '02' | '08', isPart: boolean, isUntold: boolean): string {
  const role = entry.cents < 0 !== (entry.returnCode !== undefined) ? 'Cdtr' : 'Dbtr'
  const name = given('Nm', entry.name)
  const isToldSo = isPart && !isUntold
  return el(
    'TxDtls',
    [
      el(
        'Refs',
        given('MsgId', entry.messageId) +
          (isPart ? given('AcctSvcrRef', entry.reference) : '') +
          given('PmtInfId', entry.paymentInformationId) +
          given('EndToEndId', entry.endToEndId ?? 'NOTPROVIDED'),
      ),
      isToldSo && version === '08' ? money(entry.cents) + direction(entry.cents) : '',
      isToldSo && version === '02' ? el('AmtDtls', el('TxAmt', money(entry.cents))) : '',
      entry.name === undefined && !entry.iban
        ? ''
        : el(
            'RltdPties',
            (name === '' ? '' : el(role, version === '08' ? el('Pty', name) : name)) +
              (entry.iban ? el(`${role}Acct`, el('Id', el('IBAN', entry.iban))) : ''),
          ),
      entry.remittance === undefined
        ? ''
        : el(
            'RmtInf',
            [entry.remittance]
              .flat()
              .map((text) => given('Ustrd', text))
              .join(''),
          ),
      entry.returnCode === undefined ? '' : el('RtrInf', el('Rsn', el('Cd', entry.returnCode))),
    ].join(''),
  )
}

const DATE = '2026-11-23'

function entryXml(entry: WrittenEntry, version: '02' | '08', currency: string): string {
  const status = entry.isPending ? 'PDNG' : 'BOOK'
  const date = entry.date ?? DATE
  return el(
    'Ntry',
    [
      money(entry.cents, currency),
      direction(entry.cents),
      el('Sts', version === '08' ? el('Cd', status) : status),
      el('BookgDt', el('Dt', date)),
      el('ValDt', el('Dt', entry.valueDate ?? date)),
      given('AcctSvcrRef', entry.reference),
      el('BkTxCd', el('Prtry', el('Cd', 'NTRF+166'))),
      el(
        'NtryDtls',
        entry.parts
          ? el('Btch', given('MsgId', entry.messageId) + el('NbOfTxs', String(entry.parts.length))) +
              entry.parts.map((part) => details(part, version, true, entry.isUntold ?? false)).join('')
          : details(entry, version, false, false),
      ),
    ].join(''),
  )
}

/** A statement with its balances, which fit its booked entries. */
export function statementXml({
  iban,
  entries,
  version = '08',
  number = '231',
  date = DATE,
  currency = 'EUR',
  openingCents = 1_000_000,
  isBare = false,
}: Written): string {
  const moved = entries.filter(({ isPending }) => !isPending).reduce((sum, { cents }) => sum + cents, 0)
  const balance = (code: string, cents: number) =>
    el(
      'Bal',
      el('Tp', el('CdOrPrtry', el('Cd', code))) + money(cents, currency) + direction(cents) + el('Dt', el('Dt', date)),
    )
  const statement = el(
    'Stmt',
    [
      el('Id', `STMT-${number}`),
      el('ElctrncSeqNb', number),
      el('CreDtTm', `${date}T06:00:00Z`),
      isBare ? '' : el('FrToDt', el('FrDtTm', `${date}T00:00:00Z`) + el('ToDtTm', `${date}T23:59:59Z`)),
      el('Acct', el('Id', el('IBAN', iban)) + el('Ccy', currency)),
      ...(isBare ? [] : [balance('OPBD', openingCents), balance('CLBD', openingCents + moved)]),
      ...entries.map((entry) => entryXml(entry, version, currency)),
    ].join(''),
  )
  const header = el('GrpHdr', el('MsgId', `MSG-${number}`) + el('CreDtTm', `${date}T06:00:00Z`))
  const namespace = ` xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"`
  const root = el('Document', el('BkToCstmrStmt', header + statement), namespace)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`
}
