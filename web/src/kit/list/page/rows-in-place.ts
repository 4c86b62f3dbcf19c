/** What a list shows of newer rows without anything moving. */
export interface RowsInPlace<Row> {
  rows: Row[]
  /** how many of the newer rows have no place yet */
  added: number
  /** rows that stand where they stood and belong there no longer */
  gone: ReadonlySet<number>
}

/**
 * Puts newer rows where the same ones stand: none is pushed in, none taken out under the person's hand.
 * An empty list takes all of them.
 */
export function rowsInPlace<Row extends { id: number }>(
  shown: readonly Row[],
  newer: readonly Row[],
): RowsInPlace<Row> {
  if (shown.length === 0) return { rows: [...newer], added: 0, gone: new Set() }
  const byId = new Map(newer.map((row) => [row.id, row]))
  const places = new Set(shown.map((row) => row.id))
  return {
    rows: shown.map((row) => byId.get(row.id) ?? row),
    added: newer.filter((row) => !places.has(row.id)).length,
    gone: new Set(shown.flatMap((row) => (byId.has(row.id) ? [] : [row.id]))),
  }
}
