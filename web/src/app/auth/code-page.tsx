import { useRouter, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../kit/api/api-error.ts'
import { CodeForm } from '../../kit/session/code-form.tsx'
import { enterCode } from '../../kit/session/session.ts'
import { forgetStep } from '../../kit/session/sign-in-step.ts'
import { AuthCard, BackToLogin } from './auth-card.tsx'
import { pathAfterSignIn } from './return-path.ts'
import { useAttempt } from '../../kit/session/use-attempt.ts'

/** The second step of a sign-in (spec §2, /auth/qr): the app's code, or a recovery code. */
export function CodePage() {
  const { t } = useTranslation('auth')
  const router = useRouter()
  const { redirect } = useSearch({ strict: false }) as { redirect?: unknown }
  const { isBusy, failure, attempt } = useAttempt()
  const enter = (code: string) =>
    void attempt(async () => {
      await enterCode(code)
      router.history.push(await pathAfterSignIn(redirect))
    })
  return (
    <AuthCard title={t('code.title')} failure={failure}>
      <CodeForm
        onEnter={enter}
        isWrong={hasCode(failure, 'invalid_code')}
        isBusy={isBusy}
        submitLabel={t('continue')}
      />
      <BackToLogin onLeave={forgetStep} />
    </AuthCard>
  )
}
