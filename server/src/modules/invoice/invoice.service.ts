import { isDeepStrictEqual } from 'node:util'
import { Invoice, type invoiceApi, type InvoiceWrite } from '@waybill/contract/invoice/invoice'
import {
  isUndecidedInvoice,
  mayChangeInvoice,
  mayDeactivateInvoice,
  mayDeleteInvoice,
} from '@waybill/contract/invoice/status'
import { audit } from '../../kit/records/audit.ts'
import { tell, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError, type FieldFault } from '../../kit/context/errors.ts'
import type { ServiceOf } from '../../kit/http/routes.ts'
import { bumpVersion } from '../../kit/records/table-service.ts'
import { correctionDraft } from './correct-invoice.ts'
import { saveAllocations } from './carrier/allocations.repository.ts'
import { carrierDraft, customerDraft, type Draft } from './invoice.builder.ts'
import { visibleInvoices } from './invoice.policy.ts'
import { invoiceView, listInvoices, listInvoiceTitles } from './invoice.query.ts'
import { insertInvoice, lockInvoice, saveParts } from './invoice.repository.ts'

declare module '../../kit/context/events.ts' {
  interface Events {
    'invoice.created': { invoiceId: number }
    /** of a carrier's invoice */
    'invoice.ibanChanged': { invoiceId: number }
  }
}

const get = (ctx: Ctx, id: number): Promise<Invoice> => invoiceView(ctx, visibleInvoices(ctx), id)

// On the customer side these follow from the lines, or are given at sending (domain, Invoices).
const DERIVED = ['number', 'amountCents', 'vatBp', 'totalCents', 'iban', 'documentCreationDate', 'dueDate'] as const

/** Derived fields may come back as they were read, and in no other way. */
function refuseDerived(body: InvoiceWrite, current: Invoice | null): void {
  const fields = DERIVED.flatMap((path): FieldFault[] =>
    body[path] === null || (current && isDeepStrictEqual(body[path], current[path]))
      ? []
      : [{ path, code: 'read_only' }],
  )
  if (fields.length > 0) throw new AppError('validation', { fields })
}

function draftOf(ctx: Ctx, body: InvoiceWrite, current: Invoice | null): Promise<Draft> {
  if (body.entityType === 'carrier') {
    if (body.correctionReason) throw fieldError('correctionReason', 'read_only')
    return carrierDraft(ctx, body, current)
  }
  if (body.allocations !== null && body.allocations.length > 0) throw fieldError('allocations', 'invalid_value')
  refuseDerived(body, current)
  if (current?.correctionOfId) return correctionDraft(ctx, current, body)
  if (body.correctionReason) throw fieldError('correctionReason', 'read_only')
  return customerDraft(ctx, body)
}

/** Why an invoice cannot be changed any more: it has left the house, or it is settled or given up. */
function refuseFinished(invoice: Invoice): void {
  const { entityType, status, number } = invoice
  if (isUndecidedInvoice(invoice)) throw new AppError('ksef_undecided')
  if (!mayChangeInvoice(entityType, status))
    throw new AppError(entityType === 'customer' && number !== null ? 'frozen' : 'conflict')
}

// What the API shows, but for what time and other records change.
const Picture = Invoice.omit({
  isOverdue: true,
  openCents: true,
  isDisputed: true,
  destinations: true,
  warnings: true,
  corrections: true,
  invoicedRoutes: true,
  agreedDue: true,
})
const pictureOf = (invoice: Invoice) => Picture.parse(invoice)

export const invoiceService: ServiceOf<typeof invoiceApi> = {
  list: (ctx, query) => listInvoices(ctx, visibleInvoices(ctx), query),
  compact: (ctx, query) => listInvoiceTitles(ctx, visibleInvoices(ctx), query),
  get,
  async create(ctx, body) {
    const { columns, lines, orderIds, allocations } = await draftOf(ctx, body, null)
    const id = await insertInvoice(ctx, body.entityType, columns)
    await saveParts(ctx, id, lines, orderIds)
    if (allocations) await saveAllocations(ctx, id, allocations)
    await audit(ctx, { ownerKind: 'invoice', ownerId: id, action: 'created' })
    await tell(ctx, { type: 'invoice.created', invoiceId: id })
    return get(ctx, id)
  },
  async update(ctx, id, version, body) {
    await get(ctx, id)
    // Sending waits, and a save behind a sending sees it here.
    await lockInvoice(ctx, id)
    const before = await get(ctx, id)
    if (before.version !== version) throw new AppError('stale_version', { current: before })
    if (body.entityType !== before.entityType) throw fieldError('entityType', 'read_only')
    refuseFinished(before)
    if (
      body.state === 'inactive' &&
      before.state === 'active' &&
      !mayDeactivateInvoice(before.entityType, before.status)
    )
      throw new AppError('conflict')
    const { columns, lines, orderIds, allocations } = await draftOf(ctx, body, before)
    await bumpVersion(ctx, 'invoice', id, version, columns)
    await saveParts(ctx, id, lines, orderIds)
    if (allocations) await saveAllocations(ctx, id, allocations)
    const after = await get(ctx, id)
    if (after.entityType === 'carrier' && after.iban !== before.iban)
      await tell(ctx, { type: 'invoice.ibanChanged', invoiceId: id })
    await audit(ctx, {
      ownerKind: 'invoice',
      ownerId: id,
      action: 'updated',
      before: pictureOf(before),
      after: pictureOf(after),
    })
    return after
  },
  async remove(ctx, id, version) {
    const before = await get(ctx, id)
    await lockInvoice(ctx, id)
    const current = await get(ctx, id)
    if (version !== null && current.version !== version) throw new AppError('stale_version', { current })
    if (current.number !== null && current.entityType === 'customer') throw new AppError('frozen')
    const files = await ctx.db
      .selectFrom('document')
      .select('id')
      .where('ownerKind', '=', 'invoice')
      .where('ownerId', '=', id)
      .limit(1)
      .executeTakeFirst()
    const mails = await ctx.db
      .selectFrom('email')
      .select('id')
      .where('ownerKind', '=', 'invoice')
      .where('ownerId', '=', id)
      .limit(1)
      .executeTakeFirst()
    if (!mayDeleteInvoice(current.status) || files || mails) throw new AppError('in_use')
    await ctx.db.deleteFrom('invoice').where('id', '=', id).execute()
    await audit(ctx, { ownerKind: 'invoice', ownerId: id, action: 'deleted', before: pictureOf(before), after: {} })
  },
}
