import type { z } from 'zod'
import type { InvoiceRun, startInvoiceRun as endpoint } from '@waybill/contract/invoice/month-end/month-end'
import { isRunOver } from '@waybill/contract/invoice/month-end/month-end'
import { audit } from '../../../kit/records/audit.ts'
import { nowOf, type Ctx } from '../../../kit/context/context.ts'
import { AppError, fieldError, type FieldFault } from '../../../kit/context/errors.ts'
import { sellingCompany } from '../billing.query.ts'
import { refuseOtherCompany } from './invoice-run.policy.ts'
import { invoiceRunView } from './invoice-run.query.ts'
import { insertRun, lockRun } from './invoice-run.repository.ts'
import type { RunFault } from './invoice-run.table.ts'
import { monthEndRows, type MonthEndRow } from './month-end.query.ts'
import { ordersByInvoice } from './proposed-invoices.ts'

type Body = z.output<typeof endpoint.body>

declare module '../../../kit/context/jobs.ts' {
  interface JobData {
    send_invoice_run: { runId: number; takesOver?: boolean }
    wake_invoice_runs: { isStart?: boolean }
  }
}

const CHANGED: RunFault = { code: 'validation', fields: [{ path: 'orderIds', code: 'changed_since_seen' }] }

/** Writes what is to be sent, as its page showed it, and the job that sends it. Errors: the contract’s. */
export async function startInvoiceRun(ctx: Ctx, { companyId, until, customers }: Body): Promise<InvoiceRun> {
  refuseOtherCompany(ctx, companyId)
  if (!(await sellingCompany(ctx, companyId))) throw fieldError('companyId', 'unknown_reference')
  const fields = customers.flatMap(({ customerId }, index): FieldFault[] =>
    customers.findIndex((one) => one.customerId === customerId) < index
      ? [{ path: `customers.${index}.customerId`, code: 'duplicate_key' }]
      : [],
  )
  if (fields.length > 0) throw new AppError('validation', { fields })
  const rows = await monthEndRows(ctx, { companyId, until, all: true })
  const ready = new Map(rows.flatMap((row) => (row.reason === null ? [[row.id, row] as const] : [])))
  const known = new Set(rows.map(({ customerId }) => customerId))
  const items: Parameters<typeof insertRun>[2][number][] = []
  for (const [index, { customerId, orderIds, netCents }] of customers.entries()) {
    // A customer of whom nothing is left is not there for the page either; another one was never on it.
    if (!known.has(customerId)) throw fieldError(`customers.${index}.customerId`, 'unknown_reference')
    const own = orderIds.flatMap((id): MonthEndRow[] => {
      const row = ready.get(id)
      return row?.customerId === customerId ? [row] : []
    })
    const sumOf = (ids: readonly number[]) =>
      own.reduce((sum, row) => sum + (ids.includes(row.id) ? row.netCents! : 0), 0)
    if (own.length < orderIds.length || new Set(orderIds).size < orderIds.length || sumOf(orderIds) !== netCents) {
      items.push({ customerId, orderIds, netCents, status: 'failed', fault: CHANGED })
      continue
    }
    for (const part of await ordersByInvoice(ctx, companyId, orderIds))
      items.push({ customerId, orderIds: part, netCents: sumOf(part), status: 'waiting', fault: null })
  }
  const runId = await insertRun(
    ctx,
    {
      companyId,
      until,
      language: ctx.language,
      createdAt: nowOf(ctx),
      createdById: ctx.actor?.userId ?? null,
    },
    items,
  )
  await audit(ctx, { ownerKind: 'invoiceRun', ownerId: runId, action: 'created' })
  await ctx.ports.jobs.enqueue(ctx, 'send_invoice_run', { runId }, { key: `invoice-run-${runId}` })
  return invoiceRunView(ctx, runId)
}

/** Ends a run after what is in hand. */
export async function stopInvoiceRun(ctx: Ctx, id: number): Promise<InvoiceRun> {
  await invoiceRunView(ctx, id)
  const run = await lockRun(ctx, id)
  if (run && !isRunOver(run.status) && run.status !== 'stopping') {
    await ctx.db
      .updateTable('invoice_run')
      .set({ status: 'stopping', version: run.version + 1 })
      .where('id', '=', id)
      .execute()
    await audit(ctx, {
      ownerKind: 'invoiceRun',
      ownerId: id,
      action: 'updated',
      before: { status: run.status },
      after: { status: 'stopping' },
    })
  }
  return invoiceRunView(ctx, id)
}
