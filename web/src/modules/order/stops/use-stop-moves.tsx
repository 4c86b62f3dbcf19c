import { useCallback, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormContext } from '../../../kit/form/state/form-context.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import classes from '../grid/grid.module.css'
import type { CargoValues, RouteValues, StopValues } from '../values/draft.ts'
import { moveStop } from '../values/stop-order.ts'

/**
 * Moves stops by one place and says what became of it: aloud where it went, and in sight why it cannot go. `move`
 * answers whether it went.
 */
export function useStopMoves(): { move: (index: number, step: -1 | 1) => boolean; said: ReactNode } {
  const { t } = useTranslation('order')
  const form = useFormContext()
  const [said, setSaid] = useState<{ text: string; isRefusal: boolean } | null>(null)
  const move = useCallback(
    (index: number, step: -1 | 1) => {
      const cargo = form.get('cargo') as CargoValues[]
      const locations = form.get('locations') as StopValues[]
      const to = index + step
      if (form.isReadOnly || locations[index] === undefined || locations[to] === undefined) return false
      const moved = moveStop({ cargo, locations, routes: form.get('routes') as RouteValues[] }, index, step)
      if ('line' in moved) {
        const [from, past] = [Math.min(index, to) + 1, Math.max(index, to) + 1]
        const line = cargo[moved.line]!.title ?? t('cargoLine', { line: moved.line + 1 })
        setSaid({ text: t('stopNotMoved', { from, to: past, line }), isRefusal: true })
        return false
      }
      form.set('locations', moved.plan.locations)
      if (moved.plan.routes.length > 0) form.set('routes', moved.plan.routes)
      setSaid({ text: t('stopMoved', { from: index + 1, to: to + 1 }), isRefusal: false })
      return true
    },
    [form, t],
  )
  return {
    move,
    said: (
      <p className={said?.isRefusal ? classes.guesses : classes.hidden} role="status">
        {said?.isRefusal ? <Icon name="alert" size={13} /> : null} {said?.text}
      </p>
    ),
  }
}
