import { CustomerWrite } from '@waybill/contract/customer'
import { describe, expect, test } from 'vitest'
import {
  changesBetween,
  isSame,
  mergeValues,
  pathBefore,
  patchOf,
  settleClashes,
  withStoredIds,
  withValueAt,
  writableOf,
  valueBefore,
} from './values.ts'

interface Line {
  id?: number
  key?: string
  text: string
  kg?: number | null
}

const line = (id: number, text: string, kg: number | null = null): Line => ({ id, text, kg })

describe('the same to a person', () => {
  test.each([
    [null, ''],
    [undefined, null],
    [Number.NaN, Number.NaN],
    [{ a: 1, b: null }, { a: 1 }],
    [[{ a: '' }], [{ a: null }]],
  ])('are %j and %j', (a, b) => {
    expect(isSame(a, b)).toBe(true)
  })

  test.each([
    [0, null],
    [false, null],
    [
      [1, 2],
      [2, 1],
    ],
    [[], [null]],
    ['a', 'a '],
  ])('are not %j and %j', (a, b) => {
    expect(isSame(a, b)).toBe(false)
  })
})

test('of a view only what may be written goes into the form, children included', () => {
  const view = {
    id: 7,
    version: 3,
    title: 'Kröger',
    createdAt: 'x',
    country: { id: 1, title: 'DE' },
    countryId: 1,
    contactPersons: [{ id: 4, fullName: 'A', age: 9 }],
  }
  expect(writableOf(CustomerWrite, view)).toEqual({
    title: 'Kröger',
    countryId: 1,
    contactPersons: [{ id: 4, fullName: 'A' }],
  })
})

describe('changes', () => {
  const before = { title: 'a', lines: [line(1, 'one'), line(2, 'two')], due: { kind: 'fix', from: 1 }, ids: [1, 2] }

  test('that were taken back are none', () => {
    expect(changesBetween(before, { ...structuredClone(before), title: 'a' })).toEqual([])
  })

  test.each<[string, object, string[]]>([
    ['a field', { title: 'b' }, ['title changed']],
    ['an emptied field', { title: '' }, ['title removed']],
    [
      'a field of a child',
      { lines: [line(1, 'one'), line(2, 'zwei', 5)] },
      ['lines.1.text changed', 'lines.1.kg added'],
    ],
    ['a new child', { lines: [line(1, 'one'), { key: 'x', text: 'new' }, line(2, 'two')] }, ['lines.1 added']],
    ['a child less', { lines: [line(2, 'two')] }, ['lines.0 removed']],
    ['another order', { lines: [line(2, 'two'), line(1, 'one')] }, ['lines changed']],
    ['an object that counts as one', { due: { kind: 'before', from: 2 } }, ['due changed']],
    ['a list of plain values', { ids: [1] }, ['ids changed']],
  ])('name %s', (_, change, paths) => {
    expect(
      changesBetween(before, { ...before, ...change }, ['due']).map(({ path, kind }) => `${path} ${kind}`),
    ).toEqual(paths)
  })

  test('travel as their top-level fields', () => {
    expect(patchOf(before, { ...before, lines: [line(1, 'one')], title: 'a' })).toEqual({ lines: [line(1, 'one')] })
  })
})

describe('two people’s changes', () => {
  const base = { title: 'a', note: 'n', lines: [line(1, 'one', 1), line(2, 'two', 2)], ids: [1, 2] }

  test('of different fields are both kept', () => {
    const mine = {
      ...base,
      title: 'mine',
      lines: [line(1, 'one', 10), line(2, 'two', 2), { key: 'x', text: 'my new' }],
      ids: [1, 2, 3],
    }
    const theirs = {
      ...base,
      note: 'theirs',
      lines: [line(1, 'eins', 1), line(2, 'two', 2), line(3, 'their new')],
      ids: [2],
    }
    const { values, clashes } = mergeValues<object>(base, mine, theirs)
    expect(clashes).toEqual([])
    expect(values).toEqual({
      title: 'mine',
      note: 'theirs',
      lines: [line(1, 'eins', 10), line(2, 'two', 2), { key: 'x', text: 'my new' }, line(3, 'their new')],
      ids: [2, 3],
    })
  })

  test('of the same field clash, unless they are alike', () => {
    const { values, clashes } = mergeValues(
      base,
      { ...base, title: 'x', note: 'same' },
      { ...base, title: 'y', note: 'same' },
    )
    expect(clashes).toEqual([{ path: 'title', base: 'a', mine: 'x', theirs: 'y' }])
    expect(values.title).toBe('x')
    expect(settleClashes(values, clashes, () => true).title).toBe('y')
  })

  test('clash where one removes what the other works on, either way', () => {
    const lines = [line(2, 'two', 2)]
    const worked = [line(1, 'worked', 1), line(2, 'two', 2)]
    const iRemoved = mergeValues(base, { ...base, lines }, { ...base, lines: worked })
    expect(iRemoved.clashes).toEqual([
      { path: 'lines.0', base: line(1, 'one', 1), mine: null, theirs: line(1, 'worked', 1) },
    ])
    expect(settleClashes(iRemoved.values, iRemoved.clashes, () => false).lines).toEqual(lines)
    expect(settleClashes(iRemoved.values, iRemoved.clashes, () => true).lines).toEqual(worked)
    const theyRemoved = mergeValues(base, { ...base, lines: worked }, { ...base, lines })
    expect(settleClashes(theyRemoved.values, theyRemoved.clashes, () => true).lines).toEqual(lines)
    const [restored] = settleClashes(theyRemoved.values, theyRemoved.clashes, () => false).lines as Line[]
    expect(restored).toMatchObject({ id: undefined, text: 'worked', key: expect.any(String) })
  })

  test('a removal that nobody else touched stands', () => {
    const lines = [line(2, 'two', 2)]
    expect(mergeValues(base, { ...base, lines }, { ...base, title: 't' })).toEqual({
      values: { ...base, lines, title: 't' },
      clashes: [],
    })
    expect(mergeValues(base, { ...base, title: 't' }, { ...base, lines })).toEqual({
      values: { ...base, lines, title: 't' },
      clashes: [],
    })
  })
})

test('what was typed while a save was under way keeps its place when ids arrive', () => {
  const submitted = {
    lines: [line(1, 'one'), { key: 'k', text: 'new' }],
    legs: [{ lineIds: [1], lineKeys: ['k'], actions: [{ lineKey: 'k' }] }],
  }
  const saved = { lines: [line(1, 'one'), line(9, 'new')], legs: [{ id: 3 }] }
  const typed = withValueAt(submitted, 'lines.1.text', 'new!')
  expect(withStoredIds(typed, submitted, saved)).toEqual({
    lines: [line(1, 'one'), { id: 9, text: 'new!' }],
    legs: [{ lineIds: [1, 9], lineKeys: [], actions: [{ lineId: 9 }] }],
  })
})

test('a path of tidied values is found among those that were given, by id, by key or by place', () => {
  const given = { stops: [{ key: 'a' }, { id: 7, parts: [{ key: 'x' }, { key: 'y' }] }, { key: 'c' }], list: [1, 2] }
  const tidied = { stops: [{ id: 7, parts: [{ key: 'y' }] }, { key: 'c' }], list: [1, 2] }
  expect(pathBefore('stops.0.parts.0.city', given, tidied)).toBe('stops.1.parts.1.city')
  expect(pathBefore('stops.1.termin.timeFrom', given, tidied)).toBe('stops.2.termin.timeFrom')
  expect(pathBefore('stops.5.city', given, tidied)).toBe('stops.5.city')
  expect(pathBefore('list.1', given, tidied)).toBe('list.1')
  expect(pathBefore('customerIds', given, tidied)).toBe('customerIds')
})

test('finds what stood in a child before wherever the child stands now, and nothing for one that was added', () => {
  const before = {
    stops: [
      { id: 1, city: 'Kiel' },
      { id: 2, city: 'Ulm' },
    ],
    note: 'a',
  }
  const now = {
    stops: [
      { key: 'n', city: 'Graz' },
      { id: 2, city: 'Ulm' },
    ],
    note: 'b',
  }
  expect(valueBefore(before, now, 'stops.1.city')).toEqual({ value: 'Ulm', isAdded: false })
  expect(valueBefore(before, now, 'stops.0.city')).toEqual({ value: undefined, isAdded: true })
  expect(valueBefore(before, now, 'note')).toEqual({ value: 'a', isAdded: false })
})
