import type { z } from 'zod'
import type {
  holdInvoice as endpoint,
  InvoiceCheck,
  ProblemKind,
  WaitsForWhom,
} from '@waybill/contract/invoice/checking'
import { allowedInvoiceMoves, isHeldInvoice, missingForInvoice } from '@waybill/contract/invoice/status'
import { showsIban } from '@waybill/contract/kit/bank/bank'
import { addDays } from '@waybill/contract/kit/local-time'
import { nowOf, tell, type Ctx } from '../../../kit/context/context.ts'
import { AppError, fieldError } from '../../../kit/context/errors.ts'
import { lockInvoice, lockReadInvoice } from '../invoice.repository.ts'
import { writeMove } from '../moves/write-move.ts'
import { WITHDRAWN, withdrawApproval } from './approve-invoice.ts'
import { checkInvoice } from './check-invoice.ts'
import { invoicedRoute, type InvoicedRoute } from './driven-route.query.ts'

/** The words of a mail about a problem. */
export interface ProblemMail {
  to: string
  subject: string
  text: string
}

declare module '../../../kit/context/events.ts' {
  interface Events {
    /** a carrier is written to about its invoice, and of which transport */
    'invoice.problem': { invoiceId: number; route: InvoicedRoute; number: string; mail: ProblemMail }
  }
}

interface NewProblem {
  kind: ProblemKind
  text: string
  waitsFor: WaitsForWhom
  stopsTerm: boolean
  isTold: boolean
}

/** Says what is wrong with an invoice, in the caller's transaction; one problem at most is open. */
export async function openProblem(ctx: Ctx, invoiceId: number, problem: NewProblem): Promise<void> {
  await closeProblem(ctx, invoiceId)
  await ctx.db
    .insertInto('invoice_problem')
    .values({ invoiceId, ...problem, openedById: ctx.actor?.userId ?? null, openedAt: nowOf(ctx) })
    .execute()
}

/**
 * Ends the open problem of an invoice, in the caller's transaction. Where it has put the payment off, the due date
 * moves on by the days that the invoice waited.
 */
export async function closeProblem(ctx: Ctx, invoiceId: number): Promise<void> {
  const problem = await ctx.db
    .updateTable('invoice_problem')
    .set({ closedAt: nowOf(ctx) })
    .where('invoiceId', '=', invoiceId)
    .where('closedAt', 'is', null)
    .returning(['stopsTerm', 'openedAt'])
    .executeTakeFirst()
  if (!problem?.stopsTerm) return
  const days = Math.ceil((ctx.clock.now().getTime() - Date.parse(problem.openedAt)) / 86_400_000)
  const { dueDate, stoppedDays } = await ctx.db
    .selectFrom('invoice')
    .select(['dueDate', 'stoppedDays'])
    .where('id', '=', invoiceId)
    .executeTakeFirstOrThrow()
  await ctx.db
    .updateTable('invoice')
    .set({ stoppedDays: stoppedDays + days, dueDate: dueDate === null ? null : addDays(dueDate, days) })
    .where('id', '=', invoiceId)
    .execute()
}

/** Sets a carrier's invoice aside with what is wrong. Errors: those of the endpoint. */
export async function holdInvoice(
  ctx: Ctx,
  id: number,
  version: number,
  { kind, text, waitsFor, stopsTerm, mail }: z.output<(typeof endpoint)['body']>,
): Promise<InvoiceCheck> {
  await checkInvoice(ctx, id)
  const { status: from, ...invoice } = await lockReadInvoice(ctx, id)
  const allowed = allowedInvoiceMoves('carrier', from)
  const move = allowed.find((one) => isHeldInvoice(one.to))
  if (!move)
    throw new AppError('illegal_transition', { from, to: 'in_progress', allowed: allowed.map((one) => one.to) })
  const check = await checkInvoice(ctx, id)
  if (invoice.version !== version) throw new AppError('stale_version', { current: check })
  const [missing] = missingForInvoice(move, { reason: text })
  if (missing) throw fieldError('text', missing)
  const route = mail === null ? null : await invoicedRoute(ctx, id)
  if (mail !== null) {
    if (route === null) throw fieldError('mail', 'route_missing')
    for (const path of ['subject', 'text'] as const)
      if (showsIban(mail[path])) throw fieldError(`mail.${path}`, 'iban_in_mail')
  }
  await withdrawApproval(ctx, id)
  await openProblem(ctx, id, { kind, text, waitsFor, stopsTerm, isTold: mail !== null })
  await writeMove(ctx, invoice, {
    from,
    to: move.to,
    reason: text,
    columns: WITHDRAWN,
    before: { problemKind: null, waitsFor: null, differenceKind: invoice.differenceKind },
    after: { problemKind: kind, waitsFor, differenceKind: null },
  })
  if (mail !== null)
    await tell(ctx, {
      type: 'invoice.problem',
      invoiceId: id,
      route: route!,
      number: invoice.number ?? invoice.innerNumber,
      mail,
    })
  return checkInvoice(ctx, id)
}

/** The carrier has sent a better invoice, or what was missing: it is to be checked again. */
export async function takeCorrected(ctx: Ctx, id: number, kinds: readonly ProblemKind[] | 'any'): Promise<void> {
  const invoice = await lockInvoice(ctx, id)
  if (!invoice || !isHeldInvoice(invoice.status)) return
  const problem = await ctx.db
    .selectFrom('invoice_problem')
    .select('kind')
    .where('invoiceId', '=', id)
    .where('closedAt', 'is', null)
    .executeTakeFirst()
  if (kinds !== 'any' && !(problem && kinds.includes(problem.kind))) return
  await closeProblem(ctx, id)
  await writeMove(ctx, invoice, {
    from: invoice.status,
    to: 'received',
    before: { problemKind: problem?.kind ?? null },
    after: { problemKind: null },
  })
}
