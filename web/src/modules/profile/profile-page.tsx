import { LANGUAGES, type Language } from '@waybill/contract/errors'
import type { Profile } from '@waybill/contract/session'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormText } from '../../kit/form/fields/fields.tsx'
import { FormProvider, useField, useFormValue } from '../../kit/form/state/form-context.ts'
import { FormMessages } from '../../kit/form/page/form-messages.tsx'
import { LeaveGuard } from '../../kit/form/page/leave-guard.tsx'
import { StoredRecord } from '../../kit/form/page/record-form.tsx'
import { useSavedNotice } from '../../kit/form/page/saved-notice.ts'
import { PhoneSaveBar, SaveButton, UnsavedMark } from '../../kit/form/page/save-bar.tsx'
import type { EntityForm } from '../../kit/form/state/entity-form.ts'
import { useEntityForm } from '../../kit/form/state/use-entity-form.ts'
import type { FormRecord } from '../../kit/form/state/use-form-record.ts'
import { LANGUAGE_NAMES } from '../../kit/i18n/languages.ts'
import { PasswordField } from '../../kit/session/password-field.tsx'
import { showProfile, useSession } from '../../kit/session/session.ts'
import { ReadOnlyField } from '../../ui/fields/field.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Section } from '../../ui/page/section.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { Passkeys } from './passkeys.tsx'
import { PasswordChange } from './password-change.tsx'
import classes from './profile-page.module.css'
import section from './section.module.css'
import { profileApi, profileValuesOf, type ProfileApi, type ProfileValues } from './profile-values.ts'
import { SessionList } from './session-list.tsx'
import { SecondFactor } from './second-factor.tsx'

/** One's own data, password, second factor, passkeys and sessions (spec §2, /profile/:id/edit). */
export function ProfilePage() {
  const { t } = useTranslation('profile')
  return <StoredRecord api={profileApi} label={t('title')} lines={12} form={ProfileForm} />
}

function ProfileForm({ view, draft }: FormRecord<Profile, ProfileValues>) {
  const { t } = useTranslation('profile')
  const sayThatSaved = useSavedNotice()
  // Beside the form's values: those are kept as a draft.
  const [password, setPassword] = useState('')
  const given = useRef(password)
  given.current = password
  const form: EntityForm<ProfileApi, ProfileValues> = useEntityForm({
    api: profileApi,
    view,
    draft,
    valuesOf: profileValuesOf,
    bodyOf: (values) => (values.email === form.base.email ? values : { ...values, currentPassword: given.current }),
    check: (values) =>
      values.email !== form.base.email && given.current === '' ? [{ path: 'currentPassword', code: 'required' }] : [],
    onSaved: (saved) => {
      setPassword('')
      void showProfile(saved).then(() => sayThatSaved('profile'))
    },
  })
  const profile = form.view!
  const known = useSession()?.profile
  // The account's menu changes the language, and the second factor the profile: both are versions of this record.
  useEffect(() => {
    if (known !== undefined && known.version > profile.version) form.accept(known)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only where the known profile changes, not with every key
  }, [known])
  const labelOf = (path: string) => (path === 'currentPassword' ? t('password.current') : t(`fields.${path}`))
  const wordsOf = (path: string, value: unknown) =>
    path === 'defaultLanguage' ? LANGUAGE_NAMES[value as Language] : String(value ?? t('nothing'))
  return (
    <FormProvider value={form.context}>
      <PageHead
        title={t('title')}
        note={profile.fullName}
        actions={
          <span className={classes.desk}>
            <UnsavedMark form={form} />
            <SaveButton form={form} />
          </span>
        }
      />
      <div className={classes.columns}>
        <div className={classes.sections}>
          <FormMessages form={form} labelOf={labelOf} wordsOf={wordsOf} />
          <Section title={t('sections.data')}>
            <div className={classes.fields}>
              <FormText name="fullName" label={t('fields.fullName')} isRequired maxLength={150} autoComplete="name" />
              {profile.hasPassword ? (
                <FormText
                  name="email"
                  label={t('fields.email')}
                  isRequired
                  maxLength={250}
                  type="email"
                  autoComplete="email"
                />
              ) : (
                <ReadOnlyField label={t('fields.email')}>{profile.email}</ReadOnlyField>
              )}
              <FormText name="phone" label={t('fields.phone')} maxLength={50} type="tel" autoComplete="tel" />
              <LanguageField label={t('fields.defaultLanguage')} />
              <AddressPassword form={form} value={password} onChange={setPassword} />
              {profile.position === null ? null : (
                <ReadOnlyField label={t('fields.position')}>{profile.position.title}</ReadOnlyField>
              )}
            </div>
          </Section>
          {profile.hasPassword ? (
            <PasswordChange email={profile.email} />
          ) : (
            <Section title={t('sections.password')}>
              <p className={section.text}>{t('password.byProvider')}</p>
            </Section>
          )}
        </div>
        <div className={classes.sections}>
          <SecondFactor profile={known ?? profile} />
          <Passkeys profile={known ?? profile} />
          <SessionList />
        </div>
      </div>
      <PhoneSaveBar form={form} />
      <LeaveGuard form={form} name={t('title')} labelOf={labelOf} />
    </FormProvider>
  )
}

/** Another address is a way into the account: it is changed with the password alone. */
function AddressPassword({
  form,
  value,
  onChange,
}: {
  form: EntityForm<ProfileApi, ProfileValues>
  value: string
  onChange: (value: string) => void
}) {
  const { t } = useTranslation('profile')
  const email = useFormValue<string | null>('email')
  if (email === form.base.email) return null
  return (
    <PasswordField
      label={t('password.current')}
      hint={t('password.forEmail')}
      isRequired
      name="currentPassword"
      autoComplete="current-password"
      value={value}
      onChange={onChange}
      error={form.problems.find(({ path }) => path === 'currentPassword')?.message}
    />
  )
}

function LanguageField({ label }: { label: string }) {
  const field = useField<Language>('defaultLanguage')
  return (
    <SelectField
      name="defaultLanguage"
      label={label}
      allowDeselect={false}
      data={LANGUAGES.map((language) => ({ value: language, label: LANGUAGE_NAMES[language] }))}
      value={field.value}
      error={field.error}
      isChanged={field.isChanged}
      onChange={(value) => {
        if (value !== null) field.set(value as Language)
      }}
    />
  )
}
