import type * as Pdfjs from 'pdfjs-dist'
import { RefusedMail } from './mail-text.rules.ts'

const MOST_PAGES = 30
const MOST_ITEMS = 40_000

interface Word {
  text: string
  x: number
  y: number
  width: number
  height: number
}

// A page is named in so many words, or lies in a stream of objects that is.
const PAGES = ['/Page', '/ObjStm']

/** Throws `mail_unreadable` of a PDF in which no page is named, before PDF.js is loaded for it. */
export function checkPages(bytes: Uint8Array): void {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!PAGES.some((name) => text.includes(name))) throw new RefusedMail('mail_unreadable')
}

/**
 * The text of a PDF as it stands on its pages: words of one height are one line, and columns are kept by blanks.
 * Null of a scan. Errors: `mail_unreadable`, `mail_too_heavy`, `pdf_locked`.
 */
export async function textOfPdf(bytes: Uint8Array): Promise<string | null> {
  checkPages(bytes)
  const { getDocument, VerbosityLevel } = await openPdfjs()
  const loading = getDocument({
    data: new Uint8Array(bytes),
    verbosity: VerbosityLevel.ERRORS,
    disableFontFace: true,
    useSystemFonts: false,
    isOffscreenCanvasSupported: false,
    // Forms and scripts of a PDF are none of ours.
    enableXfa: false,
    stopAtErrors: false,
  })
  let document
  try {
    document = await loading.promise
  } catch (error) {
    throw new RefusedMail((error as Error).name === 'PasswordException' ? 'pdf_locked' : 'mail_unreadable')
  }
  if (document.numPages > MOST_PAGES) throw new RefusedMail('mail_too_heavy')
  const pages: string[] = []
  let count = 0
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number)
    const words: Word[] = []
    for (const item of (await page.getTextContent()).items) {
      if (!('str' in item) || item.str.trim() === '') continue
      count += 1
      if (count > MOST_ITEMS) throw new RefusedMail('mail_too_heavy')
      const [, , , scale, x, y] = item.transform as [number, number, number, number, number, number]
      words.push({ text: item.str, x, y, width: item.width, height: Math.abs(scale) || item.height || 10 })
    }
    page.cleanup()
    if (words.length > 0) pages.push(pageText(words))
  }
  await loading.destroy()
  return pages.length === 0 ? null : pages.join('\n\n')
}

/**
 * PDF.js as it is made for the newest browsers, made small: the build that is named for Node brings with it what Node
 * has by now, and what draws pages, and takes twice as long to start.
 */
async function openPdfjs(): Promise<typeof Pdfjs> {
  // The only part of it that Node has not, for sums of a few lengths (server/test/pdfjs-build.test.ts).
  if (!('sumPrecise' in Math)) Object.assign(Math, { sumPrecise })
  const [pdfjs] = await Promise.all([
    // Its types are those of the whole package.
    import('pdfjs-dist/build/pdf.min.mjs' as string),
    // The first finds this one by a global name, and needs no thread then.
    import('pdfjs-dist/build/pdf.worker.min.mjs' as string),
  ])
  return pdfjs
}

const sumPrecise = (numbers: Iterable<number>): number => [...numbers].reduce((sum, one) => sum + one, 0)

const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** The words of a page as lines of text. */
function pageText(words: readonly Word[]): string {
  const unit = middle(words.filter(({ text }) => text.length > 2).map(({ text, width }) => width / text.length)) || 5
  const left = Math.min(...words.map(({ x }) => x))
  const lines: Word[][] = []
  for (const word of words.toSorted((a, b) => b.y - a.y || a.x - b.x)) {
    const line = lines.at(-1)
    const isSameLine = line !== undefined && Math.abs(line[0]!.y - word.y) < Math.min(line[0]!.height, word.height) / 2
    if (isSameLine) line.push(word)
    else lines.push([word])
  }
  const height = middle(words.map((word) => word.height))
  return lines
    .map((line, index) => {
      const above = lines[index - 1]
      const isApart = above !== undefined && above[0]!.y - line[0]!.y > 1.9 * height
      return (isApart ? '\n' : '') + lineText(line, left, unit)
    })
    .join('\n')
}

function lineText(words: readonly Word[], left: number, unit: number): string {
  let text = ''
  let end = Number.NEGATIVE_INFINITY
  for (const word of words.toSorted((a, b) => a.x - b.x)) {
    const gap = word.x - end
    const column = Math.round((word.x - left) / unit)
    if (text === '') text = ' '.repeat(Math.min(column, 200))
    // A gap of a column is kept as one, a gap between words is a blank, and letters of one word stand together.
    else if (gap > 1.3 * unit) text += ' '.repeat(Math.max(2, Math.min(column - text.length, 200)))
    else if (gap > 0.2 * unit && !text.endsWith(' ') && !word.text.startsWith(' ')) text += ' '
    text += word.text
    end = word.x + word.width
  }
  return text
}
