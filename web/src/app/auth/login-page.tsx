import { Button } from '@mantine/core'
import { Link, useLoaderData, useRouter, useSearch } from '@tanstack/react-router'
import { useRef, useState, type SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { PasswordField } from '../../kit/session/password-field.tsx'
import type { SignInWays } from '@waybill/contract/session'
import { hasCode } from '../../kit/api/api-error.ts'
import { canUsePasskeys } from '../../kit/session/passkey.ts'
import { leaveForProvider, signIn } from '../../kit/session/sign-in.ts'
import { useFirstFocus } from '../../kit/session/use-first-focus.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { AuthCard } from './auth-card.tsx'
import classes from './auth-card.module.css'
import { pathAfterSignIn } from './return-path.ts'
import { useAttempt } from '../../kit/session/use-attempt.ts'

/** Signing in (spec §2, /auth/login) with a password or by the identity provider, as the settings say. */
export function LoginPage() {
  const { t } = useTranslation('auth')
  const { redirect, reason } = useSearch({ strict: false }) as { redirect?: unknown; reason?: unknown }
  const router = useRouter()
  const { passwords, provider, passkeys } = useLoaderData({ strict: false }) as unknown as SignInWays
  const attempts = useAttempt()
  const { isBusy, failure, attempt } = attempts
  const [isByPassword, setByPassword] = useState(passwords === 'all')
  const isAway = hasCode(failure, 'provider_away')
  const isForAll = passwords === 'all'

  const form = isByPassword ? <PasswordForm attempts={attempts} isPrimary={isForAll} /> : null
  const toProvider =
    provider === null ? null : (
      <Button
        variant={isForAll ? 'default' : 'filled'}
        fullWidth
        loading={isBusy}
        onClick={() => void attempt(() => leaveForProvider(redirect))}
      >
        {t('provider.signIn', provider)}
      </Button>
    )
  const byPasskey =
    isByPassword && passkeys && canUsePasskeys() ? (
      <Button
        variant="default"
        fullWidth
        loading={isBusy}
        onClick={() =>
          void attempt(async () => {
            const { signInByPasskey } = await import('../../kit/session/passkey-sign-in.ts')
            await signInByPasskey()
            router.history.push(await pathAfterSignIn(redirect))
          })
        }
      >
        {t('passkey.signIn')}
      </Button>
    ) : null
  return (
    <AuthCard title={t('title')} failure={failure}>
      {isForAll ? form : toProvider}
      {isByPassword && (provider !== null || byPasskey !== null) ? (
        <p className={classes.or}>{t('provider.or')}</p>
      ) : null}
      {isForAll ? toProvider : form}
      {byPasskey}
      {isByPassword ? null : (
        <Button variant="subtle" fullWidth onClick={() => setByPassword(true)}>
          {t('provider.usePassword')}
        </Button>
      )}
      {isAway || (isByPassword && !isForAll) ? (
        <p className={classes.hint}>{t(isForAll ? 'provider.passwordHelps' : 'provider.emergency')}</p>
      ) : null}
      {reason === 'expired' || reason === 'elsewhere' ? (
        <p className={classes.hint} role="status">
          {t('signedOut')}
        </p>
      ) : null}
    </AuthCard>
  )
}

function PasswordForm({
  attempts: { isBusy, attempt },
  isPrimary,
}: {
  attempts: ReturnType<typeof useAttempt>
  isPrimary: boolean
}) {
  const { t } = useTranslation('auth')
  const router = useRouter()
  const { redirect } = useSearch({ strict: false }) as { redirect?: unknown }
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [wasTried, setTried] = useState(false)
  const emailInput = useFirstFocus()
  const passwordInput = useRef<HTMLInputElement>(null)
  const missing = wasTried ? t('required') : undefined
  const kept = (redirect === undefined ? {} : { redirect }) as never

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    if (email.trim() === '' || password === '') {
      const first = email.trim() === '' ? emailInput : passwordInput
      first.current?.focus()
      return
    }
    const isDone = await attempt(async () => {
      const step = await signIn(email.trim(), password)
      if (step === null) router.history.push(await pathAfterSignIn(redirect))
      else await router.navigate({ to: step.next === 'code' ? '/auth/qr' : '/auth/qr-code', search: kept })
    })
    if (!isDone) passwordInput.current?.select()
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
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
      <div className={classes.withLink}>
        <PasswordField
          ref={passwordInput}
          label={t('password')}
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          error={password === '' ? missing : undefined}
        />
        <Link to="/auth/restore" search={kept}>
          {t('forgot')}
        </Link>
      </div>
      <Button type="submit" variant={isPrimary ? 'filled' : 'default'} fullWidth loading={isBusy}>
        {t('signIn')}
      </Button>
    </form>
  )
}
