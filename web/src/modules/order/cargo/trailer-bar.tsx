import { LOAD_LIMITS, type CargoTotals } from '@waybill/contract/order/cargo'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { stopColor } from '../../../ui/marks/marks.tsx'
import type { CargoValues, StopValues } from '../values/draft.ts'
import classes from './trailer-bar.module.css'
import { trailerLoad } from './trailer-load.ts'

/**
 * The load in loading order: last drop at the cab, free metres at the doors; a stop has
 * its colour here as everywhere.
 */
export function TrailerBar({
  cargo,
  locations,
  totals,
}: {
  cargo: readonly CargoValues[]
  locations: readonly StopValues[]
  totals: CargoTotals
}) {
  const { t } = useTranslation('cargo')
  const format = useFormat()
  const { parts, free } = useMemo(() => trailerLoad(cargo, locations), [cargo, locations])
  const ldm = (value: number) => format.number(value, 1, 2)
  return (
    <div
      className={classes.trailer}
      role="img"
      aria-label={t('trailer', { ldm: ldm(totals.ldm), limit: ldm(LOAD_LIMITS.ldm), free: ldm(free) })}
    >
      <div className={classes.cab}>
        <Icon name="truck" className={classes.cabIcon} />
      </div>
      <div className={classes.deck}>
        {parts.map((part) => (
          <span
            key={part.position}
            className={classes.part}
            data-stop={part.position === null ? undefined : stopColor(part.position)}
            style={{ width: `${part.share * 100}%` }}
          >
            <b>{ldm(part.ldm)}</b> {part.title ?? (part.position === null ? t('nowhere') : part.position)}
          </span>
        ))}
        {free > 0 ? <span className={classes.free}>{ldm(free)}</span> : null}
      </div>
      <div className={classes.limits}>
        <span data-over={totals.ldm > LOAD_LIMITS.ldm || undefined}>
          <b>{ldm(totals.ldm)}</b> {t('ofLdm', { limit: ldm(LOAD_LIMITS.ldm) })}
        </span>
        <span data-over={totals.weightKg > LOAD_LIMITS.weightKg || undefined} className={classes.weight}>
          <b>{format.number(totals.weightKg, 0, 0)}</b> {t('ofKg', { limit: format.number(LOAD_LIMITS.weightKg) })}
        </span>
      </div>
    </div>
  )
}
