import type { Order } from '@waybill/contract/order/order'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadTexts } from '../../../kit/i18n/i18n.ts'
import { lateWindow } from '../../../ui/windows/late-window.tsx'

const DriverWindow = lateWindow(async () => {
  const [file] = await Promise.all([import('./driver-window.tsx'), loadTexts('driver-link')])
  return file.DriverWindow
})

/** The way to a driver's link, and to what the driver told by it. */
export function DriverPageButton({ order, routeId }: { order: Order; routeId: number }) {
  const { t } = useTranslation('order')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="compact-sm" onClick={() => setOpen(true)}>
        {t('routes.driverPage')}
      </Button>
      {isOpen ? <DriverWindow order={order} routeId={routeId} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
