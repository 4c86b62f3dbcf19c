import { sql } from 'kysely'
import type { HolderKind } from '@waybill/contract/load-carrier/account'
import { localOf } from '@waybill/contract/kit/local-time'
import type { Actor, Ctx } from '../../../src/kit/context/context.ts'
import { hashSecret, newSecret } from '../../../src/kit/context/secrets.ts'
import { mailBody } from '../../../src/kit/mail/mail-html.ts'
import { filled, textsOf } from '../../../src/kit/texts/texts.ts'
import { statementContent } from '../../../src/modules/correspondence/index.ts'
import { accountStatement, balancesOf, holderColumns, OWNER_KINDS } from '../../../src/modules/load-carrier/index.ts'

const WORDS = textsOf('load-carrier-statement')
const DAY_MS = 86_400_000
/** As many Euro pallets most holders may keep. */
const LIMIT = 10

interface Plan {
  kind: HolderKind
  daysAgo: number
  /** what the holder says by the link; left out: nothing yet */
  answer?: { isAgreed: boolean; name: string; remark: string | null }
}

/** The accounts of each kind that are worth the most, in this order. */
const PLANS: readonly Plan[] = [
  { kind: 'carrier', daysAgo: 24, answer: { isAgreed: true, name: 'Anna Zielińska', remark: null } },
  {
    kind: 'carrier',
    daysAgo: 9,
    answer: {
      isAgreed: false,
      name: 'Petr Novák',
      remark: 'The pallets of the last delivery were exchanged one for one; our driver has the signed note.',
    },
  },
  { kind: 'carrier', daysAgo: 3 },
  { kind: 'carrier', daysAgo: 21 },
  { kind: 'customer', daysAgo: 12, answer: { isAgreed: true, name: 'Kerstin Albers', remark: null } },
  { kind: 'customer', daysAgo: 5 },
  {
    kind: 'place',
    daysAgo: 6,
    answer: { isAgreed: false, name: 'Warenannahme, M. Kuhn', remark: 'Uns fehlt der Palettenschein zu Position 1.' },
  },
]

interface Sender extends Pick<Actor, 'userId' | 'fullName'> {
  companyId: number
  company: string
  timeZone: string
  footer: string[]
}

/** The person who works on the most orders keeps the accounts, too. */
async function senderOf(ctx: Ctx): Promise<Sender | undefined> {
  const { rows } = await sql<Sender>`
    select u.id as "userId", u."fullName", f.id as "companyId", f.title as company, f."timeZone",
        array_remove(array[f.title, f.phone, f.email], null) as footer
      from "user" u join department d on d.id = u."departmentId" join company f on f.id = d."companyId"
      order by (select count(*) from "order" o where o."caseWorkerId" = u.id) desc, u.id limit 1
  `.execute(ctx.db)
  return rows[0]
}

/** Holders of a kind with open pieces and an address, the most pieces first. */
async function openHolders(ctx: Ctx, kind: HolderKind): Promise<{ id: number; to: string }[]> {
  const { rows } = await sql<{ kind: HolderKind; id: number; to: string }>`
    select held.*, coalesce(
        (select p.email from contact_person p where p."customerId" = held.id and held.kind = 'customer'
          and p.email is not null order by p.position limit 1),
        (select c.email from carrier_contact c where c."carrierCompanyId" = held.id and held.kind = 'carrier'
          and c.email is not null order by c.position limit 1),
        (select p.email from load_carrier_place p where p.id = held.id and held.kind = 'place')) as "to"
      from (
        select case when e."customerId" is not null then 'customer' when e."placeId" is not null then 'place'
              else 'carrier' end as kind,
            coalesce(e."customerId", e."placeId", e."carrierCompanyId") as id, abs(sum(e.net)) as pieces
          from load_carrier_entry e group by 1, 2 having sum(e.net) <> 0
      ) held where held.kind = ${kind} order by held.pieces desc, held.id
  `.execute(ctx.db)
  return rows.filter(({ to }) => to !== null)
}

/**
 * Statements that holders agreed to, object to, or have not answered, and limits. The link of one that waits works: it
 * is said as the demo is filled.
 */
export async function seedLoadCarrierStatements(ctx: Ctx, say: (line: string) => void): Promise<void> {
  const sender = await senderOf(ctx)
  if (sender === undefined) return
  const { userId, fullName, companyId, company, timeZone, footer } = sender
  const keeper: Ctx = {
    ...ctx,
    actor: {
      userId,
      fullName,
      sessionId: 0,
      permissions: ['CUSTOMER_MANAGEMENT', 'CARRIER_MANAGEMENT'],
      isAdmin: false,
    },
  }
  const { id: euro } = await ctx.db.selectFrom('load_carrier_type').select('id').orderBy('id').executeTakeFirstOrThrow()
  const now = ctx.clock.now().getTime()
  const holders = {
    carrier: await openHolders(ctx, 'carrier'),
    customer: await openHolders(ctx, 'customer'),
    place: await openHolders(ctx, 'place'),
  }
  for (const { kind, daysAgo, answer } of PLANS) {
    const next = holders[kind].shift()
    if (next === undefined) continue
    const holder = { kind, id: next.id }
    const statement = await accountStatement(keeper, holder)
    const { language } = statement.holder
    const sentAt = new Date(now - daysAgo * DAY_MS).toISOString()
    const day = localOf(sentAt, timeZone).date.split('-').toReversed().join('.')
    const subject = filled(WORDS[language].subject, { day, company })
    const { id: emailId } = await ctx.db
      .insertInto('email')
      .values({
        ownerKind: OWNER_KINDS[kind],
        ownerId: holder.id,
        type: 'other_emails',
        variant: 'load_carrier_statement',
        status: 'sent',
        to: [next.to],
        cc: [],
        subject,
        html: mailBody([{ kind: 'paragraph', text: filled(WORDS[language].intro, { day }) }]),
        frame: JSON.stringify({ language, sender: company, footer }),
        messageId: `<${newSecret()}@waybill.mail>`,
        tries: 1,
        notBefore: sentAt,
        createdById: userId,
        createdAt: sentAt,
        sentAt,
        settledAt: sentAt,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const token = newSecret()
    const { id: statementId } = await ctx.db
      .insertInto('load_carrier_statement')
      .values({
        ...holderColumns(holder),
        emailId,
        balances: JSON.stringify(balancesOf(statement)),
        sentAt,
        sentById: userId,
        tokenHash: hashSecret(token),
        companyId,
        language,
        content: JSON.stringify(statementContent(statement)),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (answer === undefined) {
      if (daysAgo === 3)
        say(`A statement of load carriers that waits for an answer: ${ctx.ports.publicUrl}/statement/${token}`)
    } else
      await ctx.db
        .insertInto('load_carrier_statement_answer')
        .values({
          statementId,
          ...answer,
          answeredAt: new Date(now - (daysAgo - 1) * DAY_MS).toISOString(),
          answeredById: null,
        })
        .execute()
    const account = await ctx.db
      .insertInto('load_carrier_account')
      .values(holderColumns(holder))
      .returning('id')
      .executeTakeFirstOrThrow()
    await ctx.db
      .insertInto('load_carrier_limit')
      .values({ accountId: account.id, typeId: euro, pieces: LIMIT })
      .execute()
  }
}
