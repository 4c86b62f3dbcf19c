import { useTranslation } from 'react-i18next'
import classes from './text.module.css'

interface FallbackFieldProps {
  name: string
  label: string
  value: string | null
  onChange: (value: string | null) => void
  onDone: () => void
}

/** What stands in the text where the chosen field has no value. */
export function FallbackField({ name, label, value, onChange, onDone }: FallbackFieldProps) {
  const { t } = useTranslation('mail-template')
  return (
    <label className={classes.detail}>
      <span>
        {name}: {t('fallback.without')}
      </span>
      <input
        aria-label={label}
        value={value ?? ''}
        maxLength={200}
        placeholder={t('fallback.none')}
        onChange={(event) => onChange(event.currentTarget.value || null)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'Escape') return
          event.preventDefault()
          onDone()
        }}
      />
    </label>
  )
}
