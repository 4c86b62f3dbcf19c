import { Button } from '@mantine/core'
import { changePassword } from '@waybill/contract/session'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../kit/api/api-error.ts'
import { callApi } from '../../kit/api/call-api.ts'
import { useErrorText, useFieldErrorText } from '../../kit/i18n/error-text.ts'
import { isGoodPassword, NewPasswordFields, passwordRefusal } from '../../kit/session/new-password-fields.tsx'
import { PasswordField } from '../../kit/session/password-field.tsx'
import { useAttempt } from '../../kit/session/use-attempt.ts'
import { useFirstFocus } from '../../kit/session/use-first-focus.ts'
import { Notice } from '../../ui/notices/notice.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { Section } from '../../ui/page/section.tsx'
import classes from './section.module.css'
import { SESSIONS_KEY } from './session-list.tsx'

const NOTHING = { password: '', confirmation: '' }

/** Changing one's own password. Nothing of it is kept as a draft, and the form's guard does not ask for it. */
export function PasswordChange({ email }: { email: string }) {
  const { t } = useTranslation('profile')
  const [isOpen, setOpen] = useState(false)
  return (
    <Section title={t('sections.password')}>
      {isOpen ? (
        <PasswordForm email={email} onClose={() => setOpen(false)} />
      ) : (
        <div className={classes.stack}>
          <p className={classes.text}>{t('password.text')}</p>
          <Button onClick={() => setOpen(true)}>{t('password.change')}</Button>
        </div>
      )}
    </Section>
  )
}

function PasswordForm({ email, onClose }: { email: string; onClose: () => void }) {
  const { t } = useTranslation('profile')
  const currentInput = useFirstFocus()
  const queries = useQueryClient()
  const errorText = useErrorText()
  const fieldErrorText = useFieldErrorText()
  const [current, setCurrent] = useState('')
  const [chosen, setChosen] = useState(NOTHING)
  const [wasTried, setTried] = useState(false)
  const { isBusy, failure, attempt } = useAttempt()

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    if (current === '' || !isGoodPassword(chosen)) return
    await attempt(async () => {
      await callApi(changePassword, {
        body: { currentPassword: current, newPassword: chosen.password, confirmPassword: chosen.confirmation },
      })
      onClose()
      notify({ tone: 'ok', title: t('password.changed'), detail: t('password.othersEnded'), closeLabel: t('close') })
      await queries.invalidateQueries({ queryKey: SESSIONS_KEY })
    })
  }
  const refused =
    failure instanceof ApiError ? failure.errors.find(({ path }) => path === 'currentPassword') : undefined
  const currentError = refused?.message ?? (wasTried && current === '' ? fieldErrorText('required') : undefined)

  return (
    <form className={classes.form} noValidate onSubmit={(event) => void submit(event)}>
      {failure === null || refused !== undefined || passwordRefusal(failure) !== undefined ? null : (
        <Notice tone="danger" isUrgent>
          {errorText(failure)}
        </Notice>
      )}
      {/* For password managers, which need to know whose password it is. */}
      <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        ref={currentInput}
        label={t('password.current')}
        name="currentPassword"
        autoComplete="current-password"
        value={current}
        onChange={setCurrent}
        error={currentError}
      />
      <NewPasswordFields value={chosen} onChange={setChosen} wasTried={wasTried} failure={failure} />
      <div className={classes.actions}>
        <Button type="submit" loading={isBusy}>
          {t('password.change')}
        </Button>
        <Button variant="subtle" onClick={onClose}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  )
}
