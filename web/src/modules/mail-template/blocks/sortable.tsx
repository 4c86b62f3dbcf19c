import {
  DndContext,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
  type Announcements,
  type CollisionDetection,
} from '@dnd-kit/core'
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable'
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

/**
 * Over which row one is: the last whose middle its leading edge has passed. Rows differ in height, so that the middle
 * of a high one comes to no low one.
 */
const passed: CollisionDetection = ({ active, collisionRect, droppableRects, droppableContainers }) => {
  const from = active.rect.current.initial?.top ?? collisionRect.top
  const rows = droppableContainers
    .flatMap((droppableContainer) => {
      const rect = droppableRects.get(droppableContainer.id)
      return rect === undefined ? [] : [{ droppableContainer, rect, middle: rect.top + rect.height / 2 }]
    })
    .toSorted((one, other) => one.middle - other.middle)
  const own = rows.find(({ droppableContainer }) => droppableContainer.id === active.id)
  const isDown = collisionRect.top > from
  const over = isDown
    ? rows.findLast(({ rect, middle }) => rect.top > from && middle < collisionRect.bottom)
    : rows.find(({ rect, middle }) => rect.top < from && middle > collisionRect.top)
  const row = over ?? own
  return row === undefined ? [] : [{ id: row.droppableContainer.id, data: row }]
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
      coordinateGetter: sortableKeyboardCoordinates,
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
