import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { getInvoiceBooking } from '@waybill/contract/bookkeeping/bookkeeping'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import classes from './account-number.module.css'

/** Says in which batch an invoice was handed to bookkeeping; nothing where it was not. */
export function BookedLink({ invoiceId }: { invoiceId: number }) {
  const { t } = useTranslation('account-number')
  const { data } = useQuery({
    queryKey: ['bookkeeping', 'invoice', invoiceId],
    queryFn: ({ signal }) => callApi(getInvoiceBooking, { params: { id: invoiceId }, signal }),
    meta: { showsRefusals: true },
  })
  const batch = data?.batch ?? null
  if (batch === null) return null
  return (
    <p className={classes.booked}>
      {t('booked')}
      {': '}
      <Link to={'/invoices/bookkeeping' as string} search={{ company: batch.companyId, month: batch.month } as never}>
        {t('batch', { number: batch.title })}
      </Link>
    </p>
  )
}
