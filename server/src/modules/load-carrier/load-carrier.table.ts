import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { Language } from '@waybill/contract/errors'
import type { STOP_PARTNERS } from '@waybill/contract/load-carrier/stop'
import type { State } from '@waybill/contract/kit/fields'
import { loadCarrierPlaceApi, type LoadCarrierPlace } from '@waybill/contract/load-carrier/place'
import { loadCarrierTypeApi, type LoadCarrierType } from '@waybill/contract/load-carrier/type'
import type { StatedLines } from '@waybill/contract/public/statement-page'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import { tableRecord } from '../../kit/records/table-record.ts'
import { shownTitle, type TitleColumns } from '../../kit/records/titles.ts'
import { euros, shownTitleColumn, stateColumn, text, type SheetOf } from '../../kit/tables/sheet.ts'
import { wordingsOf } from '../../kit/texts/texts.ts'

/** Exactly one of them is who holds an account. */
interface HolderColumns {
  customerId: number | null
  carrierCompanyId: number | null
  placeId: number | null
}

declare module '../../kit/database/db.ts' {
  interface Tables {
    load_carrier_type: TitleColumns & {
      id: Generated<number>
      version: Generated<number>
      title: string
      priceCents: number
      state: Generated<State>
      titleKey: GeneratedAlways<string>
      searchKey: GeneratedAlways<string>
    }
    load_carrier_place: {
      id: Generated<number>
      version: Generated<number>
      title: string
      address: string | null
      postal: string | null
      city: string | null
      countryId: number
      email: string | null
      state: Generated<State>
      titleKey: GeneratedAlways<string>
      searchKey: GeneratedAlways<string>
      placeKey: GeneratedAlways<string>
    }
    /** The stops at which somebody has typed load carriers; its version is that of all their lines. */
    load_carrier_stop: {
      locationId: number
      version: Generated<number>
      partner: (typeof STOP_PARTNERS)[number]
      /** its lines are those that the driver told: nobody of ours has saved them since */
      isTold: Generated<boolean>
    }
    load_carrier_movement: HolderColumns & {
      id: Generated<number>
      version: Generated<number>
      movedOn: string
      typeId: number
      given: number
      received: number
      damaged: number
      noteNumber: string | null
      note: string | null
      /** of one that was typed at a stop */
      locationId: number | null
      createdById: number | null
      createdAt: string
    }
    /** A view: what moved which account; a stop moves that of its carrier too, what is billed counts as returned. */
    load_carrier_entry: HolderColumns & {
      id: number
      movedOn: string
      typeId: number
      given: number
      received: number
      damaged: number
      net: number
      locationId: number | null
      /** of one that a sent invoice billed */
      invoiceLineId: number | null
    }
    /** Whose account a line of an invoice moves once it is sent; lines of drafts stay what they are. */
    load_carrier_bill_line: HolderColumns & { invoiceLineId: number; typeId: number }
    load_carrier_statement: HolderColumns & {
      id: Generated<number>
      emailId: number | null
      balances: JSONColumnType<{ typeId: number; pieces: number }[]>
      sentAt: string
      sentById: number | null
      /** the digest of the token of its link; null of what went out before there were links */
      tokenHash: Buffer | null
      /** of ours, in whose name it went out */
      companyId: number | null
      language: Language | null
      /** what it said, as the page of its link shows it */
      content: JSONColumnType<StatedLines[]> | null
    }
    /** What holders said of statements; the last of each counts. */
    load_carrier_statement_answer: {
      id: Generated<number>
      statementId: number
      isAgreed: boolean
      name: string
      remark: string | null
      answeredAt: string
      /** who of us noted it; null: by the link */
      answeredById: number | null
    }
    /** What was agreed with a holder; its version is that of its limits. */
    load_carrier_account: HolderColumns & { id: Generated<number>; version: Generated<number> }
    load_carrier_limit: { accountId: number; typeId: number; pieces: number }
  }
}

const TEXTS = wordingsOf('load-carrier')

const typeSheet: SheetOf<LoadCarrierType> = {
  title: TEXTS.types,
  columns: [shownTitleColumn, euros(TEXTS.columns.price, ({ priceCents }) => priceCents), stateColumn],
}

export const loadCarrierTypeRecord = tableRecord({
  api: loadCarrierTypeApi,
  table: 'load_carrier_type',
  title: 'title',
  isTitled: true,
  sorts: {
    title: { column: 'load_carrier_type.title', type: 'text' },
    priceCents: { column: 'load_carrier_type.priceCents', type: 'bigint' },
  },
  filters: {},
  sheet: typeSheet,
})

const placeSheet: SheetOf<LoadCarrierPlace> = {
  title: TEXTS.places,
  columns: [
    text(TEXTS.columns.place, ({ title }) => title),
    text(TEXTS.columns.address, ({ address }) => address),
    text(TEXTS.columns.postal, ({ postal }) => postal),
    text(TEXTS.columns.city, ({ city }) => city),
    text(TEXTS.columns.country, ({ country }) => country.title),
    text(TEXTS.columns.email, ({ email }) => email),
    stateColumn,
  ],
}

export const loadCarrierPlaceRecord = tableRecord({
  api: loadCarrierPlaceApi,
  table: 'load_carrier_place',
  title: 'title',
  sorts: {
    title: { column: 'load_carrier_place.title', type: 'text' },
    city: { column: 'load_carrier_place.city', type: 'text', isNullable: true },
  },
  compact: (rows) => rows.select('load_carrier_place.city as detail'),
  select: (rows, ctx) =>
    rows.selectAll('load_carrier_place').select((eb) => [
      jsonObjectFrom(
        eb
          .selectFrom('country')
          .select(['country.id', 'country.code', shownTitle(ctx.language, 'country').as('title')])
          .whereRef('country.id', '=', 'load_carrier_place.countryId'),
      ).as('country'),
    ]),
  filters: {},
  sheet: placeSheet,
})
