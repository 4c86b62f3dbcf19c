import type { Language } from '@waybill/contract/errors'
import { localOf } from '@waybill/contract/kit/local-time'
import { parseTermin } from '@waybill/contract/order/termin/termin-text'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useField } from '../../kit/form/state/form-context.ts'
import { useFieldErrorText } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { TextField } from '../../ui/fields/field.tsx'

/**
 * A local date, typed as the times of stops are (`30.11`, `+2`, `mo`) and shown as the language writes it; the
 * browser's own field follows the browser's language.
 */
export function InvoiceDateField({ name, label, hint }: { name: string; label: string; hint?: string | undefined }) {
  const { i18n } = useTranslation()
  const format = useFormat()
  const fieldErrorText = useFieldErrorText()
  const field = useField<string | null>(name)
  const [typed, setTyped] = useState<string | null>(null)
  const [isWrong, setWrong] = useState(false)
  const leave = () => {
    if (typed === null) return
    const today = localOf(new Date(), new Intl.DateTimeFormat().resolvedOptions().timeZone).date
    const read = typed.trim() === '' ? null : parseTermin(typed, { today, language: i18n.language as Language })
    const isUnread = typed.trim() !== '' && (read === null || read.timeFrom != null || read.dateTo != null)
    setWrong(isUnread)
    // What is not understood stays in the field, to be mended.
    if (isUnread) return
    field.set(read?.dateFrom ?? null)
    setTyped(null)
  }
  return (
    <TextField
      name={name}
      label={label}
      hint={hint}
      autoComplete="off"
      value={typed ?? (field.value === null ? '' : format.date(field.value))}
      error={field.error ?? (isWrong ? fieldErrorText('invalid_date') : undefined)}
      isChanged={field.isChanged}
      readOnly={field.isReadOnly}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={leave}
      onKeyDown={(event) => event.key === 'Enter' && leave()}
    />
  )
}
