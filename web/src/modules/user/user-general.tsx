import { LANGUAGES, type Language } from '@waybill/contract/errors'
import type { User } from '@waybill/contract/user'
import { useTranslation } from 'react-i18next'
import { FormText } from '../../kit/form/fields/fields.tsx'
import { useField } from '../../kit/form/state/form-context.ts'
import { FormReference } from '../../kit/form/fields/reference-fields.tsx'
import { LANGUAGE_NAMES } from '../../kit/i18n/languages.ts'
import { useSession } from '../../kit/session/session.ts'
import { CheckField } from '../../ui/fields/check-field.tsx'
import { Section } from '../../ui/page/section.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { DepartmentSelect } from '../department/department-select.tsx'
import { useGrantsMore, UserRoleField } from '../user-role/user-role-select.tsx'
import classes from './user.module.css'

/** Who somebody is, and where they work. Null for a person who is still to be taken in. */
export function UserGeneral({ user }: { user: User | null }) {
  const { t } = useTranslation('user')
  const session = useSession()
  const isOwn = user !== null && user.id === session?.profile.id
  const isBoundOwn = isOwn && !session.rights.isAdmin
  const holdsMore = useGrantsMore(user?.roleId ?? null)
  const moreRights = !isOwn && holdsMore ? t('moreRights') : null
  const lockedAddress = isOwn ? t('ownAddress') : holdsMore ? t('addressOfMoreRights') : null
  return (
    <>
      <Section title={t('sections.person')}>
        <div className={classes.fields}>
          <FormText name="fullName" label={t('fields.fullName')} isRequired maxLength={150} autoComplete="off" />
          <FormText
            name="email"
            label={t('fields.email')}
            isRequired
            type="email"
            inputMode="email"
            maxLength={250}
            autoComplete="off"
            locked={lockedAddress}
          />
          <FormText
            name="phone"
            label={t('fields.phone')}
            type="tel"
            inputMode="tel"
            maxLength={50}
            autoComplete="off"
          />
          <LanguageField />
        </div>
      </Section>
      <Section title={t('sections.work')}>
        <div className={classes.fields}>
          <UserRoleField
            name="roleId"
            label={t('fields.roleId')}
            current={user?.role ?? null}
            locked={isBoundOwn ? t('ownRole') : moreRights}
          />
          <FormReference
            name="departmentId"
            label={t('fields.departmentId')}
            select={DepartmentSelect}
            current={user?.department ?? null}
          />
          <FormText
            name="position.title"
            label={t('fields.position')}
            hint={t('positionMeans')}
            maxLength={100}
            autoComplete="off"
            locked={moreRights}
          />
          <FormText
            name="plateNumber"
            label={t('fields.plateNumber')}
            hint={t('plateMeans')}
            maxLength={20}
            autoComplete="off"
          />
          <div className={classes.wide}>
            <AdministratorField />
          </div>
        </div>
      </Section>
    </>
  )
}

function LanguageField() {
  const { t } = useTranslation('user')
  const field = useField<Language>('defaultLanguage')
  return (
    <div data-path="defaultLanguage">
      <SelectField
        label={t('fields.defaultLanguage')}
        error={field.error}
        isChanged={field.isChanged}
        readOnly={field.isReadOnly}
        allowDeselect={false}
        data={LANGUAGES.map((language) => ({ value: language, label: LANGUAGE_NAMES[language] }))}
        value={field.value}
        onChange={(value) => field.set(LANGUAGES.find((language) => language === value) ?? 'en')}
      />
    </div>
  )
}

function AdministratorField() {
  const { t } = useTranslation('user')
  const isAdmin = useSession()?.rights.isAdmin ?? false
  const field = useField<boolean>('position.isAdmin')
  return (
    <CheckField
      name="position.isAdmin"
      label={t('fields.isAdmin')}
      description={isAdmin ? t('adminMeans') : t('adminLacking')}
      error={field.error}
      checked={field.value}
      isChanged={field.isChanged}
      disabled={!isAdmin || field.isReadOnly}
      onChange={(event) => field.set(event.currentTarget.checked)}
    />
  )
}
