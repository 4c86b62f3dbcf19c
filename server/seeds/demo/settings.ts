import { sql } from 'kysely'
import type { Db } from '../../src/kit/database/db.ts'
import { hashPassword } from '../../src/modules/session/index.ts'
import { insertRows, takeIds } from './bulk.ts'
import { seedRates } from './rates.ts'
import { TOWNS } from './towns.ts'
import type { Country, Department, DepartmentName, Town, User, World } from './world.ts'

/** Countries, types, our companies and departments: those of the first start, and what the demo adds to them. */
export async function seedSettings(
  db: Db,
  startedAt: string,
): Promise<Pick<World, 'countries' | 'countriesById' | 'towns' | 'types' | 'departments'>> {
  const { rows: countries } =
    await sql<Country>`select id, code, "isEu", "standardVatBp", "timeZone" from country`.execute(db)
  const byCode = new Map(countries.map((country) => [country.code, country]))
  const titles = async (table: keyof World['types']) => {
    const { rows } = await sql<{ id: number; title: string }>`select id, title from ${sql.table(table)}`.execute(db)
    return new Map(rows.map((row) => [row.title, row.id]))
  }

  const german = await db.selectFrom('company').select('id').orderBy('id').executeTakeFirstOrThrow()
  await db
    .updateTable('company')
    .set({
      register: 'HRB 123456, Amtsgericht Hamburg',
      eInvoiceContact: JSON.stringify({
        fullName: 'Rechnungswesen',
        phone: '+49 40 5550 120',
        email: 'rechnung@waybill.example',
      }),
      eInvoiceAddress: 'rechnung@waybill.example',
      eInvoiceScheme: 'EM',
    })
    .where('id', '=', german.id)
    .execute()
  const [polishId] = await takeIds(db, 'company', 1)
  const [poland, germany] = [byCode.get('PL')!, byCode.get('DE')!]
  await insertRows(db, 'company', [
    {
      id: polishId,
      version: 1,
      state: 'active',
      title: 'Waybill Polska Sp. z o.o.',
      code: 'WBPL',
      vatNumber: 'PL7822345674',
      taxNumber: 'KRS 0000912345',
      address: 'ul. Bałtycka 64',
      postal: '61-017',
      city: 'Poznań',
      countryId: poland.id,
      email: 'biuro@waybill-polska.example',
      phone: '+48 61 555 30 00',
      language: 'pl',
      timeZone: 'Europe/Warsaw',
      invoiceNumberPattern: 'WP/{N}/{YYYY}',
      marginWarningBp: 900,
      ksefMode: 'file',
    },
  ])
  await seedRates(db, startedAt)
  await insertRows(db, 'company_bank_account', [
    {
      companyId: polishId,
      position: 0,
      bankName: 'Bank Wielkopolski',
      iban: 'PL61109010140000071219812874',
      bic: 'WBKPPLPPXXX',
    },
  ])

  const [groupageId, eastId] = await takeIds(db, 'department', 2)
  await insertRows(db, 'department', [
    {
      id: groupageId,
      version: 1,
      state: 'active',
      abbreviation: 'Groupage',
      companyId: german.id,
      countryId: germany.id,
      city: 'Hamburg',
      createdAt: startedAt,
    },
    {
      id: eastId,
      version: 1,
      state: 'active',
      abbreviation: 'FTL East',
      companyId: polishId,
      countryId: poland.id,
      city: 'Poznań',
      createdAt: startedAt,
    },
  ])
  const west = await db
    .selectFrom('department')
    .select('id')
    .where('companyId', '=', german.id)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const { rows: companies } = await sql<Department['company']>`
    select c.id, c.title, k.code as "countryCode", k."standardVatBp", c."timeZone",
      array_remove(array[c.title, c.address, nullif(concat_ws(' ', c.postal, c.city), ''), c.phone, c.email,
        c."vatNumber"], null) as footer
    from company c join country k on k.id = c."countryId"
  `.execute(db)
  const department = (name: DepartmentName, id: number): Department => ({
    id,
    name,
    language: name === 'FTL East' ? 'pl' : 'de',
    company: companies.find((company) => company.id === (name === 'FTL East' ? polishId : german.id))!,
  })

  const towns = new Map<string, Town[]>()
  for (const [countryCode, rows] of Object.entries(TOWNS)) {
    towns.set(
      countryCode,
      rows.map(([city, postal, latitude, longitude, gravity]) => ({
        countryCode,
        city,
        postal,
        latitude,
        longitude,
        gravity,
      })),
    )
  }
  return {
    countries: byCode,
    countriesById: new Map(countries.map((country) => [country.id, country])),
    towns,
    types: {
      unit_type: await titles('unit_type'),
      vehicle_type: await titles('vehicle_type'),
      cargo_type: await titles('cargo_type'),
      special_handling_type: await titles('special_handling_type'),
    },
    departments: {
      'FTL West': department('FTL West', west.id),
      Groupage: department('Groupage', groupageId!),
      'FTL East': department('FTL East', eastId!),
    },
  }
}

type Person = readonly [
  fullName: string,
  job: User['job'],
  department: DepartmentName | null,
  role: string | null,
  position: string,
  language: 'de' | 'en' | 'pl',
  plateNumber?: string,
]

const PEOPLE: readonly Person[] = [
  ['Henrik Maas', 'manager', 'FTL West', 'Administration', 'Managing director', 'de'],
  ['Monika Krause', 'dispatcher', 'FTL West', 'Dispatch', 'Head of dispatch', 'de'],
  ['Jonas Hartwig', 'dispatcher', 'FTL West', 'Dispatch', 'Dispatcher', 'de'],
  ['Anna Lindqvist', 'dispatcher', 'Groupage', 'Dispatch', 'Dispatcher', 'en'],
  ['Lukas Behrens', 'dispatcher', 'Groupage', 'Dispatch, own orders', 'Junior dispatcher', 'de'],
  ['Piotr Zieliński', 'dispatcher', 'FTL East', 'Dispatch', 'Head of dispatch, Poznań', 'pl'],
  ['Katarzyna Wrona', 'dispatcher', 'FTL East', 'Dispatch', 'Dispatcher', 'pl'],
  ['Sabine Thomsen', 'accountant', 'FTL West', 'Accounting', 'Accountant', 'de'],
  // Our own drivers are people on assignments; they do not sign in.
  ['Ralf Petersen', 'driver', 'FTL West', null, 'Driver', 'de', 'HH-WB 2041'],
  ['Zbigniew Kubiak', 'driver', 'FTL East', null, 'Driver', 'pl', 'PO 5WB41'],
]

/** The people of the house, who all sign in with the one password; returns them and the addresses that can. */
export async function seedPeople(
  db: Db,
  departments: World['departments'],
  { password, createdAt }: { password: string; createdAt: string },
): Promise<{ users: User[]; addresses: string[] }> {
  const roles = await db.selectFrom('user_role').select(['id', 'title']).execute()
  const ids = await takeIds(db, 'user', PEOPLE.length)
  const addressOf = (fullName: string) =>
    `${fullName.toLowerCase().replace('ń', 'n').replaceAll(' ', '.')}@waybill.example`
  const rows = await Promise.all(
    PEOPLE.map(
      async ([fullName, job, department, role, positionTitle, defaultLanguage, plateNumber = null], index) => ({
        id: ids[index],
        version: 1,
        state: 'active',
        isAdmin: false,
        fullName,
        email: addressOf(fullName),
        phone: `+${department === 'FTL East' ? '48 61 555 30' : '49 40 5550 1'} ${String(10 + index)}`,
        defaultLanguage,
        roleId: role === null ? null : roles.find((one) => one.title === role)!.id,
        positionTitle,
        departmentId: department === null ? null : departments[department].id,
        plateNumber,
        passwordHash: job === 'driver' ? null : await hashPassword(password),
        createdAt,
      }),
    ),
  )
  await insertRows(db, 'user', rows)
  return {
    users: PEOPLE.map(([fullName, job, department, , , , plateNumber = null], index) => ({
      id: ids[index]!,
      fullName,
      job,
      department,
      plateNumber,
    })),
    addresses: PEOPLE.flatMap(([fullName, job]) => (job === 'driver' ? [] : [addressOf(fullName)])),
  }
}
