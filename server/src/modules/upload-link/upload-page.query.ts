import { sql } from 'kysely'
import type { Language } from '@waybill/contract/errors'
import {
  isApprovedInvoice,
  isCanceledInvoice,
  isHeldInvoice,
  isPaidInvoice,
  type InvoiceStatus,
} from '@waybill/contract/invoice/status'
import { agreedPeriodDays, isCreditNote } from '@waybill/contract/invoice/carrier-terms'
import { localOf } from '@waybill/contract/kit/local-time'
import { sumCents } from '@waybill/contract/kit/money'
import { totalsOf } from '@waybill/contract/order/money'
import type { Order, OrderRoute } from '@waybill/contract/order/order'
import { podOf } from '@waybill/contract/order/status'
import {
  expectedCarrierVatBp,
  type UploadKind,
  type UploadPage,
  type UploadState,
} from '@waybill/contract/public/upload-link'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { contactOf } from '../../kit/records/contact.ts'
import { invoicedBefore } from '../invoice/index.ts'
import { extrasOwed, orderAsItIs } from '../order/index.ts'
import type { UploadLink } from './upload-link.repository.ts'

type Assignment = NonNullable<OrderRoute['assignment']>

/** What the page is about: the order as it is, and of it the part that the carrier drives. */
export interface Transport {
  order: Order
  route: OrderRoute
  assignment: Assignment
}

/** The transport of a link. Error: `not_found` where the route has gone, or another drives it. */
export async function transportOf(ctx: Ctx, link: UploadLink): Promise<Transport> {
  const order = await orderAsItIs(ctx, link.orderId)
  const route = order?.routes.find(({ id }) => id === link.routeId)
  const assignment = route?.assignment
  if (!order || !route || assignment?.id !== link.assignmentId || assignment.carrierCompanyId !== link.carrierCompanyId)
    throw new AppError('not_found')
  return { order, route, assignment }
}

interface Facts {
  title: string
  address: string | null
  postal: string | null
  city: string | null
  countryCode: string
  phone: string | null
  email: string | null
  vatNumber: string | null
  timeZone: string
  logo: Buffer | null
  isNeutral: boolean
  language: Language
  carrier: string
  carrierCountryCode: string
  carrierVatBp: number
  /** the carrier's, where one is agreed with it */
  paymentPeriodDays: number | null
  contactName: string | null
  contactPhone: string | null
  customer: string
  accounts: string[]
}

/** Everybody's names around a transport: ours, the carrier's, and who answers questions. */
async function factsOf(ctx: Ctx, { orderId, carrierCompanyId }: UploadLink): Promise<Facts> {
  const { rows } = await sql<Facts>`
    select co.title, co.address, co.postal, co.city, k.code as "countryCode", co.phone, co.email, co."vatNumber",
      co."timeZone", logo.png as logo, d."isNeutral", coalesce(c.language, ck.language, 'en') as language,
      c.title as carrier, ck.code as "carrierCountryCode", ck."standardVatBp" as "carrierVatBp",
      c."paymentPeriodDays",
      contact.name as "contactName", contact.phone as "contactPhone",
      o."customerTitle" as customer, array(select b.iban from carrier_bank_account b where b."carrierCompanyId" = c.id
        order by b.position) as accounts
    from "order" o
      join department d on d.id = o."departmentId"
      join company co on co.id = d."companyId"
      join country k on k.id = co."countryId"
      left join company_logo logo on logo."companyId" = co.id
      ${contactOf('o')}
      join carrier_company c on c.id = ${carrierCompanyId}
      join country ck on ck.id = c."countryId"
    where o.id = ${orderId}
  `.execute(ctx.db)
  if (!rows[0]) throw new AppError('not_found')
  return rows[0]
}

/** Which of our companies a transport is driven for: to it the carrier addresses its invoice. */
export const companyOf = async (ctx: Ctx, link: UploadLink): Promise<Pick<Facts, 'title' | 'vatNumber'>> =>
  factsOf(ctx, link)

interface CarrierInvoice {
  id: number
  version: number
  number: string
  status: InvoiceStatus
  documentCreationDate: string | null
  amountCents: number | null
  totalCents: number
  currency: string
  createdAt: string
  dueDate: string | null
  isDueAgreed: boolean
  paidAt: string | null
}

/** The carrier's invoices for the route of a link, by whichever way they came; canceled ones left out. */
export async function invoicesOf(ctx: Ctx, link: UploadLink): Promise<CarrierInvoice[]> {
  const invoices = await ctx.db
    .selectFrom('invoice')
    .select([
      'id',
      'version',
      'number',
      'status',
      'documentCreationDate',
      'amountCents',
      'totalCents',
      'currency',
      'createdAt',
      'dueDate',
      'isDueAgreed',
      'paidAt',
    ])
    .where('entityType', '=', 'carrier')
    .where('carrierCompanyId', '=', link.carrierCompanyId)
    .where((eb) => {
      const ofRoute = eb.exists(
        eb
          .selectFrom('invoice_allocation as share')
          .whereRef('share.invoiceId', '=', 'invoice.id')
          .where('share.routeId', '=', link.routeId),
      )
      return link.invoiceId === null ? ofRoute : eb.or([ofRoute, eb('id', '=', link.invoiceId)])
    })
    .orderBy('id')
    .execute()
  return (invoices as CarrierInvoice[]).filter(({ status }) => !isCanceledInvoice(status))
}

/**
 * Why an invoice of the carrier was set aside. The kind is told only where the carrier was written about it and has to
 * answer: who holds the link need not be the carrier, and a suspicion is for our eyes.
 */
async function problemOf(
  ctx: Ctx,
  { id, status }: CarrierInvoice,
): Promise<NonNullable<UploadPage['invoice']>['problem']> {
  if (!isHeldInvoice(status)) return null
  const found = await ctx.db
    .selectFrom('invoice_problem')
    .select(['kind', 'isTold', 'waitsFor'])
    .where('invoiceId', '=', id)
    .where('closedAt', 'is', null)
    .executeTakeFirst()
  const isTold = found?.isTold === true && found.waitsFor === 'carrier'
  return { kind: isTold ? found.kind : null }
}

/** The credit notes that an invoice was set off against, by their numbers; null where it was not. */
async function creditNotesOf(ctx: Ctx, invoiceId: number): Promise<string[] | null> {
  const notes = await ctx.db
    .selectFrom('set_off_item as item')
    .innerJoin('set_off_item as other', 'other.setOffId', 'item.setOffId')
    .innerJoin('invoice', 'invoice.id', 'other.invoiceId')
    .select('invoice.number')
    .where('item.invoiceId', '=', invoiceId)
    .where('item.isValid', '=', true)
    .where('other.amountCents', '<', 0)
    .orderBy('invoice.id')
    .execute()
  return notes.length === 0 ? null : notes.map(({ number }) => number!)
}

/** Without credit notes: they are no invoice of the transport, and leave its link as it is. */
const billsOf = <One extends Pick<CarrierInvoice, 'amountCents'>>(invoices: readonly One[]): One[] =>
  invoices.filter((one) => !isCreditNote(one))

/** How a link stands by the invoices of its route: what is approved takes nothing more. */
export function stateOf(all: readonly Pick<CarrierInvoice, 'status' | 'amountCents'>[]): UploadState {
  const invoices = billsOf(all)
  if (invoices.some(({ status }) => isApprovedInvoice(status))) return 'approved'
  return invoices.some(({ status }) => isPaidInvoice(status)) ? 'paid' : 'open'
}

/** The files of a link, drafts too, in the order in which they came. */
export async function filesOf(ctx: Ctx, linkId: number): Promise<UploadPage['files']> {
  const rows = await ctx.db
    .selectFrom('upload_file as file')
    .leftJoin('document', 'document.id', 'file.documentId')
    .select([
      'file.id',
      'file.kind',
      'file.title',
      'file.sizeBytes',
      'file.state',
      'file.createdAt',
      'file.submittedAt',
      'document.acceptance',
      'document.refusalReason',
    ])
    .where('file.linkId', '=', linkId)
    .orderBy('file.id')
    .execute()
  return rows.map(({ state, ...file }) => ({ ...file, isDraft: state === 'draft' }))
}

type Stop = UploadPage['route']['stops'][number]

function stopsOf({ order, route }: Transport): Stop[] {
  const stops = route.locationIds.flatMap((id) => order.locations.find((stop) => stop.id === id) ?? [])
  return stops
    .filter((stop) => stop.canceledAt === null)
    .map(({ kind, countryCode, city, timeZone, termin, unloadedAt, loadedAt, arrivedAt }) => {
      const reached = unloadedAt ?? loadedAt ?? arrivedAt
      return {
        kind,
        countryCode,
        city,
        day: reached === null ? (termin?.dateFrom ?? null) : localOf(reached, timeZone).date,
        isDone: reached !== null,
      }
    })
}

/**
 * What the carrier can still invoice: the cost with what was approved beside it, less what it has invoiced for this
 * route before its invoice of this link, as the check of that invoice counts it.
 */
async function agreedOf(
  ctx: Ctx,
  link: UploadLink,
  { costCents, vatBp }: Assignment,
  ownId: number | null,
): Promise<UploadPage['agreed']> {
  if (costCents === null) return null
  const extras = await extrasOwed(ctx, link.routeId)
  // Credit notes take back what was invoiced; they never make more of what was agreed.
  const invoicedCents = Math.max(0, await invoicedBefore(ctx, link, ownId))
  const agreedCents = sumCents([costCents, ...extras.map((extra) => extra.netCents)])
  const netCents = Math.max(0, agreedCents - invoicedCents)
  const { vatCents, totalCents } = totalsOf(netCents, vatBp)
  return vatCents === null || totalCents === null
    ? null
    : { freightCents: costCents, extras, invoicedCents, netCents, vatBp, vatCents, totalCents }
}

/** What the page of a link shows: what its carrier may know, and no more. */
export async function uploadPage(ctx: Ctx, link: UploadLink): Promise<UploadPage & { timeZone: string }> {
  const transport = await transportOf(ctx, link)
  const { order, route, assignment } = transport
  const facts = await factsOf(ctx, link)
  const invoices = await invoicesOf(ctx, link)
  const own = invoices.find(({ id }) => id === link.invoiceId)
  const needs: UploadKind[] = []
  if (podOf(order, route.id) === 'missing') needs.push('pod')
  if (billsOf(invoices).length === 0) needs.push('invoice')
  const { title, address, postal, city, countryCode, phone, email, vatNumber, logo } = facts
  return {
    state: stateOf(invoices),
    language: facts.language,
    carrier: facts.carrier,
    company: {
      title,
      address,
      postal,
      city,
      countryCode,
      phone,
      email,
      vatNumber,
      logo: logo?.toString('base64') ?? null,
    },
    contact: { name: facts.contactName, phone: facts.contactPhone },
    customer: facts.isNeutral ? null : facts.customer,
    route: { number: route.number, plateNumber: assignment.plateNumber, stops: stopsOf(transport) },
    agreed: await agreedOf(ctx, link, assignment, own?.id ?? null),
    paymentPeriodDays: agreedPeriodDays({ assignment, carrier: facts }),
    expectedVatBp: expectedCarrierVatBp(
      { countryCode: facts.carrierCountryCode, standardVatBp: facts.carrierVatBp },
      countryCode,
    ),
    needs,
    knownAccounts: facts.accounts.map((iban) => iban.slice(-4)),
    files: await filesOf(ctx, link.id),
    invoice: own
      ? {
          number: own.number,
          documentCreationDate: own.documentCreationDate,
          totalCents: own.totalCents,
          currency: own.currency,
          receivedAt: own.createdAt,
          dueDate: own.dueDate,
          isDueExpected: own.isDueAgreed && podOf(order, route.id) === 'missing',
          isChecked: isApprovedInvoice(own.status) || isPaidInvoice(own.status),
          problem: await problemOf(ctx, own),
          paidAt: own.paidAt,
          setOffAgainst: isPaidInvoice(own.status) ? await creditNotesOf(ctx, own.id) : null,
        }
      : null,
    timeZone: facts.timeZone,
  }
}
