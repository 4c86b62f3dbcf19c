import { describe, expect, it } from 'vitest'
import { catalogueOf } from './catalogue.ts'

const groupOf = (group: string) => (group === 'firstLoading' ? 'First loading' : group)
const catalogue = catalogueOf({ type: 'driver_information', variant: 'first' }, 'en', groupOf)

describe('the catalogue of fields', () => {
  it('holds what this mail may speak of, and calls like names apart', () => {
    expect(catalogue.isKnown('carrier.cost')).toBe(false)
    expect(catalogue.labelOf('driver.plate')).toBe('Plate')
    expect(catalogue.labelOf('firstLoading.date')).toBe('First loading, date')
    expect(catalogue.labelOf('customer.vatNumber')).not.toMatch(/, vAT/)
    expect(catalogue.labelOf('order.costumerRef')).toBe('order.costumerRef')
    expect(new Set(catalogue.fields.map(({ label }) => label)).size).toBe(catalogue.fields.length)
  })

  it('finds a field by its name in any of the three languages, what begins so first', () => {
    expect(catalogue.find('pla')[0]!.label).toMatch(/^Pla/)
    for (const words of ['Kennzeichen', 'rejestracyjny', 'plate', 'driver.plate'])
      expect(catalogue.find(words).map(({ key }) => key)).toContain('driver.plate')
    expect(catalogue.find('zzz')).toEqual([])
    expect(catalogue.find('')).toHaveLength(catalogue.fields.length)
  })

  it('knows which field was meant', () => {
    expect(catalogue.nearest('order.costumerOrderNumber')?.key).toBe('order.customerOrderNumber')
    expect(catalogue.nearest('driver.plat')?.key).toBe('driver.plate')
    expect(catalogue.nearest('xyz.qqqqqqqq')).toBeNull()
  })
})
