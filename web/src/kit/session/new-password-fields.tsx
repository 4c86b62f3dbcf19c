import { PASSWORD_RULES, type PasswordRule } from '@waybill/contract/session'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/marks/icon.tsx'
import { ApiError } from '../api/api-error.ts'
import { useFieldErrorText } from '../i18n/error-text.ts'
import classes from './new-password-fields.module.css'
import { PasswordField } from './password-field.tsx'
import { useFirstFocus } from './use-first-focus.ts'

/** A password that is being chosen, typed twice. */
export interface NewPassword {
  password: string
  confirmation: string
}

const NAMES = Object.keys(PASSWORD_RULES) as PasswordRule[]

/** True where the password may be sent: it fulfils the rule and was typed twice alike. */
export const isGoodPassword = ({ password, confirmation }: NewPassword): boolean =>
  NAMES.every((name) => PASSWORD_RULES[name](password)) && password === confirmation

/** What the server said of the password itself, where it is that which it refused. */
export const passwordRefusal = (failure: unknown): string | undefined =>
  failure instanceof ApiError
    ? failure.errors.find(({ path }) => path === 'password' || path === 'newPassword')?.message
    : undefined

interface NewPasswordFieldsProps {
  value: NewPassword
  onChange: (value: NewPassword) => void
  /** Somebody wanted to save: what is missing is told */
  wasTried: boolean
  /** What the last try came to: a refusal of the password stands at its field */
  failure: unknown
  /** The person came for this */
  isFirst?: boolean
}

/** Choosing a password (spec §5): the rule is ticked off while one types. */
export function NewPasswordFields({ value, onChange, wasTried, failure, isFirst = false }: NewPasswordFieldsProps) {
  const { t } = useTranslation('auth')
  const fieldErrorText = useFieldErrorText()
  const [wasLeft, setLeft] = useState(false)
  const rulesId = useId()
  const first = useFirstFocus(isFirst)
  const { password, confirmation } = value
  const isRuleKept = NAMES.every((name) => PASSWORD_RULES[name](password))
  const passwordError = !wasTried
    ? undefined
    : password === ''
      ? fieldErrorText('required')
      : isRuleKept
        ? passwordRefusal(failure)
        : fieldErrorText('password_rule')
  // While the second one is still being typed it differs of course.
  const isDifferent = confirmation !== password && (wasTried || (wasLeft && confirmation !== ''))
  return (
    <>
      <PasswordField
        ref={first}
        label={t('newPassword')}
        name="newPassword"
        autoComplete="new-password"
        aria-describedby={rulesId}
        value={password}
        onChange={(text) => onChange({ ...value, password: text })}
        error={passwordError}
      />
      <ul className={classes.rules} id={rulesId}>
        {NAMES.map((name) => {
          const isKept = PASSWORD_RULES[name](password)
          return (
            <li key={name} data-kept={isKept || undefined}>
              <Icon name={isKept ? 'check' : 'close'} size={13} label={isKept ? t('rule.kept') : t('rule.missing')} />
              {t(`rule.${name}`)}
            </li>
          )
        })}
      </ul>
      <PasswordField
        label={t('confirmPassword')}
        name="confirmPassword"
        autoComplete="new-password"
        value={confirmation}
        onChange={(text) => onChange({ ...value, confirmation: text })}
        onBlur={() => setLeft(true)}
        error={isDifferent ? fieldErrorText('passwords_differ') : undefined}
      />
    </>
  )
}
