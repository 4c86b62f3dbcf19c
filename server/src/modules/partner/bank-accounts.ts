import { sql } from 'kysely'
import type { z } from 'zod'
import type { AccountSource, bankAccount } from '@waybill/contract/kit/bank/bank'
import { saveChildren } from '../../kit/records/children.ts'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import type { ColumnTypes } from '../../kit/database/columns.ts'
import { placed } from '../../kit/records/create-many.ts'

type BankAccount = z.output<typeof bankAccount>
type Written = Exclude<keyof BankAccount, 'id'>

const COMMON = {
  bankName: 'text',
  iban: 'text',
  bic: 'text',
  enteredById: 'bigint',
  enteredAt: 'timestamptz',
  confirmedById: 'bigint',
  confirmedAt: 'timestamptz',
} as const satisfies ColumnTypes<'company_bank_account', 'id' | 'position' | 'companyId', Written>

/** Where the accounts of a kind of record stand, and their columns; of a carrier's it is kept how they came. */
const TABLES = {
  company_bank_account: COMMON,
  carrier_bank_account: { ...COMMON, source: 'text', sourceInvoiceId: 'bigint' } as const satisfies ColumnTypes<
    'carrier_bank_account',
    'id' | 'position' | 'carrierCompanyId',
    Written
  >,
} as const

type BankAccountTable = (
  | { table: 'carrier_bank_account' /** the column that names the record */; parent: 'carrierCompanyId' }
  | { table: 'company_bank_account'; parent: 'companyId' }
) & { parentId: number }

const enteredNow = (ctx: Ctx) => ({
  enteredById: ctx.actor?.userId ?? null,
  enteredAt: nowOf(ctx),
  confirmedById: null,
  confirmedAt: null,
})

/** Accounts of carriers that are new: entered by the person who makes them, confirmed by nobody. */
export const newBankAccounts = (ctx: Ctx, accounts: readonly BankAccount[], source: AccountSource) =>
  accounts.map((account) => ({ ...account, ...enteredNow(ctx), source, sourceInvoiceId: null }))

interface Known extends Record<string, unknown> {
  id: number
  iban: string
  bic: string | null
}

/**
 * Makes the stored accounts equal to those of a body. A changed IBAN or BIC is a new one: entered by who changed it,
 * confirmed by nobody (domain, Invoices). Answers the IBANs that were entered so.
 */
export async function saveBankAccounts(
  ctx: Ctx,
  { table, parent, parentId }: BankAccountTable,
  accounts: readonly BankAccount[],
): Promise<string[]> {
  const columns = TABLES[table]
  const { rows: known } = await sql<Known>`
    select ${sql.join(['id', ...Object.keys(columns)].map((name) => sql.ref(name)))} from ${sql.table(table)}
      where ${sql.ref(parent)} = ${parentId}
  `.execute(ctx.db)
  const entered: string[] = []
  const rows = accounts.map((account) => {
    const same = known.find((one) => one.id === account.id && one.iban === account.iban && one.bic === account.bic)
    if (same) return { ...same, ...account }
    entered.push(account.iban)
    return { ...account, ...enteredNow(ctx), source: 'hand', sourceInvoiceId: null }
  })
  await saveChildren(ctx, parentId, { table, parent, path: 'bankAccounts', columns, rows: placed(rows) })
  return entered
}
