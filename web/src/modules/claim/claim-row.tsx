import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { mayReverseClaim, type Claim, type ClaimSums } from '@waybill/contract/claim/claim'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { IconButton } from '../../ui/marks/icon-button.tsx'
import type { Asked } from './asked.ts'
import classes from './claim.module.css'

/** The claims beside one invoice, what came of them, and what can be done. */
export function ClaimRow({ claim, onAsk }: { claim: Claim; onAsk: (asked: Asked) => void }) {
  const { t } = useTranslation('claim')
  const format = useFormat()
  const { invoice, company, customer, fee, interest, openCents, creditCents, bookings } = claim
  const isOpen = openCents > 0
  const of = { number: invoice.title }
  return (
    <li className={classes.claim}>
      <div className={classes.line}>
        <Link to="/invoices/$id/edit" params={{ id: String(invoice.id) }}>
          {invoice.title}
        </Link>
        <b className={classes.amount}>{isOpen ? format.euro(openCents) : t('settled')}</b>
      </div>
      <div className={classes.dim}>{`${customer.title} · ${company.title}`}</div>
      <Sums label={t('fee')} of={fee} />
      <Sums label={t('interest')} of={interest} />
      {bookings.map((booking) => (
        <div key={booking.id} className={classes.line}>
          <span className={classes.dim} data-reversed={booking.isReversed || undefined}>
            {[
              format.day(booking.createdAt),
              booking.reversesId === null ? t(`kind.${booking.kind}`) : t('takenBack'),
              format.money(booking.feeCents + booking.interestCents),
              booking.createdBy?.title,
              booking.reason,
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
          {mayReverseClaim(booking) ? (
            <IconButton
              icon="undo"
              label={t('reverseOf', { amount: format.money(booking.feeCents + booking.interestCents), ...of })}
              onClick={() => onAsk({ what: 'reverse', claim, booking })}
            />
          ) : null}
        </div>
      ))}
      {isOpen ? (
        <div className={classes.do}>
          <span className={classes.dim}>{t('onAccount', { amount: format.euro(creditCents) })}</span>
          <Button
            size="compact-sm"
            variant="subtle"
            aria-label={t('waiveOf', of)}
            onClick={() => onAsk({ what: 'waive', claim })}
          >
            {t('waive')}
          </Button>
          <Button
            size="compact-sm"
            aria-label={t('payOf', of)}
            disabled={creditCents === 0}
            title={creditCents === 0 ? t('noCredit') : undefined}
            onClick={() => onAsk({ what: 'pay', claim })}
          >
            {t('pay')}
          </Button>
        </div>
      ) : null}
    </li>
  )
}

function Sums({ label, of: { claimedCents, openCents } }: { label: string; of: ClaimSums }) {
  const { t } = useTranslation('claim')
  const format = useFormat()
  if (claimedCents === 0) return null
  return (
    <div className={classes.line}>
      <span>{label}</span>
      <span className={classes.amount}>
        {openCents === claimedCents
          ? format.money(claimedCents)
          : t('openOf', { open: format.money(openCents), claimed: format.money(claimedCents) })}
      </span>
    </div>
  )
}
