import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { CostSource, LostReason, QUOTE_STEPS } from '@waybill/contract/quote/quote'
import type { CardKind, RateCardWrite } from '@waybill/contract/quote/rate-card'

declare module '../../kit/database/db.ts' {
  interface Tables {
    rate_card: {
      id: Generated<number>
      version: Generated<number>
      kind: CardKind
      title: string
      customerId: number | null
      carrierCompanyId: number | null
      validFrom: string
      validTo: string | null
      lines: JSONColumnType<RateCardWrite['lines']>
      fuel: JSONColumnType<RateCardWrite['fuel']>
      surcharges: JSONColumnType<RateCardWrite['surcharges']>
    }
    /** How many quotes a year has. */
    quote_counter: { year: number; last: number }
    /** How many quotes of a department stand how, and what they offer; kept by triggers. */
    quote_tally: { departmentId: number; state: string; quotes: number; cents: number }
    quote: {
      id: Generated<number>
      version: Generated<number>
      number: string
      state: Generated<(typeof QUOTE_STEPS)[number]>
      customerId: number
      contactPersonId: number | null
      departmentId: number
      caseWorkerId: number | null
      createdById: number | null
      createdAt: string
      fromCountryId: number
      fromPostal: string | null
      fromCity: string | null
      fromDate: string | null
      toCountryId: number
      toPostal: string | null
      toCity: string | null
      toDate: string | null
      laneKey: string | null
      goods: string | null
      quantity: number | null
      unitTypeId: number | null
      weightKg: number | null
      ldm: number | null
      distanceKm: number | null
      costSource: CostSource | null
      costCents: number | null
      targetBp: number
      priceCents: number | null
      validUntil: string
      remark: string | null
      tokenHash: Generated<Buffer | null>
      sentAt: Generated<string | null>
      sentTo: Generated<string | null>
      answeredAt: Generated<string | null>
      answeredBy: Generated<'link' | 'hand' | null>
      answerRemark: Generated<string | null>
      lostReason: Generated<LostReason | null>
      searchKey: GeneratedAlways<string>
      orderId: Generated<number | null>
    }
  }
}
