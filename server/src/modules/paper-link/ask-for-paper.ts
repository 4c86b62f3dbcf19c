import { sql } from 'kysely'
import type { z } from 'zod'
import { ENDING_STEPS } from '@waybill/contract/order/clearance/release'
import { addDays } from '@waybill/contract/kit/local-time'
import { lastWarnedDay, RENEWED_PAPERS, type RenewedPaper } from '@waybill/contract/kit/expiry'
import type { askForPaper as endpoint } from '@waybill/contract/public/paper-page'
import { inTransaction, nowOf, tell, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import type { JobDefinition } from '../../kit/context/jobs.ts'
import { isCounted } from '../../kit/records/counted-paper.ts'
import { linkToSend, noteRequest, revokeLink, type Wanted } from './paper-link.repository.ts'

declare module '../../kit/context/events.ts' {
  interface Events {
    /** a carrier is asked for a new one of a paper; `email`: null where it has no address */
    'paper.asked': {
      carrierCompanyId: number
      documentType: RenewedPaper
      endsOn: string
      departmentId: number
      linkId: number
      email: string | null
      name: string | null
      isAutomatic: boolean
    }
  }
}

declare module '../../kit/context/jobs.ts' {
  interface JobData {
    ask_for_papers: Record<string, never>
  }
}

const MONTHS_IN_USE = 12
/** Nobody is asked for the same twice within so many days, whoever asked. */
const DAYS_BETWEEN = 3
/** In one run; the rest is asked for by the next. */
const MOST_ASKED = 500

interface Facts {
  endsOn: string | null
  isWaiting: boolean
  departmentId: number | null
  email: string | null
  name: string | null
}

/**
 * What is known of a paper and of who answers for it, with its carrier locked until the transaction ends. The
 * department is that of the newest transport, else the caller's, else the first one. Error: `not_found`.
 */
async function factsOf(ctx: Ctx, { carrierCompanyId, documentType }: Wanted): Promise<Facts> {
  const { rows: held } =
    await sql`select 1 from carrier_company where id = ${carrierCompanyId} for no key update`.execute(ctx.db)
  if (held.length === 0) throw new AppError('not_found')
  const { rows } = await sql<Facts>`
    select
      (select max(d."expiredAt") from document d where d."ownerKind" = 'carrierCompany' and d."ownerId" = k.id
        and d."documentType" = ${documentType} and ${isCounted('d')}) as "endsOn",
      exists (select 1 from document d where d."ownerKind" = 'carrierCompany' and d."ownerId" = k.id
        and d."documentType" = ${documentType} and d.acceptance = 'toCheck') as "isWaiting",
      coalesce(
        (select o."departmentId" from assignment a join route r on r.id = a."routeId"
          join "order" o on o.id = r."orderId" where a."carrierCompanyId" = k.id order by r.id desc limit 1),
        (select u."departmentId" from "user" u where u.id = ${ctx.actor?.userId ?? null}::bigint),
        (select d.id from department d where d.state = 'active' order by d.id limit 1)) as "departmentId",
      coalesce(contact.email, k.representative ->> 'email') as email,
      case when contact.email is not null then contact."fullName" else k.representative ->> 'fullName' end as name
    from carrier_company k left join lateral (
      select c.email, c."fullName" from carrier_contact c where c."carrierCompanyId" = k.id and c.email is not null
        order by c.position limit 1) contact on true
    where k.id = ${carrierCompanyId}
  `.execute(ctx.db)
  return rows[0]!
}

/** Asks for a new paper by hand, with a new link. Errors: the contract's. */
export async function askForPaper(
  ctx: Ctx,
  carrierCompanyId: number,
  documentType: RenewedPaper,
): Promise<z.output<(typeof endpoint)['reply']>> {
  const wanted = { carrierCompanyId, documentType }
  const { endsOn, isWaiting, departmentId, email, name } = await factsOf(ctx, wanted)
  if (endsOn === null || isWaiting || departmentId === null) throw new AppError('conflict')
  if (email === null) throw fieldError('documentType', 'recipient_missing')
  // Who has the link before it may be somebody else by now.
  await revokeLink(ctx, wanted)
  await noteRequest(ctx, { ...wanted, endsOn, stepDays: null })
  const linkId = await linkToSend(ctx, wanted, departmentId)
  await tell(ctx, { type: 'paper.asked', ...wanted, endsOn, departmentId, linkId, email, name, isAutomatic: false })
  return { to: email, askedAt: nowOf(ctx) }
}

interface Due extends Wanted {
  endsOn: string
  stepDays: number
}

/**
 * Papers that end within thirty days, of active carriers that drove for us within a year: for each the step that it
 * has reached, where nobody was asked in that step, nor within three days, and no new one waits to be looked at.
 */
async function duePapers(ctx: Ctx): Promise<Due[]> {
  const today = nowOf(ctx).slice(0, 10)
  const [last, middle] = [addDays(today, ENDING_STEPS[0]), addDays(today, ENDING_STEPS[1])]
  const inUse = new Date(ctx.clock.now())
  inUse.setUTCMonth(inUse.getUTCMonth() - MONTHS_IN_USE)
  const notAgain = `${addDays(today, -DAYS_BETWEEN)}T00:00:00Z`
  const { rows } = await sql<Due>`
    select paper.* from (
      select k.id as "carrierCompanyId", d."documentType", max(d."expiredAt") as "endsOn",
        case when max(d."expiredAt") <= ${last}::date then ${ENDING_STEPS[0]}::int
          when max(d."expiredAt") <= ${middle}::date then ${ENDING_STEPS[1]}::int
          else ${ENDING_STEPS[2]}::int end as "stepDays"
      from carrier_company k join document d on d."ownerKind" = 'carrierCompany' and d."ownerId" = k.id
          and d."documentType" = any(${[...RENEWED_PAPERS]}::text[]) and d."expiredAt" is not null
          and ${isCounted('d')}
      where k.state = 'active' and k."blockedReason" is null
        and not (d."documentType" = 'EU_LICENSE' and k."licenceNotNeededReason" is not null)
        and exists (select 1 from assignment a join route r on r.id = a."routeId"
          join "order" o on o.id = r."orderId"
          where a."carrierCompanyId" = k.id and o."createdAt" > ${inUse.toISOString()}::timestamptz)
      group by k.id, d."documentType"
    ) paper
    where paper."endsOn" between ${today}::date and ${lastWarnedDay(today)}::date
      and not exists (select 1 from document d where d."ownerKind" = 'carrierCompany'
        and d."ownerId" = paper."carrierCompanyId" and d."documentType" = paper."documentType"
        and d.acceptance = 'toCheck')
      and not exists (select 1 from paper_request asked where asked."carrierCompanyId" = paper."carrierCompanyId"
        and asked."documentType" = paper."documentType"
        and (asked."askedAt" >= ${notAgain}::timestamptz
          or (asked."endsOn" = paper."endsOn" and asked."stepDays" <= paper."stepDays")))
    order by paper."endsOn", paper."carrierCompanyId", paper."documentType" limit ${sql.lit(MOST_ASKED)}
  `.execute(ctx.db)
  return rows
}

/** Once a day: carriers are asked for the papers that end, 30, 14 and 3 days before, each in a transaction. */
export const askForPapers: JobDefinition<'ask_for_papers'> = {
  async handle(ctx) {
    for (const { stepDays, endsOn, carrierCompanyId, documentType } of await duePapers(ctx)) {
      const wanted = { carrierCompanyId, documentType }
      await inTransaction(ctx, async (inner) => {
        const facts = await factsOf(inner, wanted)
        // Another node may have asked meanwhile, or the new one has come.
        if (facts.endsOn !== endsOn || facts.isWaiting || facts.departmentId === null) return
        if (!(await noteRequest(inner, { ...wanted, endsOn, stepDays }))) return
        const { departmentId, email, name } = facts
        const linkId = await linkToSend(inner, wanted, departmentId)
        await tell(inner, {
          type: 'paper.asked',
          ...wanted,
          endsOn,
          departmentId,
          linkId,
          email,
          name,
          isAutomatic: true,
        })
      })
    }
  },
  timetable: { cron: '20 6 * * *', data: {} },
}
