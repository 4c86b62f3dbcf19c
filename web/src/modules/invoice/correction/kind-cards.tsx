import { useTranslation } from 'react-i18next'
import { KeyHint } from '../../../ui/marks/marks.tsx'
import classes from './correction.module.css'

const KINDS = ['full', 'partial'] as const
export type CorrectionKind = (typeof KINDS)[number]

/** In full or in part, with what becomes of the invoice. */
export function KindCards({
  value,
  onChange,
  takesBack,
  hasKeys = false,
}: {
  value: CorrectionKind
  onChange: (kind: CorrectionKind) => void
  /** what a full one comes to, in words */
  takesBack: string
  hasKeys?: boolean
}) {
  const { t } = useTranslation('invoice-correction')
  return (
    <fieldset className={classes.cards}>
      <legend>{t('kind.which')}</legend>
      {KINDS.map((kind, index) => (
        <label key={kind} className={classes.card} data-on={kind === value || undefined}>
          <input type="radio" name="correctionKind" checked={kind === value} onChange={() => onChange(kind)} />
          <span>
            <b>{t(`kind.${kind}.name`)}</b>
            <small>{t(`kind.${kind}.means`, { amount: takesBack })}</small>
          </span>
          {hasKeys ? <KeyHint>{index + 1}</KeyHint> : null}
        </label>
      ))}
    </fieldset>
  )
}
