import {
  MOST_FINDINGS,
  type BookkeepingProposal,
  type giveAccountNumbers as giveEndpoint,
} from '@waybill/contract/bookkeeping/bookkeeping'
import { daysOfMonth } from '@waybill/contract/bookkeeping/month'
import { personalRange } from '@waybill/contract/bookkeeping/accounts'
import { ACCOUNT_LENGTHS, type BookedSide, type BookkeepingSettings } from '@waybill/contract/bookkeeping/settings'
import type { z } from 'zod'
import type { Ctx } from '../../kit/context/context.ts'
import { fieldError } from '../../kit/context/errors.ts'
import { textsOf } from '../../kit/texts/texts.ts'
import { giveCreditorNumbers, nextCreditorNumber } from '../carrier-company/index.ts'
import { giveDebtorNumbers, nextDebtorNumber } from '../customer/index.ts'
import { batchesOfMonth, bookkeepingCompany, firstAccountLength, type BookkeepingCompany } from './batch.query.ts'
import { bookedRows } from './booked-rows.rules.ts'
import { sourcesOf, type Sources } from './sources.query.ts'

const TEXTS = textsOf('bookkeeping')
const NOTHING: Sources = { invoices: [], carrierInvoices: [], payments: [], carrierPayments: [] }

/** A company whose accounts are known. Errors: at `companyId` `unknown_reference`, `bookkeeping_not_set_up`. */
export async function companySetUp(
  ctx: Ctx,
  companyId: number,
): Promise<BookkeepingCompany & { bookkeeping: BookkeepingSettings }> {
  const company = await bookkeepingCompany(ctx, companyId)
  if (company.bookkeeping === null) throw fieldError('companyId', 'bookkeeping_not_set_up')
  return { ...company, bookkeeping: company.bookkeeping }
}

/** What is to be booked of a month of a company whose accounts are known. */
export async function toBook(
  ctx: Ctx,
  { id, bookkeeping, countryCode, language }: BookkeepingCompany & { bookkeeping: BookkeepingSettings },
  month: string,
) {
  const sources = await sourcesOf(ctx, { companyId: id, ...daysOfMonth(month) })
  return { sources, ...bookedRows({ settings: bookkeeping, countryCode, words: TEXTS[language].words, sources }) }
}

/** What a batch of a month would hold, and what hinders it. Errors: `unknown_reference` at `companyId`. */
export async function proposeBatch(
  ctx: Ctx,
  { companyId, month }: { companyId: number; month: string },
): Promise<BookkeepingProposal> {
  const { bookkeeping, ...company } = await bookkeepingCompany(ctx, companyId)
  const earlier = await batchesOfMonth(ctx, companyId, daysOfMonth(month).from)
  const booked =
    bookkeeping === null
      ? { sources: NOTHING, rows: [], sums: [], findings: [], missing: { income: [], expense: [] } }
      : await toBook(ctx, { ...company, bookkeeping }, month)
  return {
    isSetUp: bookkeeping !== null,
    sums: booked.sums,
    rowCount: booked.rows.length,
    findings: booked.findings.slice(0, MOST_FINDINGS),
    missingNumbers: booked.missing.income.length + booked.missing.expense.length,
    earlier,
  }
}

/** Gives the next free numbers to those of a month that have none. Errors: as the contract names them. */
export async function giveAccountNumbers(
  ctx: Ctx,
  { companyId, month }: z.output<typeof giveEndpoint.body>,
): Promise<{ given: number }> {
  const company = await companySetUp(ctx, companyId)
  const { missing } = await toBook(ctx, company, month)
  const range = (side: BookedSide) => personalRange(side, company.bookkeeping.accountLength)
  const debtors = await giveDebtorNumbers(ctx, missing.income, range('income'))
  const creditors = await giveCreditorNumbers(ctx, missing.expense, range('expense'))
  return { given: debtors + creditors }
}

/** The number that the next customer or carrier would be given. Errors: `conflict` where none is left. */
export async function nextNumber(ctx: Ctx, side: BookedSide): Promise<{ number: number }> {
  const range = personalRange(side, (await firstAccountLength(ctx)) ?? ACCOUNT_LENGTHS.shortest)
  const next = side === 'income' ? await nextDebtorNumber(ctx, range) : await nextCreditorNumber(ctx, range)
  if (next === null) throw fieldError('side', 'taken')
  return { number: next }
}
