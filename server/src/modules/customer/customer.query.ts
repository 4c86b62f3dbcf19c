import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { CustomerForOrder } from '@waybill/contract/customer'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import './customer.table.ts'

/**
 * What order entry needs of a customer (domain, People and rights). The customer is billed itself until an order says
 * otherwise.
 */
export async function customerForOrder(ctx: Ctx, id: number): Promise<CustomerForOrder> {
  const row = await ctx.db
    .selectFrom('customer')
    .innerJoin('country', 'country.id', 'customer.countryId')
    .select([
      'customer.id',
      'customer.title',
      'customer.language',
      'customer.address',
      'customer.countryId',
      'country.code as countryCode',
      'customer.postal',
      'customer.city',
      'customer.paymentPeriodDays',
      'customer.paymentOption',
      'customer.chargeableKgPerM3',
      'customer.chargeableKgPerLdm',
      sql<boolean>`customer."creditLimitCents" is not null`.as('hasCreditLimit'),
      'customer.warnings',
      'customer.specialInstructions',
      'customer.emailPreferences',
      sql<{ id: number; title: string }>`jsonb_build_object('id', customer.id, 'title', customer.title)`.as(
        'billingCustomer',
      ),
    ])
    .select((eb) => [
      jsonArrayFrom(
        eb
          .selectFrom('contact_person as person')
          .select([
            'person.id',
            'person.fullName',
            'person.email',
            sql<string | null>`coalesce(person.phone, person.mobile)`.as('phone'),
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
    ])
    .where('customer.id', '=', id)
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row
}
