import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createInflate } from 'node:zlib'

/** Why a PDF is not taken: it is locked, it runs programs, or what it holds cannot be looked through. */
export type PdfFault = 'pdf_locked' | 'pdf_runs_scripts' | 'pdf_unreadable'

/** A name of PDF as a pattern: any of its letters may be written as `#` and its code (ISO 32000-1, 7.3.5). */
const nameOf = (name: string): string =>
  `/${[...name]
    .map((letter) => {
      const code = letter.charCodeAt(0).toString(16)
      const escaped = [...code].map((digit) => (/[a-f]/.test(digit) ? `[${digit}${digit.toUpperCase()}]` : digit))
      return `(?:${letter}|#${escaped.join('')})`
    })
    .join('')}(?![A-Za-z0-9#])`

const LOCKED = new RegExp(nameOf('Encrypt'))
// Actions that start something outside of the paper; a rendition may carry a script.
const RUNS = new RegExp(['JavaScript', 'Launch', 'Rendition', 'ImportData', 'RichMedia'].map(nameOf).join('|'))
const OBJECT_STREAM = new RegExp(nameOf('ObjStm'), 'g')

const PIECE_BYTES = 1 << 20
const OVERLAP_BYTES = 4096
// What all object streams of a paper hold; a paper of a thousand pages stays far below.
const MOST_INFLATED_BYTES = 256 << 20
const MOST_OBJECT_STREAMS = 20_000

const faultIn = (text: string): PdfFault | null =>
  LOCKED.test(text) ? 'pdf_locked' : RUNS.test(text) ? 'pdf_runs_scripts' : null

/** Unpacks what begins at a place of the file and looks through it; answers how many bytes it was. */
async function lookInto(path: string, start: number): Promise<{ fault: PdfFault | null; bytes: number }> {
  const inflate = createInflate()
  const source = createReadStream(path, { start })
  source.on('error', (error) => inflate.destroy(error))
  source.pipe(inflate)
  let bytes = 0
  let tail = ''
  try {
    for await (const piece of inflate as AsyncIterable<Buffer>) {
      bytes += piece.length
      const text = tail + piece.toString('latin1')
      const fault = bytes > MOST_INFLATED_BYTES ? 'pdf_unreadable' : faultIn(text)
      if (fault !== null) return { fault, bytes }
      tail = text.slice(-64)
    }
    return { fault: null, bytes }
  } catch {
    return { fault: 'pdf_unreadable', bytes }
  } finally {
    source.destroy()
    inflate.destroy()
  }
}

/** How an object stream is packed, from its dictionary: not at all, as usual, or in a way that hides what it says. */
function packingOf(dictionary: string): 'none' | 'flate' | null {
  if (!/\/(?:Filter|F)(?![A-Za-z0-9#])/.test(dictionary)) return dictionary.includes('#') ? null : 'none'
  const isFlate = /\/Filter\s*\[?\s*\/FlateDecode\s*(?:\]|\/|>)/.test(dictionary)
  return isFlate && !/\/Predictor\s+(?!1\b)\d/.test(dictionary) ? 'flate' : null
}

/**
 * What speaks against a PDF, or null: looked for in the whole file and in its object streams, a piece at a time. The
 * PDF is not opened.
 */
export async function pdfFault(path: string): Promise<PdfFault | null> {
  const file = await open(path, 'r')
  const streams = new Set<number>()
  try {
    const piece = Buffer.alloc(PIECE_BYTES + OVERLAP_BYTES)
    for (let at = 0; ; at += PIECE_BYTES) {
      const { bytesRead } = await file.read(piece, 0, piece.length, at)
      if (bytesRead === 0) break
      const text = piece.toString('latin1', 0, bytesRead)
      const fault = faultIn(text)
      if (fault !== null) return fault
      for (const { index } of text.matchAll(OBJECT_STREAM)) streams.add(at + index)
      if (bytesRead < piece.length) break
    }
    if (streams.size > MOST_OBJECT_STREAMS) return 'pdf_unreadable'
    let inflated = 0
    const around = Buffer.alloc(2 * OVERLAP_BYTES)
    for (const at of streams) {
      const from = Math.max(0, at - OVERLAP_BYTES)
      const { bytesRead } = await file.read(around, 0, around.length, from)
      const text = around.toString('latin1', 0, bytesRead)
      const here = at - from
      const opened = text.slice(0, here).lastIndexOf(' obj')
      const begun = /stream\r?\n/.exec(text.slice(here))
      if (!begun) return 'pdf_unreadable'
      const packing = packingOf(text.slice(Math.max(0, opened), here + begun.index))
      if (packing === null) return 'pdf_unreadable'
      // As it is, it was looked through with the file.
      if (packing === 'none') continue
      const { fault, bytes } = await lookInto(path, from + here + begun.index + begun[0].length)
      inflated += bytes
      if (fault !== null) return fault
      if (inflated > MOST_INFLATED_BYTES) return 'pdf_unreadable'
    }
    return null
  } finally {
    await file.close()
  }
}
