import type { CopyPart } from '@waybill/contract/email'
import { cargoTotals } from '@waybill/contract/order/cargo'
import type { VariableKey } from '@waybill/contract/email/variables'
import type { Language } from '@waybill/contract/errors'
import { agreedPeriodDays } from '@waybill/contract/invoice/carrier-terms'
import { nameParts } from '@waybill/contract/kit/person-name'
import { localOf } from '@waybill/contract/kit/local-time'
import { formatVatNumber } from '@waybill/contract/kit/vat-number'
import { delayedStop } from '@waybill/contract/order/delay'
import { totalsOf } from '@waybill/contract/order/money'
import type { Order, OrderCargo, OrderLocation, OrderRoute } from '@waybill/contract/order/order'
import { isCanceled } from '@waybill/contract/order/status'
import { isDropOff, isPickUp } from '@waybill/contract/order/schedule'
import type { Termin } from '@waybill/contract/order/termin/termin'
import { numberFormat } from '@waybill/contract/kit/intl'
import { textsOf } from '../../../kit/texts/texts.ts'
import {
  countryName,
  formatCents,
  formatDay,
  formatDimensions,
  formatNumber,
  formatTemperature,
  formatTermin,
  formatUnits,
  town,
} from '../document-words.ts'
import { arrivalOf } from '../plan/mail-plan.rules.ts'
import { trackingPlaceOf, type Contact, type CustomerReader, type MailFacts } from './mail-facts.query.ts'
import type { MailData } from './mail-text.mail.ts'
import type { ToldReader } from './carrier-told.rules.ts'

/** A proof of delivery that was refused, as its carrier is told. */
export interface PodRefusal {
  title: string
  reason: string
}

/** What of an order a mail is about; a customer's mail shows that customer's cargo and stops alone. */
export interface MailSubject {
  order: Order
  facts: MailFacts
  reader: CustomerReader | null
  route: OrderRoute | null
  stop: OrderLocation | null
  language: Language
  /** whom a carrier's mail goes to, where that is no longer the one of the route */
  told: ToldReader | null
  /** why its transport order is withdrawn, where somebody wants the carrier to know */
  withdrawnFor?: string | null
  /** what a carrier has not been told yet */
  changes?: readonly CopyPart[]
  /** which proof of delivery does not count, and why */
  refusal?: PodRefusal | null
  /** of a mail about an invoice of the carrier */
  problem?: { invoice: string; reason: string } | null
  /** of a mail to the carrier, or its paper: where it hands in its papers */
  uploadUrl?: string | null
}

type Values = MailData['values']
const WORDS = textsOf('mail')

/** In Polish a letter does not call the reader by name. */
const withName = (words: string, name: string, language: Language): string =>
  language === 'pl' ? words : `${words} ${name}`

/** How a letter to somebody begins: by salutation and name, in Polish without the name; in general where unknown. */
export function salutationOf(contact: Contact | null, language: Language): string {
  const words = WORDS[language].salutation
  if (contact === null) return words.general
  const { gender } = contact
  if (gender === null) return words.general
  const read = nameParts(contact.fullName)
  const lastName = contact.lastName ?? read.lastName
  const title = contact.academicTitle ?? read.academicTitle
  // In English the title stands in the place of Mr and Ms, in German beside it.
  const name = [title, lastName].filter(Boolean).join(' ')
  return withName(title !== null && language === 'en' ? words.named : words[gender], name, language)
}

/** How a letter begins to somebody of whom only the name is known. */
export const greetingOf = (name: string | null, language: Language): string =>
  name === null ? WORDS[language].salutation.general : withName(WORDS[language].salutation.named, name, language)

/** Without what has no value. */
export const given = (values: Partial<Record<VariableKey, string | null | undefined>>): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value)) as Values

export const money = (cents: number | null, language: Language): string | null =>
  cents === null ? null : `${formatCents(cents, language)} EUR`

const dayOf = (instant: string | null, zone: string, language: Language): string | null =>
  instant === null ? null : formatDay(localOf(instant, zone).date, language)
const timeOf = (instant: string | null, zone: string): string | null =>
  instant === null ? null : localOf(instant, zone).time

const hours = ({ timeFrom, timeTo }: Termin): string | null => [timeFrom, timeTo].filter(Boolean).join('–') || null

/** The place of a stop, in the words of a mail; `prefix` is the group of the variables. */
const placeValues = (
  prefix: 'firstLoading' | 'lastUnloading' | 'stop',
  stop: OrderLocation | undefined,
  language: Language,
): Values =>
  stop === undefined
    ? {}
    : (Object.fromEntries(
        Object.entries({
          company: stop.companyTitle,
          address: stop.address,
          town: town(stop),
          city: stop.city,
          country: countryName(stop.countryCode, language),
          reference: stop.reference,
        })
          .filter(([, value]) => value)
          .map(([name, value]) => [`${prefix}.${name}`, value]),
      ) as Values)

const terminValues = (
  prefix: 'firstLoading' | 'lastUnloading',
  stop: OrderLocation | undefined,
  language: Language,
): Values =>
  stop?.termin
    ? given({
        [`${prefix}.date`]: formatDay(
          stop.termin.kind === 'before' ? (stop.termin.dateTo ?? stop.termin.dateFrom) : stop.termin.dateFrom,
          language,
        ),
        [`${prefix}.time`]: hours(stop.termin),
        [`${prefix}.termin`]: formatTermin(stop.termin, language),
      })
    : {}

/** The cargo that concerns the reader: of one customer of several only what is theirs. */
const cargoFor = ({ order, reader }: Pick<MailSubject, 'order' | 'reader'>): OrderCargo[] =>
  reader === null || order.customerIds.length < 2
    ? order.cargo
    : order.cargo.filter(({ customerId }) => (customerId ?? order.customerIds[0]) === reader.customerId)

/** The stops that concern the reader, as they are driven. */
function stopsFor(subject: Pick<MailSubject, 'order' | 'reader' | 'route'>): OrderLocation[] {
  const { order, reader, route } = subject
  const driven = order.locations.filter(({ canceledAt }) => canceledAt === null)
  const ofRoute =
    route === null ? driven : route.locationIds.flatMap((id) => driven.find((stop) => stop.id === id) ?? [])
  if (reader === null || order.customerIds.length < 2) return ofRoute
  const theirs = new Set(cargoFor(subject).map(({ id }) => id))
  return ofRoute.filter(({ cargoActions }) => cargoActions.some(({ cargoId }) => theirs.has(cargoId)))
}

function cargoInWords(lines: readonly OrderCargo[], units: ReadonlyMap<number, string>, language: Language): string {
  const words = lines.map((line) =>
    [
      formatUnits(line.quantity, units.get(line.unitTypeId ?? 0), language),
      line.title === null ? null : `(${line.title})`,
    ]
      .filter(Boolean)
      .join(' '),
  )
  return words.length > 4 ? `${words.slice(0, 3).join(', ')} …` : words.join(', ')
}

const sumOf = (lines: readonly OrderCargo[], of: (line: OrderCargo) => number | null): number | null =>
  lines.some((line) => of(line) !== null) ? lines.reduce((sum, line) => sum + (of(line) ?? 0), 0) : null

function customerValues({ order, facts, reader, language }: MailSubject): Values {
  if (reader === null) return {}
  const customer = facts.customers.find(({ id }) => id === reader.customerId)
  const { contact } = reader
  // A merged order's own number of the customer is that of its source.
  const source = order.sources.find((one) => one.customer.id === reader.customerId)
  const own = order.isMergeResult ? null : order.customerOrderNumber
  return given({
    'customer.title': customer?.title,
    'customer.address': customer && [customer.address, town(customer)].filter(Boolean).join(', '),
    'customer.city': customer?.city,
    'customer.country': customer && countryName(customer.countryCode, language),
    'customer.vatNumber': formatVatNumber(customer?.vatNumber ?? null),
    // Who does not want proofs of delivery is promised none.
    'customer.podNotice': reader.emailPreferences.pod ? WORDS[language].podNotice : null,
    'contact.salutation': salutationOf(contact, language),
    'contact.fullName': contact?.fullName,
    'contact.lastName': contact && (contact.lastName ?? nameParts(contact.fullName).lastName),
    'contact.phone': contact?.phone,
    'contact.email': contact?.email,
    'order.customerOrderNumber': own,
    'order.reference': own ?? source?.title ?? order.number,
  })
}

function orderValues(subject: MailSubject, units: ReadonlyMap<number, string>, lines: OrderCargo[]): Values {
  const { order, facts, language } = subject
  const stops = stopsFor({ ...subject, route: null })
  const first = stops.find(isPickUp)
  const last = stops.findLast(isDropOff)
  const number = (value: number | null) => (value === null ? null : formatNumber(value, language))
  const sums = cargoTotals(lines)
  const temperature = lines.map((line) => formatTemperature(line, language)).find(Boolean)
  const dangerous = [
    ...new Set(lines.flatMap(({ adr }) => (adr === null ? [] : [`UN ${adr.unNumber}, ADR ${adr.adrClass}`]))),
  ]
  return {
    ...given({
      'order.number': order.number,
      'order.description': order.description,
      'order.createdDate': dayOf(order.createdAt, facts.us.timeZone, language),
      'order.relation': relationOf(stops),
      'order.cargo': cargoInWords(lines, units, language),
      'order.quantity': number(sumOf(lines, (line) => line.quantity)),
      'order.packages': number(sumOf(lines, (line) => line.packages)),
      'order.weight': number(sums.weightKg),
      'order.volume': number(sums.volumeM3),
      'order.ldm': number(sums.ldm),
      'order.value': money(
        sumOf(lines, (line) => line.valueCents),
        language,
      ),
      'order.temperature': temperature,
      'order.adr': dangerous.join('; '),
      'order.vehicleType': facts.vehicleTypes.find(({ id }) => id === order.vehicleTypeId)?.[language],
      'order.lift': order.isLiftRequired ? WORDS[language].lift : null,
    }),
    ...placeValues('firstLoading', first, language),
    ...terminValues('firstLoading', first, language),
    ...placeValues('lastUnloading', last, language),
    ...terminValues('lastUnloading', last, language),
  }
}

const relationOf = (stops: readonly OrderLocation[]): string =>
  [stops.find(isPickUp)?.city, stops.findLast(isDropOff)?.city].filter(Boolean).join(' – ')

/** The route belongs to another carrier by now: what this one is told names none of the new one's people. */
const isReplaced = ({ told, route }: MailSubject): boolean =>
  told !== null && route?.assignment?.carrierCompanyId !== told.carrierCompanyId
const withoutAssignment = (subject: MailSubject): MailSubject =>
  subject.route === null ? subject : { ...subject, route: { ...subject.route, assignment: null } }

/** The price of an order is shown to who pays it: of a merge each customer has its own, which is not this one. */
function priceValues({ order, reader, language }: MailSubject): Values {
  if (reader === null || order.isMergeResult || reader.customerId !== order.customerIds[0]) return {}
  const { customerPriceCents: net, customerVatBp } = order
  const { vatCents, totalCents } = totalsOf(net, customerVatBp ?? 0)
  return given({
    'price.net': money(net, language),
    'price.vat': customerVatBp === null ? null : money(vatCents, language),
    'price.total': customerVatBp === null ? null : money(totalCents, language),
  })
}

function routeValues(subject: MailSubject): Values {
  const { route, facts, order, language } = subject
  if (route === null) return {}
  const { assignment } = route
  const stops = stopsFor(subject)
  const loaded = stops.findLast((stop) => isPickUp(stop) && stop.loadedAt !== null)
  const unloaded = stops.findLast((stop) => isDropOff(stop) && stop.unloadedAt !== null)
  const next = stops.find(
    ({ plannedAt, arrivedAt, loadedAt, unloadedAt }) =>
      plannedAt !== null && arrivedAt === null && loadedAt === null && unloadedAt === null,
  )
  const drivers = facts.drivers.filter(({ assignmentId }) => assignmentId === assignment?.id)
  const vehicleType = assignment?.vehicleTypeId ?? order.vehicleTypeId
  return given({
    'route.number': route.number,
    'route.relation': relationOf(stops),
    'route.distance': route.distanceKm === null ? null : formatNumber(Math.round(route.distanceKm), language),
    'route.vehicleType': facts.vehicleTypes.find(({ id }) => id === vehicleType)?.[language],
    'route.loadedDate': loaded && dayOf(loaded.loadedAt, loaded.timeZone, language),
    'route.loadedTime': loaded && timeOf(loaded.loadedAt, loaded.timeZone),
    'route.unloadedDate': unloaded && dayOf(unloaded.unloadedAt, unloaded.timeZone, language),
    'route.unloadedTime': unloaded && timeOf(unloaded.unloadedAt, unloaded.timeZone),
    'route.nextArrivalDate': next && dayOf(next.plannedAt, next.timeZone, language),
    'route.nextArrivalTime': next && timeOf(next.plannedAt, next.timeZone),
    'route.signedBy': assignment?.signedBy,
    'driver.name': [...drivers.map(({ name }) => name), assignment?.driverText].filter(Boolean).join(', '),
    'driver.phone': drivers.flatMap(({ phone }) => phone ?? []).join(', '),
    'driver.plate': assignment?.plateNumber,
  })
}

function carrierValues({ route, facts, language, told, changes = [], withdrawnFor, order }: MailSubject): Values {
  const assignment = route?.assignment
  const carrierId = told?.carrierCompanyId ?? assignment?.carrierCompanyId
  const carrier = facts.carriers.find(({ id }) => id === carrierId)
  const isTheirs = assignment?.carrierCompanyId === carrierId
  const { vatCents, totalCents } = totalsOf(assignment?.costCents ?? null, assignment?.vatBp ?? 0)
  const disponent = told ?? {
    name: assignment?.disponentName ?? null,
    phone: assignment?.disponentPhone ?? null,
    email: assignment?.disponentEmail ?? null,
  }
  return given({
    'carrier.title': told?.title ?? carrier?.title,
    'carrier.address': carrier && [carrier.address, town(carrier)].filter(Boolean).join(', '),
    'carrier.vatNumber': formatVatNumber(carrier?.vatNumber ?? null),
    ...(isTheirs && {
      'carrier.cost': money(assignment?.costCents ?? null, language),
      'carrier.vat': money(vatCents, language),
      'carrier.total': money(totalCents, language),
      'carrier.paymentDays': String(agreedPeriodDays({ assignment, carrier })),
      'carrier.instructions': assignment?.extraData,
    }),
    'carrier.changes': changes.map((part) => WORDS[language].parts[part]).join(', '),
    // Without words of ours for the carrier it is known where the order was canceled; else the carrier was changed.
    'carrier.reason': withdrawnFor ?? (told !== null && isCanceled(order.status) ? WORDS[language].canceled : null),
    'disponent.salutation': greetingOf(disponent.name, language),
    'disponent.name': disponent.name,
    'disponent.phone': disponent.phone,
    'disponent.email': disponent.email,
  })
}

function stopValues({ stop, language }: MailSubject, units: ReadonlyMap<number, string>, lines: OrderCargo[]): Values {
  if (stop === null) return {}
  const dropped = new Set(stop.cargoActions.map(({ cargoId }) => cargoId))
  const arrival = arrivalOf(stop)
  const at = arrival === null ? null : new Date(arrival).toISOString()
  return {
    ...placeValues('stop', stop, language),
    ...given({
      'stop.arrivalDate': dayOf(at, stop.timeZone, language),
      'stop.arrivalTime': timeOf(at, stop.timeZone),
      'stop.cargo': cargoInWords(
        lines.filter(({ id }) => dropped.has(id)),
        units,
        language,
      ),
    }),
  }
}

/** How late the order is, as far as that is known; nothing where it is late at a stop that is not the reader's. */
function delayValues(subject: MailSubject): Values {
  const { order, language } = subject
  if (order.delay === null) return {}
  const { delay } = order
  const stop = delayedStop(order.locations, delay)
  if (stop !== undefined && !stopsFor({ ...subject, route: null }).includes(stop)) return {}
  const zone = stop?.timeZone ?? 'UTC'
  return given({
    'delay.duration': formatHours(delay.hours, language),
    'delay.expectedDate': dayOf(delay.expectedAt, zone, language),
    'delay.expectedTime': timeOf(delay.expectedAt, zone),
    'delay.place': stop?.city,
    'delay.reason': stop?.delayReason,
  })
}

const HOURS_A_DAY = 24

/** Under a day in hours, then in started days. */
function formatHours(hours: number, language: Language): string {
  const isLong = hours >= HOURS_A_DAY
  return numberFormat(language, {
    style: 'unit',
    unit: isLong ? 'day' : 'hour',
    unitDisplay: isLong ? 'long' : 'short',
  }).format(isLong ? Math.ceil(hours / HOURS_A_DAY) : hours)
}

/** What stands in every mail: who we are. */
export function ourValues({
  us,
  department,
  caseWorker,
}: Pick<MailFacts, 'department' | 'caseWorker'> & { us: Omit<MailFacts['us'], 'timeZone'> }): Values {
  return given({
    'company.title': us.title,
    'company.address': [us.address, town(us)].filter(Boolean).join(', '),
    'company.phone': us.phone,
    'company.email': us.email,
    'company.vatNumber': formatVatNumber(us.vatNumber),
    'department.title': department.title,
    'department.phone': department.phone,
    'department.email': department.email,
    'caseWorker.name': caseWorker?.name,
    'caseWorker.phone': caseWorker?.phone,
    'caseWorker.email': caseWorker?.email,
  })
}

/** Who we are, below every mail. */
export function footerLines(facts: Parameters<typeof ourValues>[0]): string[] {
  const values = ourValues(facts)
  return [
    values['company.title'],
    values['company.address'],
    values['company.phone'],
    values['company.email'],
    values['company.vatNumber'],
  ].filter((line) => line !== undefined)
}

/** Everything that a mail of an order may say, in its language. */
export function orderMailData(subject: MailSubject): MailData {
  const { facts, language } = subject
  const words = WORDS[language]
  const units = new Map(facts.units.map((unit) => [unit.id, unit[language]]))
  const cargoTypes = new Map(facts.cargoTypes.map((type) => [type.id, type[language]]))
  const mine = cargoFor(subject)
  const stops = stopsFor(subject)
  const carried = new Set(stops.flatMap(({ cargoActions }) => cargoActions.map(({ cargoId }) => cargoId)))
  // A route shows what it carries; where nothing is said of that, everything.
  const lines = subject.route === null || carried.size === 0 ? mine : mine.filter(({ id }) => carried.has(id))
  const ours = new Set(lines.map(({ id }) => id))
  const number = (value: number | null) => (value === null ? '' : formatNumber(value, language))
  const does = ({ cargoActions, ...stop }: OrderLocation) => {
    const actions = cargoActions.filter(({ cargoId }) => ours.has(cargoId))
    const loads = isPickUp({ ...stop, cargoActions: actions })
    const unloads = isDropOff({ ...stop, cargoActions: actions })
    if (loads && unloads) return words.both
    return loads ? words.load : unloads ? words.unload : ''
  }
  const sums = cargoTotals(lines)
  const trackingUrl = trackingPlaceOf(facts, subject.reader)
  const values = {
    ...ourValues(facts),
    ...customerValues(subject),
    ...orderValues(subject, units, mine),
    ...priceValues(subject),
    ...routeValues(isReplaced(subject) ? withoutAssignment(subject) : subject),
    ...(subject.reader === null ? carrierValues(subject) : {}),
    ...stopValues(subject, units, mine),
    ...given({ 'link.upload': subject.uploadUrl, 'link.tracking': trackingUrl }),
    ...given({ 'pod.title': subject.refusal?.title, 'pod.reason': subject.refusal?.reason }),
    ...given({ 'problem.invoice': subject.problem?.invoice, 'problem.reason': subject.problem?.reason }),
    ...delayValues(subject),
  }
  return {
    values,
    stops: stops.map((stop, index) => ({
      number: String(index + 1),
      time: stop.termin === null ? '' : formatTermin(stop.termin, language),
      action: does(stop),
      company: [stop.companyTitle, stop.address].filter(Boolean).join('\n'),
      town: [stop.countryCode, town(stop)].filter(Boolean).join(' '),
      reference: stop.reference ?? '',
    })),
    cargo: lines.map((line) => ({
      quantity: formatUnits(line.quantity, units.get(line.unitTypeId ?? 0), language),
      goods: line.title ?? cargoTypes.get(line.cargoTypeId ?? 0) ?? '',
      dimensions: formatDimensions(line, language) ?? '',
      weight: number(line.weightKg),
      volume: number(line.volumeM3),
      ldm: number(line.ldm),
      marks: line.marks ?? '',
    })),
    cargoTotals:
      lines.length < 2
        ? null
        : {
            quantity: words.total,
            goods: '',
            dimensions: '',
            weight: number(sums.weightKg),
            volume: number(sums.volumeM3),
            ldm: number(sums.ldm),
            marks: '',
          },
    signature: {
      caseWorker: values['caseWorker.name'],
      phone: values['caseWorker.phone'] ?? values['department.phone'] ?? values['company.phone'],
      email: values['caseWorker.email'] ?? values['department.email'] ?? values['company.email'],
      department: [values['company.title'], values['department.title']].filter(Boolean).join(', '),
      company: values['company.address'],
    },
    links: {
      ...(subject.uploadUrl ? { upload_link: subject.uploadUrl } : {}),
      ...(trackingUrl ? { tracking_link: trackingUrl } : {}),
    },
    logoOf: facts.logo === null ? null : facts.us.title,
  }
}
