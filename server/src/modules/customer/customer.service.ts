import { sql } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import { customerApi, type Customer } from '@waybill/contract/customer'
import { LEITWEG_SCHEME } from '@waybill/contract/e-invoice/address-schemes'
import { isLeitwegId } from '@waybill/contract/e-invoice/leitweg-id'
import type { WriteOf } from '@waybill/contract/kit/resource'
import { childrenOf, saveChildren } from '../../kit/records/children.ts'
import { createMany } from '../../kit/records/create-many.ts'
import { nowOf, tell, type Ctx } from '../../kit/context/context.ts'
import { fieldError } from '../../kit/context/errors.ts'
import { checkReferences } from '../../kit/records/references.ts'
import { tableService } from '../../kit/records/table-service.ts'
import { shownTitle } from '../../kit/records/titles.ts'
import {
  checkAddressScheme,
  checkVatNumber,
  vatNumberShape,
  viesNumber,
  withNormalVatNumber,
} from '../partner/index.ts'
import './customer.table.ts'

declare module '../../kit/context/events.ts' {
  interface Events {
    'customer.changed': { customerId: number }
  }
}

type Body = WriteOf<typeof customerApi>
type Stored = Omit<Customer, 'vatNumberShape' | 'isVatCheckable'>

type Rows = Parameters<NonNullable<Parameters<typeof tableService<typeof customerApi>>[0]['select']>>[0]

const withReferences = (rows: Rows, ctx: Ctx): Rows =>
  rows.selectAll('customer').select((eb) => [
    jsonObjectFrom(
      eb
        .selectFrom('country')
        .select(['country.id', shownTitle(ctx.language, 'country').as('title')])
        .whereRef('country.id', '=', 'customer.countryId'),
    ).as('country'),
    jsonObjectFrom(
      eb
        .selectFrom('user as responsible')
        .select(['responsible.id', 'responsible.fullName as title'])
        .whereRef('responsible.id', '=', 'customer.responsibleUserId'),
    ).as('responsibleUser'),
  ])

const plainColumnsOf = ({ contactPersons: _contacts, pickupLocations: _places, ...columns }: Body) => columns

function columnsOf(body: Body, before: Stored | null) {
  const columns = plainColumnsOf(body)
  const isSameNumber = before?.vatNumber === body.vatNumber && before?.countryId === body.countryId
  return {
    ...columns,
    // What the register said, it said of another number.
    ...(before === null || isSameNumber ? {} : { vatCheck: null }),
    emailPreferences: JSON.stringify(columns.emailPreferences),
    skonto: JSON.stringify(columns.skonto),
    billingAddress: columns.billingAddress === null ? null : JSON.stringify(columns.billingAddress),
  }
}

async function check(ctx: Ctx, body: Body, before: Stored | null): Promise<void> {
  await checkReferences(ctx, [
    { path: 'countryId', table: 'country', id: body.countryId },
    { path: 'responsibleUserId', table: 'user', id: body.responsibleUserId },
    { path: 'billingAddress.countryId', table: 'country', id: body.billingAddress?.countryId },
    ...body.contactPersons.map((person, index) => ({
      path: `contactPersons.${index}.salutationId`,
      table: 'salutation' as const,
      id: person.salutationId,
    })),
    ...body.pickupLocations.map((place, index) => ({
      path: `pickupLocations.${index}.countryId`,
      table: 'country' as const,
      id: place.countryId,
    })),
  ])
  await checkVatNumber(ctx, body, before)
  checkAddressScheme(body)
  if (body.eInvoiceScheme === LEITWEG_SCHEME && body.eInvoiceAddress !== null && !isLeitwegId(body.eInvoiceAddress))
    throw fieldError('eInvoiceAddress', 'invalid_leitweg_id')
}

const partsOf = ({ contactPersons, pickupLocations }: Body) => [
  childrenOf({
    table: 'contact_person',
    parent: 'customerId',
    path: 'contactPersons',
    columns: {
      salutationId: 'bigint',
      fullName: 'text',
      lastName: 'text',
      academicTitle: 'text',
      phone: 'text',
      mobile: 'text',
      email: 'text',
      jobTitle: 'text',
      language: 'text',
    },
    rows: contactPersons.map(({ position, ...person }) => ({ ...person, jobTitle: position })),
  }),
  childrenOf({
    table: 'pickup_location',
    parent: 'customerId',
    path: 'pickupLocations',
    columns: {
      companyTitle: 'text',
      address: 'text',
      postal: 'text',
      city: 'text',
      countryId: 'bigint',
      latitude: 'double precision',
      longitude: 'double precision',
      contactPerson: 'text',
      phone: 'text',
      comment: 'text',
    },
    rows: pickupLocations,
  }),
]

async function saveParts(ctx: Ctx, customerId: number, body: Body): Promise<void> {
  for (const part of partsOf(body)) await saveChildren(ctx, customerId, part)
}

const creation = (ctx: Ctx) => ({ creatorId: ctx.actor?.userId ?? null, createdAt: nowOf(ctx) })

/** Many at once, checked by the caller. */
export const createCustomers = (ctx: Ctx, bodies: readonly Body[]): Promise<void> =>
  createMany(
    ctx,
    { table: 'customer', parent: 'customerId', ownerKind: 'customer' },
    bodies.map((body) => ({ columns: { ...plainColumnsOf(body), ...creation(ctx) }, parts: partsOf(body) })),
  )

/**
 * The record as it is stored, and as it is shown:
 * with what is said of its VAT number, which hangs on the country's code.
 */
function read(ctx: Ctx, row: Record<string, unknown>): { stored: Stored; shown: Customer } {
  const { countryCode, ...stored } = row as Stored & { countryCode: string }
  const { vatNumber } = stored
  return {
    stored,
    shown: {
      ...stored,
      vatNumberShape: vatNumber === null ? null : vatNumberShape(vatNumber, countryCode),
      isVatCheckable: ctx.ports.vies !== null && vatNumber !== null && viesNumber(vatNumber, countryCode) !== null,
    },
  }
}

export const customerService = tableService<typeof customerApi, Stored>({
  api: customerApi,
  table: 'customer',
  title: 'title',
  compact: (rows) =>
    rows.select(sql<string | null>`nullif(concat_ws(', ', customer.city, customer."vatNumber"), '')`.as('detail')),
  sorts: {
    title: { column: 'customer.title', type: 'text' },
    city: { column: 'customer.city', type: 'text', isNullable: true },
    createdAt: { column: 'customer.createdAt', type: 'timestamptz' },
  },
  row: withReferences,
  select: (rows, ctx) =>
    withReferences(rows, ctx).select((eb) => [
      eb
        .selectFrom('country')
        .select('country.code')
        .whereRef('country.id', '=', 'customer.countryId')
        .as('countryCode'),
      jsonObjectFrom(
        eb
          .selectFrom('user as creator')
          .select(['creator.id', 'creator.fullName as title'])
          .whereRef('creator.id', '=', 'customer.creatorId'),
      ).as('creator'),
      jsonArrayFrom(
        eb
          .selectFrom('contact_person as person')
          .select([
            'person.id',
            'person.salutationId',
            'person.fullName',
            'person.lastName',
            'person.academicTitle',
            'person.phone',
            'person.mobile',
            'person.email',
            'person.jobTitle as position',
            'person.language',
          ])
          .whereRef('person.customerId', '=', 'customer.id')
          .orderBy('person.position'),
      ).as('contactPersons'),
      jsonArrayFrom(
        eb
          .selectFrom('pickup_location as place')
          .select([
            'place.id',
            'place.companyTitle',
            'place.address',
            'place.postal',
            'place.city',
            'place.countryId',
            'place.latitude',
            'place.longitude',
            'place.contactPerson',
            'place.phone',
            'place.comment',
          ])
          .whereRef('place.customerId', '=', 'customer.id')
          .orderBy('place.position'),
      ).as('pickupLocations'),
    ]),
  filters: {
    countryId: (_ctx, ids) => sql<boolean>`customer."countryId" = any(${ids}::bigint[])`,
    responsibleUserId: (_ctx, ids) => sql<boolean>`customer."responsibleUserId" = any(${ids}::bigint[])`,
  },
  onCreate: creation,
  prepare: withNormalVatNumber,
  check,
  columnsOf,
  saveChildren: saveParts,
  onUpdate: async (ctx, id, { before, after }) => {
    if (before.title !== after.title) await tell(ctx, { type: 'customer.changed', customerId: id })
  },
  read,
})
