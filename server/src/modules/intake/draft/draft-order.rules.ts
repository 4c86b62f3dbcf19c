import type { Json, ReadCargo, Reading, ReadOrder, ReadStop, ReadTermin, Span } from '@waybill/contract/intake/reading'
import { fromThousandths, roundHalfAwayFromZero, toThousandths } from '@waybill/contract/kit/money'
import type {
  DraftCargo,
  DraftMark,
  DraftStop,
  DraftValues,
  SaidPrice,
} from '@waybill/contract/order/intake/mail-draft'
import { termin as terminShape } from '@waybill/contract/order/termin/termin'

/** Records that a mail names by words, by what they are called. */
export interface KnownWords {
  countries: ReadonlyMap<string, number>
  unitTypes: ReadonlyMap<
    string,
    { id: number; lengthCm: number | null; widthCm: number | null; heightCm: number | null }
  >
  vehicleTypes: ReadonlyMap<string, number>
}

/** Whose mail it is, where that is known. */
export interface KnownCustomer {
  id: number
  paymentPeriodDays: number
  contactPersonId: number | null
  /** false: found by a sign that others may share */
  isCertain: boolean
}

/** The draft of one order, with a mark for each value. */
export interface DraftedOrder {
  values: DraftValues
  marks: DraftMark[]
  missing: string[]
}

/** A value as the form holds it. */
type Drafted = Json | DraftStop['termin']

/** What holds for a path: of all that are a beginning of it, what the longest says. */
function longest<Value>(of: Readonly<Record<string, Value>>, path: string): Value | undefined {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) if (at in of) return of[at]
  return undefined
}

const holds = (beginning: string, path: string): boolean => path === beginning || path.startsWith(`${beginning}.`)

function isSure({ sure, contradictions }: Reading, path: string): boolean {
  const isDoubted = contradictions.some(({ at }) => at.some((one) => holds(one, path) || holds(path, one)))
  return !isDoubted && longest(sure, path) === true
}

/** A value of a contradiction as a field of the form holds it; null where it can be none. */
const inForm = (value: Json | ReadTermin): Drafted =>
  typeof value === 'number' ? exact(value) : value !== null && typeof value === 'object' ? draftTermin(value) : value

/**
 * What the mail says as well of a value, and cannot be true beside it. Only what is another reading of this very field
 * can be taken in its place: a town is no postal code, and the weight of the load is none of its lines.
 */
const othersOf = ({ contradictions }: Reading, path: string, value: Drafted): DraftMark['others'] =>
  contradictions
    .filter(({ at }) => at.some((one) => holds(one, path)))
    .flatMap(({ values, spans, paths }) =>
      values.map((one, index) => ({
        value: inForm(one),
        span: inText(spans[index]),
        isChoice: paths?.[index] === path,
      })),
    )
    .filter((one) => one.value !== null && JSON.stringify(one.value) !== JSON.stringify(value))

// A span with a third entry counts in the subject or the sender, which stand in no text.
const inText = (span: Span | undefined): [number, number] | null => {
  if (span === undefined) return null
  const [from, to, of] = span
  return of === undefined ? [from, to] : null
}

function spanOf({ spans }: Reading, path: string): [number, number] | null {
  return inText(longest(spans, path) ?? Object.entries(spans).find(([at]) => at.startsWith(`${path}.`))?.[1])
}

/** Writes down where the values of one order come from. */
function marking(reading: Reading, order: string) {
  const marks: DraftMark[] = []
  const note = (path: string, from: string, value: Drafted | undefined, isCertain: boolean) => {
    const at = from === '' ? order : `${order}.${from}`
    marks.push({
      path,
      state: isCertain ? 'sure' : 'check',
      span: spanOf(reading, at),
      isLearned: reading.learned.includes(at),
      said: null,
      others: othersOf(reading, at, value ?? null),
    })
  }
  return {
    marks,
    note,
    isSure: (from: string) => isSure(reading, `${order}.${from}`),
    /** marks a value that the mail says, and hands it on */
    take: <Value extends Json>(path: string, from: string, value: Value): Value => {
      if (value !== null) note(path, from, value, isSure(reading, `${order}.${from}`))
      return value
    },
    record: (path: string) =>
      marks.push({ path, state: 'record', span: null, isLearned: false, said: null, others: [] }),
  }
}
type Marking = ReturnType<typeof marking>

/** Words as a field holds them; null where there are none. */
export const cut = (text: string | null, most: number): string | null => text?.trim().slice(0, most).trim() || null
/** A figure with three decimals at most. */
export const exact = (value: number | null): number | null =>
  value === null ? null : fromThousandths(toThousandths(value))
const centsOf = (euros: number): number => roundHalfAwayFromZero(toThousandths(euros), 10)

const KINDS = { PICK_UP: 'loading', DROP_OFF: 'unloading', CUSTOMS: 'customs' } as const

/** A termin as the order's form takes it; null where it can be none. */
export function draftTermin(read: ReadTermin | null): DraftStop['termin'] {
  if (read === null || read.dateFrom === null) return null
  const { kind, dateFrom, timeFrom, dateTo, timeTo } = read
  const isPeriod = kind === 'period' && (dateTo !== null || timeTo !== null)
  const whole = isPeriod
    ? { kind, dateFrom, timeFrom, dateTo, timeTo }
    : { kind: kind === 'period' ? ('fix' as const) : kind, dateFrom, timeFrom, dateTo: null, timeTo: null }
  return terminShape.safeParse(whole).success ? whole : null
}

const PARTS_OF_TERMIN = ['dateFrom', 'timeFrom', 'dateTo', 'timeTo'] as const

function draftStop(stop: ReadStop, place: number, { take, note, isSure }: Marking, known: KnownWords): DraftStop {
  const [to, from] = [`locations.${place}`, `stops.${place}`]
  const text = (name: keyof ReadStop & keyof DraftStop & string, most: number) =>
    take(`${to}.${name}`, `${from}.${name}`, cut(stop[name] as string | null, most))
  const termin = draftTermin(stop.termin)
  if (termin !== null) {
    const said = PARTS_OF_TERMIN.filter((part) => stop.termin![part] !== null)
    note(
      `${to}.termin`,
      `${from}.termin`,
      termin,
      said.every((part) => isSure(`${from}.termin.${part}`)),
    )
  }
  const countryId = known.countries.get(stop.countryCode ?? '') ?? null
  take(`${to}.countryId`, `${from}.countryCode`, countryId)
  return {
    kind: KINDS[stop.action],
    termin,
    companyTitle: text('companyTitle', 250),
    address: text('address', 250),
    countryId,
    postal: text('postal', 20),
    city: text('city', 100),
    contactPerson: text('contactPerson', 150),
    phone: text('phone', 50),
    reference: text('reference', 100),
    specialInstructions: text('specialInstructions', 2000),
  }
}

function draftCargo(line: ReadCargo, place: number, { take, record }: Marking, known: KnownWords): DraftCargo {
  const [to, from] = [`cargo.${place}`, `cargo.${place}`]
  const figure = (name: keyof ReadCargo & keyof DraftCargo & string) =>
    take(`${to}.${name}`, `${from}.${name}`, exact(line[name] as number | null))
  const unit = known.unitTypes.get(line.unit ?? '')
  const unitTypeId = take(`${to}.unitTypeId`, `${from}.unit`, unit?.id ?? null)
  const side = (name: 'lengthCm' | 'widthCm' | 'heightCm'): number | null => {
    const said = figure(name)
    if (said !== null || unit === undefined || unit[name] === null) return said
    record(`${to}.${name}`)
    return unit[name]
  }
  const adr =
    line.adr?.unNumber && line.adr.adrClass ? { unNumber: line.adr.unNumber, adrClass: line.adr.adrClass } : null
  if (adr !== null) take(`${to}.adr`, `${from}.adr`, adr.unNumber)
  const stackingFactor = line.stackingFactor ?? (line.stackable === false ? 1 : null)
  return {
    title: take(`${to}.title`, `${from}.title`, cut(line.title, 500)),
    unitTypeId,
    quantity: figure('quantity'),
    packages: figure('packages'),
    lengthCm: side('lengthCm'),
    widthCm: side('widthCm'),
    heightCm: side('heightCm'),
    stackingFactor: take(
      `${to}.stackingFactor`,
      line.stackingFactor === null ? `${from}.stackable` : `${from}.stackingFactor`,
      stackingFactor,
    ),
    weightKg: figure('weightKg'),
    ldm: figure('ldm'),
    volumeM3: figure('volumeM3'),
    valueCents: take(`${to}.valueCents`, `${from}.valueEur`, line.valueEur === null ? null : centsOf(line.valueEur)),
    temperatureFrom: figure('temperatureFrom'),
    temperatureTo: figure('temperatureTo'),
    adr,
    from: line.from,
    to: line.to,
  }
}

/** A stop, or a line of cargo, that a mail adds to an order: as the order's form holds it. */
export function addedRow(
  reading: Reading,
  index: number,
  known: KnownWords,
): { stop: DraftStop | null; line: DraftCargo | null } {
  const { field, to } = reading.changes[index]!
  const unmarked = marking(reading, `changes.${index}`)
  return {
    stop: field === 'stop.added' ? draftStop(to as ReadStop, 0, unmarked, known) : null,
    line: field === 'cargo.added' ? draftCargo(to as ReadCargo, 0, unmarked, known) : null,
  }
}

/** A price that the order's field cannot hold, and why; null of one in euros before VAT. */
export function saidPrice({
  amountCents,
  currency = 'EUR',
  vat = null,
}: {
  amountCents: number
  currency?: string
  vat?: 'net' | 'gross' | 'reverse_charge' | null
}): SaidPrice | null {
  const why = currency !== 'EUR' ? 'currency' : vat === 'gross' ? 'gross' : null
  return why === null ? null : { amountCents, currency, why }
}

/**
 * The price in euros before VAT; of any other what the mail says. Between firms freight is quoted without VAT: a price
 * with no word on it is net.
 */
function draftPrice(
  order: ReadOrder,
  { note, isSure, marks }: Marking,
): Pick<DraftValues, 'customerPriceCents' | 'description'> {
  const { price } = order
  const words = order.equipment.length === 0 ? [] : [order.equipment.join(', ')]
  const said = price === null ? null : saidPrice(price)
  if (price !== null) {
    const isCertain = said === null && isSure('price.amountCents') && isSure('price.currency')
    note('customerPriceCents', 'price', price.amountCents, isCertain)
    marks.at(-1)!.said = said
  }
  if (order.equipment.length > 0) note('description', 'equipment', null, isSure('equipment'))
  return {
    customerPriceCents: price === null || said !== null ? null : price.amountCents,
    description: cut(words.join('\n'), 4000),
  }
}

/** What is expected of an order, and is not there. */
function missingOf(values: DraftValues): string[] {
  const missing: string[] = []
  const expect = (path: string, value: unknown) => {
    if (value === null) missing.push(path)
  }
  expect('customerIds', values.customerId)
  expect('customerOrderNumber', values.customerOrderNumber)
  for (const [place, stop] of values.locations.entries()) {
    expect(`locations.${place}.city`, stop.city)
    expect(`locations.${place}.countryId`, stop.countryId)
    if (stop.kind !== 'customs') expect(`locations.${place}.termin`, stop.termin)
  }
  for (const [place, line] of values.cargo.entries()) {
    expect(`cargo.${place}.quantity`, line.quantity)
    expect(`cargo.${place}.weightKg`, line.weightKg)
  }
  expect('customerPriceCents', values.customerPriceCents)
  return missing
}

/** An order of which the mail says nothing. */
const NOTHING: ReadOrder = {
  customer: { title: null, email: null, vatNumber: null, address: null, postal: null, city: null, countryCode: null },
  billingCustomer: null,
  customerOrderNumber: null,
  contactPerson: null,
  stops: [],
  cargo: [],
  price: null,
  paymentPeriodDays: null,
  vehicle: null,
  equipment: [],
  isLiftRequired: null,
  isTransshipmentForbidden: null,
}

/** A mail as a new order, also where it does not read as one. */
export const asOrder = (reading: Reading): Reading =>
  reading.kind === 'order' || !reading.setAside ? reading : { ...reading, ...reading.setAside, kind: 'order' }

/** How many drafts a mail holds: one also where nothing was read, for who types it in beside the mail. */
export const draftCount = ({ orders }: Pick<Reading, 'orders'>): number => Math.max(1, orders.length)

/** True of a closed mail of which not all became orders: `settled` are its orders, and those that it was filed with. */
export const isReopenable = (reading: Reading, settled: readonly { isFiled: boolean }[]): boolean =>
  settled.filter(({ isFiled }) => !isFiled).length < draftCount(asOrder(reading))

/** One order of a mail. */
export const readOrder = (reading: Reading, position: number): ReadOrder => reading.orders[position] ?? NOTHING

/** The draft of one order of a mail; nothing in it is made up. */
export function draftOrder(
  reading: Reading,
  position: number,
  known: KnownWords,
  parties: { customer: KnownCustomer | null; billingCustomerId: number | null },
): DraftedOrder {
  const order = readOrder(reading, position)
  const noted = marking(reading, `orders.${position}`)
  const { take, note, isSure, record, marks } = noted
  const { customer, billingCustomerId } = parties
  if (customer !== null) note('customerIds', 'customer', null, customer.isCertain)
  if (billingCustomerId !== null) note('billingCustomerId', 'billingCustomer', null, true)
  if (customer !== null && customer.contactPersonId !== null)
    if (order.contactPerson === null) record('contactPersonId')
    else note('contactPersonId', 'contactPerson', null, isSure('contactPerson'))
  const { paymentPeriodDays } = order
  if (paymentPeriodDays !== null) {
    const isAgreed = customer?.paymentPeriodDays === paymentPeriodDays
    note('paymentPeriodDays', 'paymentPeriodDays', paymentPeriodDays, isAgreed && isSure('paymentPeriodDays'))
  }
  const flag = (name: 'isLiftRequired' | 'isTransshipmentForbidden'): boolean => {
    if (order[name] === true) take(name, name, true)
    return order[name] === true
  }
  const values: DraftValues = {
    customerId: customer?.id ?? null,
    contactPersonId: customer?.contactPersonId ?? null,
    billingCustomerId,
    customerOrderNumber: take('customerOrderNumber', 'customerOrderNumber', cut(order.customerOrderNumber, 100)),
    ...draftPrice(order, noted),
    paymentPeriodDays,
    vehicleTypeId: take('vehicleTypeId', 'vehicle', known.vehicleTypes.get(order.vehicle ?? '') ?? null),
    isLiftRequired: flag('isLiftRequired'),
    isTransshipmentForbidden: flag('isTransshipmentForbidden'),
    locations: order.stops.map((stop, place) => draftStop(stop, place, noted, known)),
    cargo: order.cargo.map((line, place) => draftCargo(line, place, noted, known)),
  }
  // A price that is said in other money is there.
  const marked = new Set(marks.map(({ path }) => path))
  return { values, marks, missing: missingOf(values).filter((path) => !marked.has(path)) }
}
