import type { Reference } from '@waybill/contract/kit/fields'
import { disponentOf } from '@waybill/contract/order/choice/disponent'
import type { QueryClient } from '@tanstack/react-query'
import type { useFormContext } from '../../../kit/form/state/form-context.ts'
import { NO_PEOPLE, NO_VEHICLE, type AssignmentValues } from './draft.ts'
import { carrierForOrder } from './parties.ts'

interface Place {
  form: Pick<ReturnType<typeof useFormContext>, 'get'>
  queries: QueryClient
  /** of the assignment */
  at: string
  assign: (part: Partial<AssignmentValues>) => void
}

/** What follows when somebody says whether a route is driven by us: what belonged to the one before goes. */
export function fleetChosen(before: AssignmentValues | null, ownFleet: boolean): Partial<AssignmentValues> {
  const isAssigned = (before?.carrierCompanyId ?? before?.driverIds[0] ?? null) !== null
  return {
    ownFleet,
    carrierCompanyId: null,
    ...NO_PEOPLE,
    ...(isAssigned ? { ...NO_VEHICLE, paymentPeriodDays: null } : {}),
  }
}

/** What follows when another carrier is chosen: who belonged to the one before goes, and its disponent comes. */
export function carrierChosen(
  { form, queries, at, assign }: Place,
  before: number | null,
  chosen: Reference | null,
): void {
  if (chosen !== null && chosen.id === before) return
  // What was typed before any carrier was named stays; what belongs to another one goes.
  assign(before === null ? NO_PEOPLE : { ...NO_PEOPLE, ...NO_VEHICLE, paymentPeriodDays: null })
  if (chosen === null) return
  // Most carriers have one who is written to; another is named by typing over.
  queries.fetchQuery(carrierForOrder(chosen.id)).then(
    ({ dispatchContacts: [contact] }) => {
      const { carrierCompanyId, disponentName, disponentPhone, disponentEmail } = form.get(at) as AssignmentValues
      if (
        contact === undefined ||
        carrierCompanyId !== chosen.id ||
        disponentName !== null ||
        disponentPhone !== null ||
        disponentEmail !== null
      )
        return
      assign(disponentOf(contact))
    },
    // Without it the person writes it by hand.
    () => undefined,
  )
}
