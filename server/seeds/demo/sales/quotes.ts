import { sql } from 'kysely'
import type { Language } from '@waybill/contract/errors'
import { addDays } from '@waybill/contract/kit/local-time'
import { roundHalfAwayFromZero } from '@waybill/contract/kit/money'
import type { LostReason } from '@waybill/contract/quote/quote'
import type { RateCardWrite } from '@waybill/contract/quote/rate-card'
import { nowOf, type Ctx } from '../../../src/kit/context/context.ts'
import { hashSecret, newSecret } from '../../../src/kit/context/secrets.ts'

const DAY_MS = 86_400_000

interface Source {
  orderId: number
  customerId: number
  contactPersonId: number | null
  departmentId: number
  caseWorkerId: number | null
  laneKey: string
  fromCountryId: number
  fromCode: string
  fromPostal: string
  fromCity: string
  toCountryId: number
  toCode: string
  toPostal: string
  toCity: string
  goods: string | null
  quantity: number
  unitTypeId: number | null
  weightKg: number
  ldm: number
  priceCents: number
  costCents: number
  distanceKm: number | null
  carrierCompanyId: number | null
  language: Language
}

/** How a quote of the demo stands: how long ago it was made, and what came of it. */
interface Plan {
  state: 'draft' | 'sent' | 'accepted' | 'refused'
  daysAgo: number
  validDays: number
  reason?: LostReason
  remark?: string
  byLink?: boolean
  /** the order that it became is the one that it was made from */
  isOrdered?: boolean
  /** in hundredths of the order's price */
  asks?: number
}

// The newest last; one is accepted and waits for its order, two are to be followed up, one has run out.
const PLANS: readonly Plan[] = [
  { state: 'refused', daysAgo: 38, validDays: 10, reason: 'price', remark: 'too dear by 60 euros', asks: 108 },
  { state: 'accepted', daysAgo: 35, validDays: 14, isOrdered: true },
  { state: 'sent', daysAgo: 30, validDays: 14 },
  { state: 'accepted', daysAgo: 24, validDays: 14, byLink: true, isOrdered: true },
  { state: 'refused', daysAgo: 21, validDays: 7, reason: 'capacity', remark: 'wanted a truck the same day' },
  { state: 'accepted', daysAgo: 16, validDays: 14, isOrdered: true },
  { state: 'refused', daysAgo: 12, validDays: 14, byLink: true, remark: 'other dates', asks: 104 },
  { state: 'accepted', daysAgo: 9, validDays: 14, byLink: true, isOrdered: true },
  { state: 'sent', daysAgo: 6, validDays: 8 },
  { state: 'sent', daysAgo: 4, validDays: 14 },
  { state: 'accepted', daysAgo: 2, validDays: 14, byLink: true, remark: 'Ramp 4 from 8 o’clock' },
  { state: 'draft', daysAgo: 1, validDays: 14 },
  { state: 'sent', daysAgo: 0, validDays: 14 },
]

const WAITING: Readonly<Record<Language, string>> = {
  en: '2 h free for loading and unloading, then 45.00 € an hour',
  de: '2 Std. Standzeit frei, danach 45,00 € je Stunde',
  pl: '2 godz. postoju gratis, następnie 45,00 € za godzinę',
}

/** Orders with a price and a cost of different customers, the latest of each, with their lane and cargo. */
async function sourcesOf(ctx: Ctx): Promise<Source[]> {
  const { rows } = await sql<Source>`
    select o.id as "orderId", o."customerId", o."contactPersonId", o."departmentId", o."caseWorkerId", o."laneKey",
        f."countryId" as "fromCountryId", fc.code as "fromCode", f.postal as "fromPostal", f.city as "fromCity",
        t."countryId" as "toCountryId", tc.code as "toCode", t.postal as "toPostal", t.city as "toCity",
        g.title as goods, g.quantity, g."unitTypeId", round(coalesce(g."weightKg", 0)) as "weightKg", g.ldm,
        (select r."distanceKm" from route r where r."orderId" = o.id order by r.n limit 1) as "distanceKm",
        (select a."carrierCompanyId" from route r join assignment a on a."routeId" = r.id where r."orderId" = o.id
          order by r.n limit 1) as "carrierCompanyId",
        (select coalesce(k.language, ck.language, 'en') from customer k join country ck on ck.id = k."countryId"
          where k.id = o."customerId") as language,
        o."customerPriceCents" as "priceCents", o."carrierCostCents" as "costCents"
      from (select distinct on (one."customerId") one.* from "order" one
          where one.status in ('delivered', 'completed') and one."carrierCostCents" > 0
            and one."customerPriceCents" > one."carrierCostCents" and one."laneKey" is not null
            and not one."isMergeResult"
            and (select count(*) from location l where l."orderId" = one.id) = 2
            and (select count(*) from cargo c where c."orderId" = one.id) = 1
            and not exists (select 1 from "order" merged where merged.id = one."mergedIntoId")
          order by one."customerId", (select count(*) from "order" other where other."laneKey" = one."laneKey") desc,
            one.id desc) o
        join location f on f."orderId" = o.id and f.kind = 'loading' join country fc on fc.id = f."countryId"
        join location t on t."orderId" = o.id and t.kind = 'unloading' join country tc on tc.id = t."countryId"
        join cargo g on g."orderId" = o.id and g.ldm > 0
      order by o."createdAt" desc, o.id limit ${sql.lit(PLANS.length)}
  `.execute(ctx.db)
  return rows.toReversed()
}

/** So many hundredths of an amount, at full five euros. */
const tens = (cents: number, hundredths: number): number =>
  Math.max(1, roundHalfAwayFromZero(cents * hundredths, 50_000)) * 500

async function insertCard(ctx: Ctx, { lines, fuel, surcharges, ...card }: RateCardWrite): Promise<void> {
  await ctx.db
    .insertInto('rate_card')
    .values({
      ...card,
      lines: JSON.stringify(lines),
      fuel: JSON.stringify(fuel),
      surcharges: JSON.stringify(surcharges),
    })
    .execute()
}

const area = (postal: string): string =>
  postal
    .replace(/^[A-Z]{1,3}-/, '')
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, 2)

/** Cards of two customers, general ones to sell, and two to buy, over lanes of the quotes. */
async function seedCards(ctx: Ctx, sources: readonly Source[], today: string): Promise<void> {
  const year = Number(today.slice(0, 4))
  const [validFrom, validTo] = [`${year}-01-01`, `${year + 1}-06-30`]
  const months = [-2, -1, 0].map((by) => {
    const at = new Date(`${today.slice(0, 7)}-15T12:00:00Z`)
    at.setUTCMonth(at.getUTCMonth() + by)
    return at.toISOString().slice(0, 7)
  })
  const fuel = months.map((month, index) => ({ month, bp: 620 + 50 * index }))
  const none = { customerId: null, carrierCompanyId: null, surcharges: [] }
  const [first, second, third] = sources.slice(-3)
  for (const one of [first, second]) {
    if (!one) continue
    const steps = [4, 6.8, 9, 11.4, 13.6]
    await insertCard(ctx, {
      ...none,
      kind: 'sell',
      title: `${one.fromCity} – ${one.toCity}`,
      customerId: one.customerId,
      validFrom,
      validTo,
      lines: steps.map((upToLdm, index) => ({
        fromCountryCode: one.fromCode,
        fromPostal: area(one.fromPostal),
        toCountryCode: one.toCode,
        toPostal: area(one.toPostal),
        upToLdm,
        basis: 'flat' as const,
        rateCents: tens(one.priceCents, 78 + 5 * index),
        minimumCents: null,
      })),
      fuel,
      surcharges: [{ title: 'Toll', cents: 4500 }],
    })
  }
  const whole = { fromPostal: null, toPostal: null, upToLdm: null }
  const pairs = [
    ['DE', 'PL'],
    ['PL', 'DE'],
    ['DE', 'AT'],
    ['IT', 'DE'],
    ['NL', 'PL'],
  ] as const
  const lines = (basis: 'km' | 'ldm', rate: number, minimum: number) =>
    pairs.map(([fromCountryCode, toCountryCode], index) => ({
      ...whole,
      fromCountryCode,
      toCountryCode,
      basis,
      rateCents: rate + 3 * index,
      minimumCents: minimum,
    }))
  await insertCard(ctx, {
    ...none,
    kind: 'sell',
    title: 'Full trucks, general',
    validFrom,
    validTo: `${year}-12-31`,
    lines: lines('km', 138, 42_000),
    fuel,
  })
  await insertCard(ctx, {
    ...none,
    kind: 'sell',
    title: 'Part loads, general',
    validFrom,
    validTo: `${year}-12-31`,
    lines: lines('ldm', 8400, 16_500).map((line) => ({ ...line, upToLdm: 6.8 })),
    fuel,
  })
  await insertCard(ctx, {
    ...none,
    kind: 'buy',
    title: 'Contract trucks',
    validFrom,
    validTo: null,
    lines: lines('km', 112, 35_000),
    fuel,
  })
  if (third)
    await insertCard(ctx, {
      ...none,
      kind: 'buy',
      title: `${third.fromCity} – ${third.toCity}, agreed`,
      carrierCompanyId: third.carrierCompanyId,
      validFrom,
      validTo: `${year}-12-31`,
      lines: [
        {
          ...whole,
          fromCountryCode: third.fromCode,
          fromPostal: area(third.fromPostal),
          toCountryCode: third.toCode,
          toPostal: area(third.toPostal),
          basis: 'flat',
          rateCents: tens(third.costCents, 97),
          minimumCents: null,
        },
      ],
      fuel,
    })
}

/**
 * Rate cards, and quotes won, lost and open of lanes that the year has driven. The link of the newest works: it is
 * said as the demo is filled.
 */
export async function seedQuotes(ctx: Ctx, say: (line: string) => void): Promise<void> {
  const now = ctx.clock.now().getTime()
  const today = nowOf(ctx).slice(0, 10)
  const sources = await sourcesOf(ctx)
  await seedCards(ctx, sources, today)
  const plans = PLANS.slice(-sources.length)
  const counts = new Map<number, number>()
  let token = ''
  for (const [index, plan] of plans.entries()) {
    const one = sources[index]!
    const at = new Date(now - plan.daysAgo * DAY_MS).toISOString()
    const day = at.slice(0, 10)
    const year = Number(day.slice(0, 4))
    const count = (counts.get(year) ?? 0) + 1
    counts.set(year, count)
    token = newSecret()
    const isAnswered = plan.state === 'accepted' || plan.state === 'refused'
    const isOut = plan.state !== 'draft'
    const { rows } = await sql<{ email: string }>`select email from contact_person
      where "customerId" = ${one.customerId} and email is not null order by position limit 1`.execute(ctx.db)
    const { orderId, language, fromCode: _from, toCode: _to, carrierCompanyId: _carrier, ...asked } = one
    await ctx.db
      .insertInto('quote')
      .values({
        ...asked,
        number: `Q-${String(year % 100).padStart(2, '0')}-${String(count).padStart(4, '0')}`,
        state: plan.state,
        createdById: one.caseWorkerId,
        createdAt: at,
        fromDate: addDays(day, 5),
        toDate: addDays(day, 7),
        costSource: 'history',
        targetBp: 1500,
        priceCents: tens(one.priceCents, plan.asks ?? 100),
        validUntil: addDays(day, plan.validDays),
        remark: index % 3 === 0 ? WAITING[language] : null,
        tokenHash: isOut ? hashSecret(token) : null,
        sentAt: isOut ? at : null,
        sentTo: isOut ? (rows[0]?.email ?? 'orders@customer.example') : null,
        answeredAt: isAnswered ? new Date(now - (plan.daysAgo - 1) * DAY_MS).toISOString() : null,
        answeredBy: isAnswered ? (plan.byLink ? 'link' : 'hand') : null,
        answerRemark: plan.remark ?? null,
        lostReason: plan.reason ?? null,
        orderId: plan.isOrdered ? orderId : null,
      })
      .execute()
  }
  for (const [year, last] of counts) await ctx.db.insertInto('quote_counter').values({ year, last }).execute()
  if (plans.length > 0) say(`A quote that waits for its customer: ${ctx.ports.publicUrl}/quote/${token}`)
}
