import type { Language } from '@waybill/contract/errors'
import { skippedTimes } from '@waybill/contract/order/termin/termin-doubts'
import { useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { useField, useFormContext, useFormValue } from '../../../kit/form/state/form-context.ts'
import { useFieldErrorText } from '../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { TextField } from '../../../ui/fields/field.tsx'
import { Icon } from '../../../ui/marks/icon.tsx'
import type { StopValues } from '../values/draft.ts'
import { terminTyped, terminWords } from '../values/stop-words.ts'
import classes from './termin-input.module.css'
import { useTerminDoubts } from './termin-doubts.ts'
import { readTermin } from './termin-field.ts'

/** When a stop is due: typed as people write it, shown in full below while it is typed. */
export function TerminInput({ index, zone }: { index: number; zone: string | null }) {
  const { t, i18n } = useTranslation('order')
  const form = useFormContext()
  const termin = useField<StopValues['termin']>(`locations.${index}.termin`)
  const text = useField<string | null>(`locations.${index}.terminText`)
  const format = useFormat()
  const fieldErrorText = useFieldErrorText()
  const [typed, setTyped] = useState<string | null>(null)
  const before = useRef<Pick<StopValues, 'termin' | 'terminText'>>({ termin: null, terminText: null })
  const readingId = useId()
  const doubt = useTerminDoubts(useFormValue<StopValues[]>('locations'), { index, zone })[index] ?? null
  const language = i18n.language as Language
  const texts = { before: t('termin.before'), fix: t('termin.fix') }
  const nested = form.problems.find(({ path }) => path.startsWith(`locations.${index}.termin.`))?.message
  // Said as soon as the zone is known: no save has to be refused for it.
  const [skipped] = termin.value === null || zone === null ? [] : skippedTimes(termin.value, zone)
  const unread = text.value !== null && typed === null ? fieldErrorText('invalid_date') : undefined
  const error =
    termin.error ??
    nested ??
    (skipped === undefined || text.value !== null ? unread : fieldErrorText('no_such_time', { ...skipped }))
  const take = ({ termin: next, terminText }: Pick<StopValues, 'termin' | 'terminText'>) => {
    termin.set(next)
    text.set(terminText)
  }
  return (
    <div className={classes.field}>
      <TextField
        label={t('stopFields.termin')}
        note={zone ?? undefined}
        name={`locations.${index}.termin`}
        value={typed ?? text.value ?? (termin.value === null ? '' : terminWords(termin.value, format, texts))}
        error={error}
        isChanged={termin.isChanged || text.isChanged}
        readOnly={termin.isReadOnly}
        maxLength={100}
        autoComplete="off"
        placeholder={t('termin.placeholder')}
        aria-describedby={typed === null ? undefined : readingId}
        onFocus={(event) => {
          if (termin.isReadOnly) return
          before.current = { termin: termin.value, terminText: text.value }
          // At once: the next key must find the text to be typed over.
          flushSync(() => setTyped(text.value ?? (termin.value === null ? '' : terminTyped(termin.value, language))))
          event.currentTarget.select()
        }}
        onBlur={() => setTyped(null)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || typed === null) return
          event.stopPropagation()
          take(before.current)
          event.currentTarget.blur()
        }}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          take(readTermin(event.currentTarget.value, language, before.current.termin))
        }}
      />
      {doubt === null || error !== undefined ? null : (
        <p className={classes.doubt} role="status">
          <Icon name="alert" size={13} /> {doubt}
        </p>
      )}
      {typed === null || typed === '' ? null : (
        <div className={classes.reading} id={readingId} role="status">
          {termin.value === null || text.value !== null ? (
            t('termin.notUnderstood')
          ) : (
            <>
              <b>{terminWords(termin.value, { shortWeekdayDate: format.weekdayDate }, texts)}</b>{' '}
              <span>{t(`termin.kinds.${termin.value.kind}`)}</span>
            </>
          )}
        </div>
      )}
    </div>
  )
}
