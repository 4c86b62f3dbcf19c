import type { z } from 'zod'
import { check } from '../../shapes/check.ts'

/** What stands behind the `?` after decoding: text, lists of text, ranges of text. */
export type AddressSearch = Readonly<Record<string, string | string[] | Record<string, string>>>

/** The query's own shape: its filters, sort, page and the rest, each with what it may hold. */
export type ListShape = Readonly<Record<string, z.ZodType>>

const fieldsOf = (schema: z.ZodType): ListShape | null => {
  const def = schema.def as { innerType?: z.ZodType; shape?: ListShape }
  return def.innerType === undefined ? (def.shape ?? null) : fieldsOf(def.innerType)
}

/**
 * The query's fields by the names of the address: several ranges under one roof have a
 * name each, `statusDate.scheduled`.
 */
export function addressShape(shape: ListShape): ListShape {
  const named = Object.entries(shape).flatMap(([name, field]): [string, z.ZodType][] => {
    const parts = Object.entries(fieldsOf(field) ?? {})
    const isRoof = parts.length > 0 && parts.every(([, part]) => fieldsOf(part) !== null)
    return isRoof ? parts.map(([part, range]) => [`${name}.${part}`, range]) : [[name, field]]
  })
  return Object.fromEntries(named)
}

/** The same values as the contract reads them: `day.from` and `day.to` as one range `day`. */
export function nestRanges(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const nested: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    const [range, part] = name.split('.') as [string, string?]
    if (part === undefined) nested[name] = value
    else if (value !== undefined) nested[range] = { ...(nested[range] as object | undefined), [part]: value }
  }
  return nested
}

// A cursor is bound to one moment's rows: an address that is kept or sent on holds the page's number. What of a row is
// read follows from the columns.
const NOT_IN_ADDRESS = new Set(['cursor', 'fields'])

/**
 * Reads a list's query from the address by the contract's own rules. What the contract does not understand is left out,
 * value by value, so that an old or mistyped address still opens the list; the API itself would refuse it (api, Lists).
 */
export function readAddress(shape: ListShape, search: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const known: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(shape)) {
    if (NOT_IN_ADDRESS.has(name)) continue
    const value = understood(field, search[name])
    if (value !== undefined) known[name] = value
  }
  return known
}

function understood(field: z.ZodType, value: unknown): unknown {
  const whole = check(field, value)
  if (whole.success) return whole.data
  const rest = check(field, withoutWrongParts(field, value))
  if (rest.success) return rest.data
  return check(field, undefined).data
}

function withoutWrongParts(field: z.ZodType, value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.filter((item) => check(field, [item]).success)
    return items.length === 0 ? undefined : items
  }
  if (typeof value === 'object' && value !== null) {
    const parts = Object.entries(value).filter(([part, item]) => check(field, { [part]: item }).success)
    return parts.length === 0 ? undefined : Object.fromEntries(parts)
  }
  return undefined
}

/**
 * Writes a list's query for the address; what the list does anyway is left out, so that the
 * plain list has a plain address.
 */
export function writeAddress(shape: ListShape, query: Readonly<Record<string, unknown>>): AddressSearch {
  const search: Record<string, string | string[] | Record<string, string>> = {}
  for (const [name, field] of Object.entries(shape)) {
    const value = query[name]
    if (NOT_IN_ADDRESS.has(name) || isEmpty(value) || value === check(field, undefined).data) continue
    if (name === 'page' && value === 1) continue
    search[name] = asText(value)
  }
  return search
}

/** True where a filter, a search or a range holds nothing. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true
  if (Array.isArray(value)) return value.length === 0
  return typeof value === 'object' && Object.values(value).every(isEmpty)
}

function asText(value: unknown): string | string[] | Record<string, string> {
  if (Array.isArray(value)) return value.map(String)
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).flatMap(([part, item]) => (isEmpty(item) ? [] : [[part, String(item)]])),
    )
  }
  return value === true ? '1' : String(value)
}
