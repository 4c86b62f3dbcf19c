import { loadWarnings } from '@waybill/contract/order/cargo'
import { memo, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { Notice } from '../../../ui/notices/notice.tsx'
import classes from '../grid/grid.module.css'
import type { CargoValues, StopValues } from '../values/draft.ts'
import { countable, sumsOf } from './cargo-figures.ts'
import { TrailerBar } from './trailer-bar.tsx'

/** One vehicle's load: its trailer, and what does not fit. */
export const VehicleLoad = memo(function VehicleLoad({
  name,
  cargo,
  lines,
  locations,
}: {
  name: string | null
  cargo: readonly CargoValues[]
  lines: readonly number[]
  locations: readonly StopValues[]
}) {
  const { t } = useTranslation('cargo')
  const format = useFormat()
  const own = useMemo(() => (lines.length === cargo.length ? cargo : lines.map((line) => cargo[line]!)), [cargo, lines])
  const totals = sumsOf(own)
  const warnings = loadWarnings(own.map(countable), totals)
  return (
    <>
      {name === null ? null : <p className={classes.vehicle}>{name}</p>}
      <TrailerBar cargo={own} locations={locations} totals={totals} />
      {warnings.length > 0 ? (
        <div className={classes.warnings}>
          <Notice tone="warn">
            {warnings.map(({ code, value, limit, line }) => (
              <p key={`${code} ${line}`}>
                {t(`warnings.${code}`, {
                  value: format.number(value),
                  limit: format.number(limit),
                  line: line === null ? '' : lines[line]! + 1,
                })}
              </p>
            ))}
          </Notice>
        </div>
      ) : null}
    </>
  )
})
