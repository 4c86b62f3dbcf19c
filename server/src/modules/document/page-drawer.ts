// The process behind draw-pages.ts: it draws one PDF, answers and ends.
import { Worker } from 'node:worker_threads'
import { PDFiumLibrary, type PDFiumDocument } from '@hyzyla/pdfium'
import jpeg from 'jpeg-js'
import { answerApart } from '../../kit/context/answer-apart.ts'

/** Why a PDF stays a file: it is broken, locked or blank, has too many pages or bytes, or took too long. */
export type PagesRefusal = 'unreadable' | 'tooMany' | 'tooBig' | 'tooHeavy'

export interface PagesTask {
  bytes: Uint8Array
  mostPages: number
  /** of all pictures together */
  mostBytes: number
}

export type PagesAnswer = { pages: Uint8Array[] } | { refusal: PagesRefusal }

const DOTS_PER_POINT = 150 / 72
// A sheet of A4 at 150 dpi, standing: what is larger is drawn smaller.
const [SHORT_SIDE, LONG_SIDE] = [1240, 1754]
const JPEG_QUALITY = 80

/** Dots for a page of so many points, whole and never none. */
function dotsOf(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(DOTS_PER_POINT, LONG_SIDE / Math.max(width, height), SHORT_SIDE / Math.min(width, height))
  const whole = (points: number) => Math.max(1, Math.round(points * scale))
  return { width: whole(width), height: whole(height) }
}

/** White all over; a dot is four bytes. */
function isBlank({ buffer, byteOffset, byteLength }: Uint8Array): boolean {
  const dots = new Uint32Array(buffer, byteOffset, byteLength / 4)
  for (let index = 0; index < dots.length; index++) if (dots[index] !== 0xffffffff) return false
  return true
}

async function drawn(pdf: PDFiumDocument, { mostPages, mostBytes }: PagesTask): Promise<PagesAnswer> {
  const count = pdf.getPageCount()
  if (count < 1) return { refusal: 'unreadable' }
  if (count > mostPages) return { refusal: 'tooMany' }
  const pages: Uint8Array[] = []
  let [bytes, blank] = [0, 0]
  for (let index = 0; index < count; index++) {
    const page = pdf.getPage(index)
    const { originalWidth, originalHeight } = page.getOriginalSize()
    if (!(originalWidth > 0 && originalHeight > 0)) return { refusal: 'unreadable' }
    const { width, height, data } = await page.render({
      ...dotsOf(originalWidth, originalHeight),
      scale: 1,
      // What was signed on a screen is a field of a form.
      renderFormFields: true,
      render: ({ data: dots }) => Promise.resolve(dots),
    })
    if (isBlank(data)) blank++
    const { data: picture } = jpeg.encode({ width, height, data }, JPEG_QUALITY)
    bytes += picture.length
    if (bytes > mostBytes) return { refusal: 'tooBig' }
    pages.push(picture)
  }
  // The back of a sheet is blank; where nothing at all can be seen, the file may show more to who opens it.
  return blank === count ? { refusal: 'unreadable' } : { pages }
}

async function answerTo(task: PagesTask): Promise<PagesAnswer> {
  const library = await PDFiumLibrary.init()
  let pdf: PDFiumDocument
  try {
    // One that asks for a password is refused here.
    pdf = await library.loadDocument(task.bytes)
  } catch {
    return { refusal: 'unreadable' }
  }
  return drawn(pdf, task)
}

new Worker(new URL('../../kit/context/memory-watch-worker.ts', import.meta.url)).unref()

answerApart(answerTo)
