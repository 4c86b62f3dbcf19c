import { Button } from '@mantine/core'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../kit/api/api-error.ts'
import { CodeForm } from '../../kit/session/code-form.tsx'
import { canUsePasskeys } from '../../kit/session/passkey.ts'
import { enterCode } from '../../kit/session/sign-in.ts'
import { forgetStep, readStep } from '../../kit/session/sign-in-step.ts'
import { AuthCard, BackToLogin } from './auth-card.tsx'
import classes from './auth-card.module.css'
import { pathAfterSignIn } from './return-path.ts'
import { useAttempt } from '../../kit/session/use-attempt.ts'

/** The second step of a sign-in (spec §2, /auth/qr): the app's code, a recovery code, or a passkey. */
export function CodePage() {
  const { t } = useTranslation('auth')
  const router = useRouter()
  const { redirect } = useSearch({ strict: false }) as { redirect?: unknown }
  const { isBusy, failure, attempt } = useAttempt()
  // As it was when the page opened: the step is forgotten before the page is left.
  const [factors] = useState(() => readStep()?.factors ?? ['code'])
  const answer = (work: () => Promise<void>) =>
    void attempt(async () => {
      await work()
      router.history.push(await pathAfterSignIn(redirect))
    })
  const takesCode = factors.includes('code')
  const takesPasskey = factors.includes('passkey')
  const canUse = canUsePasskeys()
  return (
    <AuthCard title={t(takesCode ? 'code.title' : 'passkey.title')} failure={failure}>
      {takesCode ? (
        <CodeForm
          onEnter={(code) => answer(() => enterCode(code))}
          isWrong={hasCode(failure, 'invalid_code')}
          isBusy={isBusy}
          submitLabel={t('continue')}
        />
      ) : (
        <p className={classes.text}>{t(canUse ? 'passkey.text' : 'passkey.notHere')}</p>
      )}
      {takesCode && takesPasskey && canUse ? <p className={classes.or}>{t('provider.or')}</p> : null}
      {takesPasskey && canUse ? (
        <Button
          variant={takesCode ? 'default' : 'filled'}
          fullWidth
          loading={isBusy}
          onClick={() => answer(async () => (await import('../../kit/session/passkey-sign-in.ts')).answerByPasskey())}
        >
          {t('passkey.use')}
        </Button>
      ) : null}
      <BackToLogin onLeave={forgetStep} />
    </AuthCard>
  )
}
