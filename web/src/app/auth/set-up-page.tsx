import { Button } from '@mantine/core'
import { setUpTwoFactorAtSignIn, type TwoFactorSetup } from '@waybill/contract/session'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../kit/api/api-error.ts'
import { callApi } from '../../kit/api/call-api.ts'
import { AuthenticatorSetup } from '../../kit/session/authenticator-setup.tsx'
import { CodeForm } from '../../kit/session/code-form.tsx'
import { RecoveryCodes } from '../../kit/session/recovery-codes.tsx'
import { enterCode } from '../../kit/session/sign-in.ts'
import { forgetNewRecoveryCodes, forgetStep, readNewRecoveryCodes, readStep } from '../../kit/session/sign-in-step.ts'
import { AuthCard, BackToLogin } from './auth-card.tsx'
import classes from './auth-card.module.css'
import { pathAfterSignIn } from './return-path.ts'
import { useAttempt } from '../../kit/session/use-attempt.ts'

/**
 * Setting up the second factor that the role requires (spec §2, /auth/qr-code): the picture, a first
 * code, then the recovery codes.
 */
export function SetUpPage() {
  const { t } = useTranslation('auth')
  const router = useRouter()
  const { redirect } = useSearch({ strict: false }) as { redirect?: unknown }
  const { isBusy, failure, attempt } = useAttempt()
  const [setup, setSetup] = useState<TwoFactorSetup | null>(null)
  const [codes, setCodes] = useState(readNewRecoveryCodes)

  useEffect(() => {
    const step = readStep()
    // Asked again after a reload the server answers the same secret.
    if (step !== null)
      void attempt(async () => setSetup(await callApi(setUpTwoFactorAtSignIn, { body: { challenge: step.challenge } })))
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once, when the page opens
  }, [])

  const leave = async () => router.history.push(await pathAfterSignIn(redirect))
  const enter = (code: string) =>
    void attempt(async () => {
      await enterCode(code).finally(() => setCodes(readNewRecoveryCodes()))
      if (readNewRecoveryCodes() === null) void leave()
    })
  const finish = () => {
    forgetNewRecoveryCodes()
    void leave()
  }

  if (codes !== null) {
    return (
      <AuthCard title={t('codes.title')}>
        <RecoveryCodes codes={codes} />
        <Button variant="filled" fullWidth onClick={finish}>
          {t('codes.kept')}
        </Button>
      </AuthCard>
    )
  }
  return (
    <AuthCard title={t('setUp.title')} failure={failure}>
      <p className={classes.text}>{t('setUp.text')}</p>
      {setup === null ? null : (
        <>
          <AuthenticatorSetup setup={setup} />
          <CodeForm
            onEnter={enter}
            isWrong={hasCode(failure, 'invalid_code')}
            isBusy={isBusy}
            submitLabel={t('setUp.confirm')}
            text={t('setUp.code')}
          />
        </>
      )}
      <BackToLogin onLeave={forgetStep} />
    </AuthCard>
  )
}
