import { describe, expect, test } from 'vitest'
import { scaleOf } from './chart-scale.ts'
import { backTo, closer, listAddress, queryOf, readReport, writeReport } from './report-address.ts'

const plain = readReport({}, '2026-11')

describe('the address of the report', () => {
  test('what it does not understand is passed over', () => {
    expect(
      readReport(
        { by: 'colour', from: '2026-13', to: 'soon', basis: 'dreamt', department: '-1', at: ['x', 'lane'] },
        '2026-11',
      ),
    ).toEqual(plain)
    expect(readReport({ from: '2026-05', to: '2026-02' }, '2026-11')).toEqual(plain)
    expect(readReport({ from: '2010-05', to: '2026-02' }, '2026-11')).toEqual(plain)
    expect(readReport({ at: 'customer:me' }, '2026-11').steps).toEqual([])
    expect(readReport({ at: 'month:2026-00' }, '2026-11').steps).toEqual([])
    expect(plain).toMatchObject({ by: 'customer', from: '2026-01', to: '2026-11', basis: 'agreed', steps: [] })
  })

  test('what is written is read again', () => {
    const view = closer(closer({ ...plain, from: '2026-03', basis: 'actual', departmentId: 4 }, '12'), 'DE 20>PL 60')
    expect(view).toMatchObject({ by: 'carrier' })
    expect(readReport(writeReport(view), '2026-11')).toEqual(view)
  })

  test('one step back is grouped by what was opened there', () => {
    const view = closer(closer(plain, '12'), 'DE 20>PL 60')
    expect(backTo(view, 1)).toEqual(closer(plain, '12'))
    expect(backTo(view, 0)).toEqual(plain)
  })

  test('a month that is opened stands for the period, for the server and in the list', () => {
    const view = closer({ ...plain, by: 'month' }, '2024-02')
    expect(queryOf(view)).toMatchObject({ by: 'lane', from: '2024-02', to: '2024-02' })
    expect(listAddress(view)).toMatchObject({ lastUnloading: { from: '2024-02-01', to: '2024-02-29' } })
  })
})

test('the list is asked for what it has a filter for, and for nothing else', () => {
  const view = closer(closer({ ...plain, departmentId: 4 }, '12'), 'DE 20>PL 60')
  expect(listAddress(view, 'loss')).toEqual({
    status: ['new', 'scheduled', 'in_transit', 'arrived', 'delivered', 'completed'],
    lastUnloading: { from: '2026-01-01', to: '2026-11-30' },
    customerId: ['12'],
    lane: 'DE 20>PL 60',
    departmentId: ['4'],
    money: ['loss'],
  })
  expect(listAddress(closer({ ...plain, by: 'carrier' }, 'several'))).toBeNull()
  expect(listAddress(closer({ ...plain, by: 'lane' }, 'none'))).toBeNull()
})

describe('the axis of the chart', () => {
  test('has round lines that hold every amount, above zero and below', () => {
    for (const amounts of [[], [0], [123_456_78], [-5_000_00, 17_000_00], [-1], [99_99, 3]]) {
      const { least, most, lines } = scaleOf(amounts)
      expect(lines.length).toBeGreaterThan(1)
      expect(lines.length).toBeLessThan(8)
      expect(lines).toContain(0)
      for (const amount of amounts) expect(amount >= least && amount <= most, `${amounts}`).toBe(true)
    }
  })

  test('counts in thousands once its lines are that far apart', () => {
    expect(scaleOf([20_000_00]).unit).toBe(1000)
    expect(scaleOf([900_00]).unit).toBe(1)
  })
})
