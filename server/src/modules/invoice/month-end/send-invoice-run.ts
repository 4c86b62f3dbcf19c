import { setTimeout } from 'node:timers/promises'
import { sendInvoice } from '@waybill/contract/invoice/invoice'
import { isRunOver } from '@waybill/contract/invoice/month-end/month-end'
import { inTransaction, tell, type Actor, type Ctx } from '../../../kit/context/context.ts'
import { AppError, fieldError, fromDatabase } from '../../../kit/context/errors.ts'
import type { JobDefinition } from '../../../kit/context/jobs.ts'
import { invoiceService } from '../invoice.service.ts'
import { insertInvoice, readInvoice, saveParts } from '../invoice.repository.ts'
import { audit } from '../../../kit/records/audit.ts'
import { withPaper } from '../make-paper.ts'
import { numberInvoice, proveInvoice } from '../send-invoice.ts'
import {
  claimItem,
  finishRun,
  lockOpenItem,
  mayGoOn,
  openRuns,
  readRun,
  updateItem,
  type RunItem,
} from './invoice-run.repository.ts'
import type { RunFault } from './invoice-run.table.ts'
import { podFilesBeside, podsOfOrders } from '../pods/pods.query.ts'
import { monthEndRows } from './month-end.query.ts'
import { draftOfOrders } from './proposed-invoices.ts'

type Run = NonNullable<Awaited<ReturnType<typeof readRun>>>

/** The department's text to the customer's address for invoices. */
const USUAL_MAIL = sendInvoice.body.parse({})

/** Who pressed, with the right that it took; the job has nobody by itself. */
async function asWhoPressed(ctx: Ctx, { createdById, language }: Run): Promise<Ctx> {
  if (createdById === null) return { ...ctx, language }
  const { fullName } = await ctx.db
    .selectFrom('user')
    .select('fullName')
    .where('id', '=', createdById)
    .executeTakeFirstOrThrow()
  const actor: Actor = {
    userId: createdById,
    // no session of its own
    sessionId: 0,
    fullName,
    isAdmin: false,
    permissions: ['INVOICES_PROCESSING'],
  }
  return { ...ctx, language, actor }
}

const changed = () => fieldError('orderIds', 'changed_since_seen')

/**
 * Removes a draft of a try that was not finished. True where it turns out to be sent, by hand: then it is the item's.
 */
async function clearDraft(ctx: Ctx, itemId: number, invoiceId: number | null): Promise<boolean> {
  if (invoiceId === null) return false
  const invoice = await readInvoice(ctx, invoiceId)
  if (invoice && invoice.number !== null) {
    await updateItem(ctx, itemId, { status: 'sent' })
    return true
  }
  await updateItem(ctx, itemId, { invoiceId: null })
  if (invoice) await invoiceService.remove(ctx, invoiceId, null)
  return false
}

/** Writes the draft of an item, where all of it still is as it was seen; null where its result is known. */
async function writeDraft(ctx: Ctx, run: Run, item: RunItem): Promise<{ id: number; version: number } | null> {
  const open = await lockOpenItem(ctx, item.id)
  if (!open || (await clearDraft(ctx, item.id, open.invoiceId))) return null
  const rows = await monthEndRows(ctx, { companyId: run.companyId, until: run.until, customerId: item.customerId })
  const ready = new Set(rows.flatMap(({ id, reason }) => (reason === null ? [id] : [])))
  if (!item.orderIds.every((id) => ready.has(id))) throw changed()
  const { columns, lines, orderIds } = await draftOfOrders(ctx, item.orderIds)
  if (columns.amountCents !== item.netCents || columns.billingCustomerId !== item.customerId) throw changed()
  const id = await insertInvoice(ctx, 'customer', columns)
  await saveParts(ctx, id, lines, orderIds)
  await audit(ctx, { ownerKind: 'invoice', ownerId: id, action: 'created' })
  await tell(ctx, { type: 'invoice.created', invoiceId: id })
  await updateItem(ctx, item.id, { invoiceId: id })
  return { id, version: 1 }
}

/** What a person is told; null for what is nobody's fault and is tried again with the whole job. */
function faultOf(error: unknown): RunFault | null {
  const known = error instanceof AppError ? error : fromDatabase(error)
  if (known?.code === 'unavailable') return null
  if (known?.code === 'stale_version') return { code: 'validation', fields: changed().details.fields! }
  return { code: known?.code ?? 'internal', fields: known?.details.fields ?? [] }
}

/**
 * Sends one invoice of a run, by the three steps of every sending. Draft and number are kept with the item in their
 * own transactions, so that a second try, or somebody else at the same, never sends it twice. What hinders it is its
 * result, and leaves no draft.
 */
async function sendItem(ctx: Ctx, run: Run, item: RunItem): Promise<void> {
  let draft: { id: number; version: number } | null = null
  try {
    draft = await inTransaction(ctx, (inner) => writeDraft(inner, run, item))
    if (draft === null) return
    const { id, version } = draft
    const proved = await proveInvoice(ctx, id, version)
    const sent = await inTransaction(ctx, async (inner) => {
      const open = await lockOpenItem(inner, item.id)
      if (open?.invoiceId !== id) return null
      const pods = await podsOfOrders(inner, item.customerId, item.orderIds)
      const mail = { ...USUAL_MAIL, documentIds: podFilesBeside(pods, proved.printed.pods ?? []) }
      const numbered = await numberInvoice(inner, id, version, { proved, mail, isByRun: true })
      await updateItem(inner, item.id, { status: 'sent' })
      return numbered
    })
    if (sent) await withPaper(ctx, sent)
  } catch (error) {
    const fault = faultOf(error)
    if (fault === null) throw error
    if (fault.code === 'internal') ctx.log.error({ err: error, itemId: item.id }, 'an invoice of a run was not sent')
    await inTransaction(ctx, async (inner) => {
      const open = await lockOpenItem(inner, item.id)
      if (!open || open.invoiceId !== (draft?.id ?? open.invoiceId)) return
      if (await clearDraft(inner, item.id, open.invoiceId)) return
      await updateItem(inner, item.id, { status: 'failed', fault })
    })
  }
}

/** What a run leaves to everybody else of the time of each invoice: its papers and statements keep both cores busy. */
const SHARE_OF_OTHERS = 0.4

/** What one job does before it hands on: well within the time that a job has. */
const SLICE_MS = 60_000
/** An invoice takes seconds; a worker that has one in hand for longer was ended. */
const LOST_AFTER_MS = 3 * 60_000

export const sendInvoiceRun: JobDefinition<'send_invoice_run'> = {
  async handle(ctx, { runId, takesOver = false }) {
    const began = ctx.clock.now().getTime()
    const lostBefore = new Date(began - (takesOver ? 0 : LOST_AFTER_MS)).toISOString()
    for (;;) {
      const run = await readRun(ctx, runId)
      if (!run || !(await mayGoOn(ctx, runId))) return
      const acting = await asWhoPressed(ctx, run)
      const item = isRunOver(run.status) ? undefined : await claimItem(acting, run, lostBefore)
      if (item) {
        const sentFrom = performance.now()
        await sendItem(acting, run, item)
        await setTimeout((performance.now() - sentFrom) * SHARE_OF_OTHERS)
      } else {
        await inTransaction(acting, (inner) => finishRun(inner, runId))
        return
      }
      if (ctx.clock.now().getTime() - began > SLICE_MS) {
        await ctx.ports.jobs.enqueue(ctx, 'send_invoice_run', { runId, takesOver }, { key: `invoice-run-${runId}` })
        return
      }
    }
  },
}

/** Gives a job to every run that is not over: at the start those that were in hand when the server was ended. */
export const wakeInvoiceRuns: JobDefinition<'wake_invoice_runs'> = {
  async handle(ctx, { isStart = false }) {
    for (const runId of await openRuns(ctx))
      await ctx.ports.jobs.enqueue(
        ctx,
        'send_invoice_run',
        { runId, takesOver: isStart },
        { key: `invoice-run-${runId}` },
      )
  },
  timetable: { cron: '*/5 * * * *', data: {}, atStart: { isStart: true } },
}
