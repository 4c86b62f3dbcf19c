import { sql } from 'kysely'
import { isUndecided, isHandedOver } from '@waybill/contract/e-invoice/ksef-states'
import { inTransaction, nowOf, type Ctx } from '../../../../kit/context/context.ts'
import type { JobDefinition } from '../../../../kit/context/jobs.ts'
import { notHeld } from '../../../../kit/database/restore-hold.ts'
import { keyOf } from '../../../document/index.ts'
import { lockInvoice, readInvoice } from '../../invoice.repository.ts'
import { makePaper } from '../../make-paper.ts'
import { submissionOf } from '../submission.query.ts'
import { keepXml } from '../make-ksef-xml.ts'
import { accessOf, offlineKeyOf } from './certificates.ts'
import { acceptInvoice, rejectInvoice } from './decide-submission.ts'
import { fixedOf } from './fixed-of.ts'
import { giveOutOffline } from './issue-offline.ts'
import { KsefError, type KsefReference, type KsefVerdict } from './ksef-interface.ts'

declare module '../../../../kit/context/jobs.ts' {
  interface JobData {
    submit_ksef: { invoiceId: number }
    wake_ksef: { isStart?: boolean }
  }
}

/** KSeF takes some seconds to judge. */
const ASK_AGAIN_MS = 10_000
/** After a fault of its own, or while it is away. */
const TRY_AGAIN_MS = 5 * 60_000
/** KSeF is often back within minutes; what is given out before it has an invoice cannot be taken back. */
const OFFLINE_AFTER_MS = 60 * 60_000

/** Writes the job that hands an invoice over, or asks what became of it, in the caller's transaction. */
export const scheduleSubmission = (ctx: Ctx, invoiceId: number, afterMs = 0): Promise<void> =>
  ctx.ports.jobs.enqueue(
    ctx,
    'submit_ksef',
    { invoiceId },
    { key: `ksef-${invoiceId}`, startAt: new Date(ctx.clock.now().getTime() + afterMs).toISOString() },
  )

type Submission = NonNullable<Awaited<ReturnType<typeof submissionOf>>>

const referenceOf = ({ sessionReference, invoiceReference }: Submission): KsefReference => ({
  session: sessionReference!,
  invoice: invoiceReference!,
})

const noteTrouble = (ctx: Ctx, { id }: Submission, trouble: string | null): Promise<unknown> =>
  ctx.db
    .updateTable('ksef_submission')
    .set((eb) => ({ tries: eb('tries', '+', 1), trouble: trouble?.slice(0, 1000) ?? null }))
    .where('id', '=', id)
    .where('state', 'in', ['queued', 'submitted'])
    .execute()

const setState = (ctx: Ctx, { id, state }: Submission, columns: object): Promise<unknown> =>
  ctx.db
    .updateTable('ksef_submission')
    .set({ trouble: null, ...columns })
    .where('id', '=', id)
    .where('state', '=', state)
    .execute()

/** One step on the way: the XML is made and handed over, or KSeF is asked. Errors: `KsefError`, those of the store. */
async function step(ctx: Ctx, submission: Submission): Promise<KsefVerdict> {
  const { invoiceId, mode } = submission
  const invoice = (await readInvoice(ctx, invoiceId))!
  const access = await accessOf(ctx, invoice.companyId!, invoice.seller!.vatNumber)
  // It is made first: who gives the invoice out while KSeF is away needs it.
  const { documentId } = await keepXml(ctx, invoiceId, fixedOf(invoice, submission))
  if (access === null || !isHandedOver(mode)) throw new KsefError('no_certificate', false)
  const kept = await ctx.db
    .selectFrom('document')
    .select('fileKey')
    .where('id', '=', documentId)
    .executeTakeFirstOrThrow()
  const xml = await ctx.ports.files.read(keyOf(kept))
  const ksef = ctx.ports.ksef[mode]
  if (submission.state === 'submitted') return ksef.ask(access, referenceOf(submission), xml)
  const { session: sessionReference, invoice: invoiceReference } = await ksef.handOver(access, xml, {
    isOffline: submission.offlineAt !== null,
    correctsSha256: submission.correctsSha256,
  })
  const submittedAt = nowOf(ctx)
  await setState(ctx, submission, { state: 'submitted', sessionReference, invoiceReference, submittedAt })
  return ksef.ask(access, { session: sessionReference, invoice: invoiceReference }, xml)
}

/** While KSeF is away for long, companies with a certificate for that give their invoices out. */
async function giveOutAfterAWhile(ctx: Ctx, invoiceId: number): Promise<void> {
  const isOut = await inTransaction(ctx, async (inner) => {
    const invoice = await lockInvoice(inner, invoiceId)
    const submission = await submissionOf(inner, invoiceId)
    const waited = inner.clock.now().getTime() - Date.parse(submission?.createdAt ?? '')
    if (!invoice || submission?.state !== 'queued' || submission.offlineAt !== null || !(waited >= OFFLINE_AFTER_MS))
      return false
    if (submission.documentId === null || (await offlineKeyOf(inner, invoice.companyId!)) === null) return false
    await giveOutOffline(inner, invoice)
    return true
  })
  if (isOut) await makePaper(ctx, invoiceId)
}

/**
 * Brings an invoice one step further on its way through KSeF, from wherever it is; one that is decided is left alone.
 * Call it outside of any transaction.
 */
export async function submitInvoice(ctx: Ctx, invoiceId: number): Promise<void> {
  const submission = await submissionOf(ctx, invoiceId)
  if (submission === null || !isUndecided(submission.state)) return
  let verdict: KsefVerdict
  try {
    verdict = await step(ctx, submission)
  } catch (error) {
    // It goes on by itself; what is wrong stands on the invoice.
    await noteTrouble(ctx, submission, error instanceof KsefError ? error.message : 'internal')
    ctx.log.error({ err: error, invoiceId }, 'an invoice could not be handed over to KSeF')
    await scheduleSubmission(ctx, invoiceId, TRY_AGAIN_MS)
    if (error instanceof KsefError && error.isAway) await giveOutAfterAWhile(ctx, invoiceId)
    return
  }
  if (verdict.kind === 'pending') return scheduleSubmission(ctx, invoiceId, ASK_AGAIN_MS)
  if (verdict.kind === 'repeat') {
    await setState(ctx, { ...submission, state: 'submitted' }, { state: 'queued' })
    return scheduleSubmission(ctx, invoiceId, TRY_AGAIN_MS)
  }
  if (verdict.kind === 'rejected') {
    const { reason } = verdict
    await inTransaction(ctx, (inner) => rejectInvoice(inner, invoiceId, reason))
    return
  }
  const { number, upo } = verdict
  await acceptInvoice(ctx, invoiceId, { number, upo })
  await makePaper(ctx, invoiceId)
}

export const submitKsefJob: JobDefinition<'submit_ksef'> = {
  async handle(ctx, { invoiceId }) {
    const free = await ctx.db
      .selectFrom('ksef_submission')
      .select('id')
      .where('invoiceId', '=', invoiceId)
      .where(notHeld('ksef_submission', sql.ref('ksef_submission.id')))
      .executeTakeFirst()
    if (free) await submitInvoice(ctx, invoiceId)
  },
  concurrency: 2,
}

/** Gives a job to every invoice that is on its way and has none any more. */
export const wakeKsef: JobDefinition<'wake_ksef'> = {
  async handle(ctx) {
    const rows = await ctx.db
      .selectFrom('ksef_submission')
      .select('invoiceId')
      .where('state', 'in', ['queued', 'submitted'])
      .where(notHeld('ksef_submission', sql.ref('ksef_submission.id')))
      .orderBy('id')
      .limit(1000)
      .execute()
    for (const { invoiceId } of rows) await scheduleSubmission(ctx, invoiceId)
  },
  timetable: { cron: '*/10 * * * *', data: {}, atStart: { isStart: true } },
}
