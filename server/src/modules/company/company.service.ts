import { sql } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import { companyApi } from '@waybill/contract/company'
import { audit } from '../../kit/records/audit.ts'
import { checkVatNumber, saveBankAccounts } from '../partner/index.ts'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { checkReferences } from '../../kit/records/references.ts'
import type { ServiceOf } from '../../kit/http/routes.ts'
import { bumpVersion, tableService } from '../../kit/records/table-service.ts'
import './company.table.ts'

type Service = ServiceOf<typeof companyApi>
type Body = Parameters<Service['create']>[1]

const plain = tableService({
  api: companyApi,
  table: 'company',
  title: 'title',
  sorts: {
    title: { column: 'company.title', type: 'text' },
    code: { column: 'company.code', type: 'text' },
    city: { column: 'company.city', type: 'text', isNullable: true },
  },
  select: (rows) =>
    rows.selectAll('company').select((eb) => [
      jsonObjectFrom(
        eb
          .selectFrom('country')
          .select(['country.id', 'country.title'])
          .whereRef('country.id', '=', 'company.countryId'),
      ).as('country'),
      jsonArrayFrom(
        eb
          .selectFrom('company_bank_account as bank')
          .select(['bank.id', 'bank.bankName', 'bank.iban', 'bank.bic', 'bank.enteredById', 'bank.confirmedById'])
          .select((account) => [
            jsonObjectFrom(
              account
                .selectFrom('user as one')
                .select(['one.id', 'one.fullName as title'])
                .whereRef('one.id', '=', 'bank.enteredById'),
            ).as('enteredBy'),
            jsonObjectFrom(
              account
                .selectFrom('user as other')
                .select(['other.id', 'other.fullName as title'])
                .whereRef('other.id', '=', 'bank.confirmedById'),
            ).as('confirmedBy'),
          ])
          .whereRef('bank.companyId', '=', 'company.id')
          .orderBy('bank.position'),
      ).as('bankAccounts'),
      eb
        .exists(
          eb.selectFrom('company_logo as logo').select('logo.companyId').whereRef('logo.companyId', '=', 'company.id'),
        )
        .as('hasLogo'),
    ]),
  filters: { countryId: (_ctx, ids) => sql<boolean>`company."countryId" = any(${ids}::bigint[])` },
})

function columnsOf({ bankAccounts: _banks, eInvoiceContact, ...columns }: Body) {
  return { ...columns, eInvoiceContact: eInvoiceContact === null ? null : JSON.stringify(eInvoiceContact) }
}

const check = (ctx: Ctx, { countryId }: Body) =>
  checkReferences(ctx, [{ path: 'countryId', table: 'country', id: countryId }])

const saveBanks = (ctx: Ctx, companyId: number, { bankAccounts }: Body) =>
  saveBankAccounts(ctx, { table: 'company_bank_account', parent: 'companyId', parentId: companyId }, bankAccounts)

export const companyService: Service = {
  ...plain,
  async create(ctx, body) {
    await check(ctx, body)
    await checkVatNumber(ctx, body)
    const { id } = await ctx.db.insertInto('company').values(columnsOf(body)).returning('id').executeTakeFirstOrThrow()
    await saveBanks(ctx, id, body)
    await audit(ctx, { ownerKind: 'company', ownerId: id, action: 'created' })
    return plain.get(ctx, id)
  },
  async update(ctx, id, version, body) {
    await check(ctx, body)
    const before = await plain.get(ctx, id)
    await checkVatNumber(ctx, body, before)
    if (!(await bumpVersion(ctx, 'company', id, version, columnsOf(body))))
      throw new AppError('stale_version', { current: await plain.get(ctx, id) })
    await saveBanks(ctx, id, body)
    const after = await plain.get(ctx, id)
    await audit(ctx, { ownerKind: 'company', ownerId: id, action: 'updated', before, after })
    return after
  },
}
