import { execFileSync } from 'node:child_process'

/** What a reader reads on a PDF's pages. In the order in which it was written; every kind of blank is one blank. */
export function textOf(pdf: Buffer): string {
  return execFileSync('pdftotext', ['-raw', '-', '-'], { input: pdf, encoding: 'utf8' }).replace(
    /[\u00A0\u202F\u2009 ]+/g,
    ' ',
  )
}
