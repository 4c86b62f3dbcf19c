import { DndContext, PointerSensor, useSensor, useSensors, type Announcements } from '@dnd-kit/core'
import { Button, Select } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { departmentApi } from '@waybill/contract/department'
import { addDays, isRealDate } from '@waybill/contract/kit/local-time'
import { BOARD_SPANS, type BoardBar, type BoardSpan, type WaitingCard } from '@waybill/contract/order/planning/board'
import { boardWarnings, timeOfStop } from '@waybill/contract/order/planning/warnings'
import { hasEnded } from '@waybill/contract/order/status'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { localToday } from '../../../kit/list/filter/filters.ts'
import { useReferences } from '../../../kit/list/reference/references.ts'
import { useKeyHints, useShortcut } from '../../../kit/shortcuts/shortcuts.ts'
import { Segmented } from '../../../ui/fields/segmented.tsx'
import { Icon } from '../../../ui/marks/icon.tsx'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { KeyHint } from '../../../ui/marks/marks.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { orderPath } from '../values/paths.ts'
import { BoardGrid, linesOf, rowName } from './board-grid.tsx'
import type { Choosing } from './choice-on-board.tsx'
import { isDraft, rowsOf, type BoardRow } from './board-rows.ts'
import { isConflict, loadOf, placeName, useWarningWords } from './board-words.ts'
import { DropHint } from './drop-hint.tsx'
import { ForSaleButton } from './for-sale-button.tsx'
import { PlanningWindows } from './planning-windows.tsx'
import classes from './planning.module.css'
import { PhoneRoutes } from './phone-routes.tsx'
import { RouteStrip } from './route-strip.tsx'
import { firstDayOf, KEY_DAY, KEY_STEP, scaleOf, weekNumber } from './time-scale.ts'
import { warningsThere } from './put-there.ts'
import { plannedStops, routeIdIn, useBoard } from './use-board.ts'
import { useHand } from './use-hand.ts'
import { matching, WaitingList } from './waiting-list.tsx'

const PlanningMap = lazy(() => import('./planning-map.tsx').then((file) => ({ default: file.PlanningMap })))

const PHONE = '(max-width: 760px)'
const MINUTE = 60_000
// The same object each time: a new one would draw every card and bar anew.
const BY_POINTER = { activationConstraint: { distance: 5 } }

// The foot says it, with what it means.
const NOTHING = () => undefined
const SILENT: Announcements = {
  onDragStart: NOTHING,
  onDragOver: NOTHING,
  onDragEnd: NOTHING,
  onDragCancel: NOTHING,
}

const isoOf = (epoch: number | null): string | null => (epoch === null ? null : new Date(epoch).toISOString())

/** What the address says; anything else that stands there is passed over. A phone shows one day, whatever it says. */
function useNarrowing(isPhone: boolean) {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  const navigate = useNavigate()
  const days = isPhone ? 1 : (BOARD_SPANS.find((span) => String(span) === String(search.days)) ?? 7)
  const asked = typeof search.from === 'string' && isRealDate(search.from) ? search.from : localToday()
  const department = Number(search.department)
  const given = {
    from: firstDayOf(asked, days),
    days,
    departmentId: Number.isSafeInteger(department) && department > 0 ? department : null,
    map: search.map === '1' || search.map === 1,
  }
  const go = (change: Partial<typeof given>) => {
    const next = { ...given, ...change }
    void navigate({
      to: '/planning' as string,
      replace: true,
      search: {
        from: next.from,
        days: String(next.days),
        ...(next.departmentId !== null && { department: String(next.departmentId) }),
        ...(next.map && { map: '1' }),
      } as never,
    })
  }
  return { given, go }
}

/** Ticks with the minute: the line of the hour moves, and what is late gets later. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE)
    return () => clearInterval(timer)
  }, [])
  return now
}

const focusOn = (number: string): void =>
  document.querySelector<HTMLElement>(`[data-bar="${CSS.escape(number)}"]`)?.focus()

/** The planning board: what waits on the left, vehicles and their routes over days on the right. */
export function PlanningPage() {
  const { t } = useTranslation(['planning', 'common', 'clearance'])
  const format = useFormat()
  const navigate = useNavigate()
  const isPhone = useMediaQuery(PHONE, false, { getInitialValueInEffect: false })
  const { given, go } = useNarrowing(isPhone)
  const board = useBoard(given)
  const now = useNow()
  const departments = useReferences(departmentApi, '', true)
  const [typed, setTyped] = useState('')
  const [selected, setSelected] = useState<string | null>(null)
  const [isScheduling, setScheduling] = useState(false)
  const [choosing, setChoosing] = useState<Choosing | null>(null)
  const finder = useRef<HTMLInputElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const pointer = useRef({ left: 0, top: 0, grabbed: 0 })
  const sensors = useSensors(useSensor(PointerSensor, BY_POINTER))

  const { data } = board
  const rows = useMemo(() => (data === undefined ? [] : rowsOf(data)), [data])
  const scale = useMemo(() => (data === undefined ? null : scaleOf(data, given.days)), [data, given.days])
  const warnings = useMemo(
    () =>
      data === undefined
        ? new Map<number, never[]>()
        : boardWarnings(
            rows.map(({ bars, capacity, lane, busy }) => ({
              bars: bars.map(({ bar }) => bar),
              capacity: lane === null ? capacity : null,
              busy,
            })),
          ),
    [data, rows],
  )
  const bars = useMemo(() => rows.flatMap((row) => row.bars.map(({ bar }) => bar)), [rows])
  const numbers = useMemo(() => new Map(data?.bars.map((bar) => [bar.routeId, bar.number])), [data])
  const numberOf = useMemo(() => (routeId: number) => numbers.get(routeId) ?? '', [numbers])
  const cards = useMemo(() => matching(data?.waiting ?? [], typed), [data, typed])
  const chosen = bars.find(({ number }) => number === selected)
  const chosenRow = rows.find((row) => row.bars.some(({ bar }) => bar === chosen))
  const { conflicts, late, drafts } = useMemo(
    () => ({
      conflicts: bars.filter(({ routeId }) => warnings.get(routeId)?.some(isConflict)),
      late: bars.filter(({ delay }) => delay !== null).length,
      drafts: bars.filter(isDraft),
    }),
    [bars, warnings],
  )

  const select = useCallback((bar: BoardBar) => setSelected(bar.number), [])
  const wanted = useRef<string | null>(null)
  const focusBar = (number: string) => {
    setSelected(number)
    wanted.current = number
    requestAnimationFrame(() => focusOn(number))
  }
  // On another row a bar is another element, and where it was the focus is gone.
  useEffect(() => {
    if (wanted.current !== null && document.activeElement === document.body) focusOn(wanted.current)
  })
  const held = useHand(rows, board, focusBar)
  const { hand } = held
  const inHand = hand?.inHand ?? null
  const carriers = data?.carriers
  const there = useMemo(
    () =>
      inHand === null || carriers === undefined
        ? null
        : (row: BoardRow, startAt: number | null) => warningsThere(inHand, row, startAt, { rows, carriers }),
    [inHand, rows, carriers],
  )
  const thereWords = useWarningWords(numberOf)
  const showRow = (key: string | null | undefined) => {
    const line = linesOf(rows).find(({ row }) => row !== null && row.key === key)
    const box = scroller.current
    if (line === undefined || box === null) return
    if (line.top < box.scrollTop) box.scrollTop = line.top
    else if (line.top + line.height > box.scrollTop + box.clientHeight - 40)
      box.scrollTop = line.top + line.height - box.clientHeight + 40
  }
  const choose = (bar: BoardBar | undefined) => {
    if (bar === undefined) return
    showRow(rows.find((row) => row.bars.some((one) => one.bar === bar))?.key)
    focusBar(bar.number)
  }
  /** Opens the choice of a carrier for a route that is still to be driven. */
  const chooseCarrier = async (bar: BoardBar) => {
    if (hasEnded(bar.status)) return
    const order = await board.orderOf(bar)
    const routeId = order === null ? null : routeIdIn(order, bar)
    if (order === null || routeId === null) return
    if (order.routes.some(({ id }) => id === routeId))
      setChoosing({ bar: { ...bar, routeId, version: order.version }, order })
    else void board.readAnew()
  }
  const step = (by: 1 | -1) => go({ from: addDays(given.from, by * given.days) })
  const nextConflict = () => {
    const at = conflicts.findIndex(({ number }) => number === selected)
    choose(conflicts[(at + 1) % conflicts.length])
  }
  useShortcut({ key: 't', label: t('today'), run: () => go({ from: firstDayOf(localToday(), given.days) }) })
  useShortcut({ key: 'g', label: t('map'), run: () => go({ map: !given.map }) })
  useShortcut({ key: '/', label: t('find'), run: () => finder.current?.focus() })
  useShortcut({ key: 'F8', label: t('nextConflict'), run: nextConflict, isEverywhere: true }, conflicts.length > 0)
  useShortcut({ key: 'Enter', mod: true, label: t('schedule.do'), run: () => setScheduling(true) }, drafts.length > 0)
  const hints = useMemo(
    () => [
      { key: ' ', label: t('keys.take') },
      { key: 'Delete', label: t('unplan') },
      { key: 'm', label: t('keys.merge') },
      { key: 'c', label: t('chooseCarrier') },
    ],
    [t],
  )
  useKeyHints(hints)

  /** The bar beside a bar: the next of its row, or the nearest one of the rows above or below. */
  const neighbour = (bar: BoardBar, key: string): BoardBar | undefined => {
    const at = rows.findIndex((row) => row.bars.some((one) => one.bar === bar))
    const own = rows[at]!.bars
    const place = own.findIndex((one) => one.bar === bar)
    if (key === 'ArrowLeft' || key === 'ArrowRight') return own[place + (key === 'ArrowLeft' ? -1 : 1)]?.bar
    const others = key === 'ArrowUp' ? rows.slice(0, at).toReversed() : rows.slice(at + 1)
    const next = others.find((row) => row.bars.length > 0)
    return next?.bars.toSorted(
      (a, b) => Math.abs(a.start - own[place]!.start) - Math.abs(b.start - own[place]!.start),
    )[0]?.bar
  }

  const onKeys = (event: KeyboardEvent<HTMLElement>) => {
    const target = event.target as HTMLElement
    const card = cards.find(({ orderId }) => String(orderId) === target.dataset.card)
    const bar = bars.find(({ number }) => number === target.dataset.bar)
    if (event.ctrlKey || event.altKey || event.metaKey) return
    const done = () => event.preventDefault()
    if (hand !== null) {
      const arrow = { ArrowUp: { rows: -1 }, ArrowDown: { rows: 1 } }[event.key]
      const way = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
      if (arrow !== undefined) {
        held.moveBy(arrow)
        const at = rows.findIndex(({ key }) => key === hand.rowKey)
        showRow(rows[at + arrow.rows]?.key)
      } else if (way !== 0) held.moveBy({ ms: way * (event.shiftKey ? KEY_DAY : KEY_STEP) })
      else if (event.key === 'Enter' || event.key === ' ') held.putDown()
      else if (event.key === 'Escape') held.drop()
      else return
      done()
      return
    }
    if (event.key === ' ' && (card ?? bar) !== undefined) {
      held.take((card ?? bar)!, false, now)
      done()
    } else if (event.key === 'Enter' && (card ?? bar) !== undefined) {
      void navigate({ to: orderPath((card ?? bar)!.orderId) as string })
      done()
    } else if (event.key === 'Delete' && bar !== undefined) {
      held.unplan(bar)
      done()
    } else if (event.key === 'c' && bar !== undefined) {
      void chooseCarrier(bar)
      done()
    } else if (event.key === 'm' && card !== undefined) {
      const next = cards[cards.indexOf(card) + 1]
      if (next !== undefined) held.merge([card.orderId, next.orderId])
      done()
    } else if (event.key.startsWith('Arrow') && bar !== undefined) {
      choose(neighbour(bar, event.key))
      done()
    } else if ((event.key === 'ArrowUp' || event.key === 'ArrowDown') && card !== undefined) {
      const next = cards[cards.indexOf(card) + (event.key === 'ArrowUp' ? -1 : 1)]
      if (next !== undefined) document.querySelector<HTMLElement>(`[data-card="${next.orderId}"]`)?.focus()
      done()
    }
  }

  /** What lies under the pointer: a row and the moment there, or the list and an order of it. */
  const under = () => {
    const { left, top, grabbed } = pointer.current
    const box = scroller.current?.getBoundingClientRect()
    const track = scroller.current?.querySelector('[data-track]')?.getBoundingClientRect()
    const list = document.querySelector('[data-list]')?.getBoundingClientRect()
    const nowhere = { rowKey: null, overList: false, overOrderId: null, at: null }
    if (list !== undefined && left < list.right && left > list.left) {
      const over = document
        .elementsFromPoint(left, top)
        .map((element) => (element as HTMLElement).dataset.card)
        .find((id) => id !== undefined && Number(id) !== hand?.inHand.orderId)
      return {
        ...nowhere,
        overList: hand?.inHand.routeId !== null,
        overOrderId: over === undefined ? null : Number(over),
      }
    }
    if (box === undefined || track === undefined || scale === null) return nowhere
    if (left < box.left || left > box.right || top < track.bottom || top > box.bottom) return nowhere
    const y = top - box.top - track.height + scroller.current!.scrollTop
    const line = linesOf(rows).find((one) => one.row !== null && y >= one.top && y < one.top + one.height)
    const at = scale.at((left - track.left) / track.width) - grabbed
    return { ...nowhere, rowKey: line?.row?.key ?? null, at: left < track.left ? null : at }
  }

  if (data === undefined || scale === null)
    return board.error === null ? (
      <SkeletonLines lines={12} label={t('common:loading')} />
    ) : (
      <LoadError error={board.error} onRetry={() => void board.refetch()} />
    )
  const lastDay = addDays(given.from, given.days - 1)
  const span =
    given.days === 1
      ? format.weekdayDate(given.from)
      : t('week', {
          number: weekNumber(given.from),
          from: format.shortWeekdayDate(given.from),
          to: format.shortWeekdayDate(lastDay),
        })
  const doubtful = hand === null || held.row === undefined ? [] : (there?.(held.row, hand.startAt) ?? [])
  const last = hand === null ? undefined : plannedStops(hand.inHand.stops, isoOf(hand.startAt)).at(-1)
  const arrival = last === undefined ? null : timeOfStop(last)
  const said =
    hand === null
      ? null
      : [
          t('inHand', {
            number: hand.inHand.number,
            row: held.row === undefined ? '–' : rowName(held.row, t),
            at: hand.startAt === null ? '' : format.dayTime(isoOf(hand.startAt)!, data.timeZone),
          }),
          // Beside the pointer stands the same with all stops.
          ...(hand.isCarried || held.row === undefined || last === undefined || arrival === null
            ? []
            : [`${placeName(last)} ${format.dayTime(isoOf(arrival)!, last.timeZone)}`]),
          ...(hand.isCarried || held.row === undefined
            ? []
            : doubtful.length === 0
              ? [t('fits')]
              : doubtful.map((warning) => thereWords(warning, hand.inHand.stops))),
        ].join(' · ')
  const head = (
    <header className={classes.bar}>
      <h1 className={classes.title}>{t('title')}</h1>
      <IconButton
        icon="chevronLeft"
        label={t(given.days === 1 ? 'dayBefore' : 'weekBefore')}
        onClick={() => step(-1)}
      />
      <span className={classes.span}>{span}</span>
      <IconButton icon="chevronRight" label={t(given.days === 1 ? 'dayAfter' : 'weekAfter')} onClick={() => step(1)} />
      <Button
        size="compact-sm"
        variant="subtle"
        rightSection={<KeyHint>T</KeyHint>}
        onClick={() => go({ from: firstDayOf(localToday(), given.days) })}
      >
        {t('today')}
      </Button>
      <Segmented
        isSmall
        label={t('span')}
        value={String(given.days)}
        options={BOARD_SPANS.map((days) => ({ value: String(days), label: t(`spans.${days}`) }))}
        onChange={(days) => {
          const next = Number(days) as BoardSpan
          // Out of a week one looks at today, where it lies in it.
          const today = localToday()
          const isHere = today >= given.from && today <= lastDay
          go({ days: next, from: firstDayOf(isHere ? today : given.from, next) })
        }}
      />
      {conflicts.length === 0 ? null : (
        <Button
          size="compact-sm"
          className={classes.conflicts}
          leftSection={<Icon name="alert" size={13} />}
          rightSection={<KeyHint>F8</KeyHint>}
          onClick={nextConflict}
        >
          {t('conflicts', { count: conflicts.length })}
        </Button>
      )}
      {late === 0 ? null : <span className={classes.delayed}>{t('delayed', { count: late })}</span>}
      <span className={classes.grow} />
      <div className={classes.department}>
        <Select
          size="xs"
          aria-label={t('department')}
          placeholder={t('allDepartments')}
          clearable
          data={departments.items.map(({ id, title }) => ({ value: String(id), label: title }))}
          value={given.departmentId === null ? null : String(given.departmentId)}
          onChange={(id) => go({ departmentId: id === null ? null : Number(id) })}
        />
      </div>
      <ForSaleButton departmentId={given.departmentId} />
      <Button
        size="compact-sm"
        aria-pressed={given.map}
        leftSection={<Icon name="pin" size={13} />}
        rightSection={<KeyHint>G</KeyHint>}
        onClick={() => go({ map: !given.map })}
      >
        {t('map')}
      </Button>
      <Button size="compact-sm" variant="filled" disabled={drafts.length === 0} onClick={() => setScheduling(true)}>
        {t('schedule.button', { count: drafts.length })}
      </Button>
    </header>
  )
  if (isPhone)
    return <PhoneRoutes rows={rows} timeZone={data.timeZone} day={given.from} onDay={(from) => go({ from, days: 1 })} />
  return (
    <div
      className={classes.page}
      role="group"
      aria-label={t('title')}
      onKeyDown={onKeys}
      // Who goes elsewhere is not fetched back.
      onPointerDownCapture={() => (wanted.current = null)}
    >
      {head}
      <DndContext
        sensors={sensors}
        autoScroll={false}
        accessibility={{ announcements: SILENT }}
        onDragStart={({ active, activatorEvent }) => {
          const { card, bar } = active.data.current as { card?: WaitingCard; bar?: BoardBar }
          const { clientX, clientY } = activatorEvent as PointerEvent
          const placed = rows.flatMap((row) => row.bars).find((one) => one.bar.routeId === bar?.routeId)
          const track = scroller.current!.querySelector('[data-track]')!.getBoundingClientRect()
          const grabbedAt = scale.start + ((clientX - track.left) / track.width) * (scale.end - scale.start)
          pointer.current = {
            left: clientX,
            top: clientY,
            grabbed: placed === undefined ? 0 : grabbedAt - placed.start,
          }
          held.take((card ?? bar)!, true, now)
        }}
        onDragMove={({ activatorEvent, delta }) => {
          const { clientX, clientY } = activatorEvent as PointerEvent
          pointer.current = { ...pointer.current, left: clientX + delta.x, top: clientY + delta.y }
          held.carryTo(under())
        }}
        onDragCancel={held.drop}
        onDragEnd={held.putDown}
      >
        <div className={classes.work} data-map={given.map || undefined}>
          <WaitingList
            cards={cards}
            total={data.waiting.length}
            typed={typed}
            finder={finder}
            carriedId={hand !== null && hand.inHand.routeId === null ? hand.inHand.orderId : null}
            targetId={hand?.overOrderId ?? null}
            isTarget={hand?.overList ?? false}
            onType={setTyped}
          />
          <BoardGrid
            rows={rows}
            scale={scale}
            timeZone={data.timeZone}
            now={now}
            warnings={warnings}
            numberOf={numberOf}
            selected={selected}
            hand={hand}
            there={there}
            scroller={scroller}
            isBesideMap={given.map}
            onSelect={select}
          />
          {given.map ? (
            <aside className={classes.map} aria-label={t('map')}>
              <Suspense fallback={<SkeletonLines lines={8} label={t('common:loading')} />}>
                <PlanningMap chosen={chosen ?? null} waiting={cards} />
              </Suspense>
            </aside>
          ) : null}
        </div>
        {hand === null ? null : (
          <DropHint hand={hand} row={held.row} warnings={doubtful} numberOf={numberOf} from={pointer.current} />
        )}
      </DndContext>
      {chosen === undefined ? null : (
        <RouteStrip
          bar={chosen}
          capacity={chosenRow?.capacity ?? null}
          vehicle={chosenRow?.vehicle ?? null}
          timeZone={data.timeZone}
          warnings={warnings.get(chosen.routeId) ?? []}
          numberOf={numberOf}
          onChoose={() => void chooseCarrier(chosen)}
          onUnplan={() => held.unplan(chosen)}
        />
      )}
      <footer className={classes.foot}>
        <span className={classes.said} role="status">
          {said}
        </span>
        <span>
          <KeyHint>{t('keys.space')}</KeyHint> {t('keys.take')}
        </span>
        <span>
          <KeyHint>↑</KeyHint> <KeyHint>↓</KeyHint> {t('keys.row')}
        </span>
        <span>
          <KeyHint>←</KeyHint> <KeyHint>→</KeyHint> {t('keys.hour')}
        </span>
        <span className="optional">
          <KeyHint>Shift</KeyHint> <KeyHint>→</KeyHint> {t('keys.day')}
        </span>
        <span>
          <KeyHint>Enter</KeyHint> {t(hand === null ? 'open' : 'keys.plan')}
        </span>
        <span>
          <KeyHint>Esc</KeyHint> {t('keys.back')}
        </span>
        <span className={classes.grow} />
        {data.isCut ? <b className={classes.amber}>{t('isCut')}</b> : null}
        {hand === null ? null : <span>{loadOf(hand.inHand.stops, format)}</span>}
      </footer>
      <PlanningWindows
        held={held}
        drafts={isScheduling ? drafts : null}
        isTicked={(bar) => board.isOwn(bar) || bar === chosen}
        board={board}
        choosing={choosing}
        onChosen={() => setChoosing(null)}
        onScheduled={() => setScheduling(false)}
      />
    </div>
  )
}
