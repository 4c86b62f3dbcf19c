const STEPS = [1, 2, 5]
/** Lines that a chart has room for. */
const MOST_LINES = 5

/** Where the axis begins and ends, and its lines at round amounts; nothing to show is still an axis. */
export function scaleOf(amounts: readonly number[]): { least: number; most: number; lines: number[]; unit: 1 | 1000 } {
  const top = Math.max(0, ...amounts)
  const floor = Math.min(0, ...amounts)
  const span = Math.max(top - floor, 100_00)
  let step = 100
  for (let place = 0; span > step * (MOST_LINES - 1); place += 1)
    step = 100 * STEPS[place % STEPS.length]! * 10 ** Math.floor(place / STEPS.length)
  const least = Math.floor(floor / step) * step
  const most = Math.max(Math.ceil(top / step) * step, least + step)
  const lines: number[] = []
  for (let line = least; line <= most; line += step) lines.push(line)
  return { least, most, lines, unit: step >= 1000_00 ? 1000 : 1 }
}
