import { useQueryClient } from '@tanstack/react-query'
import type { DispatchContact } from '@waybill/contract/order/choice/disponent'
import type { Order } from '@waybill/contract/order/order'
import type { BoardBar } from '@waybill/contract/order/planning/board'
import { useTranslation } from 'react-i18next'
import { lateWindow } from '../../../ui/windows/late-window.tsx'
import type { ChosenCarrier } from '../choice/choice-window.tsx'
import { carrierForOrder } from '../values/parties.ts'
import type { useBoard } from './use-board.ts'

const ChoiceWindow = lateWindow(() => import('../choice/choice-window.tsx').then((file) => file.ChoiceWindow))

/** A route for which a carrier is chosen, in the order as it was read for that. */
export interface Choosing {
  bar: BoardBar
  order: Order
}

interface ChoiceOnBoardProps {
  choosing: Choosing
  board: Pick<ReturnType<typeof useBoard>, 'orderOf' | 'noteMoved' | 'readAnew' | 'sayRefused'>
  onGive: (bar: BoardBar, chosen: ChosenCarrier, contact: DispatchContact | null) => void
  onClose: () => void
}

/** Who could drive a route of the board: the window that the order's form has. */
export function ChoiceOnBoard({ choosing: { bar, order }, board, onGive, onClose }: ChoiceOnBoardProps) {
  const { t } = useTranslation('planning')
  const queries = useQueryClient()
  const give = async (chosen: ChosenCarrier) => {
    onClose()
    try {
      const { dispatchContacts } = await queries.fetchQuery(carrierForOrder(chosen.id))
      onGive(bar, chosen, dispatchContacts[0] ?? null)
    } catch (error) {
      // Planned without whom it is written to, its transport order would not leave.
      board.sayRefused(error, bar.number, t('refused', { number: bar.number }))
    }
  }
  const taken = async () => {
    onClose()
    const after = await board.orderOf(bar)
    if (after !== null) board.noteMoved(after)
    await board.readAnew()
  }
  return (
    <ChoiceWindow
      order={order}
      routeId={bar.routeId}
      costCents={order.routes.find(({ id }) => id === bar.routeId)?.assignment?.costCents ?? null}
      isReadOnly={false}
      onClose={onClose}
      onAssign={(chosen) => void give(chosen)}
      onTaken={() => void taken()}
    />
  )
}
