import type { Allocation } from '@waybill/contract/invoice/invoice'
import { sumCents } from '@waybill/contract/kit/money'
import { dropOffsToProve } from '@waybill/contract/order/papers/pod'
import { uploadHints, type UploadHint, type UploadInvoice, type UploadPage } from '@waybill/contract/public/upload-link'
import { inTransaction, nowOf, tell, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError, fromDatabase } from '../../kit/context/errors.ts'
import { bodyHash, once } from '../../kit/http/idempotency.ts'
import { audit } from '../../kit/records/audit.ts'
import { insertDocument } from '../document/index.ts'
import { invoiceService, takeCorrected } from '../invoice/index.ts'
import { DOCUMENT_TYPE_OF, refuseClosed } from './receive-file.ts'
import { lockLink, type UploadLink } from './upload-link.repository.ts'
import { invoicesOf, transportOf, uploadPage, type Transport } from './upload-page.query.ts'

declare module '../../kit/context/events.ts' {
  interface Events {
    /** a carrier, or who holds its link, has named an account; `userIds`: who made or ended links of the transport */
    'uploadLink.ibanSent': { carrierCompanyId: number; iban: string; userIds: number[] }
  }
}

interface Sent {
  page: UploadPage
  hints: UploadHint[]
}

/** What the invoice says is called otherwise by who types it here. */
const FIELDS: Readonly<Record<string, string>> = { number: 'invoiceNumber', notes: 'differenceReason' }

/** The faults of an invoice at the fields of this page. */
function asTyped(error: unknown): unknown {
  const known = error instanceof AppError ? error : fromDatabase(error)
  if (known?.code !== 'validation') return error
  const fields = known.details.fields?.map((fault) => ({ ...fault, path: FIELDS[fault.path] ?? fault.path }))
  return new AppError('validation', { ...(fields && { fields }) })
}

/**
 * What the electronic invoice of this sending is in, euros where it has none beside its plain ones. Without any invoice
 * in it the paper stays that was sent before, and with it what the record says.
 */
async function currencyOfDrafts(ctx: Ctx, { id }: UploadLink, before: string): Promise<string> {
  const drafts = await ctx.db
    .selectFrom('upload_file')
    .select('currency')
    .where('linkId', '=', id)
    .where('kind', '=', 'invoice')
    .where('state', '=', 'draft')
    .orderBy('id', 'desc')
    .execute()
  if (drafts.length === 0) return before
  return drafts.find(({ currency }) => currency !== null)?.currency ?? 'EUR'
}

/**
 * For which routes an invoice is that its carrier sends. Staff may have shared one that is corrected out to several:
 * their shares stay, the link's own route takes what is more or less, and the last ones what it cannot.
 */
async function sharesOf(
  ctx: Ctx,
  { routeId }: UploadLink,
  ownId: number | null,
  amountCents: number,
): Promise<Allocation[]> {
  const before = ownId === null ? [] : (await invoiceService.get(ctx, ownId)).allocations
  if (before.length < 2) return [{ routeId, netCents: amountCents }]
  const shares = before.map((share) => ({ ...share }))
  let moreCents = amountCents - sumCents(shares.map(({ netCents }) => netCents))
  const isOwn = (share: Allocation) => share.routeId === routeId
  for (const share of [...shares.filter(isOwn), ...shares.filter((one) => !isOwn(one)).toReversed()]) {
    // What is taken off a share leaves nothing of it at most; one below nothing stays as it is.
    const netCents = Math.max(Math.min(0, share.netCents), share.netCents + moreCents)
    moreCents -= netCents - share.netCents
    share.netCents = netCents
  }
  return moreCents === 0 ? shares : [{ routeId, netCents: amountCents }]
}

/**
 * Writes the carrier's invoice of the link's route; one that came through this link before is corrected. Answers its
 * id.
 */
async function writeInvoice(ctx: Ctx, link: UploadLink, typed: UploadInvoice): Promise<number> {
  const own = (await invoicesOf(ctx, link)).find(({ id }) => id === link.invoiceId)
  const body = {
    entityType: 'carrier' as const,
    orderIds: [],
    routeId: null,
    allocations: await sharesOf(ctx, link, own?.id ?? null, typed.amountCents),
    companyId: null,
    billingCustomerId: null,
    carrierCompanyId: link.carrierCompanyId,
    lines: null,
    notes: typed.differenceReason,
    paymentPeriodDays: null,
    servicePeriodFrom: null,
    servicePeriodTo: null,
    number: typed.invoiceNumber,
    amountCents: typed.amountCents,
    vatBp: typed.vatBp,
    totalCents: typed.totalCents,
    // What is typed here is in euros, unless the electronic invoice that comes with it says otherwise.
    currency: await currencyOfDrafts(ctx, link, own?.currency ?? 'EUR'),
    iban: typed.iban,
    documentCreationDate: typed.documentCreationDate,
    dueDate: typed.dueDate,
    state: 'active' as const,
  }
  try {
    const written = own
      ? await invoiceService.update(ctx, own.id, own.version, body)
      : await invoiceService.create(ctx, body)
    return written.id
  } catch (error) {
    throw asTyped(error)
  }
}

/** Tells who made or ended the links of this transport: they could have sent the IBAN themselves (decision 076). */
async function tellIban(ctx: Ctx, { assignmentId, carrierCompanyId }: UploadLink, iban: string): Promise<void> {
  const links = await ctx.db
    .selectFrom('upload_link')
    .select(['createdById', 'revokedById'])
    .where('assignmentId', '=', assignmentId)
    .execute()
  const userIds = links
    .flatMap(({ createdById, revokedById }) => [createdById, revokedById])
    .filter((userId) => userId !== null)
  await tell(ctx, { type: 'uploadLink.ibanSent', carrierCompanyId, iban, userIds: [...new Set(userIds)] })
}

/** Makes the drafts of a link files of the order and of the invoice; answers how many of each. */
async function sendDrafts(
  ctx: Ctx,
  link: UploadLink,
  { order, route }: Transport,
  invoiceId: number | null,
): Promise<{ pods: number; invoices: number }> {
  const drafts = await ctx.db
    .selectFrom('upload_file')
    .selectAll()
    .where('linkId', '=', link.id)
    .where('state', '=', 'draft')
    .where('kind', 'in', invoiceId === null ? ['pod'] : ['pod', 'invoice'])
    .orderBy('id')
    .execute()
  // Whose goods a paper proves is asked when it is accepted, where that is not clear (decision 066).
  const { dropOffs, isAsked } = dropOffsToProve(order, route.id)
  const locationIds = isAsked || dropOffs.length === 0 ? null : dropOffs.map(({ id }) => id)
  for (const draft of drafts) {
    const { id, kind, title, contentType, eInvoice, leftToPayCents, sizeBytes, sha256, fileKey, scan } = draft
    const isPod = kind === 'pod'
    const documentId = await insertDocument(ctx, {
      owner: isPod ? { kind: 'order', id: link.orderId } : { kind: 'invoice', id: invoiceId! },
      documentType: DOCUMENT_TYPE_OF[kind],
      title,
      contentType,
      eInvoice,
      leftToPayCents,
      sizeBytes,
      sha256,
      scan,
      fileKey: fileKey!,
      orderCarrier: isPod ? link.assignmentId : null,
      locationIds: isPod ? locationIds : null,
    })
    await ctx.db
      .updateTable('upload_file')
      .set({ state: 'submitted', submittedAt: nowOf(ctx), fileKey: null, documentId })
      .where('id', '=', id)
      .execute()
  }
  return {
    pods: drafts.filter(({ kind }) => kind === 'pod').length,
    invoices: drafts.filter(({ kind }) => kind === 'invoice').length,
  }
}

/** Every file of the kind that the link ever sent. */
async function hasSent(ctx: Ctx, linkId: number, kind: 'pod' | 'invoice'): Promise<boolean> {
  const sent = await ctx.db
    .selectFrom('upload_file')
    .select('id')
    .where('linkId', '=', linkId)
    .where('kind', '=', kind)
    .where('documentId', 'is not', null)
    .executeTakeFirst()
  return sent !== undefined
}

async function shown(ctx: Ctx, link: UploadLink, hints: UploadHint[]): Promise<Sent> {
  const { timeZone: _timeZone, ...page } = await uploadPage(ctx, link)
  return { page, hints }
}

/** What is sent through a link, one after the other, with its key for repeats. */
function sending(
  ctx: Ctx,
  link: UploadLink,
  key: unknown,
  what: object,
  work: (inner: Ctx, link: UploadLink) => Promise<Sent>,
) {
  if (key !== undefined && (typeof key !== 'string' || key.length < 1 || key.length > 255))
    throw new AppError('malformed')
  return inTransaction(ctx, async (inner): Promise<Sent> => {
    const run = async () => {
      const current = await lockLink(inner, link.id)
      if (current.revokedAt !== null) throw new AppError('not_found')
      await refuseClosed(inner, current)
      return work(inner, current)
    }
    if (key === undefined) return run()
    // By the link's number: a token stands nowhere in the database.
    const answer = await once(inner, `upload link ${link.id} ${String(key)}`, bodyHash(what), async () => ({
      status: 200,
      location: null,
      body: await run(),
    }))
    return answer.body as Sent
  })
}

/** Takes the invoice and all drafts of a link in, in one transaction. Errors: as `submitUpload` names them. */
export const submitUpload = (ctx: Ctx, link: UploadLink, typed: UploadInvoice, key: unknown): Promise<Sent> =>
  sending(ctx, link, key, typed, async (inner, current) => {
    const transport = await transportOf(inner, current)
    const page = await uploadPage(inner, current)
    const hints = uploadHints(typed, page)
    if (hints.includes('amount_differs') && typed.differenceReason === null)
      throw fieldError('differenceReason', 'difference_reason_missing')
    const invoiceId = await writeInvoice(inner, current, typed)
    await tellIban(inner, current, typed.iban)
    const { pods, invoices } = await sendDrafts(inner, current, transport, invoiceId)
    if (invoices === 0 && !(await hasSent(inner, current.id, 'invoice'))) throw fieldError('files', 'required')
    await inner.db.updateTable('upload_link').set({ invoiceId }).where('id', '=', current.id).execute()
    await takeCorrected(inner, invoiceId, 'any')
    await auditArrival(inner, current, page.carrier, pods, 'uploadArrivedWithInvoice')
    return shown(inner, { ...current, invoiceId }, hints)
  })

/** Takes the proofs of delivery of a link in, without an invoice. Error: `required` at `files`. */
export const submitProofs = (ctx: Ctx, link: UploadLink, key: unknown): Promise<Sent> =>
  sending(ctx, link, key, {}, async (inner, current) => {
    const transport = await transportOf(inner, current)
    const { carrier } = await uploadPage(inner, current)
    const { pods } = await sendDrafts(inner, current, transport, null)
    if (pods === 0) throw fieldError('files', 'required')
    // A change of the link is what those hear who have the order open.
    await inner.db
      .updateTable('upload_link')
      .set({ invoiceId: current.invoiceId })
      .where('id', '=', current.id)
      .execute()
    if (current.invoiceId !== null) await takeCorrected(inner, current.invoiceId, ['pod_missing', 'pod_unusable'])
    await auditArrival(inner, current, carrier, pods, 'uploadArrived')
    return shown(inner, current, [])
  })

const auditArrival = (ctx: Ctx, link: UploadLink, carrier: string, pods: number, action: string): Promise<void> =>
  audit(ctx, { ownerKind: 'order', ownerId: link.orderId, action, after: { carrierCompany: carrier, pods } })
