import type { DragEvent } from 'react'
import { withAction, type CargoValues, type StopValues } from '../values/draft.ts'

/*
 * A line of cargo is dragged by its number onto a stop: picked up where goods are loaded, dropped off elsewhere.
 * The same is done by keys in the line's last column, and in the stop's details.
 */

const TYPE = 'application/x-waybill-cargo'

/** Takes a line in hand. */
export function dragCargo(event: DragEvent, line: number): void {
  event.dataTransfer.setData(TYPE, String(line))
  event.dataTransfer.effectAllowed = 'link'
}

const isCargo = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes(TYPE)

interface DropTarget {
  get: (path: string) => unknown
  set: (path: string, value: unknown) => void
  isReadOnly: boolean
}

/** What makes an element take lines of cargo for the stop at a place. */
export function cargoDropProps(form: DropTarget, place: number) {
  const mark = (event: DragEvent, isOver: boolean) => event.currentTarget.toggleAttribute('data-drop', isOver)
  return {
    onDragOver: (event: DragEvent) => {
      if (form.isReadOnly || !isCargo(event)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'link'
      mark(event, true)
    },
    onDragLeave: (event: DragEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) mark(event, false)
    },
    onDrop: (event: DragEvent) => {
      mark(event, false)
      const line = (form.get('cargo') as CargoValues[])[Number(event.dataTransfer.getData(TYPE))]
      const stops = form.get('locations') as StopValues[]
      if (form.isReadOnly || !isCargo(event) || line === undefined) return
      event.preventDefault()
      form.set('locations', withAction(stops, line, stops[place]!.kind === 'loading' ? 'PICK_UP' : 'DROP_OFF', place))
    },
  }
}
