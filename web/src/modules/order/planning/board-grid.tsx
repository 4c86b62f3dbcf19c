import { useDraggable } from '@dnd-kit/core'
import type { BoardBar } from '@waybill/contract/order/planning/board'
import { LOAD_LIMITS } from '@waybill/contract/order/cargo'
import { peakOf, spanOf, timeOfStop, type BarWarning, type Capacity } from '@waybill/contract/order/planning/warnings'
import { memo, useEffect, useMemo, useState, type PointerEventHandler, type RefObject } from 'react'
import { Icon } from '../../../ui/marks/icon.tsx'
import { stopColor } from '../../../ui/marks/marks.tsx'
import { HOURS_A_DAY } from '../values/delay-words.ts'
import { Axis, DaysBehind } from './board-axis.tsx'
import classes from './board.module.css'
import { isDraft, type BoardRow, type PlacedBar, type RowGroup } from './board-rows.ts'
import { isConflict, laneOf, lateWords, placeName, priceWords, useBoardWords, type BoardWords } from './board-words.ts'
import type { Hand } from './hand.ts'
import type { TimeScale } from './time-scale.ts'
import { plannedStops, type InHand } from './use-board.ts'

const ROW_HEIGHT = 36
const LEVEL_HEIGHT = 32
const GROUP_HEIGHT = 21
const TOP = 4
/** Rows above and below what is seen, so that scrolling shows no gap. */
const SPARE_PX = 480

const heightOf = (row: BoardRow): number => ROW_HEIGHT + (row.levels - 1) * LEVEL_HEIGHT

interface Line {
  top: number
  height: number
  row: BoardRow | null
  group: RowGroup
  count: number
}

/** The rows one below the other with the names of their groups, as they lie in what scrolls. */
export function linesOf(rows: readonly BoardRow[]): Line[] {
  const lines: Line[] = []
  const counts = Map.groupBy(rows, ({ group }) => group)
  let top = 0
  const add = (line: Omit<Line, 'top'>) => {
    lines.push({ ...line, top })
    top += line.height
  }
  for (const [index, row] of rows.entries()) {
    if (row.group !== 'lanes' && row.group !== rows[index - 1]?.group)
      add({
        row: null,
        group: row.group,
        height: GROUP_HEIGHT,
        count: counts.get(row.group)!.length,
      })
    add({ row, group: row.group, height: heightOf(row), count: 0 })
  }
  return lines
}

interface BoardGridProps {
  rows: readonly BoardRow[]
  scale: TimeScale
  timeZone: string
  now: number
  warnings: ReadonlyMap<number, BarWarning[]>
  numberOf: (routeId: number) => string
  /** the route's number */
  selected: string | null
  hand: Hand | null
  /** what would be doubtful, were what is in hand put on a row; null: nothing is in hand */
  there: ((row: BoardRow, startAt: number | null) => readonly BarWarning[]) | null
  scroller: RefObject<HTMLDivElement | null>
  /** the map stands beside it */
  isBesideMap: boolean
  onSelect: (bar: BoardBar) => void
}

/** The axis of days and the rows; only the rows in sight are drawn. */
export function BoardGrid(props: BoardGridProps) {
  const { rows, scale, timeZone, now, warnings, numberOf, selected, hand, there } = props
  const { scroller, isBesideMap, onSelect } = props
  const words = useBoardWords(numberOf)
  const { t, format } = words
  const [seen, setSeen] = useState({ top: 0, height: 1200 })
  const lines = useMemo(() => linesOf(rows), [rows])
  const height = lines.reduce((sum, line) => sum + line.height, 0)
  useEffect(() => {
    const box = scroller.current!
    // A row at a time: many at once take longer than a frame.
    const look = () =>
      setSeen((before) =>
        Math.abs(box.scrollTop - before.top) < ROW_HEIGHT && box.clientHeight === before.height
          ? before
          : { top: box.scrollTop, height: box.clientHeight },
      )
    look()
    const observer = new ResizeObserver(look)
    observer.observe(box)
    box.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      box.removeEventListener('scroll', look)
    }
  }, [scroller])
  const numbers = useMemo(() => rows.flatMap((row) => row.bars.map(({ bar }) => bar.number)), [rows])
  const reachable = selected !== null && numbers.includes(selected) ? selected : numbers[0]
  const isNarrow = scale.columns.length > 7 || (isBesideMap && scale.columns.length > 1)
  return (
    <div className={classes.board}>
      <div ref={scroller} className={classes.scroll} role="region" aria-label={t('board')} data-scroller>
        <Axis scale={scale} timeZone={timeZone} now={now} isNarrow={isNarrow} />
        <div className={classes.rows} style={{ height }} data-rows>
          <DaysBehind scale={scale} now={now} />
          {lines
            .filter(
              ({ top, height: high }) => top + high > seen.top - SPARE_PX && top < seen.top + seen.height + SPARE_PX,
            )
            .map((line) =>
              line.row === null ? (
                <div key={line.group} className={classes.group} style={{ top: line.top }}>
                  <b>{t(`group.${line.group}`)}</b> <span className={classes.dim}>{format.number(line.count)}</span>
                </div>
              ) : (
                <RowOfBoard
                  key={line.row.key}
                  row={line.row}
                  top={line.top}
                  scale={scale}
                  now={now}
                  warnings={warnings}
                  words={words}
                  onSelect={onSelect}
                  inHand={hand?.inHand ?? null}
                  there={there}
                  target={hand !== null && hand.rowKey === line.row.key ? hand : null}
                  selected={line.row.bars.some(({ bar }) => bar.number === selected) ? selected : null}
                  reachable={line.row.bars.some(({ bar }) => bar.number === reachable) ? reachable : undefined}
                />
              ),
            )}
        </div>
      </div>
    </div>
  )
}

/** Per cent of the days: a bar that ends further right has its prices before it. */
const PRICES_FIT = 80

interface RowProps extends Pick<BoardGridProps, 'scale' | 'now' | 'warnings' | 'there' | 'onSelect'> {
  words: BoardWords
  row: BoardRow
  top: number
  inHand: InHand | null
  /** what is in hand, where it is over this row */
  target: Hand | null
  /** the chosen bar, where it is of this row */
  selected: string | null
  /** the one bar that Tab leads to, where it is of this row */
  reachable: string | undefined
}

const RowOfBoard = memo(function RowOfBoard(props: RowProps) {
  const { row, top, scale, now, warnings, words, inHand, there, target, selected, reachable, onSelect } = props
  const { t } = words
  return (
    <div
      className={classes.row}
      style={{ top, height: heightOf(row) }}
      data-lane={row.lane ?? undefined}
      data-target={target !== null || undefined}
      role="group"
      aria-label={rowName(row, t)}
    >
      <RowHead row={row} there={there} startAt={target?.startAt ?? null} warnings={warnings} words={words} />
      <div className={classes.track}>
        {row.busy.map(({ startAt, endAt }) => {
          const box = scale.box(Date.parse(startAt), Date.parse(endAt))
          return box === null ? null : (
            <span key={startAt} className={classes.busy} style={{ left: `${box.left}%`, width: `${box.width}%` }}>
              {t('busy')}
            </span>
          )
        })}
        {row.bars.map((placed) => (
          <Bar
            // The route has no id yet while a plan is on its way: its number stays.
            key={placed.bar.number}
            placed={placed}
            capacity={row.capacity}
            scale={scale}
            now={now}
            warnings={warnings.get(placed.bar.routeId)}
            words={words}
            isSelected={placed.bar.number === selected}
            isReachable={placed.bar.number === reachable}
            isCarried={inHand?.routeId === placed.bar.routeId}
            onSelect={onSelect}
          />
        ))}
        {target === null ? null : <Ghost hand={target} scale={scale} />}
      </div>
    </div>
  )
})

/** What a row is called when it is spoken of. */
export function rowName(row: BoardRow, t: (key: string) => string): string {
  if (row.lane !== null) return t(`lane.${row.lane}`)
  const plate = row.plate === '' ? t('noPlate') : row.plate
  return row.carrier === null ? plate : `${row.carrier.title} ${row.plate}`.trim()
}

/** What of a row keeps it from what is in hand; how the times lie is no fault of the row. */
const NOT_OF_ROW: readonly BarWarning['code'][] = ['early', 'late', 'unreachable']

interface RowHeadProps extends Pick<RowProps, 'row' | 'there' | 'warnings' | 'words'> {
  /** when what is in hand would begin; null: its times stay */
  startAt: number | null
}

function RowHead({ row, there, startAt, warnings, words }: RowHeadProps) {
  const { t, warningWords } = words
  const conflict = row.bars.flatMap(({ bar }) =>
    (warnings.get(bar.routeId) ?? []).filter(isConflict).map((warning) => ({ bar, warning })),
  )[0]
  const unfit = useMemo(
    () =>
      there === null || row.lane !== null
        ? undefined
        : there(row, startAt).find(({ code }) => !NOT_OF_ROW.includes(code)),
    [there, row, startAt],
  )
  const kind = row.vehicle?.vehicleType?.title
  const answers = row.bars.reduce((sum, { bar }) => sum + (bar.prices?.priced ?? 0), 0)
  return (
    <div className={classes.head}>
      <span className={classes.line}>
        {there === null || row.lane !== null ? null : (
          <span className={classes.fit} data-fits={unfit === undefined || undefined}>
            {unfit === undefined
              ? t('fits')
              : unfit.code === 'too_long' || unfit.code === 'too_heavy'
                ? t(`unfit.${unfit.code}`)
                : t(`conflict.${unfit.code}`)}
          </span>
        )}
        {row.lane === null ? null : (
          <Icon name={row.lane === 'sale' ? 'euro' : 'alert'} size={13} className={classes.warn} />
        )}{' '}
        {row.lane !== null ? (
          t(`lane.${row.lane}`)
        ) : row.carrier === null ? (
          <span className={classes.plate}>{row.plate === '' ? t('noPlate') : row.plate}</span>
        ) : (
          row.carrier.title
        )}
      </span>
      <span className={classes.line} data-second>
        {conflict === undefined ? (
          row.lane === null ? (
            [row.carrier === null ? null : row.plate, row.driver, kind].filter(Boolean).join(' · ')
          ) : (
            [t('routes', { count: row.bars.length }), answers === 0 ? null : t('prices.answers', { count: answers })]
              .filter(Boolean)
              .join(', ')
          )
        ) : (
          <span className={classes.bad} title={warningWords(conflict.warning, conflict.bar.stops)}>
            {t(`conflict.${conflict.warning.code}`)}
          </span>
        )}
      </span>
    </div>
  )
}

interface BarProps {
  placed: PlacedBar
  capacity: Capacity | null
  scale: TimeScale
  now: number
  warnings: readonly BarWarning[] | undefined
  words: BoardWords
  isSelected: boolean
  /** by Tab; of all bars of the board one row's first, or the chosen one */
  isReachable: boolean
  isCarried: boolean
  onSelect: (bar: BoardBar) => void
}

const Bar = memo(function Bar(props: BarProps) {
  const { placed, capacity, scale, now, warnings = [], words, isSelected, isReachable, isCarried, onSelect } = props
  const { t, format, warningWords } = words
  const { bar, start, end, level } = placed
  const { setNodeRef, listeners } = useDraggable({ id: `bar ${bar.routeId}`, data: { bar } })
  const { onPointerDown } = (listeners ?? {}) as { onPointerDown?: PointerEventHandler }
  const box = scale.box(start, end)
  const top = TOP + level * LEVEL_HEIGHT
  const late = lateWords(bar, now, t)
  const lateBox = bar.delay === null ? null : scale.box(end, now)
  const lane = laneOf(bar.stops)
  const doubts = warnings.map((warning) => warningWords(warning, bar.stops))
  const { ldm, kg } = peakOf(bar.stops)
  const [mostLdm, mostKg] = [capacity?.ldm ?? LOAD_LIMITS.ldm, capacity?.payloadKg ?? LOAD_LIMITS.weightKg]
  const prices = bar.prices === null ? null : priceWords(bar.prices, t, format)
  const title = [`${bar.number} ${lane}`, bar.customer.title, prices, ...doubts].filter(Boolean).join('\n')
  return (
    <>
      {box === null ? null : (
        <button
          ref={setNodeRef}
          type="button"
          className={classes.bar}
          style={{ left: `${box.left}%`, width: `${box.width}%`, top }}
          title={title}
          aria-label={[bar.number, lane, t(`order-list:status.${bar.status}`), late, prices, ...doubts]
            .filter(Boolean)
            .join(', ')}
          aria-pressed={isSelected}
          tabIndex={isReachable ? 0 : -1}
          data-bar={bar.number}
          data-status={bar.status}
          data-draft={isDraft(bar) || undefined}
          data-cut={box.isCutLeft || undefined}
          data-selected={isSelected || undefined}
          data-carried={isCarried || undefined}
          data-conflict={warnings.some(isConflict) || undefined}
          data-amber={(warnings.length > 0 && !warnings.some(isConflict)) || undefined}
          onPointerDown={onPointerDown}
          onFocus={() => onSelect(bar)}
          onClick={() => onSelect(bar)}
        >
          <span className={classes.barText}>
            <b>{lane}</b> <span className={classes.number}>{bar.number}</span>
          </span>
          {bar.stops.slice(1, -1).map((stop, index) => {
            const at = timeOfStop(stop)
            return at === null || at <= start || at >= end ? null : (
              <i
                key={stop.id}
                className={classes.stop}
                data-stop={stopColor(index + 2)}
                style={{ left: `${((at - start) / (end - start)) * 100}%` }}
              />
            )
          })}
          <span className={classes.fill}>
            <i style={{ width: `${Math.min(100, (ldm / mostLdm) * 100)}%` }} data-over={ldm > mostLdm || undefined} />
            <i
              className={classes.kg}
              style={{ width: `${Math.min(100, (kg / mostKg) * 100)}%` }}
              data-over={kg > mostKg || undefined}
            />
          </span>
        </button>
      )}
      {prices === null || box === null ? null : (
        <span
          className={classes.prices}
          style={
            box.left + box.width < PRICES_FIT
              ? { left: `${box.left + box.width}%`, top }
              : { right: `${100 - box.left}%`, top }
          }
          data-priced={bar.prices!.bestCents !== null || undefined}
        >
          {prices}
        </span>
      )}
      {lateBox === null ? null : (
        <span className={classes.late} style={{ left: `${lateBox.left}%`, width: `${lateBox.width}%`, top }} />
      )}
      {late === null || now < scale.start ? null : (
        <span
          className={classes.lateText}
          style={{ left: `${Math.max(scale.percent(end), Math.min(scale.percent(now), 92), 0)}%`, top }}
          data-long={bar.delay!.hours >= HOURS_A_DAY || undefined}
        >
          {late}
        </span>
      )}
    </>
  )
})

/** Where what is in hand would come to stand. */
function Ghost({ hand, scale }: { hand: Hand; scale: TimeScale }) {
  const { inHand, startAt } = hand
  const stops = plannedStops(inHand.stops, startAt === null ? null : new Date(startAt).toISOString())
  const span = spanOf(stops)
  const box = span === null ? null : scale.box(span.start, span.end)
  return box === null ? null : (
    <span className={classes.ghost} style={{ left: `${box.left}%`, width: `${box.width}%`, top: TOP }}>
      <b>{inHand.number}</b> {placeName(stops[0])} → {placeName(stops.at(-1))}
    </span>
  )
}
