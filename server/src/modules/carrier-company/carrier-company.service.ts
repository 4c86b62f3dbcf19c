import { carrierCompanyApi, type CarrierCompany } from '@waybill/contract/carrier-company'
import type { WriteOf } from '@waybill/contract/kit/resource'
import { checkVatNumber, newBankAccounts, saveBankAccounts, withNormalVatNumber } from '../partner/index.ts'
import { childrenOf, saveChildren } from '../../kit/records/children.ts'
import { createMany, placed } from '../../kit/records/create-many.ts'
import { nowOf, tell, type Ctx } from '../../kit/context/context.ts'
import { checkReferences } from '../../kit/records/references.ts'
import type { ServiceOf } from '../../kit/http/routes.ts'
import { tableService } from '../../kit/records/table-service.ts'
import {
  CARRIER_FILTERS,
  carrierCompanyRow,
  carrierCompanyOption,
  carrierCompanyView,
} from './carrier-company.query.ts'
import { noteEntered, noteImported } from './iban-authors.ts'
import './carrier-company.table.ts'

declare module '../../kit/context/events.ts' {
  interface Events {
    'carrierCompany.changed': { carrierCompanyId: number }
  }
}

type Body = WriteOf<typeof carrierCompanyApi>

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

async function check(ctx: Ctx, body: Body, before: CarrierCompany | null): Promise<void> {
  await checkReferences(ctx, [
    { path: 'countryId', table: 'country', id: body.countryId },
    { path: 'billingAddress.countryId', table: 'country', id: body.billingAddress?.countryId },
    ...body.vehicleTypeIds.map((id, index) => ({
      path: `vehicleTypeIds.${index}`,
      table: 'vehicle_type' as const,
      id,
    })),
  ])
  await checkVatNumber(ctx, body, before)
}

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
  await noteEntered(ctx, carrierCompanyId, await saveBankAccounts(ctx, accounts, body.bankAccounts))
  await ctx.db.deleteFrom('carrier_vehicle_type').where('carrierCompanyId', '=', carrierCompanyId).execute()
  if (body.vehicleTypeIds.length > 0) {
    await ctx.db
      .insertInto('carrier_vehicle_type')
      .values(vehicleTypesOf(body).map((type) => ({ carrierCompanyId, ...type })))
      .execute()
  }
}

/** Many at once, checked by the caller. */
export async function createCarrierCompanies(ctx: Ctx, bodies: readonly Body[]): Promise<void> {
  await createMany(
    ctx,
    { table: 'carrier_company', parent: 'carrierCompanyId', ownerKind: 'carrierCompany' },
    bodies.map((body) => ({
      columns: { ...plainColumnsOf(body), createdAt: nowOf(ctx) },
      parts: [
        ...partsOf(body),
        { table: 'carrier_bank_account', rows: placed(newBankAccounts(ctx, body.bankAccounts, 'import')) },
        { table: 'carrier_vehicle_type', rows: vehicleTypesOf(body) },
      ],
    })),
  )
  await noteImported(ctx)
}

/** What orders are found by. */
const namesIn = ({ title, drivers }: Pick<CarrierCompany, 'title' | 'drivers'>): string =>
  JSON.stringify([title, drivers.map(({ id, fullName }) => [id, fullName])])

export const carrierCompanyService: ServiceOf<typeof carrierCompanyApi> = {
  ...tableService({
    ...base,
    select: carrierCompanyView,
    compact: carrierCompanyOption,
    onCreate: (ctx) => ({ createdAt: nowOf(ctx) }),
    prepare: withNormalVatNumber,
    check,
    columnsOf,
    saveChildren: saveParts,
    onUpdate: async (ctx, id, { before, after }) => {
      if (namesIn(before) !== namesIn(after)) await tell(ctx, { type: 'carrierCompany.changed', carrierCompanyId: id })
    },
  }),
  // A list drags no drivers and accounts along.
  list: (ctx, query) => tableService({ ...base, select: (rows) => carrierCompanyRow(ctx, rows) }).list(ctx, query),
}
