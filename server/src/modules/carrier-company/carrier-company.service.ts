import { carrierCompanyApi } from '@waybill/contract/carrier-company'
import { audit } from '../../kit/audit.ts'
import { saveBankAccounts } from '../../kit/bank-accounts.ts'
import { saveChildren } from '../../kit/children.ts'
import { nowOf, type Ctx } from '../../kit/context.ts'
import { AppError } from '../../kit/errors.ts'
import { checkReferences } from '../../kit/references.ts'
import type { ServiceOf } from '../../kit/routes.ts'
import { bumpVersion, tableService } from '../../kit/table-service.ts'
import { checkVatNumber } from '../../kit/vat-number.ts'
import { carrierCompanyRow, carrierCompanyView, filteredCarriers } from './carrier-company.query.ts'
import './carrier-company.table.ts'

type Service = ServiceOf<typeof carrierCompanyApi>
type Body = Parameters<Service['create']>[1]

const base = {
  api: carrierCompanyApi,
  table: 'carrier_company',
  title: 'title',
  sorts: {
    title: { column: 'carrier_company.title', type: 'text' },
    city: { column: 'carrier_company.city', type: 'text', isNullable: true },
    createdAt: { column: 'carrier_company.createdAt', type: 'timestamptz' },
  },
} as const

const plain = tableService({ ...base, select: carrierCompanyView })

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
  // A list drags no drivers and accounts along.
  list: (ctx, query) => tableService({ ...base, select: (rows) => carrierCompanyRow(ctx, rows), filter: (rows, given) => filteredCarriers(ctx, rows, given) }).list(ctx, query),
  async create(ctx, body) {
    await check(ctx, body)
    await checkVatNumber(ctx, body)
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
    await checkVatNumber(ctx, body, before)
    if (!(await bumpVersion(ctx, 'carrier_company', id, version, columnsOf(body)))) throw new AppError('stale_version', { current: await plain.get(ctx, id) })
    await saveParts(ctx, id, body)
    const after = await plain.get(ctx, id)
    await audit(ctx, { ownerKind: 'carrierCompany', ownerId: id, action: 'updated', before, after })
    return after
  },
}
