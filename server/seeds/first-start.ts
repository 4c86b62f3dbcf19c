import { randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Permission } from '@waybill/contract/permissions'
import type { Tables } from '../src/kit/database/db.ts'
import { ConfigError } from '../src/config.ts'
import { hashPassword, isKnownPassword } from '../src/modules/session/index.ts'
import { COUNTRIES, LANGUAGE_OF } from './countries.ts'
import { LATE_PAYMENT, NO_CLAIMS } from './late-payment.ts'
import {
  CARGO_TYPES,
  EMISSION_CLASSES,
  SALUTATIONS,
  salutationTitles,
  SPECIAL_HANDLING_TYPES,
  UNIT_TYPES,
  VEHICLE_TYPES,
} from './types.ts'

const ROLES: readonly (readonly [title: string, titleDe: string, titlePl: string, permissions: Permission[]])[] = [
  ['Administration', 'Verwaltung', 'Administracja', ['FULL_ACCESS']],
  ['Dispatch', 'Disposition', 'Spedycja', ['ORDERS_MANAGEMENT', 'CUSTOMER_MANAGEMENT', 'CARRIER_MANAGEMENT']],
  ['Dispatch, own orders', 'Disposition, eigene Aufträge', 'Spedycja, własne zlecenia', ['ASSIGNED_ORDERS']],
  [
    'Accounting',
    'Buchhaltung',
    'Księgowość',
    ['ORDERS_MANAGEMENT', 'INVOICES_PROCESSING', 'CUSTOMER_MANAGEMENT', 'CARRIER_MANAGEMENT'],
  ],
]

/** What has a history, and the table it is in. */
const WITH_HISTORY = [
  ['country', 'country'],
  ['salutation', 'salutation'],
  ['unitType', 'unit_type'],
  ['vehicleType', 'vehicle_type'],
  ['vehicle', 'vehicle'],
  ['loadCarrierType', 'load_carrier_type'],
  ['loadCarrierPlace', 'load_carrier_place'],
  ['emissionFactor', 'emission_factor'],
  ['cargoType', 'cargo_type'],
  ['specialHandlingType', 'special_handling_type'],
  ['userRole', 'user_role'],
  ['company', 'company'],
  ['department', 'department'],
  ['user', 'user'],
] as const

/** Every setting and person that has no history yet was there from this moment on; nobody in particular made them. */
export async function noteCreated(db: Kysely<Tables>, at: string): Promise<void> {
  for (const [kind, table] of WITH_HISTORY) {
    await sql`
      insert into audit_entry (at, "ownerKind", "ownerId", action, changes)
      select ${at}, ${kind}, t.id, 'created', '[]' from ${sql.table(table)} t
      where not exists (select 1 from audit_entry a where a."ownerKind" = ${kind} and a."ownerId" = t.id) order by t.id
    `.execute(db)
  }
}

interface FirstStart {
  db: Kysely<Tables>
  now: Date
  adminEmail: string
  /** null: made here and handed back, to be shown once */
  adminPassword: string | null
}

// No look-alikes: the password is read off a terminal. 16 of 54 letters and digits are 92 bits; the last three
// satisfy the rule of spec §5.
export function readablePassword(): string {
  const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'
  const letters = Array.from({ length: 16 }, () => alphabet[randomBytes(4).readUInt32LE() % alphabet.length]).join('')
  return `${letters.slice(0, 4)}-${letters.slice(4, 8)}-${letters.slice(8, 12)}-${letters.slice(12)}-Wb7`
}

/**
 * Gives an empty database the settings that a forwarder needs and one administrator (domain, First start).
 * Does its work once, no matter who else starts at the same time. Returns the administrator's password where it was
 * made here. Error: ConfigError for a password that strangers try first; nothing is kept then.
 */
export async function firstStart({
  db,
  now,
  adminEmail,
  adminPassword,
}: FirstStart): Promise<{ isFirst: boolean; password: string | null }> {
  const at = now.toISOString()
  return db.transaction().execute(async (trx) => {
    const claimed =
      await sql`insert into installation (name, "doneAt") values ('first-start', ${at}) on conflict do nothing`.execute(
        trx,
      )
    if (Number(claimed.numAffectedRows) === 0) return { isFirst: false, password: null }
    if (adminPassword !== null && (await isKnownPassword(adminPassword)))
      throw new ConfigError('ADMIN_PASSWORD: stands on lists of stolen passwords; please choose another')

    const countries = await trx
      .insertInto('country')
      .values(
        COUNTRIES.map(([code, title, isEu, standardVatBp, timeZone]) => ({
          code,
          title,
          isEu,
          standardVatBp,
          timeZone,
          language: LANGUAGE_OF[code] ?? null,
          latePayment: JSON.stringify(LATE_PAYMENT[code] ?? NO_CLAIMS),
        })),
      )
      .returning(['id', 'code'])
      .execute()
    const countryId = (code: string) => countries.find((country) => country.code === code)!.id
    await trx
      .insertInto('salutation')
      .values(
        SALUTATIONS.map(([title, gender, code]) => ({
          ...salutationTitles(title, gender),
          gender,
          countryId: countryId(code),
        })),
      )
      .execute()
    await trx.insertInto('unit_type').values(UNIT_TYPES).execute()
    await trx.insertInto('vehicle_type').values(VEHICLE_TYPES).execute()
    // The factors came with their table; what they are for, now.
    await sql`
      insert into emission_factor_vehicle_type ("factorId", "vehicleTypeId")
      select f.id, t.id from jsonb_to_recordset(${JSON.stringify(EMISSION_CLASSES)}::jsonb) as x(class text, title text)
        join emission_factor f on f."vehicleClass" = x.class and f.fuel = 'diesel'
        join vehicle_type t on t.title = x.title
    `.execute(trx)
    await trx.insertInto('cargo_type').values(CARGO_TYPES).execute()
    await trx.insertInto('special_handling_type').values(SPECIAL_HANDLING_TYPES).execute()
    const roles = await trx
      .insertInto('user_role')
      .values(
        ROLES.map(([title, titleDe, titlePl, permissions]) => ({
          title,
          titleEn: title,
          titleDe,
          titlePl,
          permissions,
        })),
      )
      .returning(['id', 'title'])
      .execute()

    const company = await trx
      .insertInto('company')
      .values({
        title: 'Waybill Spedition GmbH',
        code: 'WB',
        vatNumber: 'DE811569869',
        taxNumber: '48/123/45678',
        address: 'Veddeler Damm 12',
        postal: '20457',
        city: 'Hamburg',
        countryId: countryId('DE'),
        email: 'office@waybill.example',
        phone: '+49 40 5550 100',
        language: 'de',
        timeZone: 'Europe/Berlin',
        invoiceNumberPattern: 'WB-{YYYY}-{NNNNN}',
        marginWarningBp: 800,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await trx
      .insertInto('company_bank_account')
      .values({
        companyId: company.id,
        position: 0,
        bankName: 'Commerzbank',
        iban: 'DE89370400440532013000',
        bic: 'COBADEFFXXX',
      })
      .execute()
    const department = await trx
      .insertInto('department')
      .values({
        abbreviation: 'FTL West',
        companyId: company.id,
        countryId: countryId('DE'),
        city: 'Hamburg',
        createdAt: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()

    const password = adminPassword ?? readablePassword()
    await trx
      .insertInto('user')
      .values({
        fullName: 'Administrator',
        email: adminEmail,
        phone: null,
        defaultLanguage: 'en',
        roleId: roles.find((role) => role.title === 'Administration')!.id,
        positionTitle: 'Administrator',
        isAdmin: true,
        departmentId: department.id,
        plateNumber: null,
        passwordHash: await hashPassword(password),
        createdAt: at,
      })
      .execute()
    await noteCreated(trx, at)
    return { isFirst: true, password: adminPassword === null ? password : null }
  })
}
