import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { CarrierForOrder } from '@waybill/contract/carrier-company'
import type { Ctx } from '../../kit/context.ts'
import { AppError } from '../../kit/errors.ts'
import './carrier-company.table.ts'

/** What order entry needs of a carrier (domain, People and rights). */
export async function carrierForOrder(ctx: Ctx, id: number): Promise<CarrierForOrder> {
  const row = await ctx.db
    .selectFrom('carrier_company as carrier')
    .innerJoin('country', 'country.id', 'carrier.countryId')
    .select(['carrier.id', 'carrier.title', 'carrier.language', 'country.code as countryCode', 'carrier.warnings'])
    .select((eb) => [
      jsonArrayFrom(
        eb.selectFrom('driver').select(['driver.id', 'driver.fullName', 'driver.phone', 'driver.email', 'driver.plateNumber']).whereRef('driver.carrierCompanyId', '=', 'carrier.id').orderBy('driver.position'),
      ).as('drivers'),
      jsonArrayFrom(
        eb
          .selectFrom('carrier_vehicle_type as link')
          .innerJoin('vehicle_type', 'vehicle_type.id', 'link.vehicleTypeId')
          .select(['vehicle_type.id', 'vehicle_type.title'])
          .whereRef('link.carrierCompanyId', '=', 'carrier.id')
          .orderBy('vehicle_type.title'),
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
