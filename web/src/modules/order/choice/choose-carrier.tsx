import type { Order } from '@waybill/contract/order/order'
import { hasEnded } from '@waybill/contract/order/status'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormContext, useFormValue } from '../../../kit/form/state/form-context.ts'
import { useShortcut } from '../../../kit/shortcuts/shortcuts.ts'
import { lateWindow } from '../../../ui/windows/late-window.tsx'
import type { carrierChosen } from '../values/carrier-chosen.ts'
import type { AssignmentValues } from '../values/draft.ts'

const ChoiceWindow = lateWindow(() => import('./choice-window.tsx').then((file) => file.ChoiceWindow))

interface ChooseCarrierProps {
  order: Order
  /** As it is saved; undefined: not yet */
  route: Order['routes'][number] | undefined
  /** The assignment's path in the form */
  at: string
  assign: (part: Partial<AssignmentValues>) => void
  /** What follows in the form; it is there already, and would be a file of its own if it came from here */
  onCarrier: typeof carrierChosen
  /** The server has put a carrier on the route */
  onTaken: () => void
}

/** The way to who could drive a route. */
export function ChooseCarrier({ order, route, at, assign, onCarrier, onTaken }: ChooseCarrierProps) {
  const { t } = useTranslation('carrier-choice')
  const form = useFormContext()
  const queries = useQueryClient()
  const { isReadOnly } = form
  const assignment = useFormValue<AssignmentValues | null>(at)
  const isOwn = assignment?.ownFleet === true
  const [isOpen, setOpen] = useState(false)
  const mayChoose = route !== undefined && !isOwn && !isReadOnly && !hasEnded(route.status)
  useShortcut({ key: 'c', alt: true, label: t('choose'), run: () => setOpen(true) }, mayChoose && !isOpen)
  if (isOwn) return null
  return (
    <>
      <Button
        size="compact-sm"
        disabled={!mayChoose}
        title={route === undefined ? t('chooseSaved') : undefined}
        aria-keyshortcuts="Alt+C"
        onClick={() => setOpen(true)}
      >
        {t('choose')}
      </Button>
      {isOpen && route !== undefined ? (
        <ChoiceWindow
          order={order}
          routeId={route.id}
          costCents={assignment?.costCents ?? null}
          isReadOnly={isReadOnly}
          onClose={() => setOpen(false)}
          onTaken={() => {
            setOpen(false)
            onTaken()
          }}
          onAssign={({ id, title, costCents: agreed }) => {
            setOpen(false)
            onCarrier({ form, queries, at, assign }, assignment?.carrierCompanyId ?? null, { id, title })
            assign({ carrierCompanyId: id, costCents: agreed })
          }}
        />
      ) : null}
    </>
  )
}
