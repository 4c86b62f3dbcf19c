import { sql } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import { carrierCompanyApi } from '@waybill/contract/carrier-company'
import { audit } from '../../kit/audit.ts'
import { saveBankAccounts } from '../../kit/bank-accounts.ts'
import { saveChildren } from '../../kit/children.ts'
import { nowOf, type Ctx } from '../../kit/context.ts'
import { AppError } from '../../kit/errors.ts'
import { checkReferences } from '../../kit/references.ts'
import type { ServiceOf } from '../../kit/routes.ts'
import { bumpVersion, tableService } from '../../kit/table-service.ts'
import './carrier-company.table.ts'

type Service = ServiceOf<typeof carrierCompanyApi>
type Body = Parameters<Service['create']>[1]

const plain = tableService({
  api: carrierCompanyApi,
  table: 'carrier_company',
  title: 'title',
  sorts: {
    title: { column: 'carrier_company.title', type: 'text' },
    city: { column: 'carrier_company.city', type: 'text', isNullable: true },
    createdAt: { column: 'carrier_company.createdAt', type: 'timestamptz' },
  },
  select: (rows) =>
    rows.selectAll('carrier_company').select((eb) => [
      jsonObjectFrom(eb.selectFrom('country').select(['country.id', 'country.title']).whereRef('country.id', '=', 'carrier_company.countryId')).as('country'),
      jsonArrayFrom(
        eb.selectFrom('driver').select(['driver.id', 'driver.fullName', 'driver.phone', 'driver.email', 'driver.plateNumber']).whereRef('driver.carrierCompanyId', '=', 'carrier_company.id').orderBy('driver.position'),
      ).as('drivers'),
      jsonArrayFrom(
        eb
          .selectFrom('carrier_contact as contact')
          .select(['contact.id', 'contact.fullName', 'contact.phone', 'contact.email', 'contact.jobTitle as position'])
          .whereRef('contact.carrierCompanyId', '=', 'carrier_company.id')
          .orderBy('contact.position'),
      ).as('contactPersons'),
      jsonArrayFrom(
        eb
          .selectFrom('carrier_bank_account as bank')
          .select(['bank.id', 'bank.bankName', 'bank.iban', 'bank.bic', 'bank.confirmedById'])
          .whereRef('bank.carrierCompanyId', '=', 'carrier_company.id')
          .orderBy('bank.position'),
      ).as('bankAccounts'),
      sql`array(select link."vehicleTypeId" from carrier_vehicle_type link where link."carrierCompanyId" = carrier_company.id order by 1)`.as('vehicleTypeIds'),
    ]),
  filter: (rows, { countryId, vehicleTypeId }) => {
    let filtered = rows
    if (countryId) filtered = filtered.where(sql<boolean>`carrier_company."countryId" = any(${countryId}::bigint[])`)
    if (vehicleTypeId)
      filtered = filtered.where(
        sql<boolean>`exists (select 1 from carrier_vehicle_type link where link."carrierCompanyId" = carrier_company.id and link."vehicleTypeId" = any(${vehicleTypeId}::bigint[]))`,
      )
    return filtered
  },
})

const json = (value: object | null) => (value === null ? null : JSON.stringify(value))

function columnsOf({ contactPersons: _contacts, bankAccounts: _banks, drivers: _drivers, vehicleTypeIds: _types, ...columns }: Body) {
  return { ...columns, representative: json(columns.representative), billingAddress: json(columns.billingAddress) }
}

const check = (ctx: Ctx, body: Body) =>
  checkReferences(ctx, [
    { path: 'countryId', table: 'country', id: body.countryId },
    { path: 'billingAddress.countryId', table: 'country', id: body.billingAddress?.countryId },
    ...body.vehicleTypeIds.map((id, index) => ({ path: `vehicleTypeIds.${index}`, table: 'vehicle_type' as const, id })),
  ])

async function saveParts(ctx: Ctx, carrierCompanyId: number, { contactPersons, bankAccounts, drivers, vehicleTypeIds }: Body): Promise<void> {
  const own = { parent: 'carrierCompanyId', parentId: carrierCompanyId }
  await saveChildren(
    ctx,
    { ...own, table: 'carrier_contact', path: 'contactPersons', columns: { fullName: 'text', phone: 'text', email: 'text', jobTitle: 'text' } },
    contactPersons.map(({ position, ...person }) => ({ ...person, jobTitle: position })),
  )
  await saveBankAccounts(ctx, { ...own, table: 'carrier_bank_account' }, bankAccounts)
  await saveChildren(ctx, { ...own, table: 'driver', path: 'drivers', columns: { fullName: 'text', phone: 'text', email: 'text', plateNumber: 'text' } }, drivers)
  await ctx.db.deleteFrom('carrier_vehicle_type').where('carrierCompanyId', '=', carrierCompanyId).execute()
  if (vehicleTypeIds.length > 0) {
    await ctx.db
      .insertInto('carrier_vehicle_type')
      .values([...new Set(vehicleTypeIds)].map((vehicleTypeId) => ({ carrierCompanyId, vehicleTypeId })))
      .execute()
  }
}

export const carrierCompanyService: Service = {
  ...plain,
  async create(ctx, body) {
    await check(ctx, body)
    const { id } = await ctx.db
      .insertInto('carrier_company')
      .values({ ...columnsOf(body), createdAt: nowOf(ctx) })
      .returning('id')
      .executeTakeFirstOrThrow()
    await saveParts(ctx, id, body)
    await audit(ctx, { ownerKind: 'carrierCompany', ownerId: id, action: 'created' })
    return plain.get(ctx, id)
  },
  async update(ctx, id, version, body) {
    await check(ctx, body)
    const before = await plain.get(ctx, id)
    if (!(await bumpVersion(ctx, 'carrier_company', id, version, columnsOf(body)))) throw new AppError('stale_version', { current: await plain.get(ctx, id) })
    await saveParts(ctx, id, body)
    const after = await plain.get(ctx, id)
    await audit(ctx, { ownerKind: 'carrierCompany', ownerId: id, action: 'updated', before, after })
    return after
  },
}
