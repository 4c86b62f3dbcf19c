import type { CarrierRoute } from '@waybill/contract/invoice/invoice'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormContext, useFormValue } from '../../../kit/form/state/form-context.ts'
import { Notice } from '../../../ui/notices/notice.tsx'
import { numbersNamed } from '../e-invoice-values.ts'
import { openRoutesOf } from './carrier-routes.ts'
import { putRoutes, sharedIn } from './put-shares.ts'

// A reference of a collective invoice may name many; each is a call.
const MOST_NAMED = 20

/** The open routes of a carrier that its invoice names by our numbers. */
async function routesNamed(carrierCompanyId: number, reference: string | null): Promise<CarrierRoute[]> {
  const named = numbersNamed(reference).slice(0, MOST_NAMED)
  const orders = [...new Set(named.map(({ order }) => order))]
  const found = (await Promise.all(orders.map((order) => openRoutesOf(carrierCompanyId, order)))).flat()
  return found.filter(({ title, order }) =>
    named.some((one) => one.order === order.title && (one.route === null || one.route === title)),
  )
}

/** Takes the routes that an electronic invoice names, once its carrier is known and as long as none was chosen. */
export function NamedRoutes({ reference }: { reference: string | null }) {
  const { t } = useTranslation('invoice')
  const form = useFormContext()
  const carrierCompanyId = useFormValue<number | null>('carrierCompanyId')
  const [told, setTold] = useState<{ carrierCompanyId: number; hasFound: boolean } | null>(null)
  const propose = useEffectEvent(async () => {
    if (carrierCompanyId === null || numbersNamed(reference).length === 0) return
    const routes = await routesNamed(carrierCompanyId, reference)
    if (form.get('carrierCompanyId') !== carrierCompanyId || sharedIn(form).allocations.length > 0) return
    if (routes.length > 0)
      putRoutes(form, routes.map(({ id }) => id).toReversed(), new Map(routes.map((route) => [route.id, route])))
    setTold({ carrierCompanyId, hasFound: routes.length > 0 })
  })
  useEffect(() => {
    // Without an answer they are picked by hand.
    propose().catch(() => undefined)
  }, [carrierCompanyId])
  if (told === null || told.carrierCompanyId !== carrierCompanyId) return null
  return (
    <Notice tone={told.hasFound ? 'ok' : 'warn'}>
      {t(told.hasFound ? 'eInvoice.routesNamed' : 'eInvoice.noRouteNamed', { reference: reference ?? '' })}
    </Notice>
  )
}
