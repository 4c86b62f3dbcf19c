import { agreedDueDate, isCreditNote } from '@waybill/contract/invoice/carrier-terms'
import type { Invoice } from '@waybill/contract/invoice/invoice'
import { localOf } from '@waybill/contract/kit/local-time'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormValue } from '../../../kit/form/state/form-context.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { FormDayField } from '../../typed-day/form-day-select.tsx'
import { useKnownRoutes } from './carrier-routes.ts'
import type { Share } from './route-shares.ts'

const NONE: Invoice['invoicedRoutes'] = []

/** The due date, and when the invoice is due by what was agreed for its routes, which counts where none is typed. */
export function AgreedDue({ invoice }: { invoice: Invoice | null }) {
  const { t } = useTranslation('invoice')
  const format = useFormat()
  const carrierCompanyId = useFormValue<number | null>('carrierCompanyId')
  const shares = useFormValue<Share[] | null>('allocations') ?? []
  const typed = useFormValue<string | null>('dueDate')
  const amountCents = useFormValue<number | null>('amountCents')
  const ids = shares.map(({ routeId }) => routeId)
  const known = useKnownRoutes(carrierCompanyId, ids, invoice?.invoicedRoutes ?? NONE)
  const routes = ids.flatMap((id) => known.get(id) ?? [])
  // By the browser's day: the server counts by that of our company, and once it is saved says which.
  const [arrivedOn] = useState(
    () => localOf(invoice?.createdAt ?? new Date(), new Intl.DateTimeFormat().resolvedOptions().timeZone).date,
  )
  const due =
    routes.length === 0 || isCreditNote({ amountCents })
      ? null
      : agreedDueDate(
          arrivedOn,
          routes.map(({ paymentPeriodDays, podArrivedOn }) => ({ periodDays: paymentPeriodDays, podArrivedOn })),
        )
  const hint =
    due === null
      ? undefined
      : t(`agreedDue.${typed === null ? 'empty' : 'typed'}${due.isExpected ? 'Expected' : ''}`, {
          date: format.date(due.date),
        })
  return <FormDayField name="dueDate" label={t('fields.dueDate')} hint={hint} />
}
