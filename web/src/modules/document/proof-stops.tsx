import type { ProofStop } from '@waybill/contract/order/papers/proof-stops'
import { useTranslation } from 'react-i18next'
import { useFieldErrorText } from '../../kit/i18n/error-text.ts'
import { CheckField } from '../../ui/fields/check-field.tsx'
import { StopMark } from '../../ui/marks/marks.tsx'
import classes from './proof-stops.module.css'

interface ProofStopsProps {
  stops: readonly ProofStop[]
  value: readonly number[]
  /** None is chosen, and somebody wants to go on */
  isMissing: boolean
  onChange: (ids: number[]) => void
}

/** The drop-offs that a proof of delivery proves. */
export function ProofStops({ stops, value, isMissing, onChange }: ProofStopsProps) {
  const { t } = useTranslation('document')
  const fieldErrorText = useFieldErrorText()
  return (
    <fieldset className={classes.stops}>
      <legend>{t('pod.proves')}</legend>
      {stops.map(({ id, position, place, note }) => (
        <CheckField
          key={id}
          checked={value.includes(id)}
          onChange={({ currentTarget: { checked } }) =>
            onChange(stops.map((stop) => stop.id).filter((one) => (one === id ? checked : value.includes(one))))
          }
          label={
            <span className={classes.stop}>
              <StopMark position={position} size={16} /> {place} <span className={classes.note}>{note}</span>
            </span>
          }
        />
      ))}
      {isMissing ? (
        <p className={classes.missing} role="alert">
          {fieldErrorText('required')}
        </p>
      ) : null}
    </fieldset>
  )
}
