import { DndContext, PointerSensor, useDraggable, useSensor, useSensors, type Announcements } from '@dnd-kit/core'
import type { MailBlockKind } from '@waybill/contract/mail-blocks'
import { useEffect, useRef, useState, type PointerEventHandler, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../../ui/marks/icon.tsx'
import classes from './blocks.module.css'
import { BLOCK_ICONS } from './block-kinds.ts'

/** Where a block that is carried would come to stand: before the block of this place, px of the window. */
interface Gap {
  at: number
  count: number
  left: number
  top: number
  width: number
}

interface Carried {
  kind: MailBlockKind
  left: number
  top: number
  gap: Gap | null
}

/** The gap between two blocks that is nearest to the pointer; null beside the list. */
function gapAt(left: number, top: number): Gap | null {
  const list = document.querySelector('[data-path="blocks"]')
  const seen = list?.closest('[data-scroll]')?.getBoundingClientRect()
  if (list === null || seen === undefined) return null
  if (left < seen.left || left > seen.right || top < seen.top || top > seen.bottom) return null
  const rows = [...list.children].map((row) => row.getBoundingClientRect())
  const at = rows.filter((row) => row.top + row.height / 2 < top).length
  const box = list.getBoundingClientRect()
  const edge = at < rows.length ? rows[at]!.top : (rows.at(-1)?.bottom ?? box.top)
  return { at, count: rows.length + 1, left: box.left, top: edge, width: box.width }
}

// The foot of the editor says it, as it does for a block that is moved.
const NOTHING = () => undefined
const SILENT: Announcements = {
  onDragStart: NOTHING,
  onDragOver: NOTHING,
  onDragEnd: NOTHING,
  onDragCancel: NOTHING,
}

// Until 50 ms after a drop the sensor takes every selection away: a caret that was set before would be lost, and what
// is typed next would stand in front.
const LETS_GO_MS = 60

interface PaletteDragProps {
  /** Puts a new block in before the one of this place */
  onDrop: (kind: MailBlockKind, at: number) => void
  /** Told where it would come to stand; null when it is put down */
  say: (words: string | null) => void
  children: ReactNode
}

/** Around the palette and the text: a kind of block is carried from the one into the other. */
export function PaletteDrag({ onDrop, say, children }: PaletteDragProps) {
  const { t } = useTranslation('mail-template')
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 6 } }))
  const [carried, setCarried] = useState<Carried | null>(null)
  const dropping = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(dropping.current), [])
  const end = () => {
    setCarried(null)
    say(null)
  }
  return (
    <DndContext
      sensors={sensors}
      accessibility={{ announcements: SILENT }}
      onDragMove={({ active, activatorEvent, delta }) => {
        if (!(activatorEvent instanceof PointerEvent)) return
        const { kind } = active.data.current as { kind: MailBlockKind }
        const [left, top] = [activatorEvent.clientX + delta.x, activatorEvent.clientY + delta.y]
        const gap = gapAt(left, top)
        setCarried({ kind, left, top, gap })
        const name = t(`block.${kind}`)
        say(gap === null ? name : t('move.place', { name, place: gap.at + 1, count: gap.count }))
      }}
      onDragCancel={end}
      onDragEnd={() => {
        end()
        if (carried === null || carried.gap === null) return
        const { kind, gap } = carried
        dropping.current = setTimeout(() => onDrop(kind, gap.at), LETS_GO_MS)
      }}
    >
      {children}
      {carried === null
        ? null
        : createPortal(
            <>
              {carried.gap === null ? null : (
                <div
                  className={classes.gap}
                  style={{ left: carried.gap.left, top: carried.gap.top - 4, width: carried.gap.width }}
                />
              )}
              <div className={classes.carried} style={{ left: carried.left + 10, top: carried.top + 10 }}>
                <Icon name={BLOCK_ICONS[carried.kind]} size={14} /> {t(`block.${carried.kind}`)}
              </div>
            </>,
            document.body,
          )}
    </DndContext>
  )
}

/** A kind of block in the palette: a press adds it, and the pointer can carry it to its place. */
export function PaletteKind({ kind, onAdd }: { kind: MailBlockKind; onAdd: () => void }) {
  const { t } = useTranslation('mail-template')
  const { setNodeRef, listeners } = useDraggable({ id: `palette ${kind}`, data: { kind } })
  // Of dnd-kit's listeners the pointer's alone: Space and Enter add the block, as ever.
  const { onPointerDown } = (listeners ?? {}) as { onPointerDown?: PointerEventHandler }
  return (
    <button
      ref={setNodeRef}
      type="button"
      title={t('addBlock', { name: t(`block.${kind}`) })}
      onPointerDown={onPointerDown}
      onClick={onAdd}
    >
      <Icon name={BLOCK_ICONS[kind]} size={14} /> <span>{t(`block.${kind}`)}</span>
    </button>
  )
}
