import { sql } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import { settingsFaults } from '@waybill/contract/bookkeeping/accounts'
import { companyApi, type Company } from '@waybill/contract/company'
import type { WriteOf } from '@waybill/contract/kit/resource'
import {
  checkAddressScheme,
  checkVatNumber,
  countryCodeOf,
  saveBankAccounts,
  withNormalVatNumber,
} from '../partner/index.ts'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { checkReferences } from '../../kit/records/references.ts'
import { tableService } from '../../kit/records/table-service.ts'
import { shownTitle } from '../../kit/records/titles.ts'
import './company.table.ts'

type Body = WriteOf<typeof companyApi>

function columnsOf({ bankAccounts: _banks, eInvoiceContact, ksefMode, reminderLevels, bookkeeping, ...columns }: Body) {
  return {
    ...columns,
    reminderLevels: JSON.stringify(reminderLevels),
    ksefMode: ksefMode ?? 'off',
    eInvoiceContact: eInvoiceContact === null ? null : JSON.stringify(eInvoiceContact),
    bookkeeping: bookkeeping === null ? null : JSON.stringify(bookkeeping),
  }
}

async function check(ctx: Ctx, body: Body, before: Company | null): Promise<void> {
  await checkReferences(ctx, [{ path: 'countryId', table: 'country', id: body.countryId }])
  await checkVatNumber(ctx, body, before)
  checkAddressScheme(body)
  const isPolish = (await countryCodeOf(ctx, body.countryId)) === 'PL'
  if (isPolish === (body.ksefMode === 'off')) throw fieldError('ksefMode', 'ksef_in_poland')
  const fields = body.bookkeeping === null ? [] : settingsFaults(body.bookkeeping)
  if (fields.length > 0)
    throw new AppError('validation', {
      fields: fields.map(({ path, code }) => ({ path: `bookkeeping.${path}`, code })),
    })
}

/** Who says nothing of KSeF hands files over by hand where it must, and is not concerned elsewhere. */
async function prepare(ctx: Ctx, given: Body, before: Company | null): Promise<Body> {
  const body = await withNormalVatNumber(ctx, given, before)
  if (body.ksefMode !== null) return body
  return { ...body, ksefMode: (await countryCodeOf(ctx, body.countryId)) === 'PL' ? 'file' : 'off' }
}

async function saveChildren(ctx: Ctx, companyId: number, { bankAccounts }: Body): Promise<void> {
  const accounts = { table: 'company_bank_account', parent: 'companyId', parentId: companyId } as const
  await saveBankAccounts(ctx, accounts, bankAccounts)
}

export const companyService = tableService({
  api: companyApi,
  table: 'company',
  title: 'title',
  sorts: {
    title: { column: 'company.title', type: 'text' },
    code: { column: 'company.code', type: 'text' },
    city: { column: 'company.city', type: 'text', isNullable: true },
  },
  select: (rows, ctx) =>
    rows.selectAll('company').select((eb) => [
      jsonObjectFrom(
        eb
          .selectFrom('country')
          .select(['country.id', shownTitle(ctx.language, 'country').as('title')])
          .whereRef('country.id', '=', 'company.countryId'),
      ).as('country'),
      jsonArrayFrom(
        eb
          .selectFrom('company_bank_account as bank')
          .select(['bank.id', 'bank.bankName', 'bank.iban', 'bank.bic'])
          .select(['bank.enteredById', 'bank.enteredAt', 'bank.confirmedById', 'bank.confirmedAt'])
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
  prepare,
  check,
  columnsOf,
  saveChildren,
})
