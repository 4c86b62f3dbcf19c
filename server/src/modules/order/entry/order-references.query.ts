import { sql, type RawBuilder } from 'kysely'
import type { Order, OrderWrite } from '@waybill/contract/order/order'
import { nowOf, type Ctx } from '../../../kit/context/context.ts'
import { fieldError } from '../../../kit/context/errors.ts'
import { checkReferences, type ReferenceCheck } from '../../../kit/records/references.ts'
import type { SaveFacts } from '../order.rules.ts'

/** Every record that the bodies name must exist: one statement. Error: `validation` with each wrong path. */
export const checkOrderReferences = (ctx: Ctx, bodies: readonly OrderWrite[]): Promise<void> =>
  checkReferences(ctx, bodies.flatMap(referencesOf))

function referencesOf(body: OrderWrite): ReferenceCheck[] {
  const each = (path: string, table: ReferenceCheck['table'], ids: readonly number[]): ReferenceCheck[] =>
    ids.map((id, index) => ({ path: `${path}.${index}`, table, id }))
  return [
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
  ]
}

interface FactsFound {
  departments: { id: number; companyId: number; timeZone: string }[]
  countries: { id: number; code: string; timeZone: string }[]
  contacts: { id: number; customerId: number }[]
  drivers: { id: number; carrierCompanyId: number }[]
  lastRouteN: number | null
}

const oneOf = (ids: readonly (number | null)[]) => [...new Set(ids.filter((id) => id !== null))]

/**
 * What the rules must know of the records that each of the bodies names, and of the order's own past where one is
 * changed: one statement. They are known to exist.
 */
export async function factsOf(ctx: Ctx, bodies: readonly OrderWrite[], before: Order | null): Promise<SaveFacts[]> {
  const now = nowOf(ctx)
  const countryIds = oneOf(bodies.flatMap((body) => body.locations.map((stop) => stop.countryId)))
  const driverIds = oneOf(
    bodies.flatMap((body) =>
      body.routes.flatMap(({ assignment }) => (assignment && !assignment.ownFleet ? assignment.driverIds : [])),
    ),
  )
  const listOf = (columns: RawBuilder<unknown>, rest: RawBuilder<unknown>) =>
    sql`coalesce((select json_agg(json_build_object(${columns})) from ${rest}), '[]')`
  const { rows } = await sql<FactsFound>`
    select ${listOf(
      sql`'id', d.id, 'companyId', c.id, 'timeZone', c."timeZone"`,
      sql`department d join company c on c.id = d."companyId"
        where d.id = any(${oneOf(bodies.map(({ departmentId }) => departmentId))}::bigint[])`,
    )} as departments,
      ${listOf(
        sql`'id', k.id, 'code', k.code, 'timeZone', k."timeZone"`,
        sql`country k where k.id = any(${countryIds}::bigint[])`,
      )} as countries,
      ${listOf(
        sql`'id', p.id, 'customerId', p."customerId"`,
        sql`contact_person p
          where p.id = any(${oneOf(bodies.map(({ contactPersonId }) => contactPersonId))}::bigint[])`,
      )} as contacts,
      ${listOf(
        sql`'id', d.id, 'carrierCompanyId', d."carrierCompanyId"`,
        sql`driver d where d.id = any(${driverIds}::bigint[])`,
      )} as drivers,
      (select o."lastRouteN" from "order" o where o.id = ${before?.id ?? null}::bigint) as "lastRouteN"
  `.execute(ctx.db)
  const found = rows[0]!
  const departments = new Map(found.departments.map((department) => [department.id, department]))
  // Under the company filter the departments of others do not exist.
  if (ctx.companyFilter !== null && found.departments.some(({ companyId }) => companyId !== ctx.companyFilter))
    throw fieldError('departmentId', 'unknown_reference')
  const customerOfContact = new Map(found.contacts.map((contact) => [contact.id, contact.customerId]))
  const shared = {
    countries: new Map(found.countries.map((country) => [country.id, country])),
    carrierOfDriver: new Map(found.drivers.map((driver) => [driver.id, driver.carrierCompanyId])),
    lastRouteN: found.lastRouteN ?? 0,
    now,
    createdAt: before?.createdAt ?? now,
  }
  return bodies.map(({ departmentId, contactPersonId }) => ({
    ...shared,
    timeZone: departments.get(departmentId)!.timeZone,
    contactCustomerId: contactPersonId === null ? null : (customerOfContact.get(contactPersonId) ?? null),
  }))
}
