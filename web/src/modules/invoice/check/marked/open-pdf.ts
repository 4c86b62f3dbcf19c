import { getDocument, PDFWorker, TextLayer, Util, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { PageViewport, PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'
import { paperLines, type PaperLine, type TextRun } from './paper-lines.ts'

/** One page, its measures in points as it is looked at. */
export interface PdfPage {
  /** the first is 1 */
  number: number
  width: number
  height: number
  lines: PaperLine[]
  /** Draws it so many dots wide; a page is drawn once. */
  draw: (canvas: HTMLCanvasElement, dots: number) => Promise<void>
  /** Lays its text over it, for the pointer and for readers of the screen. */
  layText: (element: HTMLElement) => Promise<void>
}

export interface Pdf {
  pages: PdfPage[]
  close: () => void
}

// What is sent on paper has fewer pages; reading more would keep people waiting.
const MOST_PAGES = 20
const TIME_LIMIT_MS = 8_000
// A browser draws these pictures by itself; here each would need a decoder of its own.
const FOREIGN_PICTURES = ['/JBIG2Decode', '/JPXDecode']

let worker: { pdf: PDFWorker; thread: Worker } | undefined

// One for all papers: starting it takes longer than reading most of them.
function ourWorker(): { pdf: PDFWorker; thread: Worker } {
  if (worker === undefined) {
    const address = new URL('pdfjs-dist/legacy/build/pdf.worker.min.mjs', import.meta.url)
    const thread = new Worker(address, { type: 'module' })
    worker = { thread, pdf: new PDFWorker({ port: thread as never, verbosity: VerbosityLevel.ERRORS }) }
  }
  return worker
}

/** The next paper gets a new one, whatever this one is busy with or has come to. */
function endWorker(): void {
  worker?.pdf.destroy()
  worker?.thread.terminate()
  worker = undefined
}

function includes(bytes: Uint8Array, word: string): boolean {
  const letters = new TextEncoder().encode(word)
  for (let at = bytes.indexOf(letters[0]!); at >= 0; at = bytes.indexOf(letters[0]!, at + 1))
    if (letters.every((letter, index) => bytes[at + index] === letter)) return true
  return false
}

/**
 * A PDF with the text of its pages. Null where it is to be left to the browser: it is broken, locked, too long, takes
 * too long, or has pictures that cannot be drawn here.
 */
export async function openPdf(blob: Blob): Promise<Pdf | null> {
  const data = new Uint8Array(await blob.arrayBuffer())
  if (FOREIGN_PICTURES.some((word) => includes(data, word))) return null
  const { pdf: worker, thread } = ourWorker()
  const loading = getDocument({
    data,
    worker,
    verbosity: VerbosityLevel.ERRORS,
    // Forms of the other kind and decoders that our content security policy forbids.
    enableXfa: false,
    useWasm: false,
  })
  const close = () => void loading.destroy()
  let timer: ReturnType<typeof setTimeout> | undefined
  const given = new Promise<null>((resolve) => {
    const giveUp = () => {
      endWorker()
      resolve(null)
    }
    timer = setTimeout(giveUp, TIME_LIMIT_MS)
    thread.addEventListener('error', giveUp, { once: true })
  })
  try {
    const pages = await Promise.race([loading.promise.then(readPages), given])
    if (pages !== null) return { pages, close }
  } catch {
    // Left to the browser, which says by itself what it thinks of the file.
  } finally {
    clearTimeout(timer)
  }
  close()
  return null
}

async function readPages(pdf: PDFDocumentProxy): Promise<PdfPage[] | null> {
  if (pdf.numPages > MOST_PAGES) return null
  const numbers = Array.from({ length: pdf.numPages }, (_one, index) => index + 1)
  return Promise.all(numbers.map(async (number) => readPage(await pdf.getPage(number))))
}

async function readPage(page: PDFPageProxy): Promise<PdfPage> {
  const viewport = page.getViewport({ scale: 1 })
  const content = await page.getTextContent()
  const runs = content.items.flatMap((item): TextRun[] => {
    if (!('str' in item) || item.str === '') return []
    const [x, y, height] = placeIn(viewport, item.transform as number[])
    // Text on its side is left alone.
    return height === null
      ? []
      : [{ text: item.str, x, y, width: item.width, height, shareOf: shareIn(content.styles[item.fontName], item.str) }]
  })
  return {
    number: page.pageNumber,
    width: viewport.width,
    height: viewport.height,
    lines: paperLines(runs),
    draw: (canvas, dots) => {
      const view = page.getViewport({ scale: dots / viewport.width })
      canvas.width = Math.round(view.width)
      canvas.height = Math.round(view.height)
      return page.render({ canvas, viewport: view }).promise
    },
    layText: async (element) => {
      await new TextLayer({ textContentSource: content, container: element, viewport }).render()
    },
  }
}

/** Left end, line, and height of a piece of text as the page is looked at; no height where it does not lie flat. */
function placeIn(viewport: PageViewport, transform: number[]): [number, number, number | null] {
  const [across, up, c, d, x, y] = Util.transform(viewport.transform, transform) as number[]
  const isFlat = across! > 0 && Math.abs(up!) < across! / 20
  return [x!, y!, isFlat ? Math.hypot(c!, d!) : null]
}

let measure: CanvasRenderingContext2D | null | undefined

/** How much of a text's width its first letters take, by the letters of a font like its own. */
const shareIn = (style: { fontFamily: string } | undefined, text: string) => (count: number) => {
  measure ??= document.createElement('canvas').getContext('2d')
  if (measure === null || measure === undefined) return count / text.length
  measure.font = `100px ${style?.fontFamily ?? 'sans-serif'}`
  const whole = measure.measureText(text).width
  return whole === 0 ? count / text.length : measure.measureText(text.slice(0, count)).width / whole
}
