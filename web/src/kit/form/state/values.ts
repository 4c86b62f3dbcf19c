import type { z } from 'zod'

/*
 * What a form holds, as a plain tree. Children carry an `id` once they are stored and a `key` before that (api, One
 * record), and are matched by it: a line that moved is not a line that changed.
 */

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const nothing = (value: unknown): boolean => value === undefined || value === null || value === ''

/** The same to a person: an empty text is nothing, and a figure that cannot be read equals itself. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b) || (nothing(a) && nothing(b))) return true
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]))
  if (!isObject(a) || !isObject(b)) return false
  for (const key in a) if (!isSame(a[key], b[key])) return false
  for (const key in b) if (!(key in a) && !nothing(b[key])) return false
  return true
}

/** What a form looks at in a shape. */
type Def =
  | { type: 'optional' | 'nullable' | 'default' | 'prefault'; innerType: z.ZodType }
  | { type: 'pipe'; in: z.ZodType }
  | { type: 'array'; element: z.ZodType }
  | { type: 'object'; shape: Readonly<Record<string, z.ZodType>> }
  | { type: 'other' }

/** Taken off transformations, defaults and the like, what a schema describes. */
function bare(schema: z.ZodType): Def {
  const def = schema.def as unknown as Def
  if ('innerType' in def) return bare(def.innerType)
  return def.type === 'pipe' ? bare(def.in) : def
}

/** The part of a view that its write schema takes, children included. */
export function writableOf<Write extends z.ZodObject>(write: Write, view: object): z.output<Write> {
  return pick(write, view) as z.output<Write>
}

function pick(schema: z.ZodType, value: unknown): unknown {
  const described = bare(schema)
  if (described.type === 'array' && Array.isArray(value)) return value.map((item) => pick(described.element, item))
  if (described.type !== 'object' || !isObject(value)) return value
  return Object.fromEntries(
    Object.entries(described.shape).flatMap(([key, field]) => (key in value ? [[key, pick(field, value[key])]] : [])),
  )
}

/** The value at a dotted path. */
export const valueAt = (tree: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((at, key) => (typeof at === 'object' && at !== null ? (at as Json)[key] : undefined), tree)

/** The tree with another value at a dotted path; what is not on the way stays the same object. */
export function withValueAt<Tree>(tree: Tree, path: string, value: unknown): Tree {
  const [key, ...rest] = path.split('.') as [string, ...string[]]
  const next =
    rest.length === 0
      ? value
      : withValueAt(isObject(tree) || Array.isArray(tree) ? (tree as Json)[key] : {}, rest.join('.'), value)
  if (Array.isArray(tree)) return Object.assign([...(tree as unknown[])], { [key]: next }) as Tree
  return { ...tree, [key]: next }
}

const names = (item: unknown): string[] =>
  isObject(item)
    ? [
        ...(item.id === undefined || item.id === null ? [] : [`id ${item.id as number}`]),
        ...(typeof item.key === 'string' ? [`key ${item.key}`] : []),
      ]
    : []
const isChildren = (list: unknown): list is Json[] =>
  Array.isArray(list) && list.length > 0 && list.every((item) => names(item).length > 0)

/** The child of a list that is the given one, by id or by key. */
export function sameChild<Child>(list: readonly Child[] | null | undefined, child: unknown): Child | undefined {
  const wanted = names(child)
  return list?.find((one) => names(one).some((name) => wanted.includes(name)))
}

/** Where a path of tidied values lies in those `before`: children are found by their id or key. */
export function pathBefore(path: string, before: unknown, tidied: unknown): string {
  let [was, is] = [before, tidied]
  const keys: string[] = []
  for (const key of path.split('.')) {
    const own: readonly unknown[] | null = Array.isArray(was) ? was : null
    const same = own === null ? undefined : sameChild(own, valueAt(is, key))
    const there = own === null || same === undefined ? key : String(own.indexOf(same))
    keys.push(there)
    was = valueAt(was, there)
    is = valueAt(is, key)
  }
  return keys.join('.')
}

/**
 * What stood at a path of the values before. Children are found by id or key, wherever they stand now; `isAdded` is
 * true below one that was not there, which is a change as a whole.
 */
export function valueBefore(before: unknown, now: unknown, path: string): { value: unknown; isAdded: boolean } {
  let [was, is] = [before, now]
  for (const key of path.split('.')) {
    const child = isObject(is) || Array.isArray(is) ? (is as Json)[key] : undefined
    if (Array.isArray(is) && names(child).length > 0) {
      was = sameChild(Array.isArray(was) ? was : null, child)
      if (was === undefined) return { value: undefined, isAdded: true }
    } else was = isObject(was) || Array.isArray(was) ? (was as Json)[key] : undefined
    is = child
  }
  return { value: was, isAdded: false }
}

export interface Change {
  /** dotted; indexes are those of the new values, of the old ones where a child is gone */
  path: string
  kind: 'changed' | 'added' | 'removed'
  from: unknown
  to: unknown
}

/**
 * What differs, field by field. `atoms` are names of objects that count as one field. It runs at every
 * key: each leaf is looked at once.
 */
export function changesBetween(before: unknown, after: unknown, atoms: readonly string[] = []): Change[] {
  const changes: Change[] = []
  compare(before, after, '')
  return changes

  function compare(was: unknown, is: unknown, path: string): void {
    if (Object.is(was, is)) return
    if (isObject(was) && isObject(is) && !atoms.includes(path.slice(path.lastIndexOf('.') + 1))) {
      for (const key in is) if (key !== 'key') compare(was[key], is[key], join(path, key))
      for (const key in was) if (key !== 'key' && !(key in is)) compare(was[key], undefined, join(path, key))
    } else if (Array.isArray(was ?? []) && Array.isArray(is ?? []) && (isChildren(was) || isChildren(is)))
      compareChildren((was ?? []) as Json[], (is ?? []) as Json[], path)
    else if (!isSame(was, is))
      changes.push({
        path,
        kind: nothing(was) ? 'added' : nothing(is) ? 'removed' : 'changed',
        from: was ?? null,
        to: is ?? null,
      })
  }

  function compareChildren(was: Json[], is: Json[], path: string): void {
    // Mostly nothing has moved: the children are those that stood there, and most of them the very same.
    if (was.length === is.length && was.every((child, index) => isSameChild(child, is[index]!))) {
      was.forEach((child, index) => {
        if (!Object.is(child, is[index])) compare(child, is[index], join(path, index))
      })
      return
    }
    const [findOld, findNew] = [childFinder(was), childFinder(is)]
    const before = changes.length
    was.forEach((child, index) => {
      if (findNew(child) === -1) changes.push({ path: join(path, index), kind: 'removed', from: child, to: null })
    })
    let isMoved = false
    is.forEach((child, index) => {
      const known = findOld(child)
      if (known === -1) changes.push({ path: join(path, index), kind: 'added', from: null, to: child })
      else compare(was[known], child, join(path, index))
      if (known !== index) isMoved = true
    })
    // The same children in another order.
    if (isMoved && changes.length === before) changes.push({ path, kind: 'changed', from: was, to: is })
  }
}

const join = (path: string, key: string | number): string => (path === '' ? String(key) : `${path}.${key}`)

/** The same child by its id, or by its key before it is stored; what it says may be another thing. */
const isSameChild = (one: Json, other: Json): boolean =>
  Object.is(one, other) ||
  (one.id !== undefined && one.id !== null
    ? one.id === other.id
    : typeof one.key === 'string' && one.key === other.key && (other.id === undefined || other.id === null))

/** Finds the place of a child in a list by id or key, however long the list is. */
function childFinder(list: readonly unknown[]): (child: unknown) => number {
  const places = new Map<string, number>()
  list.forEach((item, index) => {
    for (const name of names(item)) if (!places.has(name)) places.set(name, index)
  })
  return (child) => {
    for (const name of names(child)) {
      const place = places.get(name)
      if (place !== undefined) return place
    }
    return -1
  }
}

/** The top-level fields that differ: a merge patch (RFC 7396). */
export function patchOf<Body extends object>(before: Body, after: Body): Partial<Body> {
  return Object.fromEntries(
    Object.entries(after).filter(([key, value]) => !isSame((before as Json)[key], value)),
  ) as Partial<Body>
}

export interface Clash {
  /** in the merged values */
  path: string
  base: unknown
  mine: unknown
  theirs: unknown
}

/**
 * Puts two people's changes together. Where only one of them touched a field, that one's value stands; where both
 * did, and differently, mine stands and the clash is told.
 */
export function mergeValues<Values>(
  base: Values,
  mine: Values,
  theirs: Values,
  atoms: readonly string[] = [],
): { values: Values; clashes: Clash[] } {
  const clashes: Clash[] = []
  const values = merge(base, mine, theirs, '')
  return { values: values as Values, clashes }

  function merge(was: unknown, own: unknown, other: unknown, path: string): unknown {
    if (isSame(own, other) || isSame(was, own)) return other
    if (isSame(was, other)) return own
    const at = (key: string | number) => (path === '' ? String(key) : `${path}.${key}`)
    const isAtom = atoms.includes(path.slice(path.lastIndexOf('.') + 1))
    if (isObject(own) && isObject(other) && !isAtom) {
      const before = isObject(was) ? was : {}
      return Object.fromEntries(
        [...new Set([...Object.keys(other), ...Object.keys(own)])].map((key) => [
          key,
          merge(before[key], own[key], other[key], at(key)),
        ]),
      )
    }
    if (Array.isArray(own) && Array.isArray(other) && (isChildren(own) || isChildren(other)))
      return mergeChildren(Array.isArray(was) ? was : [], own, other, at)
    if (Array.isArray(own) && Array.isArray(other) && [own, other, was ?? []].every(isSet))
      return mergeSets((was ?? []) as unknown[], own, other)
    clashes.push({ path, base: was, mine: own, theirs: other })
    return own
  }

  function mergeChildren(was: unknown[], own: unknown[], other: unknown[], at: (index: number) => string): unknown[] {
    const merged: unknown[] = []
    for (const child of other) {
      const before = sameChild(was, child)
      const kept = sameChild(own, child)
      // I removed it: it stays away, unless the other worked on it meanwhile.
      if (before !== undefined && kept === undefined) {
        if (isSame(before, child)) continue
        clashes.push({ path: at(merged.length), base: before, mine: null, theirs: child })
        merged.push(child)
      } else merged.push(kept === undefined ? child : merge(before, kept, child, at(merged.length)))
    }
    own.forEach((child, index) => {
      if (sameChild(other, child)) return
      const before = sameChild(was, child)
      if (before !== undefined && isSame(before, child)) return
      const place = Math.min(index, merged.length)
      if (before !== undefined) clashes.push({ path: at(place), base: before, mine: child, theirs: null })
      merged.splice(place, 0, child)
    })
    return merged
  }
}

// A list of plain values, each once, such as ids or choices: people add to it and take away.
const isSet = (list: unknown): boolean =>
  Array.isArray(list) &&
  list.every((item) => !isObject(item) && !Array.isArray(item)) &&
  new Set(list).size === list.length

const mergeSets = (was: unknown[], own: unknown[], other: unknown[]): unknown[] => [
  ...other.filter((item) => own.includes(item) || !was.includes(item)),
  ...own.filter((item) => !was.includes(item) && !other.includes(item)),
]

/** The merged values with the decisions taken: `theirs` where the path is named, mine elsewhere. */
export function settleClashes<Values>(
  values: Values,
  clashes: readonly Clash[],
  takesTheirs: (clash: Clash) => boolean,
): Values {
  const gone: string[] = []
  let settled = values
  for (const clash of clashes) {
    const winner = takesTheirs(clash) ? clash.theirs : clash.mine
    const isChild = isObject(clash.mine ?? clash.theirs) && /\.\d+$/.test(clash.path)
    if (isChild && (winner === null || winner === undefined)) gone.push(clash.path)
    // What the other removed comes back as a new child: its id is gone from the record.
    else if (isChild && clash.theirs === null && isObject(winner))
      settled = withValueAt(settled, clash.path, { ...winner, id: undefined, key: newKey() })
    else settled = withValueAt(settled, clash.path, winner)
  }
  for (const path of gone.toReversed()) {
    const list = path.slice(0, path.lastIndexOf('.'))
    const index = Number(path.slice(path.lastIndexOf('.') + 1))
    settled = withValueAt(settled, list, (valueAt(settled, list) as unknown[]).toSpliced(index, 1))
  }
  return settled
}

/** A name for a child that is not stored yet. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(36).padStart(2, '0')).join('')

/**
 * After a save: children that got their ids carry them in the values too, and so does what refers to them by key
 * (`xKey` → `xId`, `xKeys` → `xIds`).
 * `saved` has the same children as `submitted`, in the same order.
 */
export function withStoredIds<Values>(values: Values, submitted: unknown, saved: unknown): Values {
  const ids = new Map<string, number>()
  collect(submitted, saved)
  return (ids.size === 0 ? values : rewrite(values)) as Values

  function collect(given: unknown, stored: unknown): void {
    if (Array.isArray(given) && Array.isArray(stored)) given.forEach((item, index) => collect(item, stored[index]))
    else if (isObject(given) && isObject(stored)) {
      if (typeof given.key === 'string' && typeof stored.id === 'number') ids.set(given.key, stored.id)
      for (const [key, value] of Object.entries(given)) if (typeof value === 'object') collect(value, stored[key])
    }
  }

  function rewrite(tree: unknown): unknown {
    if (Array.isArray(tree)) return tree.map(rewrite)
    if (!isObject(tree)) return tree
    const next: Json = {}
    for (const [key, value] of Object.entries(tree)) {
      if (key === 'key' && ids.has(value as string)) next.id = ids.get(value as string)
      else if (key.endsWith('Key') && ids.has(value as string)) next[`${key.slice(0, -3)}Id`] = ids.get(value as string)
      else if (key.endsWith('Keys') && Array.isArray(value)) {
        const list = `${key.slice(0, -1)}`.replace(/Key$/, 'Ids')
        next[list] = [
          ...((next[list] ?? tree[list] ?? []) as unknown[]),
          ...value.flatMap((one) => ids.get(one as string) ?? []),
        ]
        next[key] = value.filter((one) => !ids.has(one as string))
      } else if (!(key in next)) next[key] = rewrite(value)
    }
    return next
  }
}
