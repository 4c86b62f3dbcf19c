import { execFileSync } from 'node:child_process'

/** The words of a PDF as they stand on its pages. */
export const textOf = (pdf: Buffer): string =>
  execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf, encoding: 'utf8' }).replaceAll('\u202f', ' ')
