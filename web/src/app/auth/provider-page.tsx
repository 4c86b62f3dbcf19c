import { useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { signInFromProvider } from '../../kit/session/sign-in.ts'
import { readWanted } from '../../kit/session/sign-in-step.ts'
import { useAttempt } from '../../kit/session/use-attempt.ts'
import { AuthCard, BackToLogin } from './auth-card.tsx'
import classes from './auth-card.module.css'
import { pathAfterSignIn } from './return-path.ts'

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** Where the identity provider sends people back to: they are let in, or told why not. */
export function ProviderPage() {
  const { t } = useTranslation('auth')
  const router = useRouter()
  const given = useSearch({ strict: false }) as Record<string, unknown>
  const { failure, attempt } = useAttempt()
  const wasSent = useRef(false)
  const wanted = readWanted()

  useEffect(() => {
    // Once: an answer of the provider counts a single time.
    if (wasSent.current) return
    wasSent.current = true
    const search = (wanted === null ? {} : { redirect: wanted }) as never
    const state = textOf(given.state)
    if (state === undefined) return void router.navigate({ to: '/auth/login', search, replace: true })
    void attempt(async () => {
      const { code, error, iss } = given
      const answer = { state, code: textOf(code), error: textOf(error), iss: textOf(iss) }
      const step = await signInFromProvider(answer)
      // What the provider sent does not stay in the history.
      if (step === null) router.history.replace(await pathAfterSignIn(wanted))
      else await router.navigate({ to: step.next === 'code' ? '/auth/qr' : '/auth/qr-code', search, replace: true })
    })
  }, [attempt, given, router, wanted])

  return (
    <AuthCard title={t('title')} failure={failure}>
      {failure === null ? (
        <p className={classes.text} role="status">
          {t('provider.waiting')}
        </p>
      ) : (
        <BackToLogin wanted={wanted} />
      )}
    </AuthCard>
  )
}
