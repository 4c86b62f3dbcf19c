import { sql } from 'kysely'
import type { z } from 'zod'
import type { FieldErrorCode } from '@waybill/contract/errors'
import { faultsOf } from '@waybill/contract/kit/issues'
import type { Ctx } from '../../kit/context/context.ts'
import { inPieces } from '../../kit/context/pieces.ts'
import type { Tables } from '../../kit/database/db.ts'
import type { CheckedRows, ImportFault, Known, ReadRow } from '../../kit/tables/import-table.ts'
import { normalVatNumber, vatNumberShape } from './vat-number.ts'

/** For what has one record a row: each by its schema, and its VAT number there once. */
export const recordARow =
  <Write extends z.ZodType>(write: Write, vatNumbers: { table: keyof Tables & string; taken: FieldErrorCode }) =>
  async (ctx: Ctx, rows: readonly ReadRow[], known: Known): Promise<CheckedRows<z.output<Write>>> => {
    const checked = await inPieces(rows, (read) => checkedRow(read, write, known))
    return {
      bodies: checked.map(({ body }) => body as z.output<Write>),
      faults: [...checked.flatMap(({ faults }) => faults), ...(await takenNumbers(ctx, checked, vatNumbers))],
    }
  }

function checkedRow(
  { row, body, faults: read }: ReadRow,
  write: z.ZodType,
  known: Known,
): { row: number; body: unknown; faults: ImportFault[] } {
  const faults = [...read]
  const parsed = write.safeParse(body, { reportInput: true })
  if (!parsed.success)
    for (const fault of faultsOf(parsed.error.issues))
      if (!faults.some(({ path }) => path === fault.path)) faults.push({ row, ...fault })
  const { vatNumber, countryId } = (parsed.data ?? {}) as { vatNumber?: string | null; countryId?: number }
  if (!vatNumber || countryId === undefined) return { row, body: parsed.data ?? body, faults }
  const code = known.codes.get(countryId) ?? ''
  if (vatNumberShape(vatNumber, code) === 'wrong') faults.push({ row, path: 'vatNumber', code: 'invalid_vat_number' })
  return { row, body: { ...(parsed.data as object), vatNumber: normalVatNumber(vatNumber, code) }, faults }
}

/** VAT numbers that a record has already, or that stand twice in the file: then the first one counts. */
async function takenNumbers(
  ctx: Ctx,
  rows: readonly { row: number; body: unknown }[],
  vatNumbers: { table: keyof Tables & string; taken: FieldErrorCode },
): Promise<ImportFault[]> {
  const numbered = rows.flatMap(({ row, body }) => {
    const { vatNumber } = body as { vatNumber?: unknown }
    return typeof vatNumber === 'string' ? [{ row, vatNumber }] : []
  })
  if (numbered.length === 0) return []
  const found = await sql<{ row: number; isTaken: boolean; isTwice: boolean }>`
    select given.row, exists (select 1 from ${sql.table(vatNumbers.table)} there
      where vat_number_key(there."vatNumber") = given.key) as "isTaken",
      row_number() over (partition by given.key order by given.row) > 1 as "isTwice"
    from (select row, vat_number_key("vatNumber") as key from unnest(${numbered.map(({ row }) => row)}::int[],
      ${numbered.map(({ vatNumber }) => vatNumber)}::text[]) as sent(row, "vatNumber")) given
  `.execute(ctx.db)
  return found.rows.flatMap(({ row, isTaken, isTwice }) =>
    isTaken
      ? [{ row, path: 'vatNumber', code: vatNumbers.taken }]
      : isTwice
        ? [{ row, path: 'vatNumber', code: 'twice_in_file' as const }]
        : [],
  )
}
