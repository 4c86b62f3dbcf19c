import { describe, expect, it } from 'vitest'
import { isDerivedOrderField, NOT_HISTORY } from './derived.ts'
import { CHANGING_BY_ITSELF, OrderWrite } from './order.ts'

describe('the fields of an order that nobody writes', () => {
  it.each([
    'version',
    'delay',
    'statusDates.new',
    'customers.3.title',
    'marginWarningBp',
    'cargo.4.isLdmCalculated',
    'cargo.4.sourceOrder',
    'locations.12.countryCode',
    'locations.12.position',
    'routes.5.status',
    'routes.5.statusDates.scheduled',
    'routes.5.assignment.totalCents',
    'routes.0.assignment.unloadedAt',
  ])('are derived: %s', (path) => expect(isDerivedOrderField(path)).toBe(true))

  it.each([
    'status',
    'customerIds',
    'managerIds',
    'customerPriceCents',
    'cargo.4',
    'cargo.4.ldm',
    'locations.12',
    'locations.12.arrivedAt',
    'locations.12.reference',
    'routes.5',
    'routes.5.assignment',
    'routes.5.assignment.costCents',
    'routes.5.customerPriceCents',
  ])('are not: %s', (path) => expect(isDerivedOrderField(path)).toBe(false))

  it('are none that a save takes', () => {
    const written = Object.keys(OrderWrite.shape)
    expect(NOT_HISTORY.filter((field) => written.includes(field))).toEqual([])
    expect(CHANGING_BY_ITSELF.filter((field) => !NOT_HISTORY.includes(field))).toEqual([])
  })
})
