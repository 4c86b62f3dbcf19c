import { sql, type RawBuilder } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import type { z } from 'zod'
import { agreedDueDate, isCreditNote } from '@waybill/contract/invoice/carrier-terms'
import type { CarrierRoute, Invoice, InvoiceRow, invoiceApi } from '@waybill/contract/invoice/invoice'
import {
  CANCELED_INVOICE,
  isOverdueInvoice,
  OPEN_INVOICE_STATUSES,
  type InvoiceSide,
  type InvoiceStatus,
} from '@waybill/contract/invoice/status'
import type { Reference } from '@waybill/contract/kit/fields'
import { addDays, localOf } from '@waybill/contract/kit/local-time'
import { expectedCarrierVatBp } from '@waybill/contract/public/upload-link'
import { vatOf } from '@waybill/contract/kit/money'
import type { compactQuery, Page } from '@waybill/contract/kit/paging'
import type { ListQueryOf } from '@waybill/contract/kit/resource'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import type { Tables } from '../../kit/database/db.ts'
import { withinDays } from '../../kit/records/day-range.ts'
import { conditionsOf, type Filters } from '../../kit/records/filters.ts'
import { AppError } from '../../kit/context/errors.ts'
import {
  escapeLike,
  listPage,
  searchIn,
  type AnyQuery,
  type ListQuery,
  type SortColumn,
} from '../../kit/records/paging.ts'
import { routeColumns, toCarrierRoute, type FoundRoute } from './carrier/carrier-route.query.ts'
import type { InvoiceCondition } from './invoice.policy.ts'
import { STATUS_COLUMNS } from './invoice.rules.ts'
import type { Buyer, Seller } from './invoice.table.ts'

/** What a reference to an invoice shows: its number, before sending its inner number (domain, Order). */
const title = (table: string) =>
  sql<string>`coalesce(${sql.ref(`${table}.number`)}, ${sql.ref(`${table}.innerNumber`)})`

const COMPANY_ZONE = sql`coalesce((select c."timeZone" from company c where c.id = invoice."companyId"), 'UTC')`

const references = (rows: AnyQuery): AnyQuery =>
  rows.select((eb) => [
    jsonObjectFrom(
      eb
        .selectFrom('customer')
        .select(['customer.id', 'customer.title'])
        .whereRef('customer.id', '=', 'invoice.billingCustomerId'),
    ).as('billingCustomer'),
    jsonObjectFrom(
      eb
        .selectFrom('carrier_company as carrier')
        .select(['carrier.id', 'carrier.title'])
        .whereRef('carrier.id', '=', 'invoice.carrierCompanyId'),
    ).as('carrierCompany'),
    jsonArrayFrom(
      eb
        .selectFrom('invoice_order as link')
        .innerJoin('order', 'order.id', 'link.orderId')
        .select(['order.id', 'order.number as title'])
        .whereRef('link.invoiceId', '=', 'invoice.id')
        .orderBy('order.id'),
    ).as('orders'),
    sql<InvoiceRow['destinations']>`(
      select coalesce(
        json_agg(json_build_object('countryCode', place.code, 'city', place.city) order by place.first), '[]')
      from (
        select o."toCountryCode" as code, o."toCity" as city, min(o.id) as first
          from invoice_order link join "order" o on o.id = link."orderId"
          where link."invoiceId" = invoice.id and o."toCountryCode" is not null group by 1, 2
      ) place
    )`.as('destinations'),
    sql<number | null>`(select r."openCents" from receivable r where r."invoiceId" = invoice.id)`.as('openOfCustomer'),
    sql<boolean>`exists (select 1 from receivable r
      where r."invoiceId" = invoice.id and r."disputedAt" is not null)`.as('isDisputed'),
    sql<number | null>`(select max(reminded.level) from reminder_item reminded
      where reminded."invoiceId" = invoice.id)`.as('reminderLevel'),
    sql<string>`${COMPANY_ZONE}`.as('timeZone'),
  ])

type Header = Tables['invoice'] & { id: number; version: number; vatGroups: Invoice['vatGroups']; buyer: Buyer | null }

interface Found extends Record<string, unknown> {
  entityType: InvoiceSide
  status: InvoiceStatus
  dueDate: string | null
  openOfCustomer: number | null
  totalCents: number
  timeZone: string
  orders: Reference[]
}

interface FoundInvoice extends Found {
  expectedCents: number | null
  foundRoutes: (FoundRoute & { netCents: number })[]
  isIbanKnown: boolean | null
  isBuyerInEu: boolean | null
  carrierCountryCode: string | null
  carrierVatBp: number | null
  companyCountryCode: string | null
  paperId: number | null
  paperTries: number | null
  awaitsKsef: boolean
}

const isOverdue = (ctx: Ctx, { entityType, status, dueDate, timeZone, openOfCustomer }: Found): boolean =>
  openOfCustomer !== 0 && isOverdueInvoice(entityType, status, dueDate, localOf(ctx.clock.now(), timeZone).date)

/** Of a carrier's invoice all or nothing: what was paid of it is not kept in parts. */
const openCentsOf = ({ entityType, status, openOfCustomer, totalCents }: Found): number | null =>
  entityType === 'customer' ? openOfCustomer : OPEN_INVOICE_STATUSES.carrier.includes(status) ? totalCents : 0

/** What was invoiced for a route before and now, against what was agreed for it. */
const invoicedRoutes = ({ foundRoutes }: FoundInvoice): Invoice['invoicedRoutes'] =>
  foundRoutes.map(({ netCents, ...found }) => {
    const route = toCarrierRoute(found) as CarrierRoute
    return { ...route, netCents, differenceCents: route.invoicedCents + netCents - (route.agreedCents ?? 0) }
  })

/**
 * When a carrier's invoice is due by what was agreed, with the days it stood still; null on the customer side, and
 * while it is of no route; null of a credit note.
 */
function agreedDueOf(found: FoundInvoice): Invoice['agreedDue'] {
  if (found.foundRoutes.length === 0 || isCreditNote(found as unknown as Header)) return null
  const arrivedOn = localOf(String(found.createdAt), found.timeZone).date
  const routes = invoicedRoutes(found)
  const { date, isExpected } = agreedDueDate(
    arrivedOn,
    routes.map(({ paymentPeriodDays, podArrivedOn }) => ({ periodDays: paymentPeriodDays, podArrivedOn })),
  )
  return { date: addDays(date, Number(found.stoppedDays)), isExpected }
}

/** What staff should look at; never a refusal (domain, Invoices). */
function warningsOf(found: FoundInvoice): Invoice['warnings'] {
  const invoice = found as unknown as Header
  const warnings: Invoice['warnings'] = []
  if (invoice.entityType === 'customer') {
    const { buyer } = invoice
    const isAbroad = found.isBuyerInEu === true && buyer?.vatCountryCode !== found.companyCountryCode
    if (isAbroad && buyer?.vatNumber === null) warnings.push('no_vat_number')
    if (found.isAskedForRecipient === true) warnings.push('recipient_only')
    return warnings
  }
  const isAmountOff =
    !isCreditNote(invoice) &&
    (found.foundRoutes.length === 0
      ? found.orders.length > 0 && (found.expectedCents ?? 0) !== invoice.amountCents
      : invoicedRoutes(found).some(({ differenceCents }) => differenceCents !== 0))
  if (isAmountOff) warnings.push('amount_differs')
  // A carrier at home charges the rate of the country; one abroad none, the VAT is ours to declare.
  const expectedBp = expectedCarrierVatBp(
    { countryCode: found.carrierCountryCode, standardVatBp: found.carrierVatBp },
    found.companyCountryCode,
  )
  const isVatOff = invoice.vatBp !== null && Math.abs(invoice.vatCents - vatOf(invoice.amountCents, invoice.vatBp)) > 1
  if ((invoice.vatBp ?? 0) !== expectedBp || isVatOff) warnings.push('vat_does_not_fit')
  if (invoice.iban !== null && found.isIbanKnown === false) warnings.push('unknown_iban')
  return warnings
}

const view = (rows: AnyQuery): AnyQuery =>
  references(rows)
    .selectAll('invoice')
    .select((eb) => [
      jsonObjectFrom(
        eb
          .selectFrom('company')
          .select(['company.id', 'company.title'])
          .whereRef('company.id', '=', 'invoice.companyId'),
      ).as('company'),
      jsonObjectFrom(
        eb
          .selectFrom('invoice as original')
          .select(['original.id', title('original').as('title')])
          .whereRef('original.id', '=', 'invoice.correctionOfId'),
      ).as('correctionOf'),
      jsonArrayFrom(
        eb
          .selectFrom('invoice as correction')
          .select(['correction.id', title('correction').as('title')])
          .whereRef('correction.correctionOfId', '=', 'invoice.id')
          .where('correction.status', '<>', CANCELED_INVOICE)
          .orderBy('correction.id'),
      ).as('corrections'),
      jsonArrayFrom(
        eb
          .selectFrom('invoice_line as line')
          .select([
            'line.id',
            'line.kind',
            'line.text',
            'line.quantity',
            'line.unitPriceCents',
            'line.vatBp',
            'line.vatCategory',
            'line.orderId',
            'line.routeId',
            'line.extraId',
            'line.correctsLineId',
            'line.correctedQuantity',
            'line.correctedUnitPriceCents',
            'line.netCents',
          ])
          .whereRef('line.invoiceId', '=', 'invoice.id')
          .orderBy('line.position'),
      ).as('lines'),
      sql`(select sum(a."costCents" + extras_owed(r.id))::bigint from assignment a join route r on r.id = a."routeId"
        where a."carrierCompanyId" = invoice."carrierCompanyId"
        and (r.id = invoice."routeId" or (invoice."routeId" is null
          and r."orderId" in (select link."orderId" from invoice_order link where link."invoiceId" = invoice.id))))`.as(
        'expectedCents',
      ),
      sql`(select coalesce(json_agg(shown order by shown.position), '[]') from (
        select share.position, share."netCents",
          ${routeColumns(sql`invoice."carrierCompanyId"`, sql<boolean>`billed.id < invoice.id`)}
        from invoice_allocation share join route r on r.id = share."routeId" join "order" o on o.id = r."orderId"
          left join assignment a on a."routeId" = r.id and a."carrierCompanyId" = invoice."carrierCompanyId"
        where share."invoiceId" = invoice.id) shown)`.as('foundRoutes'),
      sql`(select p."documentId" from invoice_paper p where p."invoiceId" = invoice.id)`.as('paperId'),
      sql`(select p.tries from invoice_paper p where p."invoiceId" = invoice.id)`.as('paperTries'),
      sql`exists (select 1 from ksef_submission s where s."invoiceId" = invoice.id and s.state = 'awaited'
        and s."documentId" is not null)`.as('awaitsKsef'),
      sql`exists (select 1 from carrier_bank_account b where b."carrierCompanyId" = invoice."carrierCompanyId"
        and b.iban = invoice.iban)`.as('isIbanKnown'),
      sql`(select k."isEu" from country k where k.code = invoice.buyer ->> 'vatCountryCode')`.as('isBuyerInEu'),
      // With VAT, of a carriage that leaves the EU, to a customer at home who may be sender or recipient of the goods.
      sql`(invoice."sentAt" is null and exists (select 1 from invoice_line line
          join location l on l."orderId" = line."orderId" and l."canceledAt" is null
          join country away on away.id = l."countryId" and not away."isEu"
          join customer billed on billed.id = invoice."billingCustomerId" and not billed."isForwarder"
          join company own on own.id = invoice."companyId" and own."countryId" = billed."countryId"
        where line."invoiceId" = invoice.id and line."vatBp" > 0))`.as('isAskedForRecipient'),
      sql`(select k.code from carrier_company c join country k on k.id = c."countryId"
        where c.id = invoice."carrierCompanyId")`.as('carrierCountryCode'),
      sql`(select k."standardVatBp" from carrier_company c join country k on k.id = c."countryId"
        where c.id = invoice."carrierCompanyId")`.as('carrierVatBp'),
      sql`(select k.code from company c join country k on k.id = c."countryId" where c.id = invoice."companyId")`.as(
        'companyCountryCode',
      ),
    ])

/** The file of a sent invoice; those sent before papers had rows name it themselves. */
const documentOf = ({ paperId, documentId }: FoundInvoice): number | null => paperId ?? (documentId as number | null)

function paperOf(found: FoundInvoice): Invoice['paper'] {
  if (documentOf(found) !== null) return 'made'
  if (found.paperTries === null) return null
  if (found.awaitsKsef) return 'awaits_ksef'
  return found.paperTries === 0 ? 'making' : 'missing'
}

/** Of a snapshot what the API shows: bank account and contact are the document's. */
const partyOf = (snapshot: unknown): Invoice['seller'] => {
  if (snapshot === null) return null
  const { title, address, postal, city, countryCode, vatNumber } = snapshot as Seller | Buyer
  return { title, address, postal, city, countryCode, vatNumber }
}

/**
 * One invoice with everything, in one statement; `condition` says whose, and is never left out. Errors: `not_found`.
 */
export async function invoiceView(ctx: Ctx, condition: InvoiceCondition, id: number): Promise<Invoice> {
  const found = (await view(ctx.db.selectFrom('invoice') as unknown as AnyQuery)
    .where(condition)
    .where('invoice.id', '=', id)
    .executeTakeFirst()) as FoundInvoice | undefined
  if (!found) throw new AppError('not_found')
  return {
    ...found,
    seller: partyOf(found.seller),
    buyer: partyOf(found.buyer),
    orderIds: found.orders.map((order) => order.id),
    allocations: found.foundRoutes.map(({ id: routeId, netCents }) => ({ routeId, netCents })),
    invoicedRoutes: invoicedRoutes(found),
    agreedDue: agreedDueOf(found),
    documentId: documentOf(found),
    paper: paperOf(found),
    isOverdue: isOverdue(ctx, found),
    openCents: openCentsOf(found),
    warnings: warningsOf(found),
  } as unknown as Invoice
}

// ---------------------------------------------------------------- lists

type InvoiceListQuery = ListQueryOf<typeof invoiceApi>

const SORTS: Record<string, SortColumn> = {
  createdAt: { column: 'invoice.createdAt', type: 'timestamptz' },
  number: { column: 'invoice.number', type: 'text', isNullable: true },
  dueDate: { column: 'invoice.dueDate', type: 'date', isNullable: true },
  totalCents: { column: 'invoice.totalCents', type: 'bigint' },
  status: { column: 'invoice.status', type: 'text' },
}

const among = (column: string, values: readonly unknown[], type: 'bigint' | 'text'): InvoiceCondition =>
  sql<boolean>`${sql.ref(`invoice.${column}`)} = any(${values}::${sql.raw(`${type}[]`)})`

const openOn = (side: InvoiceSide) => {
  const statuses = sql.join(OPEN_INVOICE_STATUSES[side].map((status) => sql.lit(status)))
  return sql<boolean>`(invoice."entityType" = ${sql.lit(side)} and invoice.status in (${statuses}))`
}
/** A correction that was set off is sent, and nothing of it is open. */
const HAS_OPEN = sql<boolean>`not exists (
  select 1 from receivable r where r."invoiceId" = invoice.id and r."openCents" = 0)`
const STILL_OPEN = sql<boolean>`(${openOn('customer')} or ${openOn('carrier')})`

/**
 * Like isOverdueInvoice of the contract, for a whole list. Nowhere on earth is it later than UTC+14:
 * that bound is the index's.
 */
function overdue(ctx: Ctx): InvoiceCondition {
  const now = nowOf(ctx)
  return sql<boolean>`(${STILL_OPEN} and ${HAS_OPEN} and invoice."dueDate" <
    ((${now}::timestamptz at time zone 'UTC') + interval '14 hours')::date
    and invoice."dueDate" < (${now}::timestamptz at time zone ${COMPANY_ZONE})::date)`
}

function onDates(
  column: string,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): InvoiceCondition[] {
  const date = sql.ref(column)
  return [
    ...(from === undefined ? [] : [sql<boolean>`${date} >= ${from}::date`]),
    ...(to === undefined ? [] : [sql<boolean>`${date} <= ${to}::date`]),
  ]
}

/** Invoices with an order whose last stop this holds for. */
const goingTo = (condition: RawBuilder<boolean>): InvoiceCondition =>
  sql<boolean>`exists (select 1 from invoice_order link join "order" o on o.id = link."orderId"
    where link."invoiceId" = invoice.id and ${condition})`

/** Every filter of the contract, by its name. */
const FILTERS: Filters<InvoiceListQuery> = {
  q: (_ctx, q) => searchIn(q, 'invoice.searchKey', ['invoice.searchKey']),
  state: (_ctx, state) => sql<boolean>`invoice.state = ${state}`,
  entityType: (_ctx, side) => sql<boolean>`invoice."entityType" = ${side}`,
  status: (_ctx, statuses) => among('status', statuses, 'text'),
  billingCustomerId: (_ctx, ids) => among('billingCustomerId', ids, 'bigint'),
  carrierCompanyId: (_ctx, ids) => among('carrierCompanyId', ids, 'bigint'),
  orderId: (_ctx, ids) =>
    sql<boolean>`invoice.id in (select link."invoiceId" from invoice_order link
      where link."orderId" = any(${ids}::bigint[]))`,
  toCountry: (_ctx, codes) => goingTo(sql<boolean>`o."toCountryCode" = any(${codes}::text[])`),
  toTown: (_ctx, town) => goingTo(sql<boolean>`search_key(o."toCity") like search_key(${`${escapeLike(town)}%`})`),
  overdue: (ctx, wanted) => (wanted ? overdue(ctx) : sql<boolean>`(${overdue(ctx)}) is not true`),
  open: (_ctx, wanted) =>
    wanted
      ? sql<boolean>`(invoice.id in (select r."invoiceId" from receivable r where r."openCents" <> 0)
          or ${openOn('carrier')})`
      : sql<boolean>`(not exists (select 1 from receivable r where r."invoiceId" = invoice.id and r."openCents" <> 0)
          and not ${openOn('carrier')})`,
  disputed: (_ctx, wanted) =>
    sql<boolean>`(invoice.id in (select r."invoiceId" from receivable r where r."disputedAt" is not null)) =
      ${wanted}::boolean`,
  reminded: (_ctx, levels) => {
    const reached = levels.filter((level) => level !== 'none').map(Number)
    const latest = sql<boolean>`invoice.id in (select one."invoiceId" from reminder_item one
      where one.level = any(${reached}::int[]) and not exists (select 1 from reminder_item later
        where later."invoiceId" = one."invoiceId" and later.level > one.level))`
    if (!levels.includes('none')) return latest
    const never = sql<boolean>`not exists (select 1 from reminder_item one where one."invoiceId" = invoice.id)`
    return reached.length === 0 ? never : sql<boolean>`(${never} or ${latest})`
  },
  createdAt: (_ctx, range) => withinDays('invoice.createdAt', COMPANY_ZONE, range),
  dueDate: (_ctx, range) => onDates('invoice.dueDate', range),
  statusDate: (_ctx, ranges) =>
    Object.entries(ranges).flatMap(([status, range]) =>
      range ? withinDays(`invoice.${STATUS_COLUMNS[status as InvoiceStatus]}`, COMPANY_ZONE, range) : [],
    ),
}

const narrowed = (ctx: Ctx, visible: InvoiceCondition, query: Partial<InvoiceListQuery>): AnyQuery =>
  [visible, ...conditionsOf(FILTERS, ctx, query)].reduce(
    (rows, condition: RawBuilder<boolean>) => rows.where(condition),
    ctx.db.selectFrom('invoice') as unknown as AnyQuery,
  )

/** One page of the invoices list. */
export function listInvoices(ctx: Ctx, visible: InvoiceCondition, query: InvoiceListQuery): Promise<Page<InvoiceRow>> {
  return listPage<InvoiceRow>({
    db: ctx.db,
    table: 'invoice',
    filtered: narrowed(ctx, visible, query),
    sorts: SORTS,
    query: query as unknown as ListQuery,
    rows: (page) =>
      references(page)
        .selectAll('invoice')
        .select(
          sql`(select coalesce(json_agg(json_build_object('orderId', share."orderId", 'netCents', share.net)
            order by share."orderId"), '[]') from (
              select r."orderId", sum(one."netCents")::bigint as net
              from invoice_allocation one join route r on r.id = one."routeId"
              where one."invoiceId" = invoice.id group by r."orderId") share)`.as('shares'),
        ),
    toRow: (found: never) =>
      ({
        ...(found as Found),
        isOverdue: isOverdue(ctx, found),
        openCents: openCentsOf(found),
      }) as unknown as InvoiceRow,
  })
}

/** One page for select boxes, the newest first. */
export function listInvoiceTitles(
  ctx: Ctx,
  visible: InvoiceCondition,
  query: z.output<typeof compactQuery>,
): Promise<Page<Reference>> {
  const { ids, ...filters } = query
  const rows = narrowed(ctx, visible, filters)
  return listPage<Reference>({
    db: ctx.db,
    table: 'invoice',
    filtered: ids ? rows.where(among('id', ids, 'bigint')) : rows,
    sorts: SORTS,
    query: { ...query, sort: '-createdAt' },
    rows: (page) => page.select(['invoice.id', title('invoice').as('title')]),
  })
}
