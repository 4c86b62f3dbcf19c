import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import { companyApi } from '@waybill/contract/company'
import { audit } from '../../kit/audit.ts'
import { saveChildren } from '../../kit/children.ts'
import type { Ctx } from '../../kit/context.ts'
import { AppError } from '../../kit/errors.ts'
import type { ServiceOf } from '../../kit/routes.ts'
import { bumpVersion, tableService } from '../../kit/table-service.ts'
import './company.table.ts'

type Service = ServiceOf<typeof companyApi>
type Body = Parameters<Service['create']>[1]

const plain = tableService({
  api: companyApi,
  table: 'company',
  title: 'title',
  sorts: { title: { column: 'company.title', type: 'text' }, code: { column: 'company.code', type: 'text' } },
  select: (rows) =>
    rows.selectAll('company').select((eb) => [
      jsonObjectFrom(eb.selectFrom('country').select(['country.id', 'country.title']).whereRef('country.id', '=', 'company.countryId')).as('country'),
      jsonArrayFrom(eb.selectFrom('company_bank_account as bank').select(['bank.id', 'bank.bankName', 'bank.iban', 'bank.bic']).whereRef('bank.companyId', '=', 'company.id').orderBy('bank.position')).as('bankAccounts'),
    ]),
})

const saveBanks = (ctx: Ctx, companyId: number, bankAccounts: Body['bankAccounts']) =>
  saveChildren(ctx, { table: 'company_bank_account', parent: 'companyId', parentId: companyId, path: 'bankAccounts', columns: { bankName: 'text', iban: 'text', bic: 'text' } }, bankAccounts)

export const companyService: Service = {
  ...plain,
  async create(ctx, { bankAccounts, ...columns }) {
    const { id } = await ctx.db.insertInto('company').values(columns).returning('id').executeTakeFirstOrThrow()
    await saveBanks(ctx, id, bankAccounts)
    await audit(ctx, { ownerKind: 'company', ownerId: id, action: 'created' })
    return plain.get(ctx, id)
  },
  async update(ctx, id, version, { bankAccounts, ...columns }) {
    const before = await plain.get(ctx, id)
    if (!(await bumpVersion(ctx, 'company', id, version, columns))) throw new AppError('stale_version', { current: await plain.get(ctx, id) })
    await saveBanks(ctx, id, bankAccounts)
    const after = await plain.get(ctx, id)
    await audit(ctx, { ownerKind: 'company', ownerId: id, action: 'updated', before, after })
    return after
  },
}
