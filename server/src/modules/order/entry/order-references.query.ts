import { sql } from 'kysely'
import type { Order, OrderWrite } from '@waybill/contract/order/order'
import { nowOf, type Ctx } from '../../../kit/context/context.ts'
import { fieldError } from '../../../kit/context/errors.ts'
import { checkReferences, type ReferenceCheck } from '../../../kit/records/references.ts'
import type { SaveFacts } from '../order.rules.ts'

/** Every record that the body names must exist: one statement. Error: `validation` with each wrong path. */
export function checkOrderReferences(ctx: Ctx, body: OrderWrite): Promise<void> {
  const each = (path: string, table: ReferenceCheck['table'], ids: readonly number[]): ReferenceCheck[] =>
    ids.map((id, index) => ({ path: `${path}.${index}`, table, id }))
  return checkReferences(ctx, [
    { path: 'departmentId', table: 'department', id: body.departmentId },
    { path: 'contactPersonId', table: 'contact_person', id: body.contactPersonId },
    { path: 'billingCustomerId', table: 'customer', id: body.billingCustomerId },
    { path: 'caseWorkerId', table: 'user', id: body.caseWorkerId },
    { path: 'vehicleTypeId', table: 'vehicle_type', id: body.vehicleTypeId },
    ...each('customerIds', 'customer', body.customerIds),
    ...each('managerIds', 'user', body.managerIds),
    ...body.cargo.flatMap((line, index) => [
      { path: `cargo.${index}.customerId`, table: 'customer' as const, id: line.customerId },
      { path: `cargo.${index}.cargoTypeId`, table: 'cargo_type' as const, id: line.cargoTypeId },
      { path: `cargo.${index}.unitTypeId`, table: 'unit_type' as const, id: line.unitTypeId },
      ...each(`cargo.${index}.specialHandlingTypeIds`, 'special_handling_type', line.specialHandlingTypeIds),
    ]),
    ...body.locations.map((stop, index) => ({
      path: `locations.${index}.countryId`,
      table: 'country' as const,
      id: stop.countryId,
    })),
    ...body.routes.flatMap(({ assignment }, index) =>
      assignment === null
        ? []
        : [
            {
              path: `routes.${index}.assignment.carrierCompanyId`,
              table: 'carrier_company' as const,
              id: assignment.carrierCompanyId,
            },
            {
              path: `routes.${index}.assignment.vehicleTypeId`,
              table: 'vehicle_type' as const,
              id: assignment.vehicleTypeId,
            },
            ...each(
              `routes.${index}.assignment.driverIds`,
              assignment.ownFleet ? 'user' : 'driver',
              assignment.driverIds,
            ),
          ],
    ),
  ])
}

interface FactsFound {
  companyId: number
  timeZone: string
  countries: { id: number; code: string; timeZone: string }[]
  contactCustomerId: number | null
  drivers: { id: number; carrierCompanyId: number }[]
  lastRouteN: number | null
}

/**
 * What the rules must know of the records that a body names, and of the order's own past: one statement. They are
 * known to exist.
 */
export async function factsOf(ctx: Ctx, body: OrderWrite, before: Order | null): Promise<SaveFacts> {
  const now = nowOf(ctx)
  const countryIds = [...new Set(body.locations.map((stop) => stop.countryId))]
  const driverIds = body.routes.flatMap(({ assignment }) =>
    assignment && !assignment.ownFleet ? assignment.driverIds : [],
  )
  const { rows } = await sql<FactsFound>`
    select c.id as "companyId", c."timeZone",
      coalesce((select json_agg(json_build_object('id', k.id, 'code', k.code, 'timeZone', k."timeZone"))
        from country k where k.id = any(${countryIds}::bigint[])), '[]') as countries,
      (select p."customerId" from contact_person p where p.id = ${body.contactPersonId}::bigint) as "contactCustomerId",
      coalesce((select json_agg(json_build_object('id', d.id, 'carrierCompanyId', d."carrierCompanyId")) from driver d
        where d.id = any(${driverIds}::bigint[])), '[]') as drivers,
      (select o."lastRouteN" from "order" o where o.id = ${before?.id ?? null}::bigint) as "lastRouteN"
    from department d join company c on c.id = d."companyId" where d.id = ${body.departmentId}
  `.execute(ctx.db)
  const found = rows[0]!
  // Under the company filter the departments of others do not exist.
  if (ctx.companyFilter !== null && found.companyId !== ctx.companyFilter)
    throw fieldError('departmentId', 'unknown_reference')
  return {
    timeZone: found.timeZone,
    countries: new Map(found.countries.map((country) => [country.id, country])),
    contactCustomerId: found.contactCustomerId,
    carrierOfDriver: new Map(found.drivers.map((driver) => [driver.id, driver.carrierCompanyId])),
    lastRouteN: found.lastRouteN ?? 0,
    now,
    createdAt: before?.createdAt ?? now,
  }
}
