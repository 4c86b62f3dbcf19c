import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { generateOrderPaper } from '@waybill/contract/document'
import type { PdfRenderer } from '../../../kit/pdf/pdf.ts'
import type { CarrierCopy } from '../mail/carrier-told.rules.ts'

type Wish = z.output<typeof generateOrderPaper.body>

/** Another order on a paper, as it was when the paper was put together. */
export interface OtherOrder {
  id: number
  version: number
}

/** What a carrier had been told when its transport order was changed, and when. */
export interface Superseded {
  copy: CarrierCopy
  toldAt: string
}

/** A paper of an order, ready to be drawn. */
export interface Paper {
  /** the name of its file */
  title: string
  /** makes this paper alone once more */
  wish: Wish
  /** the carrier's that it is about */
  assignmentId: number | null
  /** other orders that it is about as well: each gets a copy */
  others?: readonly OtherOrder[]
  /** what it is a change of; left out where it is none */
  supersedes?: Superseded
  draw(pdf: PdfRenderer): Promise<Buffer>
}

/** From what a paper was made; kept with its file. */
export interface PaperSource {
  orderVersion: number
  drawnAt: string
  /** a mark of everything that stands on it, the logo aside */
  says: string
  wish: Wish
  /** left out where it is about one order alone */
  others?: readonly OtherOrder[]
  /** left out where it is no change: put together once more, it is compared with what was told then, not since */
  supersedes?: Superseded
}

// Short enough for a row, and long enough to be no other paper's by chance.
const MARK_LENGTH = 32

const markOf = (data: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(data, (key, value: unknown) => (key === 'logo' ? undefined : value)))
    .digest('hex')
    .slice(0, MARK_LENGTH)

/** Draws a paper, and gives a mark of what it says. */
export async function drawn({ draw }: Paper, pdf: PdfRenderer): Promise<{ bytes: Buffer; says: string }> {
  let says = ''
  const bytes = await draw({
    ...pdf,
    renderPdf(request) {
      says = markOf(request.data)
      return pdf.renderPdf(request)
    },
  })
  return { bytes, says }
}

/** The mark of what a paper would say, without drawing it. */
export async function saidBy(paper: Paper): Promise<string> {
  const silent: PdfRenderer = {
    renderPdf: () => Promise.resolve(Buffer.alloc(0)),
    hear: () => undefined,
    close: () => undefined,
  }
  return (await drawn(paper, silent)).says
}
