import { sql } from 'kysely'
import type { Language } from '@waybill/contract/errors'
import { addDays, localOf } from '@waybill/contract/kit/local-time'
import type { Holder } from '@waybill/contract/load-carrier/account'
import { STATEMENT_ANSWER_DAYS } from '@waybill/contract/load-carrier/statement'
import { STATEMENT_LINK_DAYS, type StatedLines, type StatementPage } from '@waybill/contract/public/statement-page'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { holderOf } from './holder.policy.ts'
import './load-carrier.table.ts'
import { isReplaced, lastAnswer, statedByTitle, stateOf } from './stated.query.ts'

interface Row {
  id: number
  customerId: number | null
  carrierCompanyId: number | null
  placeId: number | null
  holderTitle: string
  language: Language
  sentAt: string
  content: StatedLines[]
  /** by the titles of the types, for the history */
  balances: Record<string, number>
  isReplaced: boolean
  isAgreed: boolean | null
  answeredAt: string | null
  answeredById: number | null
  name: string | null
  remark: string | null
  title: string
  phone: string | null
  email: string | null
  timeZone: string
  logo: Buffer | null
  contactName: string | null
  contactPhone: string | null
}

/** A statement as its holder may know it, with everybody's names around it. */
export type OpenedStatement = Row & { holder: Holder }

/** The statement that a token opens; undefined where it opens none, or none any more. */
export async function statementWith(ctx: Ctx, tokenHash: Buffer): Promise<OpenedStatement | undefined> {
  const { rows } = await sql<Row>`
    select s.id, s."customerId", s."carrierCompanyId", s."placeId", s.language, s."sentAt", s.content,
        coalesce((select c.title from customer c where c.id = s."customerId"),
          (select c.title from carrier_company c where c.id = s."carrierCompanyId"),
          (select p.title from load_carrier_place p where p.id = s."placeId")) as "holderTitle",
        ${statedByTitle} as balances, ${isReplaced} as "isReplaced",
        answer."isAgreed", answer."answeredAt", answer."answeredById", answer.name, answer.remark,
        f.title, f.phone, f.email, f."timeZone", logo.png as logo, u."fullName" as "contactName",
        coalesce(u.phone, d.phone) as "contactPhone"
      from load_carrier_statement s ${lastAnswer} join company f on f.id = s."companyId"
        left join company_logo logo on logo."companyId" = f.id
        left join "user" u on u.id = s."sentById" and u.state = 'active'
        left join department d on d.id = u."departmentId"
      where s."tokenHash" = ${tokenHash}
        and s."sentAt" + make_interval(days => ${sql.lit(STATEMENT_LINK_DAYS)}) > ${nowOf(ctx)}::timestamptz
  `.execute(ctx.db)
  return rows[0] && { ...rows[0], holder: holderOf(rows[0]) }
}

/** How it stands for its holder. */
export function pageStateOf(statement: OpenedStatement): StatementPage['state'] {
  const state = stateOf(statement)
  return state !== 'waiting' ? state : statement.isReplaced ? 'replaced' : 'open'
}

/** What the page of a statement shows: what the holder was sent, and no more. */
export function statementPage(statement: OpenedStatement): StatementPage {
  const sentOn = localOf(statement.sentAt, statement.timeZone).date
  // What we noted of a call is ours: a holder reads back what it wrote itself.
  const isTheirs = statement.answeredById === null
  return {
    state: pageStateOf(statement),
    language: statement.language,
    holder: statement.holderTitle,
    company: {
      title: statement.title,
      phone: statement.phone,
      email: statement.email,
      logo: statement.logo?.toString('base64') ?? null,
    },
    contact: { name: statement.contactName, phone: statement.contactPhone },
    sentOn,
    answerBy: addDays(sentOn, STATEMENT_ANSWER_DAYS),
    types: statement.content,
    answer:
      statement.answeredAt === null
        ? null
        : {
            at: statement.answeredAt,
            name: isTheirs ? statement.name : null,
            remark: isTheirs ? statement.remark : null,
          },
  }
}
