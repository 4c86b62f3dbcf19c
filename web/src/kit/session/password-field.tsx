import { useState, type KeyboardEvent, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField, type TextFieldProps } from '../../ui/fields/field.tsx'
import { IconButton } from '../../ui/marks/icon-button.tsx'

interface PasswordFieldProps extends Omit<TextFieldProps, 'value' | 'onChange' | 'type'> {
  value: string
  onChange: (value: string) => void
  /** Which of the person's passwords the browser offers here */
  autoComplete: 'current-password' | 'new-password'
  ref?: Ref<HTMLInputElement>
}

/** A password: it can be shown, and Caps Lock is told. */
export function PasswordField({ onChange, hint, ...field }: PasswordFieldProps) {
  const { t } = useTranslation('auth')
  const [isShown, setShown] = useState(false)
  const [isCapsLock, setCapsLock] = useState(false)
  const watchCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  return (
    <TextField
      maxLength={200}
      {...field}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={watchCapsLock}
      onKeyUp={watchCapsLock}
      onBlur={() => setCapsLock(false)}
      hint={isCapsLock ? t('capsLock') : hint}
      rightSectionPointerEvents="all"
      rightSection={
        <IconButton
          icon="eye"
          isSmall
          label={isShown ? t('hidePassword') : t('showPassword')}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        />
      }
    />
  )
}
