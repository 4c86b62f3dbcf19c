import { fold } from '@waybill/contract/kit/text'
import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ComponentProps,
  type KeyboardEvent,
  type MouseEvent,
} from 'react'
import { createPortal, flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { nextOpenCell, walkGrid } from './grid-keys.ts'
import classes from './grid-select.module.css'

/** What a cell can hold; the value of nothing is an empty text. */
export interface GridChoice {
  value: string | number
  label: string
  /** Other words by which it is found */
  also?: readonly string[] | undefined
}

interface GridSelectProps extends Omit<ComponentProps<'select'>, 'onChange' | 'children' | 'value' | 'ref'> {
  value: string | number
  choices: readonly GridChoice[]
  onChoose: (value: string) => void
}

/** An open list: what was typed since, and which of the fitting choices is marked. */
interface OpenList {
  typed: string
  marked: number
}

const WALKS: Readonly<Record<string, [rows: number, columns: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
}
// A browser's own select box changes its value on them.
const CHANGES_ALONE = ['Home', 'End', 'PageUp', 'PageDown']
const PAGE = 8

/**
 * One of a list in a cell of a grid. Enter, Space and letters open the list, arrows walk from cell to cell while it is
 * closed and never change the value; in it Enter and Tab take what is marked, Escape leaves all as it was. A finger
 * gets the device's own list.
 */
export function GridSelect({ value, choices, onChoose, ...select }: GridSelectProps) {
  const [list, setList] = useState<OpenList | null>(null)
  const cell = useRef<HTMLSelectElement>(null)
  const isByMouse = useRef(false)
  const listId = useId()
  const fitting = list === null ? [] : choicesFor(choices, list.typed)
  // What was typed counts however the cell is left; what was only looked at does not.
  const typedChoice = list === null || list.typed === '' ? undefined : fitting[list.marked]
  const optionId = (index: number) => `${listId}-${index}`

  // At once: a key that follows must find it so.
  const show = (next: OpenList | null) => flushSync(() => setList(next))
  const open = (typed = '') =>
    show({
      typed,
      marked:
        typed === ''
          ? Math.max(
              0,
              choices.findIndex((one) => sameValue(one, value)),
            )
          : 0,
    })
  const take = (choice: GridChoice | undefined) =>
    flushSync(() => {
      setList(null)
      if (choice !== undefined && !sameValue(choice, value)) onChoose(String(choice.value))
    })
  const mark = (to: number) =>
    list !== null && show({ ...list, marked: Math.min(Math.max(to, 0), Math.max(fitting.length - 1, 0)) })

  const pressClosed = (event: KeyboardEvent<HTMLSelectElement>) => {
    const walk = WALKS[event.key]
    if (walk !== undefined) {
      event.preventDefault()
      walkGrid(event.currentTarget, ...walk)
    } else if (CHANGES_ALONE.includes(event.key)) event.preventDefault()
    else if (event.key === 'Enter' || event.key === ' ' || isLetter(event)) {
      event.preventDefault()
      event.stopPropagation()
      open(isLetter(event) && event.key !== ' ' ? event.key : '')
    }
  }
  const pressOpen = (event: KeyboardEvent<HTMLSelectElement>, { typed, marked }: OpenList) => {
    if (event.key === 'Tab') {
      take(fitting[marked])
      return
    }
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: marked + 1,
      ArrowUp: marked - 1,
      PageDown: marked + PAGE,
      PageUp: marked - PAGE,
      Home: 0,
      End: fitting.length,
    }
    if (event.key in moves) mark(moves[event.key]!)
    else if (event.key === 'Escape') show(null)
    else if (event.key === 'Enter') {
      if (fitting.length > 0) {
        take(fitting[marked])
        if (event.currentTarget.dataset.cell !== undefined) nextOpenCell(event.currentTarget)
      }
    } else if (event.key === 'Backspace') show({ typed: typed.slice(0, -1), marked: 0 })
    else if (isLetter(event)) show({ typed: typed + event.key, marked: 0 })
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const press = (event: KeyboardEvent<HTMLSelectElement>) => {
    // AltGr types letters and is reported as Ctrl and Alt.
    const isChord = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph')
    if (isChord) {
      if (list !== null) take(typedChoice)
      return
    }
    if (list === null) pressClosed(event)
    else pressOpen(event, list)
  }
  const pressMouse = (event: MouseEvent<HTMLSelectElement>) => {
    if (!isByMouse.current || event.button !== 0) return
    event.preventDefault()
    event.currentTarget.focus()
    if (list === null) open()
    else show(null)
  }
  return (
    <>
      <select
        {...select}
        ref={cell}
        value={value}
        aria-expanded={list !== null}
        aria-controls={list === null ? undefined : listId}
        aria-activedescendant={list === null || fitting.length === 0 ? undefined : optionId(list.marked)}
        onChange={(event) => onChoose(event.currentTarget.value)}
        onKeyDown={press}
        onPointerDown={(event) => {
          isByMouse.current = event.pointerType === 'mouse'
        }}
        onMouseDown={pressMouse}
        onBlur={() => {
          setList(null)
          if (typedChoice !== undefined && !sameValue(typedChoice, value)) onChoose(String(typedChoice.value))
        }}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
      {list === null
        ? null
        : createPortal(
            <ChoiceList
              id={listId}
              cell={cell.current!}
              typed={list.typed}
              choices={fitting}
              marked={list.marked}
              isChosen={(choice) => sameValue(choice, value)}
              optionId={optionId}
              onTake={take}
              onAway={() => setList(null)}
            />,
            document.body,
          )}
    </>
  )
}

interface ChoiceListProps {
  id: string
  cell: HTMLElement
  typed: string
  choices: readonly GridChoice[]
  marked: number
  isChosen: (choice: GridChoice) => boolean
  optionId: (index: number) => string
  onTake: (choice: GridChoice) => void
  onAway: () => void
}

// px between the cell and its list
const GAP = 3

/** Puts the list below the cell, or above it where there is more room. */
function place({ style, offsetHeight, offsetWidth }: HTMLElement, cell: HTMLElement): void {
  const { top, bottom, left } = cell.getBoundingClientRect()
  const isBelow = bottom + GAP + offsetHeight <= innerHeight || top < innerHeight - bottom
  style.top = `${isBelow ? bottom + GAP : Math.max(GAP, top - GAP - offsetHeight)}px`
  style.left = `${Math.max(GAP, Math.min(left, innerWidth - offsetWidth - GAP))}px`
}

function ChoiceList({ id, cell, typed, choices, marked, isChosen, optionId, onTake, onAway }: ChoiceListProps) {
  const { t } = useTranslation('list')
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => place(box.current!, cell), [cell, choices.length])
  useEffect(() => {
    document.getElementById(optionId(marked))?.scrollIntoView({ block: 'nearest' })
  }, [marked, optionId])
  // The cell keeps the focus.
  useEffect(() => {
    const list = box.current!
    const keep = (event: globalThis.MouseEvent) => event.preventDefault()
    list.addEventListener('mousedown', keep)
    return () => list.removeEventListener('mousedown', keep)
  }, [])
  // The page may still be scrolling to the cell when the first letter is typed: the list goes along, and ends where its
  // cell is out of sight.
  useEffect(() => {
    const follow = (event: Event) => {
      if (event.target instanceof Node && box.current!.contains(event.target)) return
      const { top, bottom } = cell.getBoundingClientRect()
      if (bottom < 0 || top > innerHeight) onAway()
      else place(box.current!, cell)
    }
    addEventListener('scroll', follow, true)
    addEventListener('resize', follow)
    return () => {
      removeEventListener('scroll', follow, true)
      removeEventListener('resize', follow)
    }
  }, [cell, onAway])
  return (
    <div ref={box} className={classes.list}>
      {typed === '' ? null : <div className={classes.typed}>{typed}</div>}
      <div id={id} role="listbox" aria-label={t('choices')} className={classes.choices}>
        {choices.map((choice, index) => (
          // The cell hears the keys.
          <button
            key={choice.value}
            id={optionId(index)}
            type="button"
            tabIndex={-1}
            role="option"
            className={classes.choice}
            aria-selected={isChosen(choice)}
            data-marked={index === marked || undefined}
            onClick={() => onTake(choice)}
          >
            {choice.label === '' ? '–' : choice.label}
          </button>
        ))}
      </div>
      {choices.length === 0 ? (
        <div className={classes.nothing} role="status">
          {t('nothingFound')}
        </div>
      ) : null}
    </div>
  )
}

const isLetter = ({ key }: KeyboardEvent): boolean => key.length === 1
const sameValue = (choice: GridChoice, value: string | number): boolean => String(choice.value) === String(value)

/**
 * Those that what was typed is the beginning of, then those with a word that begins so, then those that contain it;
 * behind them those that are found by other words alone.
 */
export function choicesFor(choices: readonly GridChoice[], typed: string): readonly GridChoice[] {
  const wanted = fold(typed.trim())
  if (wanted === '') return choices
  const rankIn = (text: string): number => {
    const words = fold(text)
    return words.startsWith(wanted) ? 0 : words.includes(` ${wanted}`) ? 1 : words.includes(wanted) ? 2 : 3
  }
  const rank = ({ label, also = [] }: GridChoice): number => {
    const own = rankIn(label)
    return own < 3 ? own : 3 + Math.min(3, ...also.map(rankIn))
  }
  return choices.filter((choice) => rank(choice) < 6).toSorted((a, b) => rank(a) - rank(b))
}
