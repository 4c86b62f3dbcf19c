import {
  DndContext,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
  type Announcements,
  type CollisionDetection,
  type KeyboardCoordinateGetter,
} from '@dnd-kit/core'
import { SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import type { CSSProperties, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../../ui/marks/icon.tsx'
import classes from './blocks.module.css'

// The foot of the editor says it, in the person's words and where everybody sees it.
const NOTHING = () => undefined
const SILENT: Announcements = {
  onDragStart: NOTHING,
  onDragOver: NOTHING,
  onDragEnd: NOTHING,
  onDragCancel: NOTHING,
}

type Rects = Pick<Parameters<CollisionDetection>[0], 'droppableRects' | 'droppableContainers'>

/** The rows from the top down, each where it stands while none is moved. */
const rowsOf = ({ droppableRects, droppableContainers }: Rects) =>
  [...droppableContainers]
    .flatMap((container) => {
      const rect = droppableRects.get(container.id)
      return rect === undefined ? [] : [{ container, id: container.id, rect, middle: rect.top + rect.height / 2 }]
    })
    .toSorted((one, other) => one.middle - other.middle)

/**
 * Over which row one is: the last whose middle its leading edge has passed. Rows differ in height, so that the middle
 * of a high one comes to no low one.
 */
const passed: CollisionDetection = ({ active, collisionRect, ...rects }) => {
  const rows = rowsOf(rects)
  const own = rows.find(({ id }) => id === active.id)
  if (own === undefined) return []
  const from = own.rect.top
  const over =
    collisionRect.top > from
      ? rows.findLast(({ rect, middle }) => rect.top > from && middle < collisionRect.bottom)
      : rows.find(({ rect, middle }) => rect.top < from && middle > collisionRect.top)
  const row = over ?? own
  return [{ id: row.id, data: { droppableContainer: row.container, value: 0 } }]
}

/** An arrow goes on by one row, however high it is. */
const byOneRow: KeyboardCoordinateGetter = (event, { context }) => {
  const step = event.code === 'ArrowDown' ? 1 : event.code === 'ArrowUp' ? -1 : 0
  const { active, over, collisionRect, droppableRects, droppableContainers } = context
  if (step === 0 || active === null || collisionRect === null) return undefined
  event.preventDefault()
  const rows = rowsOf({ droppableRects, droppableContainers: droppableContainers.getEnabled() })
  const own = rows.findIndex(({ id }) => id === active.id)
  const next = rows.findIndex(({ id }) => id === (over?.id ?? active.id)) + step
  const row = rows[next]
  if (row === undefined) return undefined
  const { left, top, bottom } = row.rect
  return { x: left, y: next > own ? bottom - collisionRect.height : top }
}

interface SortableListProps {
  ids: readonly string[]
  /** What one is called while it is moved */
  nameOf: (id: string) => string
  onMove: (from: number, to: number) => void
  /** Told where it is; null when it has come to rest */
  say: (words: string | null) => void
  children: ReactNode
}

/** A list whose rows are moved by their handles: with the pointer, or Space, arrows, Space; Escape brings back. */
export function SortableList({ ids, nameOf, onMove, say, children }: SortableListProps) {
  const { t } = useTranslation('mail-template')
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, {
      coordinateGetter: byOneRow,
      keyboardCodes: { start: ['Space'], end: ['Space', 'Enter'], cancel: ['Escape'] },
    }),
  )
  const tell = (id: string, over: string) =>
    say(t('move.place', { name: nameOf(id), place: ids.indexOf(over) + 1, count: ids.length }))
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={passed}
      accessibility={{ announcements: SILENT, screenReaderInstructions: { draggable: t('move.how') } }}
      onDragStart={({ active }) => tell(String(active.id), String(active.id))}
      onDragOver={({ active, over }) => {
        if (over !== null) tell(String(active.id), String(over.id))
      }}
      onDragCancel={() => say(null)}
      onDragEnd={({ active, over }) => {
        say(null)
        if (over === null || over.id === active.id) return
        onMove(ids.indexOf(String(active.id)), ids.indexOf(String(over.id)))
      }}
    >
      <SortableContext items={ids as string[]} strategy={verticalListSortingStrategy}>
        {children}
      </SortableContext>
    </DndContext>
  )
}

interface SortableRowProps {
  id: string
  /** Names the handle */
  label: string
  className: string | undefined
  attributes?: Readonly<Record<`data-${string}`, string | boolean | undefined>>
  children: ReactNode
}

/** One row with its handle. */
export function SortableRow({ id, label, className, attributes: own, children }: SortableRowProps) {
  const { t } = useTranslation('mail-template')
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
    attributes: { roleDescription: t('move.role') },
  })
  const style: CSSProperties = {
    transform: transform === null ? undefined : `translate3d(${transform.x}px, ${transform.y}px, 0)`,
    transition,
  }
  return (
    <li ref={setNodeRef} className={className} style={style} data-moving={isDragging || undefined} {...own}>
      <button
        ref={setActivatorNodeRef}
        type="button"
        className={classes.handle}
        {...attributes}
        {...listeners}
        aria-label={label}
        title={label}
        data-handle={id}
      >
        <Icon name="grip" />
      </button>
      {children}
    </li>
  )
}
