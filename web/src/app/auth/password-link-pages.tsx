import { Button } from '@mantine/core'
import { resetPassword } from '@waybill/contract/session'
import { Link, useParams } from '@tanstack/react-router'
import { useState, type SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../kit/api/api-error.ts'
import { callApi } from '../../kit/api/call-api.ts'
import { isGoodPassword, NewPasswordFields, passwordRefusal } from '../../kit/session/new-password-fields.tsx'
import { AuthCard, BackToLogin } from './auth-card.tsx'
import classes from './auth-card.module.css'
import { useAttempt } from '../../kit/session/use-attempt.ts'

/** The first password, by the link of the invitation (spec §2, /auth/recovery-password/:token). */
export function RecoveryPasswordPage() {
  const { t } = useTranslation('auth')
  return <PasswordByLink title={t('recovery.title')} text={t('recovery.text')} />
}

/** A new password, by the link of the mail that was asked for (spec §2, /auth/reset-password/:token). */
export function ResetPasswordPage() {
  const { t } = useTranslation('auth')
  return <PasswordByLink title={t('reset.title')} text={t('reset.text')} />
}

function PasswordByLink({ title, text }: { title: string; text: string }) {
  const { t } = useTranslation('auth')
  const { token } = useParams({ strict: false }) as { token: string }
  const { isBusy, failure, attempt } = useAttempt()
  const [value, setValue] = useState({ password: '', confirmation: '' })
  const [wasTried, setTried] = useState(false)
  const [isDone, setDone] = useState(false)

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    if (!isGoodPassword(value)) return
    await attempt(async () => {
      await callApi(resetPassword, {
        query: { token },
        body: { password: value.password, confirmPassword: value.confirmation },
      })
      setDone(true)
    })
  }

  if (isDone) {
    return (
      <AuthCard title={t('done.title')}>
        <p className={classes.text} role="status">
          {t('done.text')}
        </p>
        <BackToLogin isPrimary />
      </AuthCard>
    )
  }
  return (
    <AuthCard title={title} failure={passwordRefusal(failure) === undefined ? failure : null}>
      <p className={classes.text}>{text}</p>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <NewPasswordFields value={value} onChange={setValue} wasTried={wasTried} failure={failure} isFirst />
        <Button type="submit" variant="filled" fullWidth loading={isBusy}>
          {t('savePassword')}
        </Button>
      </form>
      {hasCode(failure, 'invalid_link') ? (
        <Button fullWidth renderRoot={(props) => <Link to="/auth/restore" {...props} />}>
          {t('newLink')}
        </Button>
      ) : null}
      <BackToLogin />
    </AuthCard>
  )
}
