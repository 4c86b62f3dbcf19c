import { Button } from '@mantine/core'
import { isRateOld } from '@waybill/contract/reminder/terms'
import { useTranslation } from 'react-i18next'
import { FormNumber } from '../../kit/form/fields/fields.tsx'
import { useField } from '../../kit/form/state/form-context.ts'
import { localToday } from '../../kit/list/filter/filters.ts'
import { IconButton } from '../../ui/marks/icon-button.tsx'
import { Icon } from '../../ui/marks/icon.tsx'
import { FormDayField } from '../typed-day/form-day-select.tsx'
import classes from './late-payment.module.css'

interface Rate {
  from: string | null
  baseBp: number | null
}
interface Fee {
  fromCents: number | null
  feeCents: number | null
}

/** As many as a country may have. */
const LINES = Array.from({ length: 60 }, (_, place) => `line ${place}`)

/** The first day of the half-year behind a date; of this half-year where there is none. */
function nextHalfYear(after: string | null | undefined): string {
  const today = localToday()
  if (!after) return `${today.slice(0, 4)}-${today.slice(5, 7) < '07' ? '01' : '07'}-01`
  const year = Number(after.slice(0, 4))
  return after.slice(5, 7) < '07' ? `${year}-07-01` : `${year + 1}-01-01`
}

/** What may be claimed of who pays late: points above the base rate, that rate by date, and the flat sum by amount. */
export function LatePaymentFields({ name, label, hint }: { name: string; label: string; hint?: string }) {
  const { t } = useTranslation('country')
  const rates = useField<Rate[]>(`${name}.rates`)
  const fees = useField<Fee[]>(`${name}.fees`)
  const known = rates.value.flatMap(({ from, baseBp }) => (from === null ? [] : [{ from, baseBp: baseBp ?? 0 }]))
  return (
    <fieldset className={classes.late} data-wide>
      <legend>{label}</legend>
      {hint === undefined ? null : <p className={classes.hint}>{hint}</p>}
      {isRateOld({ rates: known }, localToday()) ? <p className={classes.old}>{t('late.old')}</p> : null}
      <div className={classes.row}>
        <FormNumber name={`${name}.aboveBp`} label={t('late.above')} unit="%" places={2} factor={100} isRequired />
        <FormNumber
          name={`${name}.consumerAboveBp`}
          label={t('late.aboveConsumers')}
          unit="%"
          places={2}
          factor={100}
        />
      </div>
      {rates.value.map((_rate, index) => (
        // Lines are not moved: the place is the key.
        <div key={LINES[index]} className={classes.row}>
          <FormDayField name={`${name}.rates.${index}.from`} label={t('late.from')} isRequired />
          <FormNumber
            name={`${name}.rates.${index}.baseBp`}
            label={t('late.base')}
            unit="%"
            places={2}
            factor={100}
            isRequired
          />
          {rates.isReadOnly ? null : (
            <IconButton
              icon="trash"
              label={t('late.removeRate', { number: index + 1 })}
              onClick={() => rates.set(rates.value.toSpliced(index, 1))}
            />
          )}
        </div>
      ))}
      {rates.error === undefined ? null : (
        <p className={classes.error} role="alert">
          {rates.error}
        </p>
      )}
      {rates.isReadOnly ? null : (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<Icon name="plus" />}
          onClick={() => rates.set([...rates.value, { from: nextHalfYear(rates.value.at(-1)?.from), baseBp: null }])}
        >
          {t('late.addRate')}
        </Button>
      )}
      {fees.value.map((_fee, index) => (
        <div key={LINES[index]} className={classes.row}>
          <FormNumber
            name={`${name}.fees.${index}.fromCents`}
            label={t('late.fromCents')}
            unit="€"
            places={2}
            hasFixedPlaces
            factor={100}
            isRequired
          />
          <FormNumber
            name={`${name}.fees.${index}.feeCents`}
            label={t('late.feeCents')}
            unit="€"
            places={2}
            hasFixedPlaces
            factor={100}
            isRequired
          />
          {fees.isReadOnly ? null : (
            <IconButton
              icon="trash"
              label={t('late.removeFee', { number: index + 1 })}
              onClick={() => fees.set(fees.value.toSpliced(index, 1))}
            />
          )}
        </div>
      ))}
      {fees.error === undefined ? null : (
        <p className={classes.error} role="alert">
          {fees.error}
        </p>
      )}
      {fees.isReadOnly ? null : (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<Icon name="plus" />}
          onClick={() => fees.set([...fees.value, { fromCents: fees.value.length === 0 ? 0 : null, feeCents: null }])}
        >
          {t('late.addFee')}
        </Button>
      )}
    </fieldset>
  )
}
