import { sql } from 'kysely'
import { saveChildren } from '../../kit/records/children.ts'
import type { Ctx } from '../../kit/context/context.ts'
import type { Tables } from '../../kit/database/db.ts'

/** Where the bank accounts of a kind of record stand. */
interface BankAccountTable {
  table: keyof Tables & string
  /** the column that names the record */
  parent: string
  parentId: number
}

interface BankAccount {
  id?: number | undefined
  bankName: string | null
  iban: string
  bic: string | null
}

/** Accounts of a record that is new: entered by whoever makes it, confirmed by nobody. */
export const newBankAccounts = (ctx: Ctx, accounts: readonly BankAccount[]) =>
  accounts.map((account) => ({ ...account, enteredById: ctx.actor?.userId ?? null, confirmedById: null }))

/** Makes the stored accounts equal to those of a body. A changed IBAN is a new one: entered by who changed it, confirmed by nobody (domain, Invoices). */
export async function saveBankAccounts(
  ctx: Ctx,
  { table, parent, parentId }: BankAccountTable,
  accounts: readonly BankAccount[],
): Promise<void> {
  const { rows: known } = await sql<{
    id: number
    iban: string
    enteredById: number | null
    confirmedById: number | null
  }>`
    select id, iban, "enteredById", "confirmedById" from ${sql.table(table)} where ${sql.ref(parent)} = ${parentId}
  `.execute(ctx.db)
  const rows = accounts.map((account) => {
    const same = known.find((one) => one.id === account.id && one.iban === account.iban)
    return {
      ...account,
      enteredById: same ? same.enteredById : (ctx.actor?.userId ?? null),
      confirmedById: same?.confirmedById ?? null,
    }
  })
  const columns = {
    bankName: 'text',
    iban: 'text',
    bic: 'text',
    enteredById: 'bigint',
    confirmedById: 'bigint',
  } as const
  await saveChildren(ctx, { table, parent, parentId, path: 'bankAccounts', columns }, rows)
}
