import { Button } from '@mantine/core'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState, type KeyboardEvent, type SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, hasCode } from '../../kit/api/api-error.ts'
import { useErrorText, useFieldErrorText } from '../../kit/i18n/error-text.ts'
import { signIn } from '../../kit/session/session.ts'
import { TextField } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import classes from './login-page.module.css'
import { returnPath } from './return-path.ts'

/** Signing in (spec §2, /auth/login). */
export function LoginPage() {
  const { t } = useTranslation('auth')
  const router = useRouter()
  const search = useSearch({ strict: false }) as { redirect?: unknown; reason?: unknown }
  const fieldErrorText = useFieldErrorText()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [isShown, setShown] = useState(false)
  const [isCapsLock, setCapsLock] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [wasTried, setTried] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const emailInput = useRef<HTMLInputElement>(null)
  const passwordInput = useRef<HTMLInputElement>(null)
  const missing = wasTried ? fieldErrorText('required') : undefined

  useEffect(() => emailInput.current?.focus(), [])

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    setFailure(null)
    if (email.trim() === '' || password === '') {
      const first = email.trim() === '' ? emailInput : passwordInput
      first.current?.focus()
      return
    }
    setBusy(true)
    try {
      await signIn(email.trim(), password)
      router.history.push(returnPath(search.redirect))
    } catch (error) {
      setFailure(error)
      setBusy(false)
      passwordInput.current?.select()
    }
  }
  const watchCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))

  return (
    <form className={classes.card} onSubmit={(event) => void submit(event)} noValidate>
      <h1 className={classes.title}>{t('title')}</h1>
      {failure === null ? null : (
        <Notice tone="danger" isUrgent>
          <Failure error={failure} />
        </Notice>
      )}
      <TextField
        ref={emailInput}
        label={t('email')}
        type="email"
        name="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={250}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        error={email.trim() === '' ? missing : undefined}
      />
      <TextField
        ref={passwordInput}
        label={t('password')}
        type={isShown ? 'text' : 'password'}
        name="password"
        autoComplete="current-password"
        maxLength={200}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        onKeyDown={watchCapsLock}
        onKeyUp={watchCapsLock}
        onBlur={() => setCapsLock(false)}
        error={password === '' ? missing : undefined}
        hint={isCapsLock ? t('capsLock') : undefined}
        rightSectionPointerEvents="all"
        rightSection={<IconButton icon="eye" isSmall label={isShown ? t('hidePassword') : t('showPassword')} aria-pressed={isShown} onClick={() => setShown(!isShown)} />}
      />
      <Button type="submit" variant="filled" fullWidth loading={isBusy}>
        {t('signIn')}
      </Button>
      {search.reason === 'expired' || search.reason === 'elsewhere' ? (
        <p className={classes.hint} role="status">
          {t('signedOut')}
        </p>
      ) : null}
    </form>
  )
}

function Failure({ error }: { error: unknown }) {
  const { t } = useTranslation('auth')
  const errorText = useErrorText()
  if (hasCode(error, 'bad_credentials')) return t('badCredentials')
  if (error instanceof ApiError && error.code === 'rate_limited' && error.retryAfter !== null) return t('rateLimited', { count: Math.max(1, Math.ceil(error.retryAfter / 60)) })
  return errorText(error)
}
