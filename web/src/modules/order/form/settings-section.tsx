import { DEVIATIONS, DISPOSITIONS, type Deviation, type Disposition } from '@waybill/contract/order/status'
import { useTranslation } from 'react-i18next'
import { useField } from '../../../kit/form/state/form-context.ts'
import { Segmented } from '../../../ui/fields/segmented.tsx'
import classes from '../grid/section.module.css'

const SIDES = ['CUSTOMER', 'CARRIER', 'DISPATCH'] as const
type Side = (typeof SIDES)[number]
const LEVELS = ['0', '1', '2', '3'] as const
type Level = (typeof LEVELS)[number]

const levelOf = (deviations: readonly Deviation[], side: Side): Level =>
  LEVELS.find((level) => deviations.includes(`${side}_LEVEL_${level}` as Deviation)) ?? '0'

/** How it is to be disposed of, and what went wrong, by whom, how gravely. */
export function OrderSettingsSection() {
  const { t } = useTranslation(['order', 'order-list'])
  const disposition = useField<Disposition | null>('disposition')
  const deviations = useField<Deviation[]>('deviations')
  const setLevel = (side: Side, level: Level) => {
    const others = deviations.value.filter((one) => !one.startsWith(side))
    const own = DEVIATIONS.filter((one) => one === `${side}_LEVEL_${level}`)
    // In the contract's order, so that choosing back and forth changes nothing.
    deviations.set(DEVIATIONS.filter((one) => others.includes(one) || own.includes(one)))
  }
  return (
    <div className={classes.settings}>
      <div className={classes.choice} data-changed={disposition.isChanged || undefined} data-path="disposition">
        <span className={classes.label}>{t('fields.disposition')}</span>
        <fieldset className={classes.plain} disabled={disposition.isReadOnly}>
          <Segmented
            label={t('fields.disposition')}
            value={disposition.value ?? 'none'}
            options={[
              { value: 'none', label: t('none') },
              ...DISPOSITIONS.map((one) => ({ value: one, label: t(`order-list:disposition.${one}`) })),
            ]}
            onChange={(value) => disposition.set(DISPOSITIONS.find((one) => one === value) ?? null)}
          />
        </fieldset>
      </div>
      <div className={classes.deviations} data-changed={deviations.isChanged || undefined} data-path="deviations">
        {SIDES.map((side) => (
          <div key={side} className={classes.choice}>
            <span className={classes.label}>{t(`deviationOf.${side}`)}</span>
            <fieldset className={classes.plain} disabled={deviations.isReadOnly}>
              <Segmented
                isSmall
                label={t(`deviationOf.${side}`)}
                value={levelOf(deviations.value, side)}
                options={LEVELS.map((level) => ({ value: level, label: level === '0' ? t('none') : level }))}
                onChange={(level) => setLevel(side, level)}
              />
            </fieldset>
          </div>
        ))}
      </div>
    </div>
  )
}
