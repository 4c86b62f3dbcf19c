import { sql } from 'kysely'
import type { z } from 'zod'
import type { bankAccount } from '@waybill/contract/kit/bank'
import { saveChildren } from '../../kit/records/children.ts'
import type { Ctx } from '../../kit/context/context.ts'
import type { ColumnTypes } from '../../kit/database/columns.ts'
import { placed } from '../../kit/records/create-many.ts'

/** Where the bank accounts of a kind of record stand. */
type BankAccountTable = (
  | { table: 'carrier_bank_account' /** the column that names the record */; parent: 'carrierCompanyId' }
  | { table: 'company_bank_account'; parent: 'companyId' }
) & { parentId: number }

type BankAccount = z.output<typeof bankAccount>
type Written = Exclude<keyof BankAccount, 'id'>

/** Both tables have the same columns. */
const COLUMNS = {
  bankName: 'text',
  iban: 'text',
  bic: 'text',
  enteredById: 'bigint',
  confirmedById: 'bigint',
} as const satisfies ColumnTypes<'carrier_bank_account', 'id' | 'position' | 'carrierCompanyId', Written> &
  ColumnTypes<'company_bank_account', 'id' | 'position' | 'companyId', Written>

/** Accounts of a record that is new: entered by the person who makes it, confirmed by nobody. */
export const newBankAccounts = (ctx: Ctx, accounts: readonly BankAccount[]) =>
  accounts.map((account) => ({ ...account, enteredById: ctx.actor?.userId ?? null, confirmedById: null }))

/**
 * Makes the stored accounts equal to those of a body. A changed IBAN or BIC is a new one: entered by who changed it,
 * confirmed by nobody (domain, Invoices).
 */
export async function saveBankAccounts(
  ctx: Ctx,
  { table, parent, parentId }: BankAccountTable,
  accounts: readonly BankAccount[],
): Promise<void> {
  const { rows: known } = await sql<{
    id: number
    iban: string
    bic: string | null
    enteredById: number | null
    confirmedById: number | null
  }>`
    select id, iban, bic, "enteredById", "confirmedById" from ${sql.table(table)} where ${sql.ref(parent)} = ${parentId}
  `.execute(ctx.db)
  const rows = accounts.map((account): BankAccount & Record<keyof typeof COLUMNS, unknown> => {
    const same = known.find((one) => one.id === account.id && one.iban === account.iban && one.bic === account.bic)
    return {
      ...account,
      enteredById: same ? same.enteredById : (ctx.actor?.userId ?? null),
      confirmedById: same?.confirmedById ?? null,
    }
  })
  const children = { table, parent, path: 'bankAccounts', columns: COLUMNS, rows: placed(rows) }
  await saveChildren(ctx, parentId, children)
}
