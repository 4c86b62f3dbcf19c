import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { MOST_ROWS, type Batch, type createBatch as endpoint } from '@waybill/contract/bookkeeping/bookkeeping'
import { daysOfMonth, fiscalYearOf } from '@waybill/contract/bookkeeping/month'
import { sumCents } from '@waybill/contract/kit/money'
import { actorOf, nowOf, type Ctx } from '../../kit/context/context.ts'
import { fieldError } from '../../kit/context/errors.ts'
import { batchView } from './batch.query.ts'
import { insertBatch, lockBookkeeping, nextCounter } from './batch.repository.ts'
import { datevFile } from './datev-file.rules.ts'
import { companySetUp, toBook } from './propose-batch.ts'
import { lockCarrierInvoices } from './sources.query.ts'

interface Making {
  month: string
  /** RFC 3339 */
  createdAt: string
  madeBy: { userId: number; fullName: string }
}

/** Writes a batch of a month of a company whose accounts are known; returns its id. Errors: at `month`. */
export async function writeBatch(
  ctx: Ctx,
  company: Awaited<ReturnType<typeof companySetUp>>,
  { month, createdAt, madeBy }: Making,
): Promise<number> {
  const { id: companyId, bookkeeping: settings } = company
  const days = daysOfMonth(month)
  const { rows, sums, findings, sources } = await toBook(ctx, company, month)
  if (rows.length === 0) throw fieldError('month', 'nothing_to_book')
  if (findings.length > 0) throw fieldError('month', 'bookkeeping_hindered')
  if (rows.length > MOST_ROWS) throw fieldError('month', 'too_many', { max: MOST_ROWS })

  const counter = await nextCounter(ctx, companyId, days.from)
  const fiscalYear = fiscalYearOf(month, settings.fiscalYearMonth)
  const bytes =
    settings.consultantNumber === null
      ? null
      : datevFile(
          { settings, ...days, fiscalYear, number: `${month}/${counter}`, createdAt, madeBy: madeBy.fullName },
          rows,
        )
  const code = company.code.replaceAll(/[^A-Za-z0-9-]/g, '')
  const sumOf = (isDebit: boolean) =>
    sumCents(rows.filter((row) => row.isDebit === isDebit).map(({ amountCents }) => amountCents))
  return insertBatch(ctx, {
    batch: {
      companyId,
      month: days.from,
      fiscalYear,
      counter,
      rowCount: rows.length,
      debitCents: sumOf(true),
      creditCents: sumOf(false),
      sums: JSON.stringify(sums),
      fileName: bytes === null ? null : `EXTF_Buchungsstapel_${code}_${month}_${counter}.csv`,
      sha256: bytes === null ? null : createHash('sha256').update(bytes).digest('hex'),
      createdAt,
      createdById: madeBy.userId,
    },
    bytes,
    rows,
    sources,
  })
}

/**
 * Makes a batch and its file in one transaction: who makes the second of a month at the same time waits, and finds
 * nothing left. Errors: as the contract names them.
 */
export async function createBatch(ctx: Ctx, { companyId, month }: z.output<typeof endpoint.body>): Promise<Batch> {
  const company = await companySetUp(ctx, companyId)
  await lockBookkeeping(ctx, companyId)
  await lockCarrierInvoices(ctx, { companyId, ...daysOfMonth(month) })
  return batchView(ctx, await writeBatch(ctx, company, { month, createdAt: nowOf(ctx), madeBy: actorOf(ctx) }))
}
