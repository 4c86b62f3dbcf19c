import { VisuallyHidden } from '@mantine/core'
import type { CreditRows } from '@waybill/contract/credit/credit'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../kit/i18n/i18n.ts'
import classes from './credit.module.css'

/** How much of its limit a customer uses: a bar, the share, and a word from where it matters. */
export function LimitUse({ of }: { of: CreditRows['items'][number] | undefined }) {
  const { t } = useTranslation('credit')
  const format = useFormat()
  if (of === undefined) return null
  const { limitCents, usedCents, standing } = of
  // Of a limit of nothing any debt is all of it.
  const share = limitCents === 0 ? 1 : usedCents / limitCents
  const percent = format.percent(Math.round(share * 100) * 100)
  return (
    <span
      className={classes.usage}
      data-standing={standing ?? undefined}
      title={t('used', { used: format.euro(usedCents), limit: format.euro(limitCents), percent })}
    >
      <span className={classes.usageBar} aria-hidden>
        <i style={{ width: `${Math.max(0, Math.min(1, share)) * 100}%` }} />
      </span>
      <span className={classes.share}>{percent}</span>
      {standing === null ? null : <VisuallyHidden>{t(`short.${standing}`)}</VisuallyHidden>}
    </span>
  )
}
