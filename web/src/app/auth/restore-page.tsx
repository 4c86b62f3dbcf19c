import { Button } from '@mantine/core'
import { email as emailShape } from '@waybill/contract/kit/fields'
import { askForPasswordMail } from '@waybill/contract/session'
import { useState, type SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { useFieldErrorText } from '../../kit/i18n/error-text.ts'
import { useFirstFocus } from '../../kit/session/use-first-focus.ts'
import { check } from '../../kit/shapes/check.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { AuthCard, BackToLogin } from './auth-card.tsx'
import classes from './auth-card.module.css'
import { useAttempt } from '../../kit/session/use-attempt.ts'

/** A forgotten password (spec §2, /auth/restore): the mail is asked for, then said to be sent. */
export function RestorePage() {
  const { t } = useTranslation('auth')
  const fieldErrorText = useFieldErrorText()
  const { isBusy, failure, attempt } = useAttempt()
  const [email, setEmail] = useState('')
  const [wasTried, setTried] = useState(false)
  const [sentTo, setSentTo] = useState<string | null>(null)
  const emailInput = useFirstFocus()
  const address = email.trim()
  const isAddress = check(emailShape, address).success

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    if (!isAddress) return
    await attempt(async () => {
      await callApi(askForPasswordMail, { body: { email: address } })
      setSentTo(address)
    })
  }

  if (sentTo !== null) {
    return (
      <AuthCard title={t('sent.title')}>
        <p className={classes.text} role="status">
          {/* Whether the address is known stays between the server and the mailbox. */}
          {t('sent.text', { email: sentTo })}
        </p>
        <p className={classes.text}>{t('sent.wait')}</p>
        <Button fullWidth onClick={() => setSentTo(null)}>
          {t('sent.again')}
        </Button>
        <BackToLogin />
      </AuthCard>
    )
  }
  return (
    <AuthCard title={t('restore.title')} failure={failure}>
      <p className={classes.text}>{t('restore.text')}</p>
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
          error={!wasTried || isAddress ? undefined : fieldErrorText(address === '' ? 'required' : 'invalid_email')}
        />
        <Button type="submit" variant="filled" fullWidth loading={isBusy}>
          {t('restore.send')}
        </Button>
      </form>
      <BackToLogin />
    </AuthCard>
  )
}
