import { sql, type RawBuilder } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import type { CarrierForOrder, carrierCompanyApi } from '@waybill/contract/carrier-company'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import type { AnyQuery } from '../../kit/records/paging.ts'
import { shownTitle } from '../../kit/records/titles.ts'
import type { OwnFilters } from '../../kit/records/table-service.ts'
import { documentWarning, ownersWarned } from '../document/index.ts'
import './carrier-company.table.ts'

const own = sql.ref('carrier_company.id')
const vehicleTypes = ({ language }: Ctx) =>
  sql`coalesce((
  select jsonb_agg(jsonb_build_object('id', type.id, 'title', ${shownTitle(language, 'type')})
    order by ${shownTitle(language, 'type')}, type.id)
  from carrier_vehicle_type link join vehicle_type type on type.id = link."vehicleTypeId"
  where link."carrierCompanyId" = ${own}
), '[]')`.as('vehicleTypes')

/** A row `author` of who typed the IBAN of an account on the invoice from which it was taken, as far as is known. */
export const typedOn = (invoiceId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(author.how = 'invoice' and (author."invoiceId" is null or author."invoiceId" = ${invoiceId}))`

/** A carrier with everything that belongs to it. */
export const carrierCompanyView = (rows: AnyQuery, ctx: Ctx): AnyQuery =>
  rows.selectAll('carrier_company').select((eb) => [
    vehicleTypes(ctx),
    jsonObjectFrom(
      eb
        .selectFrom('country')
        .select(['country.id', shownTitle(ctx.language, 'country').as('title')])
        .whereRef('country.id', '=', 'carrier_company.countryId'),
    ).as('country'),
    sql`(select jsonb_build_object('id', country.id, 'title', ${shownTitle(ctx.language, 'country')}) from country
      where country.id = (carrier_company."billingAddress" ->> 'countryId')::bigint)`.as('billingCountry'),
    jsonArrayFrom(
      eb
        .selectFrom('driver')
        .select(['driver.id', 'driver.fullName', 'driver.phone', 'driver.email', 'driver.plateNumber'])
        .whereRef('driver.carrierCompanyId', '=', 'carrier_company.id')
        .orderBy('driver.position'),
    ).as('drivers'),
    jsonArrayFrom(
      eb
        .selectFrom('carrier_contact as contact')
        .select(['contact.id', 'contact.fullName', 'contact.phone', 'contact.email', 'contact.jobTitle as position'])
        .whereRef('contact.carrierCompanyId', '=', 'carrier_company.id')
        .orderBy('contact.position'),
    ).as('contactPersons'),
    jsonArrayFrom(
      eb
        .selectFrom('carrier_bank_account as bank')
        .select(['bank.id', 'bank.bankName', 'bank.iban', 'bank.bic', 'bank.source', 'bank.sourceInvoiceId'])
        .select(['bank.enteredById', 'bank.enteredAt', 'bank.confirmedById', 'bank.confirmedAt'])
        .select((account) => [
          jsonObjectFrom(
            account
              .selectFrom('user as one')
              .select(['one.id', 'one.fullName as title'])
              .whereRef('one.id', '=', 'bank.enteredById'),
          ).as('enteredBy'),
          jsonObjectFrom(
            account
              .selectFrom('user as other')
              .select(['other.id', 'other.fullName as title'])
              .whereRef('other.id', '=', 'bank.confirmedById'),
          ).as('confirmedBy'),
          jsonObjectFrom(
            account
              .selectFrom('invoice')
              .select(['invoice.id', sql<string>`coalesce(invoice.number, invoice."innerNumber")`.as('title')])
              .whereRef('invoice.id', '=', 'bank.sourceInvoiceId'),
          ).as('sourceInvoice'),
          sql`coalesce((select json_agg(json_build_object('id', one.id, 'title', one."fullName") order by one.id)
            from "user" one where bank."sourceInvoiceId" is not null and one.id in (
              select author."userId" from carrier_iban_author author
                where author."carrierCompanyId" = bank."carrierCompanyId" and author.iban = bank.iban
                  and ${typedOn(sql.ref('bank.sourceInvoiceId'))} and author.at <= bank."enteredAt")), '[]')`.as(
            'typedBy',
          ),
        ])
        .whereRef('bank.carrierCompanyId', '=', 'carrier_company.id')
        .orderBy('bank.position'),
    ).as('bankAccounts'),
    sql`array(select link."vehicleTypeId" from carrier_vehicle_type link
      where link."carrierCompanyId" = carrier_company.id order by 1)`.as('vehicleTypeIds'),
  ])

/** One line of the carriers list. */
export const carrierCompanyRow = (ctx: Ctx, rows: AnyQuery): AnyQuery =>
  rows.selectAll('carrier_company').select((eb) => [
    vehicleTypes(ctx),
    jsonObjectFrom(
      eb
        .selectFrom('country')
        .select(['country.id', shownTitle(ctx.language, 'country').as('title')])
        .whereRef('country.id', '=', 'carrier_company.countryId'),
    ).as('country'),
    documentWarning(ctx, 'carrierCompany', own).as('documentWarning'),
    sql`carrier_company."blockedReason" is not null`.as('isBlocked'),
  ])

/** What a select box says of a carrier beside its title. */
export const carrierCompanyOption = (rows: AnyQuery, ctx: Ctx): AnyQuery =>
  rows.select([
    sql<string | null>`nullif(concat_ws(', ', carrier_company.city, carrier_company."vatNumber"), '')`.as('detail'),
    documentWarning(ctx, 'carrierCompany', own).as('warning'),
  ])

/** The list's own filters. */
export const CARRIER_FILTERS: OwnFilters<typeof carrierCompanyApi> = {
  countryId: (_ctx, ids) => sql<boolean>`carrier_company."countryId" = any(${ids}::bigint[])`,
  vehicleTypeId: (_ctx, ids) =>
    sql<boolean>`exists (select 1 from carrier_vehicle_type link
      where link."carrierCompanyId" = carrier_company.id and link."vehicleTypeId" = any(${ids}::bigint[]))`,
  documentWarning: (ctx, warnings) => sql<boolean>`${own} in ${ownersWarned(ctx, 'carrierCompany', warnings)}`,
}

/** What order entry needs of a carrier (domain, People and rights). */
export async function carrierForOrder(ctx: Ctx, id: number): Promise<CarrierForOrder> {
  const row = await ctx.db
    .selectFrom('carrier_company as carrier')
    .innerJoin('country', 'country.id', 'carrier.countryId')
    .select([
      'carrier.id',
      'carrier.title',
      'carrier.language',
      'country.code as countryCode',
      'carrier.warnings',
      'carrier.paymentPeriodDays',
    ])
    .select((eb) => [
      jsonArrayFrom(
        eb
          .selectFrom('driver')
          .select(['driver.id', 'driver.fullName', 'driver.phone', 'driver.email', 'driver.plateNumber'])
          .whereRef('driver.carrierCompanyId', '=', 'carrier.id')
          .orderBy('driver.position'),
      ).as('drivers'),
      jsonArrayFrom(
        eb
          .selectFrom('carrier_vehicle_type as link')
          .innerJoin('vehicle_type', 'vehicle_type.id', 'link.vehicleTypeId')
          .select(['vehicle_type.id', shownTitle(ctx.language, 'vehicle_type').as('title')])
          .whereRef('link.carrierCompanyId', '=', 'carrier.id')
          .orderBy(shownTitle(ctx.language, 'vehicle_type')),
      ).as('vehicleTypes'),
      jsonArrayFrom(
        eb
          .selectFrom('carrier_contact as contact')
          .select(['contact.id', 'contact.fullName', 'contact.phone', 'contact.email', 'contact.jobTitle as position'])
          .whereRef('contact.carrierCompanyId', '=', 'carrier.id')
          .orderBy('contact.position'),
      ).as('dispatchContacts'),
    ])
    .where('carrier.id', '=', id)
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row
}
