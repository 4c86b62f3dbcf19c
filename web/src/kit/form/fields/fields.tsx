import { useRef, useState, type ComponentProps, type ReactNode } from 'react'
import type { Language } from '@waybill/contract/errors'
import { useTranslation } from 'react-i18next'
import { TextAreaField, TextField, type FieldMarks } from '../../../ui/fields/field.tsx'
import { CheckField } from '../../../ui/fields/check-field.tsx'
import { Icon } from '../../../ui/marks/icon.tsx'
import { useFormat } from '../../i18n/i18n.ts'
import { useFieldErrorText } from '../../i18n/error-text.ts'
import { useField } from '../state/form-context.ts'
import classes from './fields.module.css'
import { readNumber } from '@waybill/contract/kit/number-text'

type Own = 'error' | 'isChanged' | 'value' | 'onChange' | 'name'

/** One line of text at a path of the form; empty is null. `locked` says why it cannot be edited. */
export function FormText({
  name,
  locked = null,
  hint,
  ...rest
}: { name: string; locked?: string | null } & Omit<ComponentProps<typeof TextField>, Own>) {
  const field = useField<string | null | undefined>(name)
  const reach = reachOf(rest.type, field.value)
  return (
    <TextField
      {...rest}
      {...(reach === null ? {} : { rightSection: <Reach {...reach} /> })}
      hint={locked ?? hint}
      name={name}
      value={field.value ?? ''}
      error={field.error}
      isChanged={field.isChanged}
      readOnly={field.isReadOnly || locked !== null}
      onChange={(event) => field.set(event.currentTarget.value || null)}
    />
  )
}

interface ReachProps {
  kind: 'tel' | 'email'
  value: string
}

// A field of something that is not there yet, as of a route without an assignment, has no value at all.
const reachOf = (type: string | undefined, value: string | null | undefined): ReachProps | null =>
  value == null || value.trim() === '' || (type !== 'tel' && type !== 'email') ? null : { kind: type, value }

/** The way to call a number or to write to an address that a field holds; Tab passes it by, as one types on. */
function Reach({ kind, value }: ReachProps) {
  const { t } = useTranslation('form')
  const label = kind === 'tel' ? t('call', { number: value }) : t('writeTo', { address: value })
  const href = kind === 'tel' ? `tel:${value.replace(/[^+\d]/g, '')}` : `mailto:${value.trim()}`
  return (
    <a href={href} className={classes.reach} tabIndex={-1} aria-label={label} title={label}>
      <Icon name={kind === 'tel' ? 'phone' : 'mail'} size={13} />
    </a>
  )
}

/** Several lines of text at a path of the form. */
export function FormTextArea({ name, ...rest }: { name: string } & Omit<ComponentProps<typeof TextAreaField>, Own>) {
  const field = useField<string | null>(name)
  return (
    <TextAreaField
      {...rest}
      name={name}
      value={field.value ?? ''}
      error={field.error}
      isChanged={field.isChanged}
      readOnly={field.isReadOnly}
      onChange={(event) => field.set(event.currentTarget.value || null)}
    />
  )
}

/** Yes or no at a path of the form. */
export function FormCheck({ name, label }: { name: string; label: ReactNode }) {
  const field = useField<boolean>(name)
  return (
    <CheckField
      name={name}
      label={label}
      checked={field.value}
      isChanged={field.isChanged}
      disabled={field.isReadOnly}
      onChange={(event) => field.set(event.currentTarget.checked)}
    />
  )
}

interface NumberProps extends Omit<FieldMarks, 'error' | 'isChanged' | 'isNumeric'> {
  name: string
  /** Behind the figure: `€`, `kg` */
  unit?: ReactNode
  /** Places after the point, at most */
  places?: number
  /** Money: always as many places */
  hasFixedPlaces?: boolean
  /** What the form holds for one that is shown: 100 for cents and for hundredths of a percent */
  factor?: number
  placeholder?: string
  /** In place of writing the value alone: where others follow from it */
  onSet?: (value: number | null) => void
}

/**
 * A figure at a path of the form, typed as the language writes it; empty is null, and what
 * is no figure stays and is told.
 */
export function FormNumber({
  name,
  unit,
  places = 0,
  hasFixedPlaces = false,
  factor = 1,
  placeholder,
  onSet,
  ...marks
}: NumberProps) {
  const field = useField<number | null>(name)
  const fieldErrorText = useFieldErrorText()
  const typing = useNumberTyping({ value: field.value, set: onSet ?? field.set, places, hasFixedPlaces, factor })
  const error = field.error ?? (typing.isWrong ? fieldErrorText('invalid_value') : undefined)
  return (
    <TextField
      {...marks}
      isNumeric
      name={name}
      error={error}
      isChanged={field.isChanged}
      readOnly={field.isReadOnly}
      placeholder={placeholder}
      inputMode={places === 0 ? 'numeric' : 'decimal'}
      autoComplete="off"
      maxLength={20}
      rightSection={unit}
      rightSectionPointerEvents="none"
      rightSectionWidth={unit === undefined ? undefined : typeof unit === 'string' && unit.length > 2 ? 44 : 30}
      {...typing.input}
    />
  )
}

interface NumberTyping {
  value: number | null
  set: (value: number | null) => void
  places: number
  hasFixedPlaces?: boolean
  factor?: number
}

/**
 * Typing a figure: while in hand the text stays as it is typed, out of hand it stands as the language writes it. NaN
 * is a text that is no figure.
 */
function useNumberTyping({ value, set, places, hasFixedPlaces = false, factor = 1 }: NumberTyping) {
  const { i18n } = useTranslation()
  const format = useFormat()
  const [typed, setTyped] = useState<string | null>(null)
  const lastTyped = useRef('')
  const isWrong = typed === null && Number.isNaN(value)
  const written =
    value === null || value === undefined
      ? ''
      : Number.isNaN(value)
        ? lastTyped.current
        : format.number(value / factor, hasFixedPlaces ? places : 0, places)
  return {
    isWrong,
    input: {
      value: typed ?? written,
      onFocus: (event: React.FocusEvent<HTMLInputElement>) => event.currentTarget.select(),
      onChange: (event: React.ChangeEvent<HTMLInputElement>) => {
        const text = event.currentTarget.value
        setTyped(text)
        lastTyped.current = text
        const read = readNumber(text, i18n.language as Language)
        set(
          read === null || Number.isNaN(read)
            ? read
            : Math.round(read * factor * scaleOf(places, factor)) / scaleOf(places, factor),
        )
      },
      onBlur: () => setTyped(null),
    },
  }
}

// Cents stay whole; three places of a measure stay three.
const scaleOf = (places: number, factor: number): number => (factor === 1 ? 10 ** places : 1)
