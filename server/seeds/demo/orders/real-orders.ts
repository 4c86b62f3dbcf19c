import { addDays, localOf } from '@waybill/contract/kit/local-time'
import { ldmOf } from '@waybill/contract/order/cargo'
import { clock, DAY, HOUR, inOfficeHours, iso, MINUTE, workdayAfter, workdayBefore } from '../calendar.ts'
import type { CargoLine } from './cargo.ts'
import type { Fate, PlannedOrder, PlannedStop } from './order-model.ts'
import { vatBpOf } from './vat.ts'
import { roadKm, type DepartmentName, type Place, type World } from '../world.ts'
import { REAL_MESSAGES } from './real-messages.ts'

type Line = Pick<
  CargoLine,
  'key' | 'title' | 'cargoType' | 'unit' | 'quantity' | 'lengthCm' | 'widthCm' | 'heightCm' | 'weightKg'
> &
  Partial<CargoLine>

interface Given {
  /** customer's title */
  customer: string
  department?: DepartmentName
  caseWorker: string
  createdAt: number
  message: keyof typeof REAL_MESSAGES
  reference: string | null
  cargo: Line[]
  stops: PlannedStop[]
  vehicle: string
  euros: number | null
  paymentPeriodDays?: number
  description?: string
  isLiftRequired?: boolean
  isTransshipmentForbidden?: boolean
  plan?: Fate
}

const place = (
  countryCode: string,
  city: string,
  postal: string,
  companyTitle: string,
  address: string,
  [latitude, longitude]: readonly [number, number],
  contactPerson: string | null = null,
  phone: string | null = null,
): Place => ({
  countryCode,
  city,
  postal,
  companyTitle,
  address,
  latitude,
  longitude,
  contactPerson,
  phone,
})

const stop = (
  kind: PlannedStop['kind'],
  where: Place,
  termin: PlannedStop['termin'],
  keys: string[],
  more: Partial<PlannedStop> = {},
): PlannedStop => ({
  place: where,
  kind,
  termin,
  loads: kind === 'loading' ? keys : [],
  unloads: kind === 'unloading' ? keys : [],
  reference: null,
  comment: null,
  ...more,
})

function line({ stackingFactor = 1, ...given }: Line): CargoLine {
  const measures = { ...given, stackingFactor }
  return {
    valueCents: null,
    handling: [],
    instructions: null,
    temperature: null,
    adr: null,
    ldm: given.typedLdm ?? ldmOf(measures) ?? 0,
    ...measures,
  }
}

function order(
  world: World,
  {
    customer: title,
    department: name = 'FTL West',
    caseWorker: worker,
    createdAt,
    message,
    reference,
    cargo,
    stops,
    vehicle,
    euros,
    ...given
  }: Given,
): PlannedOrder {
  const customer = world.customers.find((one) => one.title === title)!
  const department = world.departments[name]
  const caseWorker = world.users.find((user) => user.fullName === worker)!
  const driven = stops.flatMap((one, index) => (one.canceledAt ? [] : [index]))
  const distanceKm = driven
    .slice(1)
    .reduce((sum, at, index) => sum + roadKm(stops[driven[index]!]!.place, stops[at]!.place), 0)
  return {
    createdAt,
    customer,
    coCustomers: [],
    contactPersonId: customer.contacts[0]!.id,
    billingCustomerId: customer.billedTo ?? customer.id,
    department,
    caseWorker,
    creator: caseWorker,
    managers: [],
    customerOrderNumber: reference,
    originalMessage: REAL_MESSAGES[message],
    description: given.description ?? null,
    internalComments: null,
    invoiceText: null,
    cargo: cargo.map(line),
    stops,
    trucks: [{ stops: stops.map((_, index) => index), distanceKm }],
    vehicle,
    isLiftRequired: given.isLiftRequired ?? false,
    isTransshipmentForbidden: given.isTransshipmentForbidden ?? false,
    priceCents: euros === null ? null : euros * 100,
    vatBp: vatBpOf(world, { customer, department, stops }),
    paymentPeriodDays: given.paymentPeriodDays ?? null,
    costShare: 0.87,
    plan: { isPunctual: true, ...given.plan },
  }
}

/**
 * The eight transport orders as customers sent them, with the figures that a dispatcher works out. They came by the
 * dates in them, or shortly before now if those lie ahead.
 */
export function realOrders(world: World): PlannedOrder[] {
  const { now, random } = world
  const zone = world.departments['FTL West'].company.timeZone
  const today = localOf(iso(now), zone).date
  let shift = 0
  // A mail of a day that is still to come was read in the last hours.
  const cameAt = (date: string) => (date < today ? inOfficeHours(random, date, zone) : now - (shift += 25) * MINUTE)
  const carrier = (vehicle: string) => random.pick(world.carriers.filter((one) => one.vehicleTypes.has(vehicle)))
  const soon = (createdAt: number) => Math.min(createdAt + random.int(8, 20) * MINUTE, now)
  const planned = (createdAt: number, vehicle: string, costEuros: number): Fate => ({
    carrier: carrier(vehicle),
    costCents: costEuros * 100,
    scheduledAt: soon(createdAt),
  })

  const at = {
    one: cameAt('2026-11-20'),
    two: cameAt('2026-11-24'),
    three: cameAt('2026-11-23'),
    four: cameAt('2026-11-26'),
    five: cameAt('2026-11-25'),
    six: cameAt('2026-11-23'),
    seven: cameAt('2026-11-24'),
  }
  const gersthofen = place('DE', 'Gersthofen', '86368', 'Kartonwerk Süd GmbH', 'Daimlerstr. 7', [48.424, 10.874])
  const pickUp = (key: string) =>
    stop('loading', gersthofen, { kind: 'period', dateFrom: '2026-12-01', timeFrom: '07:00', timeTo: '15:00' }, [key])
  const groupage = {
    customer: 'Kartonwerk Süd GmbH',
    department: 'Groupage',
    caseWorker: 'Anna Lindqvist',
    createdAt: at.four,
    message: 'four',
    vehicle: 'Solo truck 12 t',
    plan: { carrier: 'none', disposition: 'WAITING_FOR_COMBINATION' },
  } as const

  return [
    order(world, {
      customer: 'Nordlicht Maschinenbau GmbH',
      caseWorker: 'Monika Krause',
      createdAt: at.one,
      message: 'one',
      reference: '4500129877',
      vehicle: 'Curtain-sider 13.6 m',
      euros: 1180,
      paymentPeriodDays: 45,
      isTransshipmentForbidden: true,
      description: 'CMR und Palettenschein binnen 5 Tagen',
      cargo: [
        {
          key: 'parts',
          title: 'Maschinenteile',
          cargoType: 'Machinery',
          unit: 'Europallet',
          quantity: 33,
          lengthCm: 120,
          widthCm: 80,
          heightCm: 145,
          weightKg: 21_120,
          valueCents: 8_600_000,
          handling: ['Do not stack'],
        },
      ],
      stops: [
        stop(
          'loading',
          place(
            'DE',
            'Hamburg',
            '22113',
            'Nordlicht Maschinenbau GmbH',
            'Billbrookdeich 210',
            [53.529, 10.106],
            'Herr Jansen',
            '+49 40 5550 1204',
          ),
          { kind: 'period', dateFrom: '2026-11-30', timeFrom: '08:00', timeTo: '12:00' },
          ['parts'],
          { comment: 'Tor 4' },
        ),
        stop(
          'unloading',
          place(
            'PL',
            'Poznań',
            '60-189',
            'Wielkopolska Tech Sp. z o.o.',
            'ul. Bukowska 285',
            [52.405, 16.812],
            'Pani Nowicka',
            '+48 61 555 22 10',
          ),
          { kind: 'fix', dateFrom: '2026-12-01', timeFrom: '07:00' },
          ['parts'],
        ),
      ],
      plan: planned(at.one, 'Curtain-sider 13.6 m', 975),
    }),
    order(world, {
      customer: 'Fabryka Mebli Łódź S.A.',
      caseWorker: 'Jonas Hartwig',
      createdAt: at.two,
      message: 'two',
      reference: 'ZT/11/0341',
      vehicle: 'Curtain-sider 13.6 m',
      euros: 1450,
      paymentPeriodDays: 60,
      description: 'Firana, winda NIE, pasy 12 szt. Awizacja kierowcy dzień wcześniej.',
      cargo: [
        {
          key: 'kroeger',
          title: 'meble',
          cargoType: 'Furniture',
          unit: 'Pallet',
          quantity: 9,
          lengthCm: 200,
          widthCm: 120,
          heightCm: 110,
          weightKg: 2790,
          handling: ['Straps needed'],
        },
        {
          key: 'rhein',
          title: 'meble',
          cargoType: 'Furniture',
          unit: 'Europallet',
          quantity: 6,
          lengthCm: 120,
          widthCm: 80,
          heightCm: 220,
          weightKg: 1680,
        },
        {
          key: 'cartons',
          title: '40 kartonów na 2 paletach',
          cargoType: 'Furniture',
          unit: 'Industrial pallet',
          quantity: 2,
          packages: 40,
          lengthCm: 120,
          widthCm: 100,
          heightCm: 135,
          weightKg: 410,
          volumeM3: 3.2,
        },
      ],
      stops: [
        stop(
          'loading',
          place(
            'PL',
            'Łódź',
            '93-490',
            'Fabryka Mebli Łódź S.A.',
            'ul. Pabianicka 119',
            [51.705, 19.436],
            'Tomasz Wójcik',
            '+48 42 555 17 80',
          ),
          { kind: 'period', dateFrom: '2026-12-02', timeFrom: '06:00', timeTo: '14:00' },
          ['kroeger', 'rhein', 'cartons'],
          { comment: 'rampa 2' },
        ),
        stop(
          'unloading',
          place('DE', 'Bielefeld', '33689', 'Möbelhaus Kröger', 'Industriestr. 14', [51.943, 8.59]),
          { kind: 'before', dateFrom: '2026-12-03', timeFrom: '16:00' },
          ['kroeger'],
        ),
        stop(
          'unloading',
          place('DE', 'Frechen', '50226', 'Wohnwelt Rhein GmbH', 'Carl-Benz-Str. 3', [50.915, 6.812]),
          { kind: 'period', dateFrom: '2026-12-04', timeFrom: '08:00', timeTo: '10:00' },
          ['rhein', 'cartons'],
        ),
      ],
      plan: planned(at.two, 'Curtain-sider 13.6 m', 1180),
    }),
    order(world, {
      customer: 'Alpenfaden AG',
      caseWorker: 'Jonas Hartwig',
      createdAt: at.three,
      message: 'three',
      reference: 'PO 77-2026',
      vehicle: 'Curtain-sider 13.6 m',
      euros: 690,
      paymentPeriodDays: 30,
      description: 'Please insure. Export certificate wanted for the tax file, arrival time by email.',
      cargo: [
        {
          key: 'spares',
          title: 'Spare parts for textile machines',
          cargoType: 'Machinery',
          unit: 'Industrial pallet',
          quantity: 4,
          lengthCm: 120,
          widthCm: 100,
          heightCm: 160,
          weightKg: 2300,
          valueCents: 5_420_000,
          handling: ['Insurance wanted', 'Customs goods'],
          instructions: 'T1 not needed, EX-A to follow',
        },
      ],
      stops: [
        stop(
          'loading',
          place(
            'PL',
            'Wrocław',
            '52-326',
            'Silesia Parts',
            'ul. Kwiatkowskiego 4',
            [51.058, 17.037],
            'Marek',
            '+48 71 555 90 31',
          ),
          { kind: 'period', dateFrom: '2026-11-26', timeFrom: '10:00', timeTo: '15:00' },
          ['spares'],
          { comment: 'Forklift on site' },
        ),
        stop(
          'customs',
          place(
            'DE',
            'Weil am Rhein',
            '79576',
            'Zollservice Dreiländereck',
            'Autobahnzollanlage',
            [47.598, 7.607],
            null,
            '+49 7621 555 40',
          ),
          null,
          [],
        ),
        stop(
          'unloading',
          place('CH', 'Basel', '4057', 'Rheintal Textil AG', 'Hafenstrasse 88', [47.588, 7.588]),
          { kind: 'before', dateFrom: '2026-11-30', timeFrom: '12:00' },
          ['spares'],
        ),
      ],
      plan: planned(at.three, 'Curtain-sider 13.6 m', 565),
    }),
    order(world, {
      ...groupage,
      reference: 'KW 49 a)',
      euros: 410,
      cargo: [
        {
          key: 'boxes',
          title: 'Gitterboxen',
          cargoType: 'Paper',
          unit: 'Mesh box',
          quantity: 5,
          lengthCm: 124,
          widthCm: 83.5,
          heightCm: 97,
          weightKg: 2100,
          stackingFactor: 2,
        },
      ],
      stops: [
        pickUp('boxes'),
        stop(
          'unloading',
          place('IT', 'Milano', '20138', 'Officina Brambilla S.r.l.', 'Via Mecenate 76', [45.452, 9.243]),
          { kind: 'before', dateFrom: '2026-12-03', timeFrom: '12:00' },
          ['boxes'],
        ),
      ],
    }),
    order(world, {
      ...groupage,
      createdAt: at.four + MINUTE,
      reference: 'KW 49 b)',
      euros: 520,
      cargo: [
        {
          key: 'rolls',
          title: 'Rollen Papier, liegend',
          cargoType: 'Paper',
          unit: 'Roll',
          quantity: 2,
          lengthCm: 180,
          widthCm: 125,
          heightCm: 125,
          weightKg: 2300,
          handling: ['Wedges needed'],
          instructions: 'Keile nötig',
        },
      ],
      stops: [
        pickUp('rolls'),
        stop(
          'unloading',
          place('IT', 'Legnano', '20025', 'Cartiera Olona', 'Via Sempione 210', [45.597, 8.914]),
          { kind: 'fix', dateFrom: '2026-12-03', timeFrom: '14:00' },
          ['rolls'],
        ),
      ],
    }),
    order(world, {
      ...groupage,
      createdAt: at.four + 2 * MINUTE,
      reference: 'KW 49 c)',
      euros: 165,
      isLiftRequired: true,
      cargo: [
        {
          key: 'samples',
          title: 'Muster, dringend',
          cargoType: 'Paper',
          unit: 'Europallet',
          quantity: 1,
          lengthCm: 120,
          widthCm: 80,
          heightCm: 90,
          weightKg: 95,
          handling: ['Tail lift'],
        },
      ],
      stops: [
        pickUp('samples'),
        stop(
          'unloading',
          place('IT', 'Milano', '20154', 'Studio Verdi', 'Corso Como 9', [45.482, 9.187]),
          { kind: 'period', dateFrom: '2026-12-04', timeFrom: '09:00', timeTo: '11:00' },
          ['samples'],
          { comment: 'Anlieferung nur mit Hebebühne' },
        ),
      ],
    }),
    order(world, {
      customer: 'Polder Fresh Logistics B.V.',
      caseWorker: 'Monika Krause',
      createdAt: at.five,
      message: 'five',
      reference: null,
      vehicle: 'Reefer',
      euros: 2350,
      paymentPeriodDays: 30,
      description:
        '50 EUR per started hour of delay. Temperature record with the CMR. Driver with safety shoes and hi-vis.',
      cargo: [
        {
          key: 'kade',
          title: 'Chilled goods',
          cargoType: 'Food',
          unit: 'Industrial pallet',
          quantity: 14,
          lengthCm: 120,
          widthCm: 100,
          heightCm: 180,
          weightKg: 9100,
          temperature: [2, 8],
          handling: ['Temperature controlled'],
        },
        {
          key: 'venlo',
          title: 'Chilled goods',
          cargoType: 'Food',
          unit: 'Europallet',
          quantity: 12,
          lengthCm: 120,
          widthCm: 80,
          heightCm: 175,
          weightKg: 6240,
          temperature: [2, 8],
          handling: ['Temperature controlled'],
        },
      ],
      stops: [
        stop(
          'loading',
          place('NL', 'Rotterdam', '3089 KM', 'Kade Cold Store', 'Reeweg 25', [51.877, 4.426]),
          { kind: 'fix', dateFrom: '2026-12-02', timeFrom: '14:00' },
          ['kade'],
          { reference: 'RCS-88120' },
        ),
        stop(
          'loading',
          place('NL', 'Venlo', '5928 RH', 'Venlo Fresh Hub', 'Venrayseweg 198', [51.392, 6.112]),
          { kind: 'period', dateFrom: '2026-12-02', timeFrom: '18:00', timeTo: '20:00' },
          ['venlo'],
          { reference: 'VFH-2231' },
        ),
        stop(
          'unloading',
          place('PL', 'Ożarów Mazowiecki', '05-850', 'Chłodnia Mazowsze', 'ul. Poznańska 98', [52.21, 20.795]),
          { kind: 'period', dateFrom: '2026-12-04', timeFrom: '04:00', timeTo: '06:00' },
          ['kade', 'venlo'],
          { comment: 'Slot booked' },
        ),
      ],
      plan: planned(at.five, 'Reefer', 1980),
    }),
    order(world, {
      customer: 'AutoKomponent Sp. z o.o.',
      caseWorker: 'Jonas Hartwig',
      createdAt: at.six,
      message: 'six',
      reference: null,
      vehicle: 'Van',
      euros: 780,
      paymentPeriodDays: 14,
      description: 'Telefon 30 min przed przyjazdem, zdjęcie podpisanego CMR zaraz po rozładunku.',
      cargo: [
        {
          key: 'line',
          title: 'części do linii',
          cargoType: 'Automotive parts',
          unit: 'Europallet',
          quantity: 1,
          lengthCm: 120,
          widthCm: 80,
          heightCm: 100,
          weightKg: 380,
          valueCents: 1_200_000,
        },
      ],
      stops: [
        stop(
          'loading',
          place('PL', 'Katowice', '40-265', 'AutoKomponent', 'ul. Rzemieślnicza 11', [50.249, 19.062]),
          { kind: 'fix', dateFrom: '2026-11-24', timeFrom: '06:00' },
          ['line'],
          { comment: 'portier da kwit' },
        ),
        stop(
          'unloading',
          place(
            'DE',
            'Ingolstadt',
            '85057',
            'Donau Montagewerk',
            'Ringlerstr. 28',
            [48.78, 11.4],
            'Herr Aigner',
            '+49 841 555 606',
          ),
          { kind: 'before', dateFrom: '2026-11-24', timeFrom: '17:00' },
          ['line'],
          { comment: 'brama 3' },
        ),
      ],
      plan: planned(at.six, 'Van', 610),
    }),
    order(world, {
      customer: 'Flachstahl Salzgitter GmbH',
      caseWorker: 'Monika Krause',
      createdAt: at.seven,
      message: 'seven',
      reference: 'SZG-„Ostsee“/26 & Co <dringend>',
      vehicle: 'Flatbed',
      euros: null,
      description: 'Kran vorhanden, Coilmulde nein, Rungen ja. Preis nach Vereinbarung.',
      // Four abreast make 2.4 m, three layers: the load is as long as one beam.
      cargo: [
        {
          key: 'beams',
          title: 'Stahlträger, Bund',
          cargoType: 'Steel',
          unit: 'Bundle',
          quantity: 12,
          lengthCm: 1340,
          widthCm: 60,
          heightCm: 45,
          weightKg: 25_800,
          stackingFactor: 3,
          handling: ['Straps needed'],
        },
      ],
      stops: [
        stop(
          'loading',
          place(
            'DE',
            'Salzgitter',
            '38239',
            'Flachstahl Werk 2',
            'Eisenhüttenstr. 99',
            [52.144, 10.392],
            'Frau Dr. Öztürk',
            '+49 5341 555 0',
          ),
          { kind: 'period', dateFrom: '2026-11-30', dateTo: '2026-12-04' },
          ['beams'],
          { comment: 'KW 49 nach Absprache, Avis 1 Tag vorher' },
        ),
        stop(
          'unloading',
          place('PL', 'Gdynia', '81-184', 'BCT Terminal', 'ul. Energetyków 5', [54.535, 18.512]),
          { kind: 'before', dateFrom: '2026-12-08' },
          ['beams'],
        ),
      ],
      plan: { carrier: 'none' },
    }),
    ...orderEight(world),
  ]
}

/** What the invoices of order 8 need to know it by. */
export const ORDER_EIGHT = {
  reference: '2026/118',
  wrongCents: 132_000,
  agreedCents: 123_000,
  waiting: { hours: 3, centsPerHour: 4500 },
} as const

/**
 * Order 8: a plan that changed under way, and one that was canceled after the carrier had been told. It happened in
 * the days before now.
 */
function orderEight(world: World): PlannedOrder[] {
  const { now, random } = world
  const zone = world.departments['FTL West'].company.timeZone
  const today = localOf(iso(now), zone).date
  const loading = workdayBefore(today, 8)
  const lille = workdayAfter(loading, 2)
  const gent = workdayAfter(loading, 3)
  const createdAt = inOfficeHours(random, workdayBefore(loading, 2), zone)
  const wroteAt = inOfficeHours(random, workdayBefore(today, 3), zone)
  const gaveAt = inOfficeHours(random, workdayBefore(addDays(localOf(iso(wroteAt), zone).date, -1), 0), zone)
  const carriers = world.carriers.filter((one) => one.vehicleTypes.has('Curtain-sider 13.6 m'))
  const vlaamse = place(
    'BE',
    'Gent',
    '9000',
    'Vlaamse Textielhandel NV',
    'Kortrijksesteenweg 1007',
    [51.022, 3.693],
    'Inez De Smet',
    '+32 9 555 20 40',
  )
  const common = {
    customer: 'Vlaamse Textielhandel NV',
    caseWorker: 'Monika Krause',
    message: 'eight',
    vehicle: 'Curtain-sider 13.6 m',
  } as const
  const pallets = {
    cargoType: 'Textiles',
    unit: 'Industrial pallet',
    lengthCm: 120,
    widthCm: 100,
    heightCm: 150,
    title: 'Fabric on rolls',
  } as const
  const tomorrow = workdayAfter(localOf(iso(wroteAt + DAY), zone).date, 0)
  return [
    order(world, {
      ...common,
      createdAt,
      reference: ORDER_EIGHT.reference,
      euros: ORDER_EIGHT.agreedCents / 100,
      description:
        '18 pallets instead of 20; second drop in Lille cancelled, goods stayed on board to Gent. Truck waited ' +
        '3.5 h at loading, 3 h accepted.',
      cargo: [
        { ...pallets, key: 'mulhouse', quantity: 6, weightKg: 3600 },
        { ...pallets, key: 'gent', quantity: 12, weightKg: 7200 },
      ],
      stops: [
        stop(
          'loading',
          place('IT', 'Prato', '59100', 'Tessitura Valdoro S.p.A.', 'Via del Lavoro 31', [43.88, 11.096]),
          { kind: 'period', dateFrom: loading, timeFrom: '07:00', timeTo: '11:00' },
          ['mulhouse', 'gent'],
          { comment: 'Waited 3.5 h' },
        ),
        stop(
          'unloading',
          place('FR', 'Mulhouse', '68200', 'Tissages Vertbois SAS', '14 rue de l’Industrie', [47.75, 7.339]),
          { kind: 'period', dateFrom: workdayAfter(loading, 1), timeFrom: '13:00', timeTo: '16:00' },
          ['mulhouse'],
        ),
        stop(
          'unloading',
          place('FR', 'Lille', '59000', 'Maison Leroux-Duflot', '52 rue Ampère', [50.633, 3.058]),
          { kind: 'period', dateFrom: lille, timeFrom: '08:00', timeTo: '12:00' },
          [],
          { canceledAt: iso(Date.parse(`${lille}T06:40:00Z`)) },
        ),
        stop('unloading', vlaamse, { kind: 'before', dateFrom: gent, timeFrom: '16:00' }, ['gent']),
      ],
      plan: { carrier: random.pick(carriers), costCents: 106_000, scheduledAt: createdAt + 3 * HOUR },
    }),
    order(world, {
      ...common,
      createdAt: gaveAt,
      reference: '2026/121',
      euros: 560,
      cargo: [{ ...pallets, key: 'roeselare', quantity: 8, weightKg: 4800 }],
      stops: [
        stop(
          'loading',
          place('DE', 'Mönchengladbach', '41061', 'Auental Textil GmbH', 'Gewerbering 18', [51.195, 6.441]),
          { kind: 'period', dateFrom: tomorrow, timeFrom: clock(7), timeTo: clock(12) },
          ['roeselare'],
        ),
        stop(
          'unloading',
          place('BE', 'Roeselare', '8800', 'Magazijn Roeselare', 'Industrielaan 40', [50.946, 3.123]),
          { kind: 'before', dateFrom: workdayAfter(tomorrow, 1), timeFrom: '12:00' },
          ['roeselare'],
        ),
      ],
      plan: {
        carrier: random.pick(carriers),
        costCents: 47_500,
        scheduledAt: gaveAt + 70 * MINUTE,
        canceledAt: wroteAt + 25 * MINUTE,
        cancelReason: 'Kunde zieht den Auftrag zurück, Fahrzeug abbestellt',
      },
    }),
  ]
}
