import { sql } from 'kysely'
import { ERRORS, fill } from '@waybill/contract/errors'
import { FIELD_ERRORS } from '@waybill/contract/errors/all'
import {
  DONE_RUN_ITEM,
  type InvoiceRun,
  type MonthEnd,
  type RunInvoice,
} from '@waybill/contract/invoice/month-end/month-end'
import { UNSENT_INVOICE } from '@waybill/contract/invoice/status'
import type { Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import { visibleInvoiceRuns } from './invoice-run.policy.ts'
import type { RunFault } from './invoice-run.table.ts'

/** The run of a company that is not over, else the last one. */
export async function runInHand(ctx: Ctx, companyId: number): Promise<MonthEnd['run']> {
  const run = await ctx.db
    .selectFrom('invoice_run')
    .select(['id', 'status', 'createdAt'])
    .where('companyId', '=', companyId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return run ?? null
}

const worded = (ctx: Ctx, { code, fields }: RunFault): RunInvoice['fault'] => ({
  message: ERRORS[code].text[ctx.language],
  fields: fields.map((field) => ({
    path: field.path,
    message: fill(FIELD_ERRORS[field.code][ctx.language], field.params),
  })),
})

interface FoundStates {
  fault: RunFault | null
  ksef: { state: NonNullable<RunInvoice['ksef']>['state'] | null; reason: string | null } | null
}

/** A run with what became of each invoice. Errors: `not_found`. */
export async function invoiceRunView(ctx: Ctx, id: number): Promise<InvoiceRun> {
  const { rows } = await sql<Omit<InvoiceRun, 'items'>>`
    select invoice_run.id, invoice_run.version, invoice_run.status, invoice_run.until, invoice_run."createdAt",
      invoice_run."finishedAt", json_build_object('id', us.id, 'title', us.title) as company,
      (select json_build_object('id', who.id, 'title', who."fullName") from "user" who
        where who.id = invoice_run."createdById") as "createdBy"
    from invoice_run join company us on us.id = invoice_run."companyId"
    where invoice_run.id = ${id} and ${visibleInvoiceRuns(ctx)}
  `.execute(ctx.db)
  if (!rows[0]) throw new AppError('not_found')
  const items = await sql<Omit<RunInvoice, 'fault' | 'ksef'> & FoundStates>`
    select item.id, json_build_object('id', c.id, 'title', c.title) as customer, item.status, item."netCents",
      cardinality(item."orderIds") as "orderCount", item.fault,
      case when item.status = ${DONE_RUN_ITEM}
        then json_build_object('id', i.id, 'title', coalesce(i.number, i."innerNumber")) end as invoice,
      case when item.status = ${DONE_RUN_ITEM} then (
        select json_build_object('state', case
          when s.state = 'awaited' then 'awaited'
          when i.number is null then 'rejected'
          when i.status = ${UNSENT_INVOICE} then 'undecided' end,
          'reason', case when i.number is null then s.reason end)
        from ksef_submission s where s."invoiceId" = i.id order by s.id desc limit 1) end as ksef
    from invoice_run_item item join customer c on c.id = item."customerId"
      left join invoice i on i.id = item."invoiceId"
    where item."runId" = ${id} order by item.position
  `.execute(ctx.db)
  return {
    ...rows[0],
    items: items.rows.map(({ ksef, fault, ...item }) => ({
      ...item,
      ksef: ksef?.state ? { ...ksef, state: ksef.state } : null,
      fault: fault === null ? null : worded(ctx, fault),
    })),
  }
}
