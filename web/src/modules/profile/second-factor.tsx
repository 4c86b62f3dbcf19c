import { Button } from '@mantine/core'
import {
  confirmTwoFactor,
  getProfile,
  removeTwoFactor,
  setUpTwoFactor,
  type Profile,
  type TwoFactorSetup,
} from '@waybill/contract/session'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../kit/api/api-error.ts'
import { callApi } from '../../kit/api/call-api.ts'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { AuthenticatorSetup } from '../../kit/session/authenticator-setup.tsx'
import { CodeForm } from '../../kit/session/code-form.tsx'
import { RecoveryCodes } from '../../kit/session/recovery-codes.tsx'
import { showProfile } from '../../kit/session/session.ts'
import { useAttempt } from '../../kit/session/use-attempt.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { Section } from '../../ui/page/section.tsx'
import classes from './section.module.css'

// With two left it is time for new ones.
const FEW_CODES = 2

/** What is under way: nothing, the set-up with its secret, the new codes, switching off. */
type Doing =
  | { kind: 'nothing' | 'switchOff' }
  | { kind: 'setUp'; setup: TwoFactorSetup }
  | { kind: 'codes'; codes: string[] }

/** The role asks for a second factor, and no passkey is one. */
const isNeeded = ({ isTwoFactorRequired, passkeys }: Profile): boolean => isTwoFactorRequired && passkeys === 0

/** The code from the phone beside the password: switched on and off by its owner. */
export function SecondFactor({ profile }: { profile: Profile }) {
  const { t } = useTranslation('profile')
  const errorText = useErrorText()
  const [doing, setDoing] = useState<Doing>({ kind: 'nothing' })
  const { isBusy, failure, attempt, reset } = useAttempt()

  const renew = async () => showProfile(await callApi(getProfile))
  const begin = () => void attempt(async () => setDoing({ kind: 'setUp', setup: await callApi(setUpTwoFactor) }))
  const confirm = (code: string) =>
    void attempt(async () => {
      const { recoveryCodes } = await callApi(confirmTwoFactor, { body: { code } })
      setDoing({ kind: 'codes', codes: recoveryCodes })
      await renew()
    })
  const switchOff = (code: string) =>
    void attempt(async () => {
      await callApi(removeTwoFactor, { body: { code } })
      setDoing({ kind: 'nothing' })
      await renew()
      notify({ tone: 'ok', title: t('factor.switchedOff'), closeLabel: t('close') })
    })
  const cancel = () => {
    reset()
    setDoing({ kind: 'nothing' })
  }
  const isWrong = hasCode(failure, 'invalid_code')

  return (
    <Section title={t('sections.factor')}>
      <div className={classes.form}>
        {failure === null ? null : (
          <Notice tone="danger" isUrgent>
            {errorText(failure)}
          </Notice>
        )}
        {doing.kind === 'nothing' ? (
          <State profile={profile}>
            {profile.twoFactorEnabled ? (
              <Button disabled={isNeeded(profile)} onClick={() => setDoing({ kind: 'switchOff' })}>
                {t('factor.switchOff')}
              </Button>
            ) : (
              <Button loading={isBusy} onClick={begin}>
                {t('factor.setUp')}
              </Button>
            )}
          </State>
        ) : null}
        {doing.kind === 'setUp' ? (
          <>
            <AuthenticatorSetup setup={doing.setup} />
            <CodeForm
              onEnter={confirm}
              isWrong={isWrong}
              isBusy={isBusy}
              submitLabel={t('factor.switchOn')}
              text={t('factor.enterCode')}
            />
          </>
        ) : null}
        {doing.kind === 'switchOff' ? (
          <CodeForm onEnter={switchOff} isWrong={isWrong} isBusy={isBusy} submitLabel={t('factor.switchOff')} />
        ) : null}
        {doing.kind === 'codes' ? (
          <>
            <RecoveryCodes codes={doing.codes} />
            <div className={classes.actions}>
              <Button onClick={cancel}>{t('factor.codesKept')}</Button>
            </div>
          </>
        ) : null}
        {doing.kind === 'setUp' || doing.kind === 'switchOff' ? (
          <Button variant="subtle" onClick={cancel}>
            {t('cancel')}
          </Button>
        ) : null}
      </div>
    </Section>
  )
}

function State({ profile, children }: { profile: Profile; children: React.ReactNode }) {
  const { t } = useTranslation('profile')
  if (!profile.twoFactorEnabled) {
    return (
      <div className={classes.stack}>
        <p className={classes.text}>{t('factor.offText')}</p>
        {children}
      </div>
    )
  }
  return (
    <div className={classes.stack}>
      <div className={classes.state}>
        <b className={classes.on}>
          <Icon name="check" />
          {t('factor.on')}
        </b>
        <span className={profile.recoveryCodesLeft <= FEW_CODES ? classes.few : undefined}>
          {t('factor.codesLeft', { count: profile.recoveryCodesLeft })}
        </span>
      </div>
      {profile.recoveryCodesLeft <= FEW_CODES ? <p className={classes.text}>{t('factor.fewCodes')}</p> : null}
      {isNeeded(profile) ? <p className={classes.text}>{t('factor.required')}</p> : null}
      {children}
    </div>
  )
}
