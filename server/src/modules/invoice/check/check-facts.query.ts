import { sql, type RawBuilder } from 'kysely'
import type { CheckFacts, DifferenceKind } from '@waybill/contract/invoice/check'
import { agreedPeriodDays } from '@waybill/contract/invoice/carrier-terms'
import type { InvoiceCheck, ProblemKind } from '@waybill/contract/invoice/checking'
import { CANCELED_INVOICE, type InvoiceStatus } from '@waybill/contract/invoice/status'
import { expectedCarrierVatBp } from '@waybill/contract/public/upload-link'
import { accountStanding } from '@waybill/contract/kit/bank/bank'
import type { Reference } from '@waybill/contract/kit/fields'
import { localOf } from '@waybill/contract/kit/local-time'
import { sumCents } from '@waybill/contract/kit/money'
import { CANCELED_ORDER } from '@waybill/contract/order/status'
import { podStateOfRoute, type Pod } from '@waybill/contract/order/papers/pod'
import type { Ctx } from '../../../kit/context/context.ts'
import { isCounted } from '../../../kit/records/counted-paper.ts'
import { invoicedSum } from '../carrier/carrier-route.query.ts'
import type { InvoiceCondition } from '../invoice.policy.ts'

// Written into the statement, so that its plan knows them.
const CANCELED = sql.lit(CANCELED_INVOICE)
const CANCELED_ROUTE = sql.lit(CANCELED_ORDER)

type FoundPod = Pod & Omit<InvoiceCheck['pods'][number], 'stops'> & { orderId: number; orderCarrier: number | null }
type FoundStop = Parameters<typeof podStateOfRoute>[2][number] & { unloadedAt: string | null; timeZone: string }

/** A carrier's invoice with everything that its checks look at, as the database has it. */
export interface FoundInvoice {
  id: number
  version: number
  status: InvoiceStatus
  number: string | null
  innerNumber: string
  carrierCompany: Reference
  company: Reference | null
  amountCents: number
  vatBp: number | null
  vatCents: number
  totalCents: number
  currency: string
  iban: string | null
  notes: string | null
  documentCreationDate: string | null
  dueDate: string | null
  createdAt: string
  statusDate: string
  stoppedDays: number
  differenceKind: DifferenceKind | null
  approvalReason: string | null
  timeZone: string
  toleranceCents: number
  marginWarningBp: number
  companyCountryCode: string | null
  carrier: CheckFacts['carrier'] & { standardVatBp: number | null; paymentPeriodDays: number | null }
  account: { confirmedById: number | null; confirmedAt: string | null } | null
  wasCanceled: boolean
  alikeInvoice: string | null
  otherInvoice: string | null
  isFromLink: boolean
  routes: (InvoiceCheck['routes'][number] & {
    /** approved beside the cost: what its carrier is owed, of a carrier that left what its invoices have booked */
    extrasCents: number
    /** its share; null where the invoice is not shared out */
    netCents: number | null
    /** by invoices before this one */
    invoicedCents: number
    paymentPeriodDays: number | null
    /** the carrier of the invoice drives it */
    isDriven: boolean
  })[]
  orders: (InvoiceCheck['orders'][number] & {
    carrierCostCents: number | null
    extrasPriceCents: number
    extrasCostCents: number
    unloadedAt: string | null
    timeZone: string | null
  })[]
  stops: FoundStop[]
  pods: FoundPod[]
  papers: InvoiceCheck['papers']
  transportOrders: InvoiceCheck['transportOrders']
  /** where its newest file lies, if that is an electronic invoice */
  eInvoiceKey: string | null
  /** by its newest electronic invoice: a plain PDF that came after that one says nothing of prepayments */
  leftToPayCents: number | null
  carrierPapers: CheckFacts['papers']
  problem: InvoiceCheck['problem']
  problemKind: ProblemKind | null
}

/**
 * The carriers' invoices of a condition with the facts of their checks, in one statement. `order` says in which order,
 * and how many at most.
 */
export async function foundInvoices(
  ctx: Ctx,
  visible: InvoiceCondition,
  which: RawBuilder<unknown>,
  order: RawBuilder<unknown> = sql``,
): Promise<FoundInvoice[]> {
  const { rows } = await sql<FoundInvoice>`
    with chosen as materialized (
      select invoice.* from invoice where invoice."entityType" = 'carrier' and ${visible} and ${which} ${order}
    ), driven as materialized (
      -- the routes that an invoice is shared out to, else all of its carrier in its orders
      select i.id as "invoiceId", r.id, r."orderId", o.number || '/' || r.n as title, a.id as "assignmentId",
          a."costCents" + extras.cents as "costCents", extras.cents as "extrasCents",
          a."paymentPeriodDays", share."netCents",
          ${invoicedSum(sql`i."carrierCompanyId"`, sql<boolean>`billed.id < i.id`)} as "invoicedCents"
        from chosen i
          join invoice_order link on link."invoiceId" = i.id
          join route r on r."orderId" = link."orderId"
          left join invoice_allocation share on share."invoiceId" = i.id and share."routeId" = r.id
          left join assignment a on a."routeId" = r.id and a."carrierCompanyId" = i."carrierCompanyId"
          join "order" o on o.id = r."orderId"
          cross join lateral (select case when a.id is not null then extras_owed(r.id) else (
            select coalesce(sum(e."netCostCents"), 0)::bigint
              from order_extra e join invoice booked on booked.id = e."bookedByInvoiceId"
              where e."routeId" = r.id and e.state = 'approved'
                and booked."carrierCompanyId" = i."carrierCompanyId") end as cents) extras
        where share."routeId" is not null
          or (a.id is not null and r.status <> ${CANCELED_ROUTE}
            and not exists (select 1 from invoice_allocation one where one."invoiceId" = i.id))
    )
    select i.id, i.version, i.status, i.number, i."innerNumber", i."amountCents", i."vatBp", i."vatCents",
      i."totalCents", i.currency, i.iban, i.notes, i."documentCreationDate", i."dueDate", i."createdAt", i."statusDate",
      i."stoppedDays", i."differenceKind", i."approvalReason",
      coalesce(co."timeZone", 'UTC') as "timeZone", coalesce(co."amountToleranceCents", 0) as "toleranceCents",
      coalesce(co."marginWarningBp", 0) as "marginWarningBp",
      case when co.id is null then null else json_build_object('id', co.id, 'title', co.title) end as company,
      ck.code as "companyCountryCode", json_build_object('id', c.id, 'title', c.title) as "carrierCompany",
      json_build_object('countryCode', k.code, 'standardVatBp', k."standardVatBp", 'isInEu', k."isEu",
        'hasVatNumber', c."vatNumber" is not null, 'needsLicence', c."licenceNotNeededReason" is null,
        'paymentPeriodDays', c."paymentPeriodDays") as carrier,
      (select json_build_object('confirmedById', b."confirmedById", 'confirmedAt', b."confirmedAt")
        from carrier_bank_account b
        where b."carrierCompanyId" = c.id and b.iban = i.iban order by b."confirmedById" nulls last limit 1) as account,
      exists (select 1 from invoice old where old."carrierCompanyId" = c.id and old.id <> i.id
        and old."entityType" = 'carrier' and old.status = ${CANCELED}
        and invoice_number_key(old.number) = invoice_number_key(i.number)) as "wasCanceled",
      (select alike.number from invoice alike where alike."entityType" = 'carrier' and alike.status <> ${CANCELED}
          and alike."carrierCompanyId" = c.id and alike.id <> i.id and alike."totalCents" = i."totalCents"
          and invoice_number_alike(alike.number) = invoice_number_alike(i.number)
        order by alike.id limit 1) as "alikeInvoice",
      (select other.number from driven d join invoice_allocation share on share."routeId" = d.id
          join invoice other on other.id = share."invoiceId"
        where d."invoiceId" = i.id and other.id <> i.id and other."carrierCompanyId" = c.id
          and other.status <> ${CANCELED} and other."amountCents" >= 0
        order by other.id limit 1) as "otherInvoice",
      exists (select 1 from upload_link link where link."invoiceId" = i.id) as "isFromLink",
      coalesce((select json_agg(json_build_object('id', d.id, 'title', d.title, 'costCents', d."costCents",
        'orderId', d."orderId", 'netCents', d."netCents", 'invoicedCents', d."invoicedCents",
        'extrasCents', d."extrasCents",
        'paymentPeriodDays', d."paymentPeriodDays", 'isDriven', d."assignmentId" is not null) order by d.id)
        from driven d where d."invoiceId" = i.id), '[]') as routes,
      coalesce((select json_agg(json_build_object('id', o.id, 'title', o.number,
          'fromCountryCode', o."fromCountryCode", 'fromCity', o."fromCity", 'toCountryCode', o."toCountryCode",
          'toCity', o."toCity", 'priceCents', o."customerPriceCents", 'carrierCostCents', o."carrierCostCents",
          'extrasPriceCents', o."extrasPriceCents", 'extrasCostCents', o."extrasCostCents",
          'unloadedAt', o."lastUnloadingAt", 'timeZone', o."toTimeZone") order by o.id)
        from invoice_order link join "order" o on o.id = link."orderId"
        where link."invoiceId" = i.id), '[]') as orders,
      coalesce((select json_agg(json_build_object('id', l.id, 'routeId', l."routeId", 'kind', l.kind,
          'canceledAt', l."canceledAt", 'unloadedAt', l."unloadedAt", 'timeZone', l."timeZone",
          'cargoActions', coalesce((select json_agg(json_build_object('cargoId', a."cargoId", 'action', a.action))
            from cargo_action a where a."locationId" = l.id), '[]')))
        from location l where l."orderId" in (select d."orderId" from driven d where d."invoiceId" = i.id)), '[]')
        as stops,
      coalesce((select json_agg(json_build_object('documentId', p.id, 'version', p.version, 'title', p.title,
          'contentType', p."contentType", 'createdAt', p."createdAt", 'acceptance', p.acceptance,
          'refusalReason', p."refusalReason", 'locationIds', p."locationIds",
          'orderId', p."ownerId", 'orderCarrier', p."orderCarrier",
          'routeId', (select a."routeId" from assignment a where a.id = p."orderCarrier")) order by p.id desc)
        from document p where p."ownerKind" = 'order' and p."documentType" = 'PROOF_OF_DELIVERY'
          and p."ownerId" in (select d."orderId" from driven d where d."invoiceId" = i.id)), '[]') as pods,
      coalesce((select json_agg(json_build_object('documentId', p.id, 'title', p.title,
          'contentType', p."contentType", 'createdAt', p."createdAt") order by p.id desc)
        from document p where p."ownerKind" = 'invoice' and p."ownerId" = i.id
          and p."documentType" = 'CARRIER_INVOICE'), '[]') as papers,
      coalesce((select json_agg(json_build_object('documentId', p.id, 'title', p.title,
          'contentType', p."contentType", 'createdAt', p."createdAt") order by p."orderCarrier")
        from (select distinct on (d."orderCarrier") d.* from document d
          where d."ownerKind" = 'order' and d."documentType" = 'ORDER_RESOLVED_DOCUMENT'
            and d."ownerId" in (select one."orderId" from driven one where one."invoiceId" = i.id)
            and d."orderCarrier" in (select one."assignmentId" from driven one where one."invoiceId" = i.id)
          order by d."orderCarrier", d.id desc) p), '[]') as "transportOrders",
      (select case when p."eInvoice" is not null then p."fileKey" end from document p
        where p."ownerKind" = 'invoice' and p."ownerId" = i.id and p."documentType" = 'CARRIER_INVOICE'
        order by p.id desc limit 1) as "eInvoiceKey",
      (select p."leftToPayCents" from document p
        where p."ownerKind" = 'invoice' and p."ownerId" = i.id and p."documentType" = 'CARRIER_INVOICE'
          and p."eInvoice" is not null
        order by p.id desc limit 1) as "leftToPayCents",
      coalesce((select json_agg(json_build_object('documentType', p."documentType", 'validUntil', p."expiredAt"))
        from document p where p."ownerKind" = 'carrierCompany' and p."ownerId" = c.id
          and p."expiredAt" is not null and ${isCounted('p')}), '[]') as "carrierPapers",
      problem.kind as "problemKind",
      case when problem.id is null then null else json_build_object('kind', problem.kind, 'text', problem.text,
        'waitsFor', problem."waitsFor", 'stopsTerm', problem."stopsTerm", 'openedAt', problem."openedAt",
        'isTold', problem."isTold", 'openedBy', (select json_build_object('id', u.id, 'title', u."fullName")
          from "user" u where u.id = problem."openedById")) end as problem
    from chosen i
      join carrier_company c on c.id = i."carrierCompanyId"
      join country k on k.id = c."countryId"
      left join company co on co.id = i."companyId"
      left join country ck on ck.id = co."countryId"
      left join invoice_problem problem on problem."invoiceId" = i.id and problem."closedAt" is null
    order by i."createdAt", i.id
  `.execute(ctx.db)
  return rows
}

/** The proofs of delivery that speak for one of the routes of an invoice. */
export const podsOf = ({ pods, routes, stops }: FoundInvoice): FoundPod[] =>
  pods.filter((pod) =>
    routes.some(({ id }) => podStateOfRoute(id, [{ ...pod, acceptance: 'accepted' }], stops) === 'accepted'),
  )

const latest = (days: readonly string[]): string | null => days.toSorted().at(-1) ?? null

/**
 * What of a route is left to be invoiced. One without an agreed cost has what was approved beside it: an answer to a
 * difference has booked that.
 */
export const leftCentsOf = ({ costCents, extrasCents, invoicedCents }: FoundInvoice['routes'][number]): number =>
  (costCents ?? extrasCents) - invoicedCents

/** What the checks of an invoice are asked of. */
export function factsOf(ctx: Ctx, found: FoundInvoice, currency: string): CheckFacts {
  const day = (instant: string) => localOf(instant, found.timeZone).date
  const isAgreed = found.routes.some(({ costCents }) => costCents !== null)
  const proofs = podsOf(found).filter(({ acceptance }) => acceptance !== 'refused')
  const podArrivedOn = (route: number): string | null =>
    proofs
      .filter((pod) => podStateOfRoute(route, [{ ...pod, acceptance: 'accepted' }], found.stops) === 'accepted')
      .map(({ createdAt }) => day(createdAt))
      .toSorted()[0] ?? null
  const dayAt = ({ unloadedAt, timeZone }: { unloadedAt: string | null; timeZone: string | null }) =>
    unloadedAt === null ? [] : [localOf(unloadedAt, timeZone ?? found.timeZone).date]
  const driven = found.stops.filter(({ routeId }) => found.routes.some(({ id }) => id === routeId))
  return {
    number: found.number,
    amountCents: found.amountCents,
    vatBp: found.vatBp,
    vatCents: found.vatCents,
    totalCents: found.totalCents,
    leftToPayCents: found.leftToPayCents,
    iban: found.iban,
    documentCreationDate: found.documentCreationDate,
    dueDate: found.dueDate,
    today: day(ctx.clock.now().toISOString()),
    arrivedOn: day(found.createdAt),
    stoppedDays: found.stoppedDays,
    toleranceCents: found.toleranceCents,
    routes: found.routes.map(({ title }) => title),
    leftRoutes: found.routes.flatMap(({ title, isDriven }) => (isDriven ? [] : [title])),
    agreedCents: isAgreed ? sumCents(found.routes.map(leftCentsOf)) : null,
    shares: found.routes.flatMap((route) => {
      if (route.netCents === null) return []
      const agreedCents = leftCentsOf(route)
      return [{ route: route.title, agreedCents, differenceCents: route.netCents - agreedCents }]
    }),
    carrier: found.carrier,
    expectedVatBp: expectedCarrierVatBp(found.carrier, found.companyCountryCode) ?? 0,
    companyCountryCode: found.companyCountryCode,
    account: accountStanding(found.account, ctx.clock.now()),
    wasCanceled: found.wasCanceled,
    alikeInvoice: found.alikeInvoice,
    otherInvoice: found.otherInvoice,
    pods: found.routes.map(({ id }) => podStateOfRoute(id, found.pods, found.stops)),
    podTitle: podsOf(found)[0]?.title ?? null,
    paidRoutes: found.routes.map((route) => ({
      periodDays: agreedPeriodDays({ assignment: route, carrier: found.carrier }),
      podArrivedOn: podArrivedOn(route.id),
    })),
    currency,
    unloadedOn: latest(driven.flatMap(dayAt)),
    transportOn: latest(found.orders.flatMap(dayAt)),
    papers: found.carrierPapers,
  }
}
