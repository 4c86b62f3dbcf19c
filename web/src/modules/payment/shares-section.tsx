import type { OpenInvoice } from '@waybill/contract/payment/payment'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { CheckField } from '../../ui/fields/check-field.tsx'
import { CentsField } from './cents-section.tsx'
import classes from './payment.module.css'
import { afterShare, restToWriteOff } from './share-out.ts'

interface SharesProps {
  invoices: readonly OpenInvoice[]
  /** cents by invoice; those that get nothing may be missing */
  shares: ReadonlyMap<number, number>
  valueDate: string
  onChange: (invoiceId: number, cents: number) => void
  /** the invoices whose small rest is written off with their share */
  writtenOff: ReadonlySet<number>
  onWriteOff: (invoiceId: number, restCents: number) => void
}

/** Open invoices of a customer with what of a payment is on each. */
export function SharesSection({ invoices, shares, valueDate, onChange, writtenOff, onWriteOff }: SharesProps) {
  const { t } = useTranslation('payment')
  return (
    <table className={classes.shares}>
      <thead>
        <tr>
          <th scope="col">{t('openInvoices')}</th>
          <th scope="col">{t('openCents')}</th>
          <th scope="col">{t('share')}</th>
        </tr>
      </thead>
      <tbody>
        {invoices.map((invoice) => (
          <ShareRow
            key={invoice.id}
            invoice={invoice}
            valueDate={valueDate}
            cents={shares.get(invoice.id) ?? 0}
            onChange={(cents) => onChange(invoice.id, cents)}
            isWrittenOff={writtenOff.has(invoice.id)}
            onWriteOff={(restCents) => onWriteOff(invoice.id, restCents)}
          />
        ))}
      </tbody>
    </table>
  )
}

function ShareRow({
  invoice,
  cents,
  valueDate,
  onChange,
  isWrittenOff,
  onWriteOff,
}: {
  invoice: OpenInvoice
  cents: number
  valueDate: string
  onChange: (cents: number) => void
  isWrittenOff: boolean
  /** 0: it stays open */
  onWriteOff: (restCents: number) => void
}) {
  const { t } = useTranslation('payment')
  const format = useFormat()
  const { skontoCents, leftCents } = afterShare(invoice, cents, valueDate)
  const isOver = cents > invoice.openCents
  const restCents = restToWriteOff(invoice, cents, valueDate)
  return (
    <tr>
      <th scope="row">
        {invoice.number}
        <span className={classes.dim} data-late={invoice.isOverdue || undefined}>
          {invoice.dueDate === null ? null : t('dueOn', { date: format.date(invoice.dueDate) })}
          {invoice.isDisputed ? ` · ${t('disputed')}` : null}
        </span>
      </th>
      <td>{format.money(invoice.openCents)}</td>
      <td>
        <CentsField
          label={<span className={classes.hidden}>{t('shareOf', { number: invoice.number })}</span>}
          value={cents}
          error={isOver ? t('overOpen') : undefined}
          onChange={(value) => onChange(value ?? 0)}
        />
        {isOver || cents === 0 ? null : (
          <span className={classes.dim}>
            {skontoCents > 0
              ? t('skontoTaken', { amount: format.money(skontoCents) })
              : leftCents > 0
                ? t('stillOpen', { amount: format.money(leftCents) })
                : t('isFull')}
          </span>
        )}
        {restCents === 0 ? null : (
          <CheckField
            label={t('writeOff.with', { amount: format.money(restCents) })}
            aria-label={t('writeOff.withOf', { amount: format.money(restCents), number: invoice.number })}
            checked={isWrittenOff}
            onChange={(event) => onWriteOff(event.currentTarget.checked ? restCents : 0)}
          />
        )}
      </td>
    </tr>
  )
}
