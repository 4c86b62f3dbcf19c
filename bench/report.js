// How figures are written: medians, and tables as the README holds them.
export const say = (text) => process.stdout.write(`${text}\n`)

export const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]

/** The figure below which so large a share of the list lies; not a number where it is empty. */
export const percentile = (list, share) =>
  list.toSorted((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * share))] ?? Number.NaN

export const figure = (value, digits = 0) => (Number.isFinite(value) ? value.toFixed(digits) : '–')

/** A table in markdown, the first column to the left, figures to the right. */
export function table(heads, rows) {
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column].length)))
  const padded = (cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))
  const line = (cells) => `| ${cells.map(padded).join(' | ')} |`
  const rules = widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`))
  return [line(heads), `|${rules.join('|')}|`, ...rows.map(line)].join('\n')
}
