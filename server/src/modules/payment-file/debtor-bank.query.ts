import { sql } from 'kysely'
import type { DebtorBank } from '@waybill/contract/payment-file/payment-file'
import type { Ctx } from '../../kit/context/context.ts'
import { fieldError } from '../../kit/context/errors.ts'
import type { Debtor } from './payment-file.table.ts'
import type { Umlauts } from './sepa-text.rules.ts'
import { isOfFilter } from './payment-file.policy.ts'

/** Accounts of our active companies, the confirmed ones first. */
export async function listDebtorBanks(ctx: Ctx): Promise<DebtorBank[]> {
  const { rows } = await sql<DebtorBank>`
    select b.id, json_build_object('id', c.id, 'title', c.title) as company, b."bankName",
        left(b.iban, 2) as "countryCode", right(b.iban, 4) as "ibanTail", b."confirmedById" is not null as "isConfirmed"
      from company_bank_account b join company c on c.id = b."companyId"
      where c.state = 'active' and (${ctx.companyFilter}::bigint is null or c.id = ${ctx.companyFilter}::bigint)
      order by b."confirmedById" is null, c."titleKey", b.position
  `.execute(ctx.db)
  return rows
}

export interface Payer {
  companyId: number
  isConfirmed: boolean
  timeZone: string
  umlauts: Umlauts
  debtor: Debtor
}

/** Our account and its company. Errors at `debtorBankId`: `unknown_reference`. */
export async function payerOf(ctx: Ctx, debtorBankId: number): Promise<Payer> {
  const { rows } = await sql<Payer>`
    select b."companyId", b."confirmedById" is not null as "isConfirmed", c."timeZone",
        c."umlautsInPayments" as umlauts,
        json_build_object('title', c.title, 'address', c.address, 'postal', c.postal, 'city', c.city,
          'countryCode', k.code, 'iban', b.iban, 'bic', b.bic) as debtor
      from company_bank_account b join company c on c.id = b."companyId" join country k on k.id = c."countryId"
      where b.id = ${debtorBankId} and c.state = 'active'
  `.execute(ctx.db)
  const [payer] = rows
  if (!payer || !isOfFilter(ctx, payer.companyId)) throw fieldError('debtorBankId', 'unknown_reference')
  return payer
}
