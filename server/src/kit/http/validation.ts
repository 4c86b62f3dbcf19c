import { z } from 'zod'
import { faultsOf } from '@waybill/contract/kit/issues'
import { pageOf, type Page } from '@waybill/contract/kit/paging'
import { AppError } from '../context/errors.ts'

/** Parses what came from outside; wrong input is a 422 that names every field. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  throw new AppError('validation', { fields: faultsOf(result.error.issues).slice(0, 100) })
}

/** A schema's fields and types without its limits. */
function outlineOf(schema: z.ZodType): z.ZodType {
  const inner = (wrapper: { def: { innerType: unknown } }) => outlineOf(wrapper.def.innerType as z.ZodType)
  if (schema instanceof z.ZodObject)
    return schema.def.catchall && !(schema.def.catchall instanceof z.ZodNever)
      ? schema
      : z.object(
          Object.fromEntries(
            Object.entries(schema.shape).map(([name, field]) => [name, outlineOf(field as z.ZodType)]),
          ),
        )
  if (schema instanceof z.ZodArray) return z.array(outlineOf(schema.def.element as z.ZodType))
  if (schema instanceof z.ZodNullable) return inner(schema).nullable()
  if (schema instanceof z.ZodOptional) return inner(schema).optional()
  if (schema instanceof z.ZodDefault) return inner(schema).default(() => schema.def.defaultValue as never)
  // Normalising is for what comes in: what goes out was stored so.
  if (schema instanceof z.ZodPipe) return outlineOf(schema.def.in as z.ZodType)
  if (schema instanceof z.ZodString) return z.string()
  if (schema instanceof z.ZodNumber) return z.number()
  return schema
}

const outlines = new WeakMap<z.ZodType, z.ZodType>()

/**
 * What may go out: the fields that the reply's schema names, of the types that it names; all others are left out.
 * Limits on input are not asked again: a record that was stored before a rule became stricter can still be read, and
 * this is five times as fast.
 */
export function parseReply<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const outline = outlines.get(schema) ?? outlineOf(schema)
  outlines.set(schema, outline)
  return outline.parse(value) as z.output<Schema>
}

const partialPages = new WeakMap<z.ZodObject, z.ZodType<Page<Record<string, unknown>>>>()

/** A page of rows of which any field may be missing. */
function partialPageOf(row: z.ZodObject): z.ZodType<Page<Record<string, unknown>>> {
  const known = partialPages.get(row)
  if (known) return known
  const fields = Object.entries(row.shape).map(([name, field]) => [name, (field as z.ZodType).optional()] as const)
  const page = pageOf(z.object(Object.fromEntries(fields)))
  partialPages.set(row, page)
  return page
}

/**
 * A page of which `fields` were asked for (api, Lists): each row the list of these values, in this order, let out by
 * the row's own schema. Other fields may be missing in what is given.
 */
export function parseValues(row: z.ZodObject, given: Page<object>, fields: readonly string[]): Page<unknown[]> {
  const items = given.items.map((one) => {
    const values = one as Record<string, unknown>
    return Object.fromEntries(fields.map((name) => [name, values[name]]))
  })
  const page = parseReply(partialPageOf(row), { ...given, items })
  return { ...page, items: page.items.map((one) => fields.map((name) => one[name])) }
}
