import type { Invoice } from '@waybill/contract/invoice/invoice'
import { inTransaction, nowOf, tell, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import type { JobDefinition } from '../../kit/context/jobs.ts'
import { keepFile, removeStray, storeDocument, type KeptFile } from '../document/index.ts'
import { drawInvoice } from './pods/draw-invoice.ts'
import { ksefPaper, type KsefXml } from './ksef/make-ksef-xml.ts'
import { visibleInvoices } from './invoice.policy.ts'
import { xmlNameOf } from './invoice.rules.ts'
import { invoiceView } from './invoice.query.ts'
import { makeXml, refuseOtherAmounts, type MadeXml } from './e-invoice/prove-e-invoice.ts'
import {
  insertArtifacts,
  lockUnmadePaper,
  markMade,
  noteFailedTry,
  unmadePaper,
  unmadePapers,
} from './invoice.repository.ts'

declare module '../../kit/context/events.ts' {
  interface Events {
    /** what a sent invoice is lies in the store: what waited for `documentIds`, the invoice first, may go */
    'invoice.paperMade': { invoiceId: number; documentIds: number[] }
  }
}

declare module '../../kit/context/jobs.ts' {
  interface JobData {
    make_paper: { invoiceId: number }
    wake_papers: { isStart?: boolean }
  }
}

/** The request that sends makes the paper itself; the job is for the one that died meanwhile. */
const JOB_AFTER_MS = 30_000

/** Writes the job that makes the paper if nobody has by then, in the caller's transaction. */
export const scheduleMaking = (ctx: Ctx, invoiceId: number): Promise<void> =>
  ctx.ports.jobs.enqueue(
    ctx,
    'make_paper',
    { invoiceId },
    {
      key: `paper-${invoiceId}`,
      startAt: new Date(ctx.clock.now().getTime() + JOB_AFTER_MS).toISOString(),
    },
  )

interface Made {
  pdf: KeptFile
  xml: (KeptFile & Pick<MadeXml, 'eInvoice'>) | null
  isInPdf: boolean
  /** the XML that KSeF has, which was made before */
  ksefXml: KsefXml | null
}

/** Names the files that were made, unless somebody else was faster: then ours go. */
async function attach(ctx: Ctx, invoiceId: number, { pdf, xml, isInPdf, ksefXml }: Made): Promise<void> {
  const paper = await lockUnmadePaper(ctx, invoiceId)
  const kept = [pdf, ...(xml === null ? [] : [xml])]
  if (!paper) {
    for (const { fileKey } of kept) await removeStray(ctx, fileKey)
    return
  }
  try {
    const file = { owner: { kind: 'invoice' as const, id: invoiceId }, documentType: 'CUSTOMER_INVOICE' as const }
    const documentId = await storeDocument(ctx, {
      ...file,
      title: paper.title,
      contentType: 'application/pdf',
      kept: pdf,
      ...(isInPdf && { eInvoice: 'zugferd' }),
    })
    const xmlId =
      xml === null
        ? null
        : await storeDocument(ctx, {
            ...file,
            title: xmlNameOf(paper.title),
            contentType: 'application/xml',
            kept: { fileKey: xml.fileKey, sha256: xml.sha256, sizeBytes: xml.sizeBytes },
            eInvoice: xml.eInvoice,
          })
    const { sha256, sizeBytes } = pdf
    await insertArtifacts(ctx, invoiceId, [
      { kind: 'pdf', documentId, sha256, sizeBytes },
      ...(ksefXml === null ? [] : [{ kind: 'xml' as const, ...ksefXml }]),
      ...(xml === null || xmlId === null
        ? []
        : [{ kind: 'xml' as const, documentId: xmlId, sha256: xml.sha256, sizeBytes: xml.sizeBytes }]),
    ])
    await markMade(ctx, invoiceId, documentId)
    // An XRechnung is its XML, and the PDF a courtesy; in a ZUGFeRD file both are one.
    const documentIds = xmlId === null || isInPdf ? [documentId] : [xmlId, documentId]
    await tell(ctx, { type: 'invoice.paperMade', invoiceId, documentIds })
  } catch (error) {
    for (const { fileKey } of kept) await removeStray(ctx, fileKey)
    throw error
  }
}

/**
 * The third step of sending: draws the paper of a sent invoice from what was fixed with its number, and names it in a
 * short transaction; what is made already is left alone. A try that fails is noted with the paper. Call it outside of
 * any transaction. Errors: those of the renderer and of the store.
 */
export async function makePaper(ctx: Ctx, invoiceId: number): Promise<void> {
  const paper = await unmadePaper(ctx, invoiceId)
  if (!paper) return
  try {
    const { printed, logo, language, frozenAt } = paper
    const { eInvoice: facts, ksef, ...shown } = printed
    const marked = ksef ? await ksefPaper(ctx, invoiceId, { ...paper, printed: shown, facts: ksef }) : null
    if (marked?.isAwaited) return
    const made = facts ? makeXml(shown, facts, language) : null
    await refuseOtherAmounts(paper, made)
    const bytes = await drawInvoice(
      ctx,
      { ...shown, seller: { ...shown.seller, logo }, ...(marked && { ksefMark: marked.mark }) },
      language,
      { createdAt: new Date(frozenAt), facturX: made?.inPdf },
    )
    const pdf = await keepFile(ctx, bytes)
    const xml = made === null ? null : { ...(await keepFile(ctx, made.bytes)), eInvoice: made.eInvoice }
    await inTransaction(ctx, (inner) =>
      attach(inner, invoiceId, { pdf, xml, isInPdf: made?.inPdf !== undefined, ksefXml: marked?.xml ?? null }),
    )
  } catch (error) {
    await noteFailedTry(ctx, invoiceId, nowOf(ctx)).catch((fault: unknown) =>
      ctx.log.error({ err: fault }, 'a failed try could not be noted'),
    )
    throw error
  }
}

/**
 * After a sending has committed: its paper at once. Should that fail the number is given all the same; the reply says
 * that the paper is missing, and the job tries again.
 */
export async function withPaper(ctx: Ctx, invoice: Invoice): Promise<Invoice> {
  if (invoice.paper !== 'making') return invoice
  await makePaper(ctx, invoice.id).catch((error: unknown) =>
    ctx.log.error({ err: error, invoiceId: invoice.id }, 'the paper of a sent invoice could not be made'),
  )
  const { documentId, paper } = await invoiceView(ctx, visibleInvoices(ctx), invoice.id)
  return { ...invoice, documentId, paper }
}

/**
 * Makes a paper that is missing, for who asks for it. Errors: `not_found`, `conflict` for an invoice that has none to
 * make.
 */
export async function makeMissingPaper(ctx: Ctx, id: number): Promise<Invoice> {
  const { paper } = await invoiceView(ctx, visibleInvoices(ctx), id)
  if (paper === null) throw new AppError('conflict')
  await makePaper(ctx, id)
  return invoiceView(ctx, visibleInvoices(ctx), id)
}

export const makePaperJob: JobDefinition<'make_paper'> = {
  handle: (ctx, { invoiceId }) => makePaper(ctx, invoiceId),
}

/** What was given its number a moment ago is in somebody's hands. */
const LOST_AFTER_MS = 5 * 60_000

/**
 * Gives a job to every missing paper: those whose job has given up or was lost, and at the start those that were in
 * hand when the server was killed, whose jobs count as running for minutes.
 */
export const wakePapers: JobDefinition<'wake_papers'> = {
  async handle(ctx, { isStart = false }) {
    const before = new Date(ctx.clock.now().getTime() - (isStart ? 0 : LOST_AFTER_MS)).toISOString()
    const ids = await unmadePapers(ctx, before)
    for (const invoiceId of ids)
      await ctx.ports.jobs.enqueue(ctx, 'make_paper', { invoiceId }, { key: `missing-paper-${invoiceId}` })
    if (ids.length > 0) ctx.log.info({ papers: ids.length }, 'woke papers')
  },
  timetable: { cron: '*/10 * * * *', data: {}, atStart: { isStart: true } },
}
