import { Button } from '@mantine/core'
import { removeAllPasskeys, resetTwoFactor, signOutUser, type User, type userApi } from '@waybill/contract/user'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../kit/api/call-api.ts'
import type { EntityForm } from '../../kit/form/state/entity-form.ts'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { useSession } from '../../kit/session/session.ts'
import { ConfirmModal } from '../../ui/windows/confirm-modal.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { Section } from '../../ui/page/section.tsx'
import { useRoles } from '../user-role/user-role-select.tsx'
import classes from './user.module.css'
import type { UserValues } from './user-values.ts'

interface UserAccessProps {
  user: User
  form: EntityForm<typeof userApi, UserValues>
  /** An administrator's, which only administrators touch */
  isForeign: boolean
  /** Nobody resets the second factor of somebody with rights that they lack */
  mayReset: boolean
  isInviting: boolean
  onInvite: () => void
  onChanged: () => void
}

/** How somebody signs in, and the help for those who cannot. */
export function UserAccess({ user, form, isForeign, mayReset, isInviting, onInvite, onChanged }: UserAccessProps) {
  const { t } = useTranslation('user')
  const format = useFormat()
  const isOwn = useSession()?.profile.id === user.id
  const isRequired = useRoles().data?.find(({ id }) => id === user.roleId)?.isTwoFactorRequired ?? false
  const isMissing = isRequired && user.passkeys === 0
  const mayInvite = !user.hasPassword && user.state === 'active' && !isForeign
  const invitation =
    user.invitedAt === null ? t('access.notInvited') : t('access.invitedAt', { time: format.dateTime(user.invitedAt) })
  return (
    <Section title={t('sections.access')}>
      <dl className={classes.access}>
        <div>
          <dt>{t('access.password')}</dt>
          <dd>
            {user.hasPassword ? t('access.hasPassword') : invitation}
            {mayInvite ? (
              <Button size="compact-sm" loading={isInviting} onClick={onInvite}>
                {t(user.invitedAt === null ? 'invite' : 'inviteAgain')}
              </Button>
            ) : null}
          </dd>
        </div>
        <div>
          <dt>{t('fields.twoFactorEnabled')}</dt>
          <dd>
            {t(user.twoFactorEnabled ? 'access.on' : isMissing ? 'access.offRequired' : 'access.off')}
            {user.twoFactorEnabled && isOwn ? <small>{t('access.ownFactor')}</small> : null}
            {user.twoFactorEnabled && !isOwn && mayReset ? (
              <ResetButton of="reset" user={user} form={form} onChanged={onChanged} />
            ) : null}
          </dd>
        </div>
        {user.passkeys === 0 ? null : (
          <div>
            <dt>{t('fields.passkeys')}</dt>
            <dd>
              {t('access.passkeys', { count: user.passkeys })}
              {isOwn ? <small>{t('access.ownPasskeys')}</small> : null}
              {!isOwn && mayReset ? (
                <ResetButton of="resetPasskeys" user={user} form={form} onChanged={onChanged} />
              ) : null}
            </dd>
          </div>
        )}
        {isOwn || !mayReset || user.state === 'inactive' ? null : (
          <div>
            <dt>{t('access.sessions')}</dt>
            <dd>
              <ResetButton of="signOut" user={user} form={form} onChanged={onChanged} />
            </dd>
          </div>
        )}
      </dl>
    </Section>
  )
}

const RESETS = { reset: resetTwoFactor, resetPasskeys: removeAllPasskeys, signOut: signOutUser } as const

interface ResetButtonProps extends Pick<UserAccessProps, 'user' | 'form' | 'onChanged'> {
  /** what is taken away: the code of the app, all passkeys, or what is signed in */
  of: keyof typeof RESETS
}

function ResetButton({ of, user, form, onChanged }: ResetButtonProps) {
  const { t } = useTranslation('user')
  const errorText = useErrorText()
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const reset = async () => {
    setBusy(true)
    try {
      form.accept(
        await callApi(RESETS[of], {
          params: { id: user.id },
          version: user.version,
          idempotencyKey: newIdempotencyKey(),
        }),
      )
      notify({ tone: 'ok', title: t(`${of}.done`, { name: user.fullName }), closeLabel: t('form:close') })
      onChanged()
    } catch (error) {
      if (!form.takeRefusal(error))
        notify({ tone: 'danger', title: t(`${of}.failed`), detail: errorText(error), closeLabel: t('form:close') })
    } finally {
      setBusy(false)
      setAsking(false)
    }
  }
  return (
    <>
      <Button size="compact-sm" onClick={() => setAsking(true)}>
        {t(`${of}.button`)}
      </Button>
      <ConfirmModal
        isOpen={isAsking}
        withInfoIcon
        title={t(`${of}.title`)}
        confirmLabel={t(`${of}.confirm`)}
        cancelLabel={t('form:cancel')}
        closeLabel={t('form:close')}
        isBusy={isBusy}
        onCancel={() => setAsking(false)}
        onConfirm={() => void reset()}
      >
        {t(`${of}.text`, { name: user.fullName })}
      </ConfirmModal>
    </>
  )
}
