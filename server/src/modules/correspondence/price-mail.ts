import { LINK_DAYS_AFTER } from '@waybill/contract/order/choice/price-round'
import { PRICE_REQUEST } from '@waybill/contract/email/email-rules'
import type { Language } from '@waybill/contract/errors'
import { localOf } from '@waybill/contract/kit/local-time'
import { cargoTotals } from '@waybill/contract/order/cargo'
import type { OrderLocation } from '@waybill/contract/order/order'
import { isDropOff, isPickUp } from '@waybill/contract/order/schedule'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { mailBody } from '../../kit/mail/mail-html.ts'
import { filled, textsOf } from '../../kit/texts/texts.ts'
import { queueMail } from '../email/index.ts'
import { orderAsItIs } from '../order/index.ts'
import { formatDay, formatNumber, formatTermin, town } from './document-words.ts'
import { footerLines, orderMailData, salutationOf } from './mail/mail-data.mail.ts'
import { mailFactsOf } from './mail/mail-facts.query.ts'

const WORDS = textsOf('price-request')
const DAY_MS = 86_400_000

interface About {
  orderId: number
  routeId: number
  carrierCompanyId: number
}

/** What both mails begin and end with; nothing of the customer is in it. Error: `not_found`. */
async function subjectOf(ctx: Ctx, { orderId, routeId, carrierCompanyId }: About) {
  const order = await orderAsItIs(ctx, orderId)
  const route = order?.routes.find(({ id }) => id === routeId)
  if (!order || !route) throw new AppError('not_found')
  const facts = await mailFactsOf(ctx, order)
  const carrier = await ctx.db
    .selectFrom('carrier_company as k')
    .innerJoin('country', 'country.id', 'k.countryId')
    .select(['k.language', 'country.language as spoken'])
    .where('k.id', '=', carrierCompanyId)
    .executeTakeFirstOrThrow()
  const language: Language = carrier.language ?? carrier.spoken ?? 'en'
  const { signature } = orderMailData({ order, facts, reader: null, route, stop: null, language, told: null })
  const stops = route.locationIds
    .flatMap((id) => order.locations.find((stop) => stop.id === id) ?? [])
    .filter(({ canceledAt }) => canceledAt === null)
  const lane = [stops.find(isPickUp), stops.findLast(isDropOff)].map((stop) => stop?.city ?? stop?.countryCode ?? '–')
  return {
    order,
    facts,
    language,
    stops,
    words: WORDS[language],
    lane: lane.join(' – '),
    greeting: salutationOf(null, language),
    closing: [signature.caseWorker, signature.phone, signature.email, signature.department].filter(Boolean).join('\n'),
    frame: { language, sender: facts.us.title, footer: footerLines(facts) },
  }
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 250).toWellFormed()

function stopRow(stop: OrderLocation, language: Language): readonly [string, string] {
  const { kinds } = WORDS[language]
  const when = stop.termin === null ? '' : `, ${formatTermin(stop.termin, language)}`
  return [kinds[stop.kind], `${stop.countryCode} ${town(stop)}${when}`]
}

/** Reaction to `priceRound.asked`: the mail with the link, into the outbox of the same transaction. */
export async function queuePriceRequest(
  ctx: Ctx,
  asked: About & { email: string; token: string; deadline: string; remark: string | null },
): Promise<void> {
  const { order, facts, language, stops, words, lane, greeting, closing, frame } = await subjectOf(ctx, asked)
  const until = localOf(asked.deadline, facts.us.timeZone)
  const named = new Set(stops.flatMap(({ cargoActions }) => cargoActions.map(({ cargoId }) => cargoId)))
  const carried = order.cargo.filter(({ id }) => named.has(id))
  const { ldm, weightKg } = cargoTotals(carried.length === 0 ? order.cargo : carried)
  const cargo = [
    ldm > 0 ? `${formatNumber(ldm, language)} ${words.ldm}` : '',
    weightKg > 0 ? `${formatNumber(weightKg, language)} kg` : '',
  ]
  await queueMail(ctx, {
    owner: { kind: 'order', id: asked.orderId },
    type: 'other_emails',
    variant: PRICE_REQUEST,
    to: [asked.email],
    cc: [],
    subject: oneLine(filled(words.request.subject, { lane })),
    html: mailBody([
      { kind: 'paragraph', text: greeting },
      { kind: 'paragraph', text: words.request.intro },
      {
        kind: 'facts',
        rows: [
          ...stops.map((stop) => stopRow(stop, language)),
          ...(cargo.some(Boolean) ? [[words.cargo, cargo.filter(Boolean).join(', ')] as const] : []),
        ],
      },
      ...(asked.remark === null ? [] : [{ kind: 'paragraph' as const, text: asked.remark }]),
      {
        kind: 'paragraph',
        text: filled(words.request.until, { day: formatDay(until.date, language), time: until.time }),
      },
      { kind: 'paragraph', text: words.request.own },
      { kind: 'paragraph', text: closing },
    ]),
    secretButton: {
      label: words.request.button,
      url: `${ctx.ports.publicUrl}/price/${asked.token}`,
      expiresAt: new Date(Date.parse(asked.deadline) + LINK_DAYS_AFTER * DAY_MS).toISOString(),
    },
    frame,
    documentIds: [],
  })
}

/** Reaction to `priceRound.given`: who was asked learns that the transport is given away. */
export async function queuePriceRefusal(ctx: Ctx, told: About & { email: string }): Promise<void> {
  const { words, lane, greeting, closing, frame } = await subjectOf(ctx, told)
  await queueMail(ctx, {
    owner: { kind: 'order', id: told.orderId },
    type: 'other_emails',
    variant: null,
    to: [told.email],
    cc: [],
    subject: oneLine(filled(words.given.subject, { lane })),
    html: mailBody(
      [greeting, filled(words.given.text, { lane }), words.given.thanks, closing].map((text) => ({
        kind: 'paragraph' as const,
        text,
      })),
    ),
    frame,
    documentIds: [],
  })
}
