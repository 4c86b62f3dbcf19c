import { sql, type RawBuilder } from 'kysely'
import { addDays } from '@waybill/contract/kit/local-time'

interface DayRange {
  from?: string | undefined
  to?: string | undefined
}

/**
 * Rows whose instant lies within local days, both ends included (api, General). The days differ by row, as zones do:
 * an index finds the days as they are anywhere on earth (UTC−12 to UTC+14), and the row's own zone decides near their
 * edges alone.
 */
export function withinDays(column: string, zone: RawBuilder<unknown>, { from, to }: DayRange): RawBuilder<boolean>[] {
  const at = sql.ref(column)
  const midnight = (date: string, hours: number) =>
    new Date(Date.parse(`${date}T00:00:00Z`) + hours * 3_600_000).toISOString()
  const local = (date: string) => sql`(${date}::timestamp at time zone ${zone})`
  const conditions: RawBuilder<boolean>[] = []
  if (from !== undefined)
    conditions.push(
      sql<boolean>`${at} >= ${midnight(from, -14)} and (${at} >= ${midnight(from, 12)} or ${at} >= ${local(from)})`,
    )
  if (to !== undefined) {
    const end = addDays(to, 1)
    conditions.push(
      sql<boolean>`${at} < ${midnight(end, 12)} and (${at} < ${midnight(end, -14)} or ${at} < ${local(end)})`,
    )
  }
  return conditions
}
