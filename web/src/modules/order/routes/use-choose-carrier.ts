import type { Reference } from '@waybill/contract/kit/fields'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useFormContext } from '../../../kit/form/state/form-context.ts'
import { NO_PEOPLE, NO_VEHICLE, type AssignmentValues } from '../values/draft.ts'
import { carrierForOrder } from '../values/parties.ts'

/** What follows when a carrier is chosen: who belonged to the one before goes, and its disponent comes. */
export function useChooseCarrier(
  at: string,
  before: number | null,
  assign: (part: Partial<AssignmentValues>) => void,
): (chosen: Reference | null) => void {
  const form = useFormContext()
  const queries = useQueryClient()
  return useCallback(
    (chosen) => {
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
          assign({ disponentName: contact.fullName, disponentPhone: contact.phone, disponentEmail: contact.email })
        },
        // Without it the person writes it by hand.
        () => undefined,
      )
    },
    [assign, at, before, form, queries],
  )
}
