import { carrierCompanyApi } from '@waybill/contract/carrier-company'
import { audit } from '../../kit/records/audit.ts'
import { checkVatNumber, newBankAccounts, saveBankAccounts } from '../partner/index.ts'
import { childrenOf, saveChildren } from '../../kit/records/children.ts'
import { createMany, placed } from '../../kit/records/create-many.ts'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { checkReferences } from '../../kit/records/references.ts'
import type { ServiceOf } from '../../kit/http/routes.ts'
import { bumpVersion, tableService } from '../../kit/records/table-service.ts'
import { CARRIER_FILTERS, carrierCompanyRow, carrierCompanyView } from './carrier-company.query.ts'
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
  filters: CARRIER_FILTERS,
} as const

const plain = tableService({ ...base, select: carrierCompanyView })

const json = (value: object | null) => (value === null ? null : JSON.stringify(value))

const plainColumnsOf = ({
  contactPersons: _contacts,
  bankAccounts: _banks,
  drivers: _drivers,
  vehicleTypeIds: _types,
  ...columns
}: Body) => columns

function columnsOf(body: Body) {
  const columns = plainColumnsOf(body)
  return { ...columns, representative: json(columns.representative), billingAddress: json(columns.billingAddress) }
}

const check = (ctx: Ctx, body: Body) =>
  checkReferences(ctx, [
    { path: 'countryId', table: 'country', id: body.countryId },
    { path: 'billingAddress.countryId', table: 'country', id: body.billingAddress?.countryId },
    ...body.vehicleTypeIds.map((id, index) => ({
      path: `vehicleTypeIds.${index}`,
      table: 'vehicle_type' as const,
      id,
    })),
  ])

const partsOf = ({ contactPersons, drivers }: Body) => [
  childrenOf({
    table: 'carrier_contact',
    parent: 'carrierCompanyId',
    path: 'contactPersons',
    columns: { fullName: 'text', phone: 'text', email: 'text', jobTitle: 'text' },
    rows: contactPersons.map(({ position, ...person }) => ({ ...person, jobTitle: position })),
  }),
  childrenOf({
    table: 'driver',
    parent: 'carrierCompanyId',
    path: 'drivers',
    columns: { fullName: 'text', phone: 'text', email: 'text', plateNumber: 'text' },
    rows: drivers,
  }),
]

const vehicleTypesOf = ({ vehicleTypeIds }: Body) =>
  [...new Set(vehicleTypeIds)].map((vehicleTypeId) => ({ vehicleTypeId }))

async function saveParts(ctx: Ctx, carrierCompanyId: number, body: Body): Promise<void> {
  for (const part of partsOf(body)) await saveChildren(ctx, carrierCompanyId, part)
  const accounts = { table: 'carrier_bank_account', parent: 'carrierCompanyId', parentId: carrierCompanyId } as const
  await saveBankAccounts(ctx, accounts, body.bankAccounts)
  await ctx.db.deleteFrom('carrier_vehicle_type').where('carrierCompanyId', '=', carrierCompanyId).execute()
  if (body.vehicleTypeIds.length > 0) {
    await ctx.db
      .insertInto('carrier_vehicle_type')
      .values(vehicleTypesOf(body).map((type) => ({ carrierCompanyId, ...type })))
      .execute()
  }
}

/** Many at once, checked by the caller. */
export const createCarrierCompanies = (ctx: Ctx, bodies: readonly Body[]): Promise<void> =>
  createMany(
    ctx,
    { table: 'carrier_company', parent: 'carrierCompanyId', ownerKind: 'carrierCompany' },
    bodies.map((body) => ({
      columns: { ...plainColumnsOf(body), createdAt: nowOf(ctx) },
      parts: [
        ...partsOf(body),
        { table: 'carrier_bank_account', rows: placed(newBankAccounts(ctx, body.bankAccounts)) },
        { table: 'carrier_vehicle_type', rows: vehicleTypesOf(body) },
      ],
    })),
  )

export const carrierCompanyService: Service = {
  ...plain,
  // A list drags no drivers and accounts along.
  list: (ctx, query) => tableService({ ...base, select: (rows) => carrierCompanyRow(ctx, rows) }).list(ctx, query),
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
    if (!(await bumpVersion(ctx, 'carrier_company', id, version, columnsOf(body))))
      throw new AppError('stale_version', { current: await plain.get(ctx, id) })
    await saveParts(ctx, id, body)
    const after = await plain.get(ctx, id)
    await audit(ctx, { ownerKind: 'carrierCompany', ownerId: id, action: 'updated', before, after })
    return after
  },
}
