import type { Language } from '@waybill/contract/errors'
import type { Db } from '../../../src/kit/database/db.ts'
import { insertRows, takeIds } from '../bulk.ts'
import { DAY, iso } from '../calendar.ts'
import { vatNumber } from './checksums.ts'
import { customerTitle, INDUSTRIES, type Industry } from './companies.ts'
import { partnersOf } from '../orders/lanes.ts'
import { domainOf, emailOf, mobileNumber, personName, phoneNumber, streetOf } from './names.ts'
import { REAL_CUSTOMERS, type RealCustomer } from './real-customers.ts'
import { townIn, type Customer, type DepartmentName, type Place, type User, type World } from '../world.ts'

type Base = Omit<World, 'customers' | 'carriers'>

/** How many customers a country has among a hundred and twenty. */
const HOMES: readonly (readonly [countryCode: string, count: number])[] = [
  ['DE', 50],
  ['PL', 25],
  ['NL', 10],
  ['BE', 6],
  ['FR', 8],
  ['IT', 7],
  ['AT', 5],
  ['CZ', 5],
  ['CH', 2],
  ['DK', 2],
]

const POSITIONS: Readonly<Record<Language, readonly string[]>> = {
  de: ['Versandleitung', 'Logistik', 'Einkauf', 'Disposition', 'Auftragsabwicklung'],
  pl: ['kierownik logistyki', 'spedycja', 'zakupy', 'dział wysyłki', 'obsługa zamówień'],
  en: ['Logistics manager', 'Shipping', 'Purchasing', 'Supply chain', 'Order desk'],
}

const INSTRUCTIONS: Readonly<Record<Language, readonly string[]>> = {
  de: [
    'Avis 24 h vorher. Nur Planenauflieger mit Zertifikat Code XL.',
    'Europaletten Zug um Zug tauschen. Palettenschein mit dem POD.',
    'Bei Verspätung sofort anrufen, auch nachts.',
  ],
  pl: [
    'Awizacja dzień wcześniej do 15:00. Kierowca w kamizelce i butach ochronnych.',
    'Palety wymienne na załadunku i rozładunku.',
    'Zdjęcie podpisanego CMR zaraz po rozładunku.',
  ],
  en: [
    'Book the slot one day ahead. Driver with safety shoes and hi-vis vest.',
    'Exchange pallets at both ends, pallet note with the POD.',
    'Call at once if the truck runs late.',
  ],
}

const WARNINGS: Readonly<Record<Language, readonly string[]>> = {
  de: ['Zahlt oft erst nach der zweiten Mahnung.', 'Kreditlimit 40.000 € beachten.'],
  pl: ['Limit kredytowy 30 000 €.', 'Reklamuje każdą uszkodzoną paletę: zdjęcia przy załadunku.'],
  en: ['Credit limit 35,000 €.', 'Complains about every damaged pallet: photos when loading.'],
}

/** How customers number their orders: every house has its own way. */
function numbering(random: World['random'], language: Language): Customer['orderNumber'] {
  let last = random.int(100, 9000)
  const next = () => (last += random.int(1, 9))
  const prefix = random.letters(2)
  return random.weighted<Customer['orderNumber']>([
    [() => `45000${String(random.int(10_000, 99_999))}`, 3],
    [(date) => `${prefix}/${date.slice(5, 7)}/${String(next()).padStart(4, '0')}`, 3],
    [(date) => `PO ${next()}-${date.slice(0, 4)}`, 2],
    [(date) => `${date.slice(0, 4)}/${next()}`, 2],
    [(date) => `${prefix}${date.slice(2, 4)}-${next()}`, 2],
    // A mail says the word for an order itself.
    [() => `${language === 'de' ? 'AB' : language === 'pl' ? 'ZL' : 'SO'}-${next()}`, 1],
    [() => (random.chance(0.5) ? String(next()) : null), 1],
  ])
}

function departmentOf(random: World['random'], countryCode: string, sizes: Customer['sizes']): DepartmentName {
  if (sizes[2] > 5) return 'Groupage'
  if (countryCode === 'PL' || countryCode === 'CZ') return random.chance(0.7) ? 'FTL East' : 'FTL West'
  return random.chance(0.08) ? 'FTL East' : 'FTL West'
}

const PERIODS = [
  [14, 2],
  [21, 1],
  [30, 8],
  [45, 4],
  [60, 3],
] as const

interface Draft {
  customer: Omit<Customer, 'id' | 'contacts' | 'billedTo'>
  row: Record<string, unknown>
  contacts: Record<string, unknown>[]
  billedTo: string | null
}

function rampOf(base: Base, countryCode: string, companyTitle: string, town = townIn(base, countryCode)): Place {
  const { gravity: _gravity, ...place } = town
  return {
    ...place,
    companyTitle,
    address: streetOf(base.random, countryCode),
    contactPerson: personName(base.random, countryCode),
    phone: phoneNumber(base.random, countryCode),
  }
}

function draftCustomer(
  base: Base,
  {
    countryCode,
    real,
    place,
    createdAt,
  }: { countryCode: string; real: RealCustomer | null; place: number; createdAt: number },
): Draft {
  const { random, takenTitles } = base
  const industry: Industry = real?.industry ?? random.pick(INDUSTRIES)
  const title = real?.title ?? customerTitle(random, takenTitles, countryCode, industry)
  takenTitles.add(title)
  const language: Language =
    real?.language ??
    (countryCode === 'DE' || countryCode === 'AT' || (countryCode === 'CH' && random.chance(0.6))
      ? 'de'
      : countryCode === 'PL'
        ? 'pl'
        : 'en')
  const sizes: Customer['sizes'] =
    real?.sizes ??
    random.weighted([
      [[8, 2, 0], 5],
      [[4, 5, 1], 4],
      [[1, 3, 6], 2.4],
    ] as const)
  const department = real?.department ?? departmentOf(random, countryCode, sizes)
  const home = real
    ? {
        ...real.home,
        companyTitle: title,
        contactPerson: personName(random, countryCode),
        phone: phoneNumber(random, countryCode),
      }
    : rampOf(base, countryCode, title)
  const ramps = [
    home,
    ...Array.from(
      {
        length: random.weighted([
          [0, 5],
          [1, 3],
          [2, 1],
        ]),
      },
      () => rampOf(base, countryCode, title),
    ),
  ]
  const domain = domainOf(title)
  const names = [
    ...new Set(real?.contacts ?? Array.from({ length: random.int(1, 4) }, () => personName(random, countryCode))),
  ]
  const dispatchers = base.users.filter((user) => user.job === 'dispatcher' && user.department === department)
  const responsible = random.pick(dispatchers)
  const paymentPeriodDays = real?.paymentPeriodDays ?? random.weighted(PERIODS)
  // Every sixth, without a throw of the dice: what follows stays as it was.
  const takesSkonto = paymentPeriodDays >= 30 && place % 6 === 4
  // A pair of firms without a VAT number: staff see the warning of the VAT proposal.
  const vat = real ? real.vatNumber : random.chance(0.97) ? vatNumber(random, countryCode) : null
  const invoiceEmail = random.chance(0.7)
    ? `${{ de: 'rechnung', pl: 'faktury', en: 'invoices' }[language]}@${domain}`
    : null
  const paymentOption = real?.paymentOption ?? (random.chance(0.14) ? 'end_of_period' : 'per_order')
  const isShy = random.chance(0.2)
  const wants = (share: number) => random.chance(share)
  const emailPreferences: Customer['emailPreferences'] = {
    orderCreated: !isShy,
    driverInformation: wants(0.7),
    pickup: !isShy && wants(0.7),
    delivery: wants(0.8),
    pod: wants(0.85),
    invoice: true,
    paymentReminder: true,
    arrivalCertificate: wants(0.3),
    exportCertificate: countryCode === 'CH' || wants(0.15),
  }

  return {
    billedTo: real?.billedTo ?? null,
    customer: {
      title,
      industry,
      countryCode,
      language,
      hasVatNumber: vat !== null,
      paymentPeriodDays,
      takesSkonto,
      paymentOption,
      invoiceEmail,
      emailPreferences,
      responsible,
      department,
      ramps,
      partners: partnersOf(base, { countryCode, isGroupage: department === 'Groupage' }),
      // A few give a lot, many give little.
      share: real?.share ?? 1 / (1 + random.int(0, 12)),
      sizes,
      orderNumber: numbering(random, language),
    },
    row: {
      version: 1,
      state: real || random.chance(0.97) ? 'active' : 'inactive',
      alias: random.chance(0.4) ? title.split(' ')[0]!.slice(0, 20) : null,
      title,
      vatNumber: vat,
      language,
      responsibleUserId: responsible.id,
      address: home.address,
      postal: home.postal,
      city: home.city,
      countryId: base.countries.get(countryCode)!.id,
      billingAddress:
        !real && random.chance(0.06)
          ? {
              title,
              address:
                `${language === 'de' ? 'Postfach' : language === 'pl' ? 'skr. poczt.' : 'P.O. Box'} ` +
                `${random.int(100, 9900)}`,
              postal: home.postal,
              city: home.city,
              countryId: base.countries.get(countryCode)!.id,
            }
          : null,
      specialInstructions: random.chance(0.3) ? random.pick(INSTRUCTIONS[language]) : null,
      warnings: random.chance(0.08) ? random.pick(WARNINGS[language]) : null,
      emailPreferences,
      paymentOption,
      paymentPeriodDays,
      skonto: takesSkonto ? [{ percentBp: 200, days: 10 }] : [],
      chargeableKgPerM3: 333,
      chargeableKgPerLdm: random.weighted([
        [1750, 8],
        [1850, 1],
        [1500, 1],
      ]),
      buyerReference: random.chance(0.1) ? `${random.int(10, 99)}-${random.digits(6)}` : null,
      eInvoiceAddress: null,
      invoiceEmail,
      creatorId: responsible.id,
      createdAt: iso(createdAt),
    },
    contacts: names.map((fullName, position) => ({
      position,
      fullName,
      phone: phoneNumber(random, countryCode),
      mobile: random.chance(0.6) ? mobileNumber(random, countryCode) : null,
      email: emailOf(fullName, domain),
      jobTitle: random.pick(POSITIONS[language]),
      language: null,
    })),
  }
}

// Of the examples of the format specification; it is nobody's.
const LEITWEG_ID = '04011000-1234512345-06'

const WISHES = ['zugferd', 'xrechnungUbl', 'xrechnungCii', 'xrechnungUbl', 'zugferd'] as const
// Those of the real orders, which come first, get their PDF.
const BEFORE_WISHES = 8

/** Which electronic invoice a German customer wants, by its place; one XRechnung lacks its Leitweg-ID. */
function wishOf({ invoiceEmail }: Record<string, unknown>, place: number): object {
  const format = WISHES[place - BEFORE_WISHES]
  if (format === undefined) return { eInvoiceFormat: 'pdf', eInvoiceScheme: null }
  if (format === 'zugferd')
    return {
      eInvoiceFormat: format,
      eInvoiceAddress: invoiceEmail,
      eInvoiceScheme: invoiceEmail === null ? null : 'EM',
    }
  return {
    eInvoiceFormat: format,
    eInvoiceAddress: LEITWEG_ID,
    eInvoiceScheme: '0204',
    buyerReference: place === BEFORE_WISHES + 1 ? null : LEITWEG_ID,
  }
}

/**
 * Customers with contact persons and pickup locations: those of the eight orders first, then about a hundred and
 * twenty invented ones.
 */
export async function seedCustomers(
  db: Db,
  base: Base,
  { startedAt, count }: { startedAt: number; count: number },
): Promise<Customer[]> {
  const { random } = base
  const total = HOMES.reduce((sum, [, homes]) => sum + homes, 0)
  const homes = random
    .shuffled(HOMES.flatMap(([countryCode, some]) => Array.from({ length: some }, () => countryCode)))
    .slice(0, Math.min(count, total))
  const drafts = [
    ...REAL_CUSTOMERS.map((real) =>
      draftCustomer(base, {
        countryCode: real.home.countryCode,
        real,
        place: 0,
        createdAt: startedAt + random.int(0, 5) * DAY,
      }),
    ),
    ...homes.map((countryCode, place) =>
      draftCustomer(base, { countryCode, real: null, place, createdAt: startedAt + random.int(0, 20) * DAY }),
    ),
  ]
  const ids = await takeIds(db, 'customer', drafts.length)
  const contactIds = await takeIds(
    db,
    'contact_person',
    drafts.reduce((sum, draft) => sum + draft.contacts.length, 0),
  )
  const idOf = (title: string) => ids[drafts.findIndex((draft) => draft.customer.title === title)]!

  const contacts: Record<string, unknown>[] = []
  const places: Record<string, unknown>[] = []
  const customers = drafts.map(({ customer, contacts: people, billedTo }, index): Customer => {
    const id = ids[index]!
    const own = people.map((person) => ({ id: contactIds.shift()!, customerId: id, ...person }))
    contacts.push(...own)
    customer.ramps.forEach((ramp, position) =>
      places.push({
        customerId: id,
        position,
        companyTitle: ramp.companyTitle,
        address: ramp.address,
        postal: ramp.postal,
        city: ramp.city,
        countryId: base.countries.get(ramp.countryCode)!.id,
        latitude: ramp.latitude,
        longitude: ramp.longitude,
        contactPerson: ramp.contactPerson,
        phone: ramp.phone,
        comment: null,
      }),
    )
    return {
      ...customer,
      id,
      contacts: own as unknown as Customer['contacts'],
      billedTo: billedTo === null ? null : idOf(billedTo),
    }
  })
  drafts.forEach(({ row: { createdAt, creatorId } }, index) =>
    base.journal.push({
      at: String(createdAt),
      actorId: Number(creatorId),
      ownerKind: 'customer',
      ownerId: ids[index]!,
      action: 'created',
      changes: [],
      reason: null,
    }),
  )
  const germans = drafts.filter(({ row }) => row.language === 'de')
  await insertRows(
    db,
    'customer',
    drafts.map((draft, index) => ({ id: ids[index], ...draft.row, ...wishOf(draft.row, germans.indexOf(draft)) })),
  )
  await insertRows(db, 'contact_person', contacts)
  const placeIds = await takeIds(db, 'pickup_location', places.length)
  await insertRows(
    db,
    'pickup_location',
    places.map((place, index) => ({ id: placeIds[index], ...place })),
  )
  return customers
}

/** Who is responsible within a department, weighted towards the customer's own case worker. */
export function caseWorkerOf(
  { random, users }: Pick<World, 'random' | 'users'>,
  department: DepartmentName,
  preferred: User,
): User {
  const dispatchers = users.filter((user) => user.job === 'dispatcher' && user.department === department)
  return preferred.department === department && random.chance(0.75) ? preferred : random.pick(dispatchers)
}
