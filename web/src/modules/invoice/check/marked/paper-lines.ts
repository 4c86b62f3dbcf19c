/** A piece of text as it lies on a page, in points from the page's upper left corner; `y` is the line it stands on. */
export interface TextRun {
  text: string
  x: number
  y: number
  width: number
  /** of its letters */
  height: number
  /** how much of its width its first letters take; without it all are taken to be as wide */
  shareOf?: (count: number) => number
}

/** What stands beside each other, read as one text; each of its letters knows its piece and its place in that. */
export interface PaperLine {
  text: string
  /** of each letter of `text`; null of a blank between two pieces */
  letters: readonly ({ run: TextRun; index: number } | null)[]
}

// In heights of a letter: from the one on two pieces are two words, from the other on two columns.
const WORD_GAP = 0.15
const COLUMN_GAP = 1.2

/** The lines of a page: pieces of one height together, from left to right; a tab stands between two columns. */
export function paperLines(runs: readonly TextRun[]): PaperLine[] {
  const lines: TextRun[][] = []
  for (const run of runs.filter(({ text }) => text.trim() !== '').toSorted((a, b) => a.y - b.y || a.x - b.x)) {
    const line = lines.at(-1)
    const isSame = line !== undefined && run.y - line[0]!.y < Math.min(line[0]!.height, run.height) / 2
    if (isSame) line.push(run)
    else lines.push([run])
  }
  return lines.map((line) => lineOf(line.toSorted((a, b) => a.x - b.x)))
}

function lineOf(runs: readonly TextRun[]): PaperLine {
  let text = ''
  const letters: PaperLine['letters'][number][] = []
  for (const [place, run] of runs.entries()) {
    const before = runs[place - 1]
    const gap = before === undefined ? 0 : (run.x - before.x - before.width) / Math.max(run.height, 1)
    if (gap > WORD_GAP) {
      text += gap > COLUMN_GAP ? '\t' : ' '
      letters.push(null)
    }
    text += run.text
    for (let index = 0; index < run.text.length; index += 1) letters.push({ run, index })
  }
  return { text, letters }
}
