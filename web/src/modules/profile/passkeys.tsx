import { Button } from '@mantine/core'
import {
  addPasskey,
  beginPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
  type Passkey,
} from '@waybill/contract/session/passkey'
import { getProfile, type Profile } from '@waybill/contract/session'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../kit/api/api-error.ts'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useKept } from '../../kit/form/state/use-kept-typing.ts'
import { useFieldErrorText } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { canUsePasskeys, makePasskey } from '../../kit/session/passkey.ts'
import { PasswordField } from '../../kit/session/password-field.tsx'
import { showProfile } from '../../kit/session/session.ts'
import { useAttempt } from '../../kit/session/use-attempt.ts'
import { useFirstFocus } from '../../kit/session/use-first-focus.ts'
import { useSignInErrorText } from '../../kit/session/use-sign-in-error-text.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { Mark } from '../../ui/marks/marks.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { Section } from '../../ui/page/section.tsx'
import { deviceOf } from './device.ts'
import classes from './passkeys.module.css'
import section from './section.module.css'

const PASSKEYS_KEY = ['profile', 'passkeys']
const LONGEST_NAME = 60

type Doing = { kind: 'nothing' | 'add' } | { kind: 'rename' | 'remove'; passkey: Passkey }

/** One's own passkeys: added and removed with the password. Nothing is shown where none can be used. */
export function Passkeys({ profile }: { profile: Profile }) {
  const { t } = useTranslation('profile')
  const queries = useQueryClient()
  const [doing, setDoing] = useState<Doing>({ kind: 'nothing' })
  const { data, error, refetch } = useQuery({
    queryKey: PASSKEYS_KEY,
    queryFn: ({ signal }) => callApi(listPasskeys, { signal }),
    meta: { showsRefusals: true },
  })
  const canUse = canUsePasskeys()
  const isOffered = data === undefined ? canUse : data.isOffered
  if (!isOffered && profile.passkeys === 0) return null

  const items = data?.items ?? []
  const isLast = profile.isTwoFactorRequired && !profile.twoFactorEnabled && items.length === 1
  const close = () => setDoing({ kind: 'nothing' })
  const done = async (title: string) => {
    close()
    await Promise.all([
      queries.invalidateQueries({ queryKey: PASSKEYS_KEY }),
      callApi(getProfile).then((renewed) => showProfile(renewed)),
    ])
    notify({ tone: 'ok', title, closeLabel: t('close') })
  }

  return (
    <Section
      title={t('sections.passkeys')}
      isFlush
      actions={
        isOffered && canUse && doing.kind !== 'add' ? (
          <Button size="compact-sm" onClick={() => setDoing({ kind: 'add' })}>
            {t('passkeys.add')}
          </Button>
        ) : null
      }
    >
      {error ? <LoadError error={error} onRetry={() => void refetch()} /> : null}
      {data === undefined && !error ? <SkeletonLines lines={2} label={t('sections.passkeys')} /> : null}
      <ul className={classes.list}>
        {items.map((passkey) => (
          <PasskeyRow
            key={passkey.id}
            passkey={passkey}
            isLast={isLast}
            onRename={() => setDoing({ kind: 'rename', passkey })}
            onRemove={() => setDoing({ kind: 'remove', passkey })}
          />
        ))}
      </ul>
      {data !== undefined && (items.length === 0 || isLast || !isOffered || !canUse) && doing.kind === 'nothing' ? (
        <div className={classes.below}>
          {items.length === 0 ? <p className={section.text}>{t('passkeys.none')}</p> : null}
          {isLast ? <p className={section.text}>{t('passkeys.last')}</p> : null}
          {isOffered && canUse ? null : <p className={section.text}>{t('passkeys.notHere')}</p>}
        </div>
      ) : null}
      {doing.kind === 'add' ? <AddForm profile={profile} onClose={close} onDone={done} /> : null}
      {doing.kind === 'rename' ? (
        <RenameForm key={doing.passkey.id} passkey={doing.passkey} onClose={close} onDone={done} />
      ) : null}
      {doing.kind === 'remove' ? (
        <RemoveForm key={doing.passkey.id} profile={profile} passkey={doing.passkey} onClose={close} onDone={done} />
      ) : null}
    </Section>
  )
}

interface RowProps {
  passkey: Passkey
  isLast: boolean
  onRename: () => void
  onRemove: () => void
}

function PasskeyRow({ passkey: { name, addedAt, lastUsedAt, isSynced }, isLast, onRename, onRemove }: RowProps) {
  const { t } = useTranslation('profile')
  const format = useFormat()
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <b>
          {name} {isSynced ? <Mark title={t('passkeys.syncedMeans')}>{t('passkeys.synced')}</Mark> : null}
        </b>
        <span>
          {t('passkeys.added', { time: format.dateTime(addedAt) })}
          {' · '}
          {lastUsedAt === null ? (
            t('passkeys.neverUsed')
          ) : (
            <span title={format.dateTime(lastUsedAt)}>{t('sessions.lastUsed', { time: format.ago(lastUsedAt) })}</span>
          )}
        </span>
      </div>
      <div className={section.actions}>
        <Button size="compact-sm" aria-label={t('passkeys.renameOne', { name })} onClick={onRename}>
          {t('passkeys.rename')}
        </Button>
        <Button size="compact-sm" disabled={isLast} aria-label={t('passkeys.removeOne', { name })} onClick={onRemove}>
          {t('passkeys.remove')}
        </Button>
      </div>
    </li>
  )
}

interface FormProps {
  onClose: () => void
  /** what is said then */
  onDone: (title: string) => Promise<void>
}

function AddForm({ profile, onClose, onDone }: FormProps & { profile: Profile }) {
  const { t } = useTranslation('profile')
  const typed = useKept('passkeys', 'new', deviceOf(navigator.userAgent).system ?? '')
  const name = typed.values
  const add = async (currentPassword: string | undefined) => {
    const passkey = await makePasskey(await callApi(beginPasskey, { body: { currentPassword } }))
    await callApi(addPasskey, { body: { name: name.trim(), passkey } })
    void typed.forget()
    await onDone(t('passkeys.addedNow'))
  }
  return (
    <ProofForm
      profile={profile}
      text={t(profile.twoFactorEnabled || profile.passkeys > 0 ? 'passkeys.addText' : 'passkeys.addFirstText')}
      submit={t('passkeys.addThis')}
      isWhole={name.trim() !== ''}
      onSubmit={add}
      onClose={() => {
        void typed.forget()
        onClose()
      }}
    >
      <NameField value={name} onChange={typed.set} />
    </ProofForm>
  )
}

function RemoveForm({ profile, passkey: { id, name }, onClose, onDone }: FormProps & RowOf) {
  const { t } = useTranslation('profile')
  const remove = async (currentPassword: string | undefined) => {
    await callApi(removePasskey, { params: { id }, body: { currentPassword } })
    await onDone(t('passkeys.removedNow'))
  }
  return (
    <ProofForm
      profile={profile}
      text={t('passkeys.removeText', { name })}
      submit={t('passkeys.remove')}
      isWhole
      onSubmit={remove}
      onClose={onClose}
    />
  )
}

interface RowOf {
  profile: Profile
  passkey: Passkey
}

function RenameForm({ passkey, onClose, onDone }: FormProps & { passkey: Passkey }) {
  const { t } = useTranslation('profile')
  const errorText = useSignInErrorText()
  const typed = useKept('passkeys', passkey.id, passkey.name)
  const name = typed.values
  const { isBusy, failure, attempt } = useAttempt()
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() === '' || isBusy) return
        void attempt(async () => {
          await callApi(renamePasskey, { params: { id: passkey.id }, body: { name: name.trim() } })
          void typed.forget()
          await onDone(t('passkeys.renamedNow'))
        })
      }}
    >
      {failure === null ? null : (
        <Notice tone="danger" isUrgent>
          {errorText(failure)}
        </Notice>
      )}
      <NameField value={name} onChange={typed.set} />
      <Buttons
        submit={t('passkeys.renameThis')}
        isBusy={isBusy}
        onClose={() => {
          void typed.forget()
          onClose()
        }}
      />
    </form>
  )
}

function NameField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation('profile')
  const fieldErrorText = useFieldErrorText()
  const input = useFirstFocus()
  return (
    <TextField
      ref={input}
      label={t('passkeys.name')}
      hint={t('passkeys.nameHint')}
      isRequired
      name="passkeyName"
      autoComplete="off"
      maxLength={LONGEST_NAME}
      value={value}
      error={value.trim() === '' ? fieldErrorText('required') : undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

interface ProofFormProps {
  profile: Profile
  text: string
  submit: string
  isWhole: boolean
  onSubmit: (currentPassword: string | undefined) => Promise<void>
  onClose: () => void
  children?: ReactNode
}

/** Asks for the password, of those who have one: a session that was left open adds and removes nothing. */
function ProofForm({ profile, text, submit, isWhole, onSubmit, onClose, children }: ProofFormProps) {
  const { t } = useTranslation('profile')
  const errorText = useSignInErrorText()
  const fieldErrorText = useFieldErrorText()
  const [password, setPassword] = useState('')
  const [wasTried, setTried] = useState(false)
  const { isBusy, failure, attempt } = useAttempt()
  const isMissing = profile.hasPassword && password === ''
  const refused =
    failure instanceof ApiError ? failure.errors.find(({ path }) => path === 'currentPassword') : undefined
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (!isMissing && isWhole && !isBusy) void attempt(() => onSubmit(profile.hasPassword ? password : undefined))
      }}
    >
      {failure === null || refused !== undefined ? null : (
        <Notice tone="danger" isUrgent>
          {errorText(failure)}
        </Notice>
      )}
      <p className={section.text}>{text}</p>
      {children}
      {profile.hasPassword ? (
        <>
          {/* For password managers, which need to know whose password it is. */}
          <input type="email" name="username" autoComplete="username" value={profile.email} readOnly hidden />
          <PasswordField
            label={t('password.current')}
            isRequired
            name="currentPassword"
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
            error={refused?.message ?? (wasTried && isMissing ? fieldErrorText('required') : undefined)}
          />
        </>
      ) : null}
      <Buttons submit={submit} isBusy={isBusy} onClose={onClose} />
    </form>
  )
}

function Buttons({ submit, isBusy, onClose }: { submit: string; isBusy: boolean; onClose: () => void }) {
  const { t } = useTranslation('profile')
  return (
    <div className={section.actions}>
      <Button type="submit" loading={isBusy}>
        {submit}
      </Button>
      <Button variant="subtle" onClick={onClose}>
        {t('cancel')}
      </Button>
    </div>
  )
}
