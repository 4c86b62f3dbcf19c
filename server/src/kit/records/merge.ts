import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** RFC 7396: null removes, objects merge, everything else replaces. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged: Json = isObject(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key]
    else merged[key] = mergePatch(merged[key], value)
  }
  return merged
}

/** The fields of a view that may be written, as a merge patch's target. */
export function writable(write: z.ZodObject, view: Json): Json {
  return Object.fromEntries(Object.keys(write.shape).flatMap((key) => (key in view ? [[key, view[key]]] : [])))
}

/** Taken off transformations, defaults and the like, what a schema describes. */
function bare(schema: z.ZodType): z.ZodType {
  let inner = schema
  for (;;) {
    if (
      inner instanceof z.ZodOptional ||
      inner instanceof z.ZodNullable ||
      inner instanceof z.ZodDefault ||
      inner instanceof z.ZodPrefault ||
      inner instanceof z.ZodReadonly
    ) {
      inner = inner.def.innerType as z.ZodType
    } else if (inner instanceof z.ZodPipe) inner = inner.def.in as z.ZodType
    else return inner
  }
}

/** A reference as views show it: an id, and a title that goes by the language of the call and by the other record. */
const isReference = (value: unknown): value is { id: unknown } =>
  isObject(value) && Object.keys(value).toSorted().join() === 'id,title'

/** True for a read-only value that came back as it was read, perhaps in another language. */
const isAsRead = (value: unknown, now: unknown): boolean => {
  if (isReference(value) && isReference(now)) return value.id === now.id
  if (Array.isArray(value) && Array.isArray(now) && now.every(isReference))
    // What it refers to stands in the order of the titles.
    return isDeepStrictEqual(idsOf(value), idsOf(now))
  return isDeepStrictEqual(value, now)
}

const idsOf = (values: readonly unknown[]): Set<unknown> =>
  new Set(values.map((value) => (isReference(value) ? value.id : value)))

/**
 * Takes out of a body the read-only fields that came back unchanged, so that a client may send what it read.
 * What differs stays, and is then refused as an unknown field. Children are matched by id.
 * `changing` are fields of the record itself that change while nobody saves it: a client that sends back what it read
 * is not wrong, whatever they say now (api, One record).
 */
export function withoutReadOnly(
  schema: z.ZodType,
  body: unknown,
  current: unknown,
  changing: readonly string[] = [],
): unknown {
  const described = bare(schema)
  if (described instanceof z.ZodArray && Array.isArray(body)) {
    const known = Array.isArray(current) ? current : []
    return body.map((item) =>
      withoutReadOnly(
        described.def.element as z.ZodType,
        item,
        isObject(item) ? known.find((one) => isObject(one) && one.id !== undefined && one.id === item.id) : undefined,
      ),
    )
  }
  if (!(described instanceof z.ZodObject) || !isObject(body)) return body
  const shape = described.shape as Record<string, z.ZodType>
  const now = isObject(current) ? current : {}
  return Object.fromEntries(
    Object.entries(body).flatMap(([key, value]) => {
      if (key in shape) return [[key, withoutReadOnly(shape[key]!, value, now[key])]]
      if (changing.includes(key) && key in now) return []
      return key in now && isAsRead(value, now[key]) ? [] : [[key, value]]
    }),
  )
}
