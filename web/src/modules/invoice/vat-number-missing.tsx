import { Link } from '@tanstack/react-router'
import type { Invoice } from '@waybill/contract/invoice/invoice'
import { can } from '@waybill/contract/permissions'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../kit/api/api-error.ts'
import { hasAccess } from '../../kit/session/session.ts'
import { Notice } from '../../ui/notices/notice.tsx'
import classes from './invoice-form.module.css'

const CUSTOMER_ACCESS = can('CUSTOMER_MANAGEMENT')

/** True where an invoice was not sent because its buyer has no VAT number. */
export const lacksVatNumber = (error: unknown): boolean =>
  error instanceof ApiError && error.errors.some(({ code }) => code === 'vat_number_missing')

/** Why it was not sent, with the two fields where that is put right. */
export function VatNumberMissing({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation('invoice')
  const line = invoice.lines.findIndex(({ vatCategory }) => vatCategory === 'AE')
  return (
    <Notice tone="danger" isUrgent>
      <p>{t('vatNumber.missing')}</p>
      <p className={classes.ways}>
        {invoice.billingCustomer !== null && hasAccess(CUSTOMER_ACCESS) ? (
          <Link to={`/customer/${invoice.billingCustomer.id}/edit` as string} hash="vatNumber">
            {t('vatNumber.add')}
          </Link>
        ) : null}
        <Link to={`/invoices/${invoice.id}/edit` as string} hash={`lines.${Math.max(line, 0)}.vatCategory`}>
          {t('vatNumber.category')}
        </Link>
      </p>
    </Notice>
  )
}
