import { useQuery } from '@tanstack/react-query'
import type { CarrierRoute } from '@waybill/contract/invoice/invoice'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormContext, useFormValue } from '../../../kit/form/state/form-context.ts'
import { Notice } from '../../../ui/notices/notice.tsx'
import { numbersNamed } from './e-invoice-values.ts'
import { openRoutesOf } from './carrier-routes.ts'
import { putRoutes, sharedIn } from './put-shares.ts'
import type { Share } from './route-shares.ts'

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
  const shares = useFormValue<Share[]>('allocations')
  // Without an answer they are picked by hand.
  const { data } = useQuery({
    queryKey: ['invoices', 'carrier-routes', carrierCompanyId, 'named', reference],
    queryFn: () => routesNamed(carrierCompanyId!, reference),
    enabled: carrierCompanyId !== null && numbersNamed(reference).length > 0,
    meta: { showsRefusals: true },
  })
  const take = useEffectEvent((routes: readonly CarrierRoute[]) => {
    if (routes.length === 0 || sharedIn(form).allocations.length > 0) return
    putRoutes(form, routes.map(({ id }) => id).toReversed(), new Map(routes.map((route) => [route.id, route])))
  })
  useEffect(() => take(data ?? []), [data])
  if (data === undefined) return null
  const isTaken = data.some(({ id }) => shares.some(({ routeId }) => routeId === id))
  if (data.length > 0 && !isTaken) return null
  return (
    <Notice tone={isTaken ? 'ok' : 'warn'}>
      {t(isTaken ? 'eInvoice.routesNamed' : 'eInvoice.noRouteNamed', { reference: reference ?? '' })}
    </Notice>
  )
}
