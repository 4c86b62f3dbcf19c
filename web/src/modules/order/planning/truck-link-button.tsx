import { Button } from '@mantine/core'
import { localOf } from '@waybill/contract/kit/local-time'
import type { BoardBar, BoardVehicle } from '@waybill/contract/order/planning/board'
import { spanOf } from '@waybill/contract/order/planning/warnings'
import { getTruckLink } from '@waybill/contract/public/driver-link'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadTexts } from '../../../kit/i18n/i18n.ts'
import { localToday } from '../../../kit/list/filter/filters.ts'
import { hasAccess } from '../../../kit/session/session.ts'
import { lateWindow } from '../../../ui/windows/late-window.tsx'

const TruckLinkWindow = lateWindow(async () => {
  const [file] = await Promise.all([import('../driver/truck-link-window.tsx'), loadTexts('driver-link')])
  return file.TruckLinkWindow
})

interface TruckLinkButtonProps {
  bar: BoardBar
  /** of the bar's row */
  vehicle: BoardVehicle | null
  timeZone: string
}

/** The day on which a route begins; today where it has begun and has not ended. */
function dayOf({ stops }: BoardBar, timeZone: string): string {
  const span = spanOf(stops)
  const today = localToday()
  if (span === null) return today
  const dayAt = (epoch: number) => localOf(new Date(epoch).toISOString(), timeZone).date
  const [first, last] = [dayAt(span.start), dayAt(span.end)]
  return first <= today && today <= last ? today : first
}

/** The way to the driver's link of one of our trucks; nothing for others, and for who may not make it. */
export function TruckLinkButton({ bar, vehicle, timeZone }: TruckLinkButtonProps) {
  const { t } = useTranslation('planning')
  const [isOpen, setOpen] = useState(false)
  if (!bar.ownFleet || vehicle?.kind !== 'truck' || !hasAccess(getTruckLink.access)) return null
  return (
    <>
      <Button size="compact-sm" onClick={() => setOpen(true)}>
        {t('truckLink')}
      </Button>
      {isOpen ? <TruckLinkWindow vehicle={vehicle} day={dayOf(bar, timeZone)} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
