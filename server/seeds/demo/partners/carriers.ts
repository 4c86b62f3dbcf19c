import type { Language } from '@waybill/contract/errors'
import type { Db } from '../../../src/kit/database/db.ts'
import { insertRows, takeIds } from '../bulk.ts'
import { DAY, iso } from '../calendar.ts'
import { bankAccount, plateNumber, vatNumber } from './checksums.ts'
import { carrierTitle } from './companies.ts'
import { domainOf, emailOf, mobileNumber, personName, phoneNumber, streetOf } from './names.ts'
import { townIn, type Carrier, type World } from '../world.ts'

const HOMES: readonly (readonly [countryCode: string, count: number])[] = [
  ['PL', 24],
  ['DE', 10],
  ['LT', 7],
  ['CZ', 5],
  ['RO', 4],
  ['NL', 4],
  ['SK', 2],
  ['HU', 2],
  ['LV', 1],
  ['BE', 1],
]

/** Fleets as they are met: what a carrier of one kind runs. */
const FLEETS: readonly (readonly [vehicles: readonly string[], weight: number])[] = [
  [['Curtain-sider 13.6 m'], 9],
  [['Curtain-sider 13.6 m', 'Mega trailer'], 8],
  [['Reefer'], 4],
  [['Reefer', 'Box trailer'], 2],
  [['Curtain-sider 13.6 m', 'Coil trailer', 'Flatbed'], 3],
  [['Solo truck 7.5 t', 'Solo truck 12 t', 'Van'], 4],
  [['Van'], 2],
  [['Curtain-sider 13.6 m', 'Solo truck 12 t'], 3],
]

const NOTES: Readonly<Record<Language, readonly string[]>> = {
  de: ['Fährt regelmäßig Italien, samstags keine Entladung.', 'Rückladungen ab Ruhrgebiet gern bis 11 Uhr anbieten.'],
  pl: ['Stałe powroty z Niemiec, ładuje też w niedzielę wieczorem.', 'Dwie naczepy mega, 15 standard.'],
  en: ['Two drivers on request. Prefers Benelux – Poland.', 'Own cross-dock, open until 22:00.'],
}

const WARNINGS: Readonly<Record<Language, readonly string[]>> = {
  de: ['Versicherungsbestätigung läuft bald ab.'],
  pl: ['Dwukrotnie spóźniony POD: przypominać.'],
  en: ['Insurance certificate expires soon.'],
}

// What a driver's record holds: truck and trailer where both fit.
const MOST_OF_A_PLATE = 20

/** Carriers with dispatchers, drivers, fleets and bank accounts that a second person has confirmed. */
export async function seedCarriers(
  db: Db,
  base: Omit<World, 'customers' | 'carriers'>,
  { startedAt, count }: { startedAt: number; count: number },
): Promise<Carrier[]> {
  const { random, takenTitles } = base
  const homes = random
    .shuffled(HOMES.flatMap(([countryCode, some]) => Array.from({ length: some }, () => countryCode)))
    .slice(0, count)
  // Whatever the draw, every kind of vehicle has its carriers.
  const fleets = [
    ...FLEETS.map(([vehicles]) => vehicles),
    ...Array.from({ length: Math.max(0, homes.length - FLEETS.length) }, () => random.weighted(FLEETS)),
  ]
  const ids = await takeIds(db, 'carrier_company', homes.length)
  const accountant = base.users.find((user) => user.job === 'accountant')!
  const manager = base.users.find((user) => user.job === 'manager')!
  const rows: {
    carrier: Record<string, unknown>[]
    contact: Record<string, unknown>[]
    bank: Record<string, unknown>[]
    driver: Record<string, unknown>[]
    vehicle: Record<string, unknown>[]
  } = { carrier: [], contact: [], bank: [], driver: [], vehicle: [] }

  const carriers = homes.map((countryCode, index): Carrier => {
    const id = ids[index]!
    const vehicles = fleets[index]!
    const title = carrierTitle(random, takenTitles, countryCode)
    const domain = domainOf(title)
    const language: Language = countryCode === 'DE' ? 'de' : countryCode === 'PL' ? 'pl' : 'en'
    const town = townIn(base, countryCode)
    const chief = personName(random, countryCode, 0.2)
    const contacts = Array.from({ length: random.int(1, 3) }, () => personName(random, countryCode)).map(
      (fullName) => ({ fullName, phone: phoneNumber(random, countryCode), email: emailOf(fullName, domain) }),
    )
    const isVan = vehicles.every((vehicle) => vehicle === 'Van')
    const drivers = Array.from({ length: random.int(3, 9) }, () => {
      const truck = plateNumber(random, countryCode)
      const both = `${truck} / ${plateNumber(random, countryCode)}`
      return {
        fullName: personName(random, countryCode, 0.06),
        phone: mobileNumber(random, countryCode),
        plateNumber: isVan || both.length > MOST_OF_A_PLATE ? truck : both,
      }
    })
    const account = bankAccount(random, countryCode)
    const row = {
      id,
      version: 1,
      state: random.chance(0.96) ? 'active' : 'inactive',
      title,
      vatNumber: vatNumber(random, countryCode),
      language,
      representative: {
        fullName: chief,
        position: { de: 'Geschäftsführer', pl: 'właściciel', en: 'Owner' }[language],
        email: emailOf(chief, domain),
        phone: phoneNumber(random, countryCode),
      },
      timocomId: random.chance(0.8) ? random.digits(6) : null,
      transId: random.chance(0.6) ? `${random.int(100, 999)}-${random.int(1, 9)}` : null,
      website: `https://www.${domain}`,
      address: streetOf(random, countryCode),
      postal: town.postal,
      city: town.city,
      countryId: base.countries.get(countryCode)!.id,
      billingAddress: null,
      notes: random.chance(0.3) ? random.pick(NOTES[language]) : null,
      warnings: random.chance(0.06) ? random.pick(WARNINGS[language]) : null,
      createdAt: iso(startedAt + random.int(0, 20) * DAY),
    }
    rows.carrier.push(row)
    base.journal.push({
      at: row.createdAt,
      actorId: manager.id,
      ownerKind: 'carrierCompany',
      ownerId: id,
      action: 'created',
      changes: [],
      reason: null,
    })
    contacts.forEach((contact, position) =>
      rows.contact.push({
        carrierCompanyId: id,
        position,
        ...contact,
        jobTitle: { de: 'Disposition', pl: 'spedytor', en: 'Dispatcher' }[language],
      }),
    )
    const isConfirmed = random.chance(0.95)
    rows.bank.push({
      carrierCompanyId: id,
      position: 0,
      ...account,
      enteredById: accountant.id,
      enteredAt: row.createdAt,
      confirmedById: isConfirmed ? manager.id : null,
      confirmedAt: isConfirmed ? iso(Date.parse(row.createdAt) + DAY) : null,
      source: 'hand',
    })
    drivers.forEach((driver, position) => rows.driver.push({ carrierCompanyId: id, position, ...driver, email: null }))
    for (const vehicle of vehicles)
      rows.vehicle.push({ carrierCompanyId: id, vehicleTypeId: base.types.vehicle_type.get(vehicle)! })
    return {
      id,
      title,
      countryCode,
      language,
      contacts,
      drivers: drivers.map((driver) => ({ id: 0, ...driver })),
      vehicleTypes: new Set(vehicles),
      iban: account.iban,
      share: 1 / (1 + random.int(0, 8)),
    }
  })

  const named = async (
    table: 'carrier_contact' | 'carrier_bank_account' | 'driver',
    list: Record<string, unknown>[],
  ) => {
    const own = await takeIds(db, table, list.length)
    const withIds = list.map((row, index) => ({ id: own[index]!, ...row }))
    await insertRows(db, table, withIds)
    return own
  }
  await insertRows(db, 'carrier_company', rows.carrier)
  await named('carrier_contact', rows.contact)
  await named('carrier_bank_account', rows.bank)
  const driverIds = await named('driver', rows.driver)
  await insertRows(db, 'carrier_vehicle_type', rows.vehicle)
  for (const carrier of carriers) for (const driver of carrier.drivers) driver.id = driverIds.shift()!
  return carriers
}
