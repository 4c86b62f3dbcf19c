import { CORRECTION_REASONS, type CorrectionReason } from '@waybill/contract/invoice/correction'
import type { Language } from '@waybill/contract/errors'
import { useTranslation } from 'react-i18next'
import { LANGUAGE_NAMES } from '../../../kit/i18n/languages.ts'
import { TextAreaField } from '../../../ui/fields/field.tsx'
import { SelectField } from '../../../ui/fields/select-field.tsx'
import classes from './correction.module.css'

const KINDS = Object.keys(CORRECTION_REASONS) as CorrectionReason[]
const OTHER = 'other'

interface ReasonProps {
  name: string
  value: string
  onChange: (text: string) => void
  /** in which it is printed */
  language: Language
  error: string | undefined
  isChanged?: boolean
  isFocused?: boolean
}

/** Why an invoice is corrected: a usual reason proposes the sentence that is printed, which may be changed. */
export function ReasonFields({ name, value, onChange, language, error, isChanged, isFocused }: ReasonProps) {
  const { t } = useTranslation('invoice-correction')
  const kind = KINDS.find((one) => CORRECTION_REASONS[one][language] === value.trim()) ?? OTHER
  return (
    <div className={classes.reason}>
      <SelectField
        label={t('reason.kind')}
        data={[...KINDS, OTHER].map((one) => ({
          value: one,
          label: t(`reason.kinds.${one as CorrectionReason | typeof OTHER}`),
        }))}
        value={kind}
        allowDeselect={false}
        onChange={(chosen) => {
          const known = KINDS.find((one) => one === chosen)
          if (known !== undefined) onChange(CORRECTION_REASONS[known][language])
          else if (kind !== OTHER) onChange('')
        }}
      />
      <TextAreaField
        name={name}
        data-autofocus={isFocused || undefined}
        label={t('reason.text')}
        note={LANGUAGE_NAMES[language]}
        isRequired
        error={error}
        isChanged={isChanged}
        value={value}
        maxLength={2000}
        minRows={1}
        maxRows={6}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  )
}
