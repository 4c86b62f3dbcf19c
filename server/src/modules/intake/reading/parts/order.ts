import type { MailText, ReadContradiction, ReadTermin } from '@waybill/contract/intake/reading'
import { findEquipment, findLift, findNoTransshipment, findVehicle } from '../find/extras.ts'
import { codesInSubject } from '../find/references.ts'
import type { Day } from '../find/days.ts'
import { vatIn, type Money } from '../find/money.ts'
import type { Found } from '../find/found.ts'
import type { Towns } from '../find/places.ts'
import { cargoLines, readCargo, type CargoLine } from './cargo.ts'
import { readContact, readCustomer } from './customer.ts'
import { leaf, type DraftOrder, type Maybe } from './draft.ts'
import type { Findings } from './findings.ts'
import { findSites, stopOf } from './stops.ts'

/** What all orders of a mail have in common. */
export interface Setting {
  mail: MailText
  towns: Towns
  subject: Findings
  subjectAt: Found
  signature: Findings
  signatureAt: readonly Found[]
  sender: Found
  /** the number that a list or table gives this order */
  number: Maybe<string>
  /** lines of a table */
  rows: readonly CargoLine[]
}

export interface OrderReading {
  order: DraftOrder
  contradictions: (Omit<ReadContradiction, 'spans'> & { places: Found[] })[]
}

function bestPrice(money: readonly Money[]): Money | null {
  return money.find(({ use }) => use === 'price') ?? money.find(({ use }) => use === null) ?? null
}

/** A termin with another day in the place of one of its own; null where it has not this day. */
function withDay(termin: ReadTermin, { date, byWeekday }: Day): ReadTermin | null {
  const turned = (day: string | null) => (day === date ? byWeekday : day)
  const other = { ...termin, dateFrom: turned(termin.dateFrom), dateTo: turned(termin.dateTo) }
  return other.dateFrom === termin.dateFrom && other.dateTo === termin.dateTo ? null : other
}

/** One order from what its part of the mail holds. */
export function readOrder(found: Findings, setting: Setting): OrderReading {
  const { mail, towns, subject, subjectAt, signature, signatureAt, sender } = setting
  const sites = findSites(found, towns)
  const stopSites = sites.filter(({ role }) => role === 'pickUp' || role === 'dropOff' || role === 'customs')
  const stops: DraftOrder['stops'] = []
  for (const site of stopSites) stops.push(stopOf(found, site, stopSites, stops.at(-1)))
  mergeTwins(stops, stopSites)
  // A heading or the subject may be all that says where it goes.
  const others = sites
    .filter(({ role }) => role === 'billing' || role === 'customer')
    .flatMap(({ segments }) => segments)
  const lines = setting.rows.length > 0 ? setting.rows : cargoLines(found, others)
  const { cargo, contradiction } = readCargo(found, lines, stopSites, stops, others)
  const { customer, billing } = readCustomer(mail, found, sites, stops, signature, signatureAt, sender, towns)
  const price = bestPrice(found.money)
  const vat = price?.vat ?? vatOfAll(found, price)
  const all = found.low
  const subjectVehicle = findVehicle(all) ?? findVehicle(subject.low)
  const lift = findLift(all)
  const noTransshipment = findNoTransshipment(all)
  const period = found.periods[0] ?? signature.periods[0]
  const contradictions: OrderReading['contradictions'] = []
  if (contradiction !== null)
    contradictions.push({
      field: 'cargo.weightKg',
      values: [contradiction.parts, contradiction.total.kg],
      // Of several lines neither is the weight of one.
      paths: cargo.length === 1 ? ['cargo.0.weightKg', 'cargo.0.weightKg'] : [null, null],
      at: cargo.map((_, index) => `cargo.${index}.weightKg`),
      places: [contradiction.at, contradiction.total],
    })
  for (const [index, site] of stopSites.entries()) {
    if (site.place.isContradicted && site.place.postal !== null && stops[index] !== undefined)
      contradictions.push({
        field: 'stops.postal',
        values: [site.place.postal.value, site.place.city.value],
        paths: [`stops.${index}.postal`, `stops.${index}.city`],
        at: ['postal', 'city', 'countryCode'].map((field) => `stops.${index}.${field}`),
        places: [site.place.postal, site.place.city],
      })
    const day = found.days.find(
      (one) => one.isContradicted && site.segments.some(({ from, to }) => one.from >= from && one.from < to),
    )
    if (day === undefined) continue
    const termin = stops[index]?.termin?.value
    const other = termin === undefined ? null : withDay(termin, day)
    contradictions.push({
      field: 'stops.termin',
      values: [found.text.slice(day.from, day.to), ...(other === null ? [] : [other])],
      paths: [null, ...(other === null ? [] : [`stops.${index}.termin`])],
      at: [`stops.${index}.termin`],
      places: [day, ...(other === null ? [] : [day])],
    })
  }
  const order: DraftOrder = {
    customer,
    billingCustomer: billing,
    customerOrderNumber: setting.number ?? orderNumber(found, subject, subjectAt, stops),
    contactPerson: readContact(mail, found, signature, signatureAt, sender),
    stops,
    cargo,
    price:
      price === null
        ? null
        : {
            amountCents: leaf(price.cents, price, price.use === 'price'),
            currency: leaf(price.currency, price, price.use === 'price'),
            vat: vat === null ? null : leaf(vat, price),
          },
    paymentPeriodDays: period === undefined ? null : leaf(period.days, period),
    vehicle: subjectVehicle === null ? null : leaf(subjectVehicle.value, subjectVehicle),
    equipment: findEquipment(all).map((one) => leaf(one.value, one)),
    isLiftRequired: lift === null ? null : leaf(true, lift),
    isTransshipmentForbidden: noTransshipment === null ? null : leaf(true, noTransshipment),
  }
  return { order, contradictions }
}

/** `Alle Preise zzgl. MwSt.` counts for each. */
function vatOfAll(found: Findings, price: Money | null): Money['vat'] {
  if (price === null) return null
  const line = found.low.slice(price.from, price.from + 160).replace(/\n[\s\S]*$/, '')
  const near = vatIn(line.replace(/\bbrutto[^\n]{0,4}\d|\d[^\n]{0,4}brutto/g, ''))
  if (near !== null && near !== 'gross') return near
  const match = /(?:preise?|prices?|rates?|cen[ay]|stawki|fracht\w{0,3})[^\n]{0,40}/.exec(found.low)
  const general = match === null ? null : vatIn(match[0])
  return general === 'gross' ? null : general
}

/** The same place twice, as in a lane above and the addresses below, is one stop. */
function mergeTwins(stops: DraftOrder['stops'], sites: { segments: Found[] }[]): void {
  for (let index = stops.length - 1; index > 0; index -= 1) {
    const twin = stops.findIndex(
      (one, other) =>
        other < index &&
        one.action.value === stops[index]!.action.value &&
        one.city !== null &&
        stops[index]!.city?.value === one.city.value &&
        (one.postal === null ||
          stops[index]!.postal === null ||
          (one.postal.value === stops[index]!.postal!.value && one.address?.value === stops[index]!.address?.value)),
    )
    if (twin < 0) continue
    const [kept, other] = stops[twin]!.postal === null ? [stops[index]!, stops[twin]!] : [stops[twin]!, stops[index]!]
    for (const key of [
      'companyTitle',
      'address',
      'contactPerson',
      'phone',
      'reference',
      'specialInstructions',
      'termin',
    ] as const)
      if (kept[key] === null) Object.assign(kept, { [key]: other[key] })
    stops[twin] = kept
    stops.splice(index, 1)
    sites[twin]!.segments.push(...sites[index]!.segments)
    sites.splice(index, 1)
  }
}

function orderNumber(found: Findings, subject: Findings, subjectAt: Found, stops: DraftOrder['stops']): Maybe<string> {
  const usedAt = new Set(stops.flatMap(({ reference }) => (reference === null ? [] : [reference.from])))
  const labelled = found.references.find(({ use }) => use === 'order')
  const inSubject = subject.references.find(({ use }) => use === 'order')
  if (labelled !== undefined && inSubject !== undefined && labelled.value !== inSubject.value) {
    const same = found.references.find(({ use, value }) => use === 'order' && value === inSubject.value)
    // Above a quoted order the subject is another's: the number in the text counts.
    if (same !== undefined) return leaf(same.value, same, true)
    return leaf(labelled.value, labelled)
  }
  if (labelled !== undefined) return leaf(labelled.value, labelled, true)
  if (inSubject !== undefined) return leaf(inSubject.value, inSubject)
  const any = found.references.find(({ use, from }) => use === 'any' && !usedAt.has(from))
  const [code] = codesInSubject(subject.low, subject.text, subjectAt.from, subjectAt.to)
  if (code !== undefined) return leaf(code.value, code)
  return any === undefined ? null : leaf(any.value, any)
}
