import { Pill, PillsInput } from '@mantine/core'
import type { MailPage } from '@waybill/contract/email/by-hand'
import type { KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { fieldProps } from '../../../ui/fields/field.tsx'
import { Icon } from '../../../ui/marks/icon.tsx'
import classes from './write.module.css'

type Person = MailPage['people'][number]

interface ReceiversProps {
  name: string
  label: string
  isRequired?: boolean
  value: readonly string[]
  /** what stands behind them and is no address yet */
  typed: string
  people: readonly Person[]
  error?: string | undefined
  onChange: (addresses: string[]) => void
  onType: (text: string) => void
}

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

const RECEIVER_FIELDS = ['to', 'cc']

/** An address becomes a chip as its field is left: before keys send a mail, the field in hand is left and taken up. */
export function takeTypedAddress(target: EventTarget): void {
  if (!(target instanceof HTMLInputElement) || !RECEIVER_FIELDS.includes(target.name)) return
  flushSync(() => target.blur())
  target.focus()
}

/** Who a mail goes to: each a chip with the role that they have in the order, and any address beside them. */
export function Receivers({
  name,
  label,
  isRequired = false,
  value,
  typed,
  people,
  error,
  onChange,
  onType,
}: ReceiversProps) {
  const { t } = useTranslation('email-write')
  const take = (text: string) => {
    const added = text.split(/[\s,;]+/).filter((one) => one !== '' && !value.some((known) => same(known, one)))
    onType('')
    if (added.length > 0) onChange([...value, ...new Set(added)])
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return
    if (['Enter', ',', ';', ' '].includes(event.key) && typed.trim() !== '') {
      event.preventDefault()
      take(typed)
    } else if (event.key === 'Backspace' && typed === '' && value.length > 0) onChange(value.slice(0, -1))
  }
  // The role of a text field is that of the field inside it.
  const { 'aria-required': required, ...marks } = fieldProps({ label, isRequired, error })
  return (
    <PillsInput {...marks}>
      <Pill.Group>
        {value.map((address) => {
          const person = people.find(({ email }) => same(email, address))
          return (
            <Pill
              key={address}
              withRemoveButton
              size="md"
              className={classes.chip ?? ''}
              removeButtonProps={{
                'aria-label': t('remove', { name: person?.name ?? address }),
                tabIndex: 0,
                'aria-hidden': false,
              }}
              onRemove={() => onChange(value.filter((one) => one !== address))}
            >
              {person?.name ? <b>{person.name}</b> : null} <span className={classes.address}>{address}</span>
              {person === undefined ? null : <span className={classes.role}>{t(`role.${person.role}`)}</span>}
            </Pill>
          )
        })}
        <PillsInput.Field
          className={classes.typing ?? ''}
          name={name}
          aria-label={label}
          aria-required={required}
          aria-invalid={error !== undefined || undefined}
          inputMode="email"
          autoComplete="off"
          value={typed}
          placeholder={value.length === 0 ? t('addressHint') : undefined}
          onChange={(event) => onType(event.currentTarget.value)}
          onKeyDown={press}
          onBlur={() => take(typed)}
          onPaste={(event) => {
            const text = event.clipboardData.getData('text')
            if (!/[\s,;]/.test(text.trim())) return
            event.preventDefault()
            take(text)
          }}
        />
      </Pill.Group>
    </PillsInput>
  )
}

/** Who else may want it: a press adds them. */
export function Suggestions({
  people,
  taken,
  onAdd,
}: {
  people: readonly Person[]
  taken: readonly string[]
  onAdd: (email: string) => void
}) {
  const { t } = useTranslation('email-write')
  const open = people.filter(({ email }) => !taken.some((one) => same(one, email)))
  if (open.length === 0) return null
  return (
    <div className={classes.suggestions} role="group" aria-label={t('suggested')}>
      {open.map(({ email, name, role }) => (
        <button key={email} type="button" className={classes.suggestion} title={email} onClick={() => onAdd(email)}>
          <Icon name="plus" size={13} />
          <b>{name ?? email}</b>
          <span className={classes.role}>{t(`role.${role}`)}</span>
        </button>
      ))}
    </div>
  )
}
