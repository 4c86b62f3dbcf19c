import type { InvoiceCheck } from '@waybill/contract/invoice/checking'
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { whenIdle } from '../when-idle.ts'
import classes from './marked.module.css'
import { MarksFoot } from './marks-foot.tsx'
import { saidIn, soughtOf, type Said, type Sought } from './paper-marks.ts'

// As marked.module.css names them.
const FITS = 'paper-mark'
const OFF = 'paper-mark-off'

/** Marks what texts of an element say of what is sought; tells what was found. */
function highlight(element: HTMLElement, sought: readonly Sought[]): Said[] {
  const [fits, off, found] = [new Highlight(), new Highlight(), [] as Said[]]
  const texts = document.createNodeIterator(element, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
    for (const one of saidIn(text.textContent ?? '', sought)) {
      found.push(one)
      const [startContainer, endContainer] = [text, text]
      const range = new StaticRange({ startContainer, startOffset: one.from, endContainer, endOffset: one.to })
      if (one.isOff) off.add(range)
      else fits.add(range)
    }
  CSS.highlights.set(FITS, fits).set(OFF, off)
  return found
}

/** Marks in what it holds what was compared; a browser that knows no highlights shows it without. */
export function MarkedText({ check, children }: { check: InvoiceCheck | null; children: ReactNode }) {
  const { i18n } = useTranslation()
  const place = useRef<HTMLDivElement>(null)
  const sought = useMemo(() => soughtOf(check), [check])
  const [said, setSaid] = useState<readonly Said[]>([])
  useEffect(() => {
    if (!('highlights' in CSS)) return undefined
    // Days and amounts are written anew in another language.
    void i18n.language
    let isGone = false
    whenIdle(() => {
      if (!isGone && place.current !== null) setSaid(highlight(place.current, sought))
    })
    return () => {
      isGone = true
      CSS.highlights.delete(FITS)
      CSS.highlights.delete(OFF)
    }
  }, [sought, i18n.language])
  return (
    <>
      <div ref={place} className={classes.sheet}>
        {children}
      </div>
      <MarksFoot sought={sought} said={said} />
    </>
  )
}
