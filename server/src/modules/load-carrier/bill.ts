import { sql } from 'kysely'
import type { z } from 'zod'
import { InvoiceWrite } from '@waybill/contract/invoice/invoice'
import type { billLoadCarriers as billEndpoint } from '@waybill/contract/load-carrier/account'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError, type FieldFault } from '../../kit/context/errors.ts'
import { audit } from '../../kit/records/audit.ts'
import { shownTitle } from '../../kit/records/titles.ts'
import { filled, textsOf } from '../../kit/texts/texts.ts'
import { billingCustomer, invoiceService, proposalFor, sellingCompany } from '../invoice/index.ts'
import { admitToAccounts, findHolder, HOLDER_COLUMNS, holderColumns, lockHolder, OWNER_KINDS } from './holder.policy.ts'
import { draftsOf } from './movement.query.ts'
import { refuseUnknownTypes } from './movement.service.ts'
import './load-carrier.table.ts'

const TEXTS = textsOf('load-carrier')

type Asked = z.output<typeof billEndpoint.body>

/** How many of ours the holder has, by type, that are on no draft yet. */
async function leftToBill(ctx: Ctx, { holder }: Pick<Asked, 'holder'>): Promise<Map<number, number>> {
  const { rows } = await sql<{ typeId: number; pieces: number }>`
    select e."typeId", sum(e.net)::int as pieces from load_carrier_entry e
      where ${sql.ref(`e.${HOLDER_COLUMNS[holder.kind]}`)} = ${holder.id} group by e."typeId"
  `.execute(ctx.db)
  const left = new Map(rows.map(({ typeId, pieces }) => [typeId, pieces]))
  for (const { typeId, pieces } of await draftsOf(ctx, { holder: holder.kind, holderId: holder.id }))
    left.set(typeId, (left.get(typeId) ?? 0) - pieces)
  return left
}

/** Refuses a type that is named twice, and more pieces than there are to bill. Errors: the contract's. */
async function refuseExcess(ctx: Ctx, { holder, lines }: Pick<Asked, 'holder' | 'lines'>): Promise<void> {
  const left = await leftToBill(ctx, { holder })
  const fields = lines.flatMap(({ typeId, pieces }, index): FieldFault[] => {
    if (lines.findIndex((line) => line.typeId === typeId) < index)
      return [{ path: `lines.${index}.typeId`, code: 'duplicate_key' }]
    const max = Math.max(0, left.get(typeId) ?? 0)
    return pieces > max ? [{ path: `lines.${index}.pieces`, code: 'exceeds_balance', params: { max } }] : []
  })
  if (fields.length > 0) throw new AppError('validation', { fields })
}

/** What the types are called on an invoice in this language. */
async function titlesOf(ctx: Ctx, language: Ctx['language'], ids: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; title: string }>`
    select t.id, ${shownTitle(language, 't')} as title from load_carrier_type t where t.id = any(${ids}::bigint[])
  `.execute(ctx.db)
  return new Map(rows.map(({ id, title }) => [id, title]))
}

/**
 * Makes the draft of an invoice for what a holder keeps of ours, and notes whose account its lines move once it is
 * sent (decision 153). Errors: the contract's.
 */
export async function billLoadCarriers(ctx: Ctx, asked: Asked): Promise<z.output<typeof billEndpoint.reply>> {
  const { holder, companyId, billingCustomerId, lines } = asked
  admitToAccounts(ctx, holder.kind)
  const account = await findHolder(ctx, holder)
  if (account === null) throw fieldError('holder.id', 'unknown_reference')
  const company = await sellingCompany(ctx, companyId)
  if (!company) throw fieldError('companyId', 'unknown_reference')
  const customer = await billingCustomer(ctx, billingCustomerId)
  if (!customer) throw fieldError('billingCustomerId', 'unknown_reference')
  const typeIds = lines.map(({ typeId }) => typeId)
  await refuseUnknownTypes(ctx, typeIds, (index) => `lines.${index}.typeId`)
  // Two who bill the same pieces come after each other.
  await lockHolder(ctx, holder)
  await refuseExcess(ctx, asked)
  const titles = await titlesOf(ctx, customer.language, typeIds)
  const words = TEXTS[customer.language].billed
  const { vatBp, category: vatCategory } = proposalFor(company, customer)
  const isOwn = holder.kind === 'customer' && holder.id === billingCustomerId
  const invoice = await invoiceService.create(
    ctx,
    InvoiceWrite.parse({
      entityType: 'customer',
      companyId,
      billingCustomerId,
      lines: lines.map(({ typeId, pieces, priceCents }) => ({
        text: filled(isOwn ? words.own : words.of, { type: titles.get(typeId)!, holder: account.title }),
        quantity: pieces,
        unitPriceCents: priceCents,
        vatBp,
        vatCategory,
      })),
    }),
  )
  await ctx.db
    .insertInto('load_carrier_bill_line')
    .values(
      invoice.lines.map(({ id: invoiceLineId }, index) => ({
        invoiceLineId,
        typeId: typeIds[index]!,
        ...holderColumns(holder),
      })),
    )
    .execute()
  const { id, innerNumber } = invoice
  await audit(ctx, {
    ownerKind: OWNER_KINDS[holder.kind],
    ownerId: holder.id,
    action: 'loadCarriersBilled',
    before: { loadCarriers: {} },
    after: {
      loadCarriers: {
        ...Object.fromEntries(lines.map(({ typeId, pieces }) => [titles.get(typeId)!, pieces])),
        invoice: innerNumber,
      },
    },
  })
  return { invoice: { id, title: innerNumber } }
}
