import type { CarrierRoute } from '@waybill/contract/invoice/invoice'
import type { FormContextValue } from '../../../kit/form/state/form-context.ts'
import { totalAfter } from '../invoice-values.ts'
import { afterPicking, type Share, type Shared } from './route-shares.ts'

type Form = Pick<FormContextValue, 'get' | 'set'>

/** The net amount and the shares in a form. */
export const sharedIn = (form: Form): Shared => ({
  amountCents: form.get('amountCents') as number | null,
  allocations: (form.get('allocations') ?? []) as Share[],
})

/** Writes net amount and shares into a form; the total follows. */
export function putShared(form: Form, next: Shared, vatBp = form.get('vatBp') as number | null): void {
  const before = {
    amountCents: form.get('amountCents') as number | null,
    vatBp: form.get('vatBp') as number | null,
    totalCents: form.get('totalCents') as number | null,
  }
  const { amountCents } = next
  const totalCents = totalAfter(before, { amountCents, vatBp })
  form.set('allocations', next.allocations)
  for (const [name, value] of Object.entries({ amountCents, vatBp, totalCents }))
    if (value !== before[name as keyof typeof before]) form.set(name, value)
}

/**
 * Makes these the routes of the invoice in a form. As long as nobody has said what the invoice comes to, the rate that
 * was agreed for all of them goes with it.
 */
export function putRoutes(form: Form, routeIds: readonly number[], known: ReadonlyMap<number, CarrierRoute>): void {
  const before = sharedIn(form)
  const typed = form.get('vatBp') as number | null
  const rates = new Set(routeIds.map((id) => known.get(id)?.agreedVatBp ?? null))
  const agreed = rates.size === 1 && before.amountCents === null ? [...rates][0]! : null
  putShared(form, afterPicking(before, routeIds, known), typed ?? agreed)
}
