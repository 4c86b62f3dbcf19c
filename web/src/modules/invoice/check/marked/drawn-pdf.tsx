import type { InvoiceCheck } from '@waybill/contract/invoice/checking'
import { useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SkeletonLines } from '../../../../ui/marks/skeleton.tsx'
import { whenIdle } from '../when-idle.ts'
import checkClasses from '../check.module.css'
import classes from './marked.module.css'
import { openPdf, type Pdf, type PdfPage } from './open-pdf.ts'
import { MarksFoot } from './marks-foot.tsx'
import { marksOf, soughtOf, type Mark } from './paper-marks.ts'

interface DrawnPdfProps {
  blob: Blob
  title: string
  /** whose values are marked; null marks nothing */
  check: InvoiceCheck | null
  /** the browser shows PDF files by itself: what has nothing to mark is left to it */
  hasViewer: boolean
  /** it cannot be drawn here, or is left to the browser */
  onPlain: () => void
}

/** The pages of a PDF with what was compared marked in them. */
export function DrawnPdf({ blob, title, check, hasViewer, onPlain }: DrawnPdfProps) {
  const { t } = useTranslation('invoice-check')
  const sought = useMemo(() => soughtOf(check), [check])
  const pdf = usePdf(blob, (opened) => {
    const hasNothing = opened?.pages.every(({ lines }) => marksOf(lines, sought).length === 0)
    if (opened === null || (hasViewer && hasNothing)) onPlain()
  })
  const marks = useMemo(() => pdf?.pages.map(({ lines }) => marksOf(lines, sought)) ?? [], [pdf, sought])
  if (pdf === null)
    return (
      <div className={checkClasses.paperDesk}>
        <SkeletonLines lines={12} label={t('loading')} />
      </div>
    )
  return (
    <div className={checkClasses.paperDesk} role="group" aria-label={title} tabIndex={0}>
      {pdf.pages.map((page, index) => (
        <Page key={page.number} page={page} marks={marks[index]!} />
      ))}
      <MarksFoot sought={sought} said={marks.flat()} />
    </div>
  )
}

function usePdf(blob: Blob, onOpened: (pdf: Pdf | null) => void): Pdf | null {
  const [pdf, setPdf] = useState<Pdf | null>(null)
  const tell = useEffectEvent(onOpened)
  useEffect(() => {
    let isGone = false
    let opened: Pdf | null = null
    const open = async () => {
      const found = isGone ? null : await openPdf(blob)
      if (isGone) {
        found?.close()
        return
      }
      opened = found
      setPdf(found)
      tell(found)
    }
    // Most of it is work of this thread, and the checks beside it are what was asked for.
    whenIdle(() => void open())
    return () => {
      isGone = true
      opened?.close()
    }
  }, [blob])
  return pdf
}

const percent = (part: number, whole: number) => `${(100 * part) / whole}%`

function Page({ page, marks }: { page: PdfPage; marks: readonly Mark[] }) {
  const draw = useCallback(
    (sheet: HTMLDivElement | null) => {
      if (sheet === null) return undefined
      const [canvas, text] = [sheet.querySelector('canvas')!, sheet.querySelector<HTMLElement>('[data-text]')!]
      // Its text is as large as it is, however wide the column is made.
      const size = new ResizeObserver(() =>
        text.style.setProperty('--total-scale-factor', String(sheet.clientWidth / page.width)),
      )
      size.observe(sheet)
      // What lies far below is drawn when it is scrolled to.
      const sight = new IntersectionObserver(
        ([seen]) => {
          if (!seen?.isIntersecting) return
          sight.disconnect()
          const dots = Math.min(sheet.clientWidth * Math.max(devicePixelRatio, 1.5), 2_400)
          // A page that cannot be drawn stays white; the file itself can be opened beside it.
          void page.draw(canvas, dots).catch(() => undefined)
          void page.layText(text).catch(() => undefined)
        },
        { rootMargin: '400px' },
      )
      sight.observe(sheet)
      return () => {
        size.disconnect()
        sight.disconnect()
      }
    },
    [page],
  )
  return (
    <div ref={draw} className={classes.page} style={{ aspectRatio: `${page.width} / ${page.height}` }}>
      <canvas aria-hidden="true" />
      {marks.map(({ keys, isOff, x, y, width, height }) => (
        <span
          key={`${x} ${y}`}
          className={classes.mark}
          data-mark={keys.join(' ')}
          data-off={isOff || undefined}
          style={{
            left: percent(x, page.width),
            top: percent(y, page.height),
            width: percent(width, page.width),
            height: percent(height, page.height),
          }}
        />
      ))}
      <div data-text="" className={classes.text} />
    </div>
  )
}
