import { z } from 'zod'
import type { Access } from '../permissions.ts'
import { endpoint } from './endpoint.ts'

/** What an import takes at most: 10,000 rows of orders are a tenth of it. */
export const MAX_IMPORT_BYTES = 5_242_880

/** Faults that an answer names; all are counted. */
export const MAX_SHOWN_FAULTS = 200

const place = { row: z.number().int().min(0), column: z.number().int().min(0) }

/** A cell as it should have been: mended on the screen, while the file stays as it is. */
const ImportFix = z.strictObject({ ...place, value: z.string().max(4000) })
export type ImportFix = z.output<typeof ImportFix>

const json = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text)
      } catch {
        context.addIssue({ code: 'custom', message: 'invalid_value' })
        return z.NEVER
      }
    })
    .pipe(schema)

/**
 * Beside the file: which field each of its columns fills (null: none), as guessed from the titles where left out;
 * mended cells; and `commit` once everything is right. `tells`: whom the records concern is told of them by mail, where
 * the import can (of orders).
 */
const ImportForm = z.strictObject({
  columns: json(z.array(z.string().max(60).nullable()).max(200)).optional(),
  fixes: json(z.array(ImportFix).max(1000)).default([]),
  commit: z.enum(['0', '1']).default('0'),
  tells: z.enum(['0', '1']).default('0'),
})

const ImportFinding = z.object({
  row: z.number().int(),
  line: z.number().int(),
  column: z.number().int().nullable(),
  field: z.string(),
  fieldTitle: z.string(),
  value: z.string(),
  code: z.string(),
  message: z.string(),
})

export const ImportResult = z.object({
  /** of the file, with the first value that each holds */
  columns: z.array(z.object({ title: z.string(), example: z.string(), field: z.string().nullable() })),
  /** what can be filled */
  fields: z.array(z.object({ name: z.string(), title: z.string(), isRequired: z.boolean() })),
  rowCount: z.number().int(),
  faultCount: z.number().int(),
  /** by row, the first ones; `line` is the file's, from 1; a field without a column has `column` null */
  faults: z.array(ImportFinding),
  /** what may be meant so and looks like a slip, in the same shape: it is shown and refused by nobody */
  doubts: z.array(ImportFinding),
  /** how many records were made; null = nothing was written */
  created: z.number().int().nullable(),
})
export type ImportResult = z.output<typeof ImportResult>

/**
 * Takes records in from a CSV or XLSX file: without `commit` a preview that writes nothing, with it all rows or none
 * (api, Resources).
 */
export const importOf = (path: string, name: string, access: Access) =>
  endpoint({
    method: 'POST',
    path: `/${path}/import`,
    access,
    summary: `Preview or commit an import: ${name} (multipart: file, columns?, fixes?, commit?, tells?)`,
    body: ImportForm,
    reply: ImportResult,
    shape: 'multipart',
    location: null,
  })
