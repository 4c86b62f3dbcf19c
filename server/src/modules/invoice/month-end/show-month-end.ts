import { sql } from 'kysely'
import type { FastifyReply } from 'fastify'
import type { z } from 'zod'
import type { CustomerFormat } from '@waybill/contract/e-invoice/format'
import {
  isHindered,
  type getMonthEnd,
  type getMonthEndCustomer,
  type getMonthEndDocument,
  type listMonthEndHindered,
  type MonthEnd,
  type MonthEndOrder,
  type MonthEndProposal,
} from '@waybill/contract/invoice/month-end/month-end'
import { needsBuyersVatNumber } from '@waybill/contract/invoice/vat'
import { FIELD_ERRORS } from '@waybill/contract/errors/all'
import type { Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import { answerWithFile } from '../../document/index.ts'
import { sellingCompany, type SellingCompany } from '../billing.query.ts'
import { factsFor, findingsOf } from '../e-invoice/prove-e-invoice.ts'
import type { Draft } from '../invoice.builder.ts'
import { ksefFactsFor, ksefModeOf } from '../ksef/ksef-facts.query.ts'
import { ksefFindingsOf } from '../ksef/send-by-ksef.ts'
import { pdfDataOf } from '../invoice-pdf.builder.ts'
import { fileNameOf } from '../invoice.rules.ts'
import { tryInvoice } from '../pods/draw-invoice.ts'
import { podFilesBeside, podsInPages, podsOfOrders } from '../pods/pods.query.ts'
import { refuseOtherCompany } from './invoice-run.policy.ts'
import { runInHand } from './invoice-run.query.ts'
import { monthEndRows, type MonthEndRow } from './month-end.query.ts'
import { asPrinted, draftOfOrders, ordersByInvoice } from './proposed-invoices.ts'

type OfCompany = z.output<typeof getMonthEnd.query>
type OfCustomer = z.output<typeof getMonthEndCustomer.query>

/** What a month's end has to bill, by customer; what is blocked stays in sight. Errors: `not_found`. */
export async function showMonthEnd(ctx: Ctx, { companyId, until, all = false }: OfCompany): Promise<MonthEnd> {
  refuseOtherCompany(ctx, companyId)
  const rows = await monthEndRows(ctx, { companyId, until, all })
  const items = [...Map.groupBy(rows, ({ customerId }) => customerId).values()].map((own) => {
    const ready = own.filter(({ reason }) => reason === null)
    return {
      customer: { id: own[0]!.customerId, title: own[0]!.customerTitle },
      readyCount: ready.length,
      blockedCount: own.length - ready.length,
      netCents: ready.reduce((sum, { netCents }) => sum + netCents!, 0),
      orderIds: ready.map(({ id }) => id),
    }
  })
  return { items, run: await runInHand(ctx, companyId) }
}

interface Billed {
  title: string
  format: CustomerFormat
  language: string
  paymentPeriodDays: number
  receiver: string | null
  isMailWanted: boolean
}

async function customerOf(ctx: Ctx, id: number): Promise<Billed> {
  const { rows } = await sql<Billed>`
    select c.title, c."eInvoiceFormat" as format, coalesce(c.language, k.language, 'en') as language,
      c."paymentPeriodDays",
      coalesce(c."invoiceEmail", (select p.email from contact_person p
        where p."customerId" = c.id and p.email is not null order by p.position limit 1)) as receiver,
      coalesce((c."emailPreferences"->>'invoice')::boolean, true) as "isMailWanted"
    from customer c join country k on k.id = c."countryId" where c.id = ${id}
  `.execute(ctx.db)
  if (!rows[0]) throw new AppError('not_found')
  return rows[0]
}

const shownOrder = (row: MonthEndRow): MonthEndOrder => ({
  order: { id: row.id, title: row.number },
  customerOrderNumber: row.customerOrderNumber,
  day: row.day,
  from: { city: row.fromCity, countryCode: row.fromCountryCode },
  to: { city: row.toCity, countryCode: row.toCountryCode },
  netCents: row.netCents,
  isExtrasOnly: row.isExtrasOnly,
  extraCount: row.extraCount,
  reason: row.reason,
  draft: row.draftId === null ? null : { id: row.draftId, title: row.draftNumber! },
  company: row.reason === 'other_company' ? { id: row.companyId, title: row.companyTitle } : null,
})

type Hindrances = Pick<MonthEndProposal['invoices'][number], 'findings' | 'rateMissing'>

/** What hinders an invoice: of an electronic one by the standards, of any the number that reverse charge needs. */
async function hindrances(ctx: Ctx, draft: Draft, company: SellingCompany): Promise<Hindrances> {
  const { invoice, parts } = asPrinted(ctx, draft, company.timeZone)
  const { companyId, billingCustomerId, language } = invoice
  const printed = await pdfDataOf(ctx, { ...invoice, number: invoice.innerNumber }, parts)
  const ksef = await ksefFactsFor(ctx, invoice, printed)
  const rateMissing = ksef?.ratesMissing?.[0] ?? null
  if (draft.lines.some(({ vatCategory }) => needsBuyersVatNumber(vatCategory)) && invoice.buyer.vatNumber === null) {
    const message = FIELD_ERRORS.vat_number_missing[ctx.language]
    const finding = { message, record: 'customer' as const, recordId: billingCustomerId, path: 'vatNumber' }
    return { findings: [finding], rateMissing }
  }
  if (ksef !== null) return { findings: ksefFindingsOf(ctx, invoice, { printed, ksef }), rateMissing }
  const eInvoice = await factsFor(ctx, invoice)
  if (eInvoice === null) return { findings: [], rateMissing }
  const found = await findingsOf(ctx, { companyId, billingCustomerId, language }, { printed, eInvoice })
  const findings = found.map(({ message, record, recordId, path }) => ({ message, record, recordId, path }))
  return { findings, rateMissing }
}

async function draftsOf(
  ctx: Ctx,
  customerId: number,
  { companyId, until, without = [] }: OfCustomer,
): Promise<{ company: SellingCompany; rows: MonthEndRow[]; drafts: Draft[] }> {
  refuseOtherCompany(ctx, companyId)
  const company = await sellingCompany(ctx, companyId)
  if (!company) throw new AppError('not_found')
  const rows = await monthEndRows(ctx, { companyId, until, customerId })
  const chosen = rows.flatMap(({ id, reason }) => (reason === null && !without.includes(id) ? [id] : []))
  const drafts: Draft[] = []
  for (const orderIds of await ordersByInvoice(ctx, companyId, chosen)) drafts.push(await draftOfOrders(ctx, orderIds))
  return { company, rows, drafts }
}

/** What one customer would get, order by order, and what its invoices come to. Errors: `not_found`. */
export async function showMonthEndCustomer(ctx: Ctx, customerId: number, asked: OfCustomer): Promise<MonthEndProposal> {
  const { title, ...billed } = await customerOf(ctx, customerId)
  const { company, rows, drafts } = await draftsOf(ctx, customerId, asked)
  const invoices: MonthEndProposal['invoices'] = []
  for (const draft of drafts) {
    const { invoice } = asPrinted(ctx, draft, company.timeZone)
    const pods = await podsOfOrders(ctx, customerId, draft.orderIds)
    const pictures = podsInPages(pods)
    invoices.push({
      podPages: pictures.length,
      podFiles: podFilesBeside(pods, pictures).length,
      orderIds: draft.orderIds,
      amountCents: invoice.amountCents,
      vatCents: invoice.vatCents,
      totalCents: invoice.totalCents,
      vatGroups: invoice.vatGroups.map(({ vatBp, vatCategory, vatCents }) => ({ vatBp, vatCategory, vatCents })),
      dueDate: invoice.dueDate!,
      ...(await hindrances(ctx, draft, company)),
    })
  }
  const format = (await ksefModeOf(ctx, asked.companyId)) === 'off' ? billed.format : 'ksef'
  return { customer: { id: customerId, title }, ...billed, format, orders: rows.map(shownOrder), invoices }
}

/** Those of some customers whose invoices would not be sent as they are. Errors: `not_found`. */
export async function hinderedAtMonthEnd(
  ctx: Ctx,
  { customerId: ids, ...asked }: z.output<typeof listMonthEndHindered.query>,
): Promise<{ customerIds: number[] }> {
  const customerIds: number[] = []
  for (const id of ids) if (isHindered(await showMonthEndCustomer(ctx, id, asked))) customerIds.push(id)
  return { customerIds }
}

/** Answers with the paper that a customer would get, as a draft. Errors: `not_found` where nothing is ready. */
export async function sendMonthEndDocument(
  ctx: Ctx,
  customerId: number,
  { part = 0, ...asked }: z.output<typeof getMonthEndDocument.query>,
  reply: FastifyReply,
): Promise<void> {
  await customerOf(ctx, customerId)
  const { company, drafts } = await draftsOf(ctx, customerId, asked)
  const draft = drafts[part]
  if (!draft) throw new AppError('not_found')
  const { invoice, parts } = asPrinted(ctx, draft, company.timeZone)
  const { bytes } = await tryInvoice(ctx, await pdfDataOf(ctx, invoice, parts), invoice.language)
  const title = fileNameOf({ ...invoice, correction: null }, invoice.language)
  answerWithFile(reply, { title, contentType: 'application/pdf', sizeBytes: bytes.length }, bytes)
}
