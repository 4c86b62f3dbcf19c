import type { OrderSection } from '@waybill/contract/order/presence'
import { memo, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useShortcut } from '../../../kit/shortcuts/shortcuts.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { KeyHint } from '../../../ui/marks/marks.tsx'
import classes from './contents.module.css'
import type { SectionMark } from './section-marks.ts'

interface ContentsProps {
  sections: readonly OrderSection[]
  marks: Record<OrderSection, SectionMark>
  /** How many fields were refused at the last save */
  wrong: Partial<Record<OrderSection, number>>
  /** `path` is the field that is wanted, where it is a certain one */
  onGo: (section: OrderSection, path?: string | null) => void
}

/** The sections as a table of contents, which is the to-do list too: tick, clock, triangle, empty ring. */
export const OrderFormContents = memo(function OrderFormContents({ sections, marks, wrong, onGo }: ContentsProps) {
  const { t } = useTranslation('order')
  const format = useFormat()
  const current = useCurrentSection(sections)
  // From where the hand is: what was scrolled to may not have arrived, and short sections
  // at the end never reach the top.
  const step = (by: number) => {
    const inHand = sections.findIndex((section) => document.getElementById(section)?.contains(document.activeElement))
    const target = sections[(inHand === -1 ? sections.indexOf(current) : inHand) + by]
    if (target !== undefined) onGo(target)
  }
  useShortcut({ key: 'ArrowDown', alt: true, label: t('keys.nextSection'), run: () => step(1), isEverywhere: true })
  useShortcut({ key: 'ArrowUp', alt: true, label: t('keys.previousSection'), run: () => step(-1), isEverywhere: true })
  const open = sections.filter(
    (section) => marks[section].state === 'missing' || marks[section].state === 'waiting',
  ).length
  return (
    <>
      <nav className={classes.contents} aria-label={t('sections.label')}>
        <ol>
          {sections.map((section) => (
            <li key={section}>
              <a
                href={`#${section}`}
                aria-current={section === current ? 'location' : undefined}
                title={marks[section].why === undefined ? undefined : t(`missing.${marks[section].why.missing}`)}
                onClick={(event) => {
                  event.preventDefault()
                  onGo(section, marks[section].why?.path)
                }}
              >
                <MarkIcon mark={marks[section]} />
                <span className={classes.name}>{t(`sections.${section}`)}</span>
                {wrong[section] === undefined ? null : (
                  <span className={classes.wrong} aria-label={t('wrongIn', { count: wrong[section] })} role="img">
                    {format.number(wrong[section])}
                  </span>
                )}
                {marks[section].count === null || wrong[section] !== undefined ? null : (
                  <span className={classes.count} data-state={marks[section].state}>
                    {format.number(marks[section].count)}
                  </span>
                )}
              </a>
            </li>
          ))}
        </ol>
        <p className={classes.keys}>
          <KeyHint>Alt</KeyHint> <KeyHint>↑</KeyHint> <KeyHint>↓</KeyHint> {t('keys.section')}
          <br />
          <KeyHint>Ctrl</KeyHint> <KeyHint>Enter</KeyHint> {t('keys.line')}
          <br />
          <KeyHint>Ctrl</KeyHint> <KeyHint>S</KeyHint> {t('keys.save')}
        </p>
      </nav>
      <label className={classes.jump}>
        <MarkIcon mark={marks[current]} />
        <span className={classes.jumpName}>{`${sections.indexOf(current) + 1} · ${t(`sections.${current}`)}`}</span>
        <span className={classes.jumpOpen}>{open > 0 ? t('toDo', { count: open }) : ''}</span>
        <Icon name="chevronDown" size={13} />
        <select
          aria-label={t('sections.label')}
          value={current}
          onChange={(event) => onGo(sections.find((section) => section === event.currentTarget.value) ?? current)}
        >
          {sections.map((section, index) => (
            <option key={section} value={section}>{`${index + 1} · ${t(`sections.${section}`)}`}</option>
          ))}
        </select>
      </label>
    </>
  )
})

function MarkIcon({ mark: { state, why } }: { mark: SectionMark }) {
  const { t } = useTranslation('order')
  const label = why === undefined ? t(`marks.${state}`) : t(`missing.${why.missing}`)
  if (state === 'empty') return <span className={classes.ring} role="img" aria-label={label} />
  return (
    <span className={classes.mark} data-state={state}>
      <Icon name={state === 'done' ? 'check' : state === 'waiting' ? 'clock' : 'alert'} size={13} label={label} />
    </span>
  )
}

// Which section lies under the header.
const LINE_PX = 180

function useCurrentSection(sections: readonly OrderSection[]): OrderSection {
  const [current, setCurrent] = useState<OrderSection>(sections[0]!)
  const names = sections.join(' ')
  useEffect(() => {
    const look = () => {
      const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2 && scrollY > 0
      const list = names.split(' ') as OrderSection[]
      const above = list.filter(
        (section) =>
          (document.getElementById(section)?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY) < LINE_PX,
      )
      setCurrent((isAtEnd ? list.at(-1) : above.at(-1)) ?? list[0]!)
    }
    addEventListener('scroll', look, { passive: true })
    // What lies below the fold grows as it comes, and pushes the rest on without any scrolling.
    const growth = new ResizeObserver(look)
    growth.observe(document.body)
    look()
    return () => {
      removeEventListener('scroll', look)
      growth.disconnect()
    }
  }, [names])
  return current
}
