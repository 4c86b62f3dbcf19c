import { Link } from '@tanstack/react-router'
import type { LeftOut, LeftOutReason, PaymentProposal } from '@waybill/contract/payment-file/payment-file'
import { useTranslation } from 'react-i18next'
import { useFieldErrorText } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { hasAccess } from '../../kit/session/session.ts'
import { can } from '@waybill/contract/permissions'
import { Count } from '../../ui/marks/marks.tsx'
import { Light } from './light.tsx'
import classes from './payment-file.module.css'

const STOPS: readonly LeftOutReason[] = ['iban_unconfirmed', 'iban_unknown', 'iban_missing']
const RINGS: readonly LeftOutReason[] = ['in_payment_run', 'credit_balance', 'pay_amount_zero', 'outside_sepa']

// A person calls some of them, not hundreds.
const MOST_SHOWN = 100

interface LeftOutListProps {
  leftOut: readonly LeftOut[]
  later: PaymentProposal['later']
  /** `YYYY-MM-DD` */
  dueUntil: string
}

/** What is not paid, each with its reason; first the IBAN that waits for a second person. */
export function LeftOutList({ leftOut, later, dueUntil }: LeftOutListProps) {
  const { t } = useTranslation('payment-file')
  const format = useFormat()
  const fieldErrorText = useFieldErrorText()
  const opensCarriers = hasAccess(can('CARRIER_MANAGEMENT'))
  const look = (reason: LeftOutReason) => (STOPS.includes(reason) ? 'stop' : RINGS.includes(reason) ? 'open' : 'look')
  return (
    <section className={`${classes.block} ${classes.left}`}>
      <h2 className={classes.heading}>
        {t('left.title')} <Count tone={leftOut.length === 0 ? 'plain' : 'warn'}>{leftOut.length}</Count>
      </h2>
      {leftOut.length === 0 && later.count === 0 ? <p className={classes.dim}>{t('left.none')}</p> : null}
      <ul className={classes.leftList}>
        {leftOut.slice(0, MOST_SHOWN).map(({ id, carrierCompany, number, reason, paymentFile, ...money }) => (
          <li key={id}>
            <Light look={look(reason)} />
            <span className={classes.leftText}>
              {opensCarriers && STOPS.includes(reason) ? (
                <Link to="/carrier-companies/$id/edit" params={{ id: String(carrierCompany.id) }}>
                  {carrierCompany.title}
                </Link>
              ) : (
                <Link to="/invoices/$id/edit" params={{ id: String(id) }}>
                  {carrierCompany.title}
                </Link>
              )}
              <span className={classes.dim}>
                {number}: {fieldErrorText(reason)}
                {paymentFile === null ? null : ` (${paymentFile.title})`}
              </span>
            </span>
            <span className={classes.amount}>{format.money(money.totalCents, money.currency)}</span>
          </li>
        ))}
        {leftOut.length > MOST_SHOWN ? (
          <li className={classes.dim}>{t('left.more', { count: leftOut.length - MOST_SHOWN })}</li>
        ) : null}
        {later.count === 0 ? null : (
          <li>
            <Light look="open" />
            <span className={classes.leftText}>
              {t('left.later', { count: later.count, date: format.date(dueUntil) })}
            </span>
            <span className={classes.amount}>{format.money(later.totalCents)}</span>
          </li>
        )}
      </ul>
    </section>
  )
}
