import { fold } from '@waybill/contract/kit/text'

/*
 * Compares readings with what the mails say (README.md beside it): each value that a truth states is right, wrong or
 * missing; a value where the truth is silent is invented; a sure one that is not right is sure but wrong.
 */

export interface Row {
  mail: string
  field: string
  status: 'right' | 'wrong' | 'missing' | 'invented'
  isSureWrong: boolean
  isSure: boolean
  truth: unknown
  got: unknown
}

// Truths are written by hand: sparse, and with alternatives.
type Loose = any

const words = (value: unknown): string =>
  fold(String(value))
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
const alnum = (value: unknown): string => fold(String(value)).replace(/[^a-z0-9]/g, '')
const LEGAL =
  /\b(?:gmbh|ag|kg|ohg|se|co|sp|z|o|oo|sa|spa|srl|sro|bv|nv|ab|as|aps|ltd|limited|kft|eg|sarl|sl|s|l|p|r|a)\b/g
const company = (value: unknown): string =>
  words(String(value).replace(/[.&]/g, '')).replace(LEGAL, '').replace(/\s+/g, ' ').trim()
const street = (value: unknown): string =>
  alnum(
    String(value)
      .replace(/^ul\.\s*/i, '')
      .replace(/str(?:aße|asse|\.)/gi, 'str'),
  )
const postal = (value: unknown): string => alnum(String(value).replace(/^[A-Z]{1,2}-/, ''))
const person = (value: unknown): string =>
  words(
    String(value)
      .replace(/^(?:Herr|Frau|Hr\.|Pan|Pani|Mr\.?|Mrs\.?|M\.|Dr\.)\s+/g, '')
      .replace(/^Dr\.\s*/, ''),
  )
const phone = (value: unknown): string => String(value).replace(/\(0\)/g, '').replace(/\D/g, '').replace(/^0+/, '')
type Same = (truth: unknown, got: unknown) => boolean
const by =
  (normal: (value: unknown) => string): Same =>
  (truth, got) =>
    normal(truth) === normal(got)
const exact: Same = (truth, got) => String(truth) === String(got)
const near =
  (most: number): Same =>
  (truth, got) =>
    Math.abs(Number(truth) - Number(got)) <= most

const PARTY = {
  title: by(company),
  email: exact,
  vatNumber: by(alnum),
  address: by(street),
  postal: by(postal),
  city: by(alnum),
  countryCode: exact,
}
const STOP = {
  action: exact,
  companyTitle: by(company),
  address: by(street),
  postal: by(postal),
  city: by(alnum),
  countryCode: exact,
  contactPerson: by(person),
  phone: by(phone),
  reference: by(alnum),
}
const TERMIN = { kind: exact, dateFrom: exact, timeFrom: exact, dateTo: exact, timeTo: exact }
const CARGO = {
  unit: exact,
  quantity: near(0),
  packages: near(0),
  lengthCm: near(0.05),
  widthCm: near(0.05),
  heightCm: near(0.05),
  weightKg: near(0.5),
  ldm: near(0.05),
  volumeM3: near(0.05),
  valueEur: near(0.5),
  stackable: exact,
  temperatureFrom: near(0),
  temperatureTo: near(0),
  from: near(0),
  to: near(0),
}
const ORDER = {
  customerOrderNumber: by(alnum),
  contactPerson: by(person),
  paymentPeriodDays: near(0),
  vehicle: exact,
  isLiftRequired: exact,
  isTransshipmentForbidden: exact,
}
const WORKED_OUT = new Set(['cargo.ldm', 'cargo.volumeM3', 'price.vat'])

const optionsOf = (truth: Loose): Loose[] => (Array.isArray(truth?.anyOf) ? truth.anyOf : [truth])
const isNothing = (value: unknown): boolean => value === null || value === undefined || value === ''

/** All values of one mail, compared. */
function scoreMail(mail: string, truth: Loose, reading: Loose): Row[] {
  const rows: Row[] = []
  const isSure = (path: string | null): boolean => {
    for (let at = path ?? ''; at !== ''; at = at.includes('.') ? at.slice(0, at.lastIndexOf('.')) : '')
      if (typeof reading.sure[at] === 'boolean') return reading.sure[at]
    return false
  }
  const add = (field: string, status: Row['status'], path: string | null, truth: unknown, got: unknown) => {
    const sure = status !== 'missing' && isSure(path)
    rows.push({ mail, field, status, isSure: sure, isSureWrong: sure && status !== 'right', truth, got })
  }
  const value = (field: string, truth: Loose, got: unknown, path: string | null, same: Same) => {
    const options = optionsOf(truth)
    if (isNothing(got)) {
      if (!options.some(isNothing)) add(field, 'missing', path, truth, got)
    } else if (options.every(isNothing)) {
      if (!WORKED_OUT.has(field)) add(field, 'invented', path, null, got)
    } else add(field, options.some((one) => !isNothing(one) && same(one, got)) ? 'right' : 'wrong', path, truth, got)
  }
  const all = (prefix: string, fields: Record<string, Same>, truth: Loose, got: Loose, path: string | null) => {
    for (const [key, same] of Object.entries(fields))
      value(`${prefix}.${key}`, truth?.[key] ?? null, got?.[key] ?? null, path === null ? null : `${path}.${key}`, same)
  }
  /** The likeliest partner of each, most agreeing values first. */
  const pair = (truths: Loose[], got: Loose[], keys: readonly string[]): (number | null)[] => {
    const scores = truths.flatMap((one, at) =>
      got.map((other, index) => ({
        at,
        index,
        score: keys.filter(
          (key) => !isNothing(other[key]) && optionsOf(one[key]).some((option) => alnum(option) === alnum(other[key])),
        ).length,
      })),
    )
    const result: (number | null)[] = truths.map(() => null)
    for (const { at, index, score } of scores.toSorted(
      (one, other) => other.score - one.score || one.at - other.at || one.index - other.index,
    ))
      if (score > 0 && result[at] === null && !result.includes(index)) result[at] = index
    return result
  }
  const extra = (field: string, path: string, got: Loose[], pairs: (number | null)[]) =>
    got.forEach((_, index) => {
      if (!pairs.includes(index)) add(field, 'invented', `${path}.${index}`, null, index)
    })

  value('kind', truth.kind, reading.kind, 'kind', exact)
  value('language', truth.language, reading.language, 'language', exact)
  const orders = pair(truth.orders, reading.orders, [
    'customerOrderNumber',
    'vehicle',
    'paymentPeriodDays',
    'contactPerson',
  ])
  truth.orders.forEach((order: Loose, at: number) => {
    const index = orders[at] ?? null
    const got = index === null ? null : reading.orders[index]
    const path = index === null ? null : `orders.${index}`
    const below = (key: string) => (path === null ? null : `${path}.${key}`)
    all('order', ORDER, order, got, path)
    all('customer', PARTY, order.customer, got?.customer, below('customer'))
    all('billing', PARTY, order.billingCustomer, got?.billingCustomer, below('billingCustomer'))
    all('price', { amountCents: near(0), currency: exact, vat: exact }, order.price, got?.price, below('price'))
    const equipment: string[] = got?.equipment ?? []
    for (const one of order.equipment)
      add('equipment', equipment.includes(one) ? 'right' : 'missing', below('equipment'), one, equipment)
    for (const [nth, one] of equipment.entries())
      if (!order.equipment.includes(one)) add('equipment', 'invented', below(`equipment.${nth}`), null, one)
    const stops = pair(order.stops, got?.stops ?? [], ['postal', 'city', 'companyTitle', 'address', 'action'])
    order.stops.forEach((stop: Loose, nth: number) => {
      const other = stops[nth] ?? null
      const gotStop = other === null ? null : got.stops[other]
      const stopPath = other === null ? null : `${path}.stops.${other}`
      all('stop', STOP, stop, gotStop, stopPath)
      all('termin', TERMIN, stop.termin, gotStop?.termin, stopPath === null ? null : `${stopPath}.termin`)
    })
    if (got !== null) extra('stop', `${path}.stops`, got.stops, stops)
    const cargo = pair(order.cargo, got?.cargo ?? [], ['quantity', 'weightKg', 'unit', 'lengthCm'])
    order.cargo.forEach((line: Loose, nth: number) => {
      const other = cargo[nth] ?? null
      const gotLine = other === null ? null : got.cargo[other]
      const linePath = other === null ? null : `${path}.cargo.${other}`
      all('cargo', CARGO, line, gotLine, linePath)
      all(
        'adr',
        { unNumber: exact, adrClass: exact },
        line.adr,
        gotLine?.adr,
        linePath === null ? null : `${linePath}.adr`,
      )
    })
    if (got !== null) extra('cargo', `${path}.cargo`, got.cargo, cargo)
  })
  extra('order', 'orders', reading.orders, orders)
  const keyOf = ({ reference, field, of }: Loose) => ({ key: `${alnum(reference)} ${field}`, of: of ?? null })
  const changes = pair(truth.changes.map(keyOf), reading.changes.map(keyOf), ['key', 'of'])
  truth.changes.forEach((change: Loose, at: number) => {
    const index = changes[at] ?? null
    const got = index === null ? null : reading.changes[index]
    const path = index === null ? null : `changes.${index}`
    const to = path === null ? null : `${path}.to`
    if (!isNothing(change.of)) value('change.of', change.of, got?.of, path, by(alnum))
    if (change.field === 'stop.added') {
      all('added', STOP, change.to, got?.to, to)
      all('added', TERMIN, change.to.termin, got?.to.termin, to === null ? null : `${to}.termin`)
    } else if (change.field === 'cargo.added') all('added', CARGO, change.to, got?.to, to)
    else {
      const same: Same = (one, other) =>
        typeof one === 'object'
          ? Object.keys(TERMIN).every((key) => (one as Loose)[key] === (other as Loose)?.[key])
          : exact(one, other)
      value(`change.${change.field}`, change.to, got?.to ?? null, to, same)
    }
  })
  extra('change', 'changes', reading.changes, changes)
  for (const one of truth.contradictions ?? [])
    add(
      'contradiction',
      reading.contradictions.some((other: Loose) => other.field === one.field) ? 'right' : 'missing',
      null,
      one.field,
      null,
    )
  return rows
}

interface Scored {
  name: string
  truth: unknown
  reading: unknown
}

export const scoreMails = (mails: readonly Scored[]): Row[] =>
  mails.flatMap(({ name, truth, reading }) => scoreMail(name, truth, reading))

export interface Tally {
  stated: number
  right: number
  wrong: number
  missing: number
  invented: number
  sure: number
  sureWrong: number
}

export function tally(rows: readonly Row[]): Tally {
  const count = (status: Row['status']) => rows.filter((row) => row.status === status).length
  const invented = count('invented')
  return {
    stated: rows.length - invented,
    right: count('right'),
    wrong: count('wrong'),
    missing: count('missing'),
    invented,
    sure: rows.filter(({ isSure }) => isSure).length,
    sureWrong: rows.filter(({ isSureWrong }) => isSureWrong).length,
  }
}

/** A table by field and in all; with each value that is not right, if asked. */
export function tableOf(rows: readonly Row[], { isWrongShown }: { isWrongShown: boolean }): string {
  const line = (label: string, { stated, right, wrong, missing, invented, sure, sureWrong }: Tally) =>
    [
      label.padEnd(32),
      ...[stated, right, wrong, missing, invented, sure, sureWrong].map((figure) => String(figure).padStart(10)),
      stated === 0 ? '' : `${((100 * right) / stated).toFixed(1).padStart(8)} %`,
    ].join('')
  const fields = [...new Set(rows.map(({ field }) => field))].sort()
  const names = ['stated', 'right', 'wrong', 'missing', 'invented', 'sure', 'sure&wrong']
  return [
    `${'field'.padEnd(32)}${names.map((name) => name.padStart(10)).join('')}`,
    ...fields.map((field) => line(field, tally(rows.filter((row) => row.field === field)))),
    line('all', tally(rows)),
    ...(isWrongShown
      ? rows
          .filter(({ status }) => status !== 'right')
          .map(({ mail, field, status, isSureWrong, truth, got }) =>
            [mail, status, isSureWrong ? 'SURE' : '', field, JSON.stringify(truth), JSON.stringify(got)].join('  '),
          )
      : []),
  ].join('\n')
}
