import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { PERMISSIONS, type Permission } from '@waybill/contract/permissions'
import { TITLE_FIELDS } from '@waybill/contract/kit/titles'
import { roleApi, userApi } from '@waybill/contract/user'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { FormText } from '../../kit/form/fields/fields.tsx'
import { useField, useFormContext } from '../../kit/form/state/form-context.ts'
import { FormPage } from '../../kit/form/page/form-page.tsx'
import { NewRecord, StoredRecord, useAfterSave } from '../../kit/form/page/record-form.tsx'
import { useStateOfRecord } from '../../kit/form/page/state-change.tsx'
import { useEntityForm } from '../../kit/form/state/use-entity-form.ts'
import type { FormRecord } from '../../kit/form/state/use-form-record.ts'
import { valueAt } from '../../kit/form/state/values.ts'
import { useSession } from '../../kit/session/session.ts'
import { CheckField } from '../../ui/fields/check-field.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { Section } from '../../ui/page/section.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { useRecordHistory } from '../audit-entry/history-section.tsx'
import { usePermissionWords } from './permission-section.tsx'
import { rolePath } from './user-role-columns.tsx'
import classes from './user-role.module.css'
import { inOrder, mayGrant, type Role } from './user-role-rules.ts'
import { useRoleLabels, useRoleStateQuestion, useRoleWords } from './user-role-words.ts'

/** What the form holds: the write shape, where the title may be empty while it is typed. */
interface RoleValues extends Pick<Role, (typeof TITLE_FIELDS)[number]> {
  title: string | null
  isEnabled: boolean
  isTwoFactorRequired: boolean
  permissions: Permission[]
}

const EMPTY: RoleValues = {
  title: null,
  titleEn: null,
  titleDe: null,
  titlePl: null,
  isEnabled: true,
  isTwoFactorRequired: false,
  permissions: [],
}
const valuesOf = ({
  title,
  titleEn,
  titleDe,
  titlePl,
  isEnabled,
  isTwoFactorRequired,
  permissions,
}: Role): RoleValues => ({
  title,
  titleEn,
  titleDe,
  titlePl,
  isEnabled,
  isTwoFactorRequired,
  permissions: inOrder(permissions),
})

/** One role: what its holders may do. */
export function UserRoleFormPage() {
  const { t } = useTranslation('user-role')
  return <StoredRecord api={roleApi} label={t('one')} lines={10} form={RoleForm} />
}

/** A role that is still to be made. */
export function UserRoleNewPage() {
  const { t } = useTranslation('user-role')
  return <NewRecord api={roleApi} label={t('create')} lines={10} form={RoleForm} />
}

function RoleForm({ view, draft }: FormRecord<Role | null, RoleValues>) {
  const { t } = useTranslation('user-role')
  const labelOf = useRoleLabels()
  const wordsOf = useRoleWords()
  const form = useEntityForm<typeof roleApi, RoleValues>({
    api: roleApi,
    view,
    draft,
    empty: EMPTY,
    valuesOf,
    bodyOf: (values) => values,
    onSaved: useAfterSave(view, { name: 'role', titleOf: ({ shownTitle }) => shownTitle, pathOf: rolePath }),
  })
  const role = form.view
  const history = useRecordHistory({ userRoleId: role?.id ?? null }, { labelOf, wordsOf })
  const state = useStateOfRecord(roleApi, form, useRoleStateQuestion())
  const isOwn = useOwnRole(role)
  const rights = useSession()?.rights ?? { isAdmin: false, permissions: [] }
  const grantsMore = role !== null && !mayGrant(rights, role.permissions)
  return (
    <FormPage
      form={form}
      name={role?.shownTitle ?? t('create')}
      back={{ to: '/user-roles', label: t('back') }}
      state={isOwn || grantsMore ? { ...state, button: null } : state}
      history={history}
      labelOf={labelOf}
      wordsOf={wordsOf}
    >
      {isOwn ? <Notice icon="lock">{t('ownRole')}</Notice> : null}
      <Section title={t('one')}>
        <div className={classes.fields}>
          <div className={classes.titlesOf}>
            <FormText name="title" label={t('fields.title')} hint={t('titleMeans')} isRequired maxLength={100} />
            {TITLE_FIELDS.map((name) => (
              <FormText key={name} name={name} label={t(`fields.${name}`)} maxLength={100} autoComplete="off" />
            ))}
          </div>
          <div className={classes.checks}>
            <Choice
              name="isEnabled"
              label={t('fields.isEnabled')}
              meaning={grantsMore ? t('grantsMore') : t('disabledMeans')}
              isLocked={isOwn || grantsMore}
            />
            <Choice
              name="isTwoFactorRequired"
              label={t('fields.isTwoFactorRequired')}
              meaning={grantsMore ? t('grantsMore') : t('twoFactorMeans')}
              isLocked={isOwn || grantsMore}
            />
          </div>
        </div>
      </Section>
      <Section title={t('fields.permissions')}>
        <PermissionChoices isOwn={isOwn} />
      </Section>
      {role === null ? null : (
        <Section title={t('holders')}>
          <Holders role={role} />
        </Section>
      )}
    </FormPage>
  )
}

/** Whether this is the role of the signed-in person, who then may not change what it grants; administrators may. */
function useOwnRole(role: Role | null): boolean {
  const session = useSession()
  const id = session?.profile.id ?? 0
  const isBound = session !== null && !session.rights.isAdmin
  const { data } = useQuery({
    queryKey: [userApi.path, id, 'own'],
    queryFn: ({ signal }) => callApi(userApi.get, { params: { id }, signal }),
    enabled: role !== null && isBound,
  })
  return isBound && role !== null && data?.roleId === role.id
}

function Choice({
  name,
  label,
  meaning,
  isLocked,
}: {
  name: string
  label: string
  meaning: string
  isLocked: boolean
}) {
  const field = useField<boolean>(name)
  return (
    <CheckField
      name={name}
      label={label}
      description={meaning}
      checked={field.value}
      isChanged={field.isChanged}
      disabled={isLocked || field.isReadOnly}
      onChange={(event) => field.set(event.currentTarget.checked)}
    />
  )
}

/** What one may not grant cannot be ticked, and says why. */
function PermissionChoices({ isOwn }: { isOwn: boolean }) {
  const { t } = useTranslation('user-role')
  const words = usePermissionWords()
  const rights = useSession()?.rights ?? { isAdmin: false, permissions: [] }
  const { base } = useFormContext()
  const field = useField<Permission[]>('permissions')
  const before = base === null ? null : (valueAt(base, 'permissions') as Permission[])
  const isFull = field.value.includes('FULL_ACCESS')
  const toggle = (permission: Permission, isOn: boolean) =>
    field.set(inOrder(isOn ? [...field.value, permission] : field.value.filter((one) => one !== permission)))
  return (
    <div className={classes.permissions} role="group" aria-label={t('fields.permissions')} data-path="permissions">
      {PERMISSIONS.map((permission) => {
        const { title, meaning } = words(permission)
        const isOn = field.value.includes(permission)
        const isLacking = !mayGrant(rights, [permission])
        return (
          <CheckField
            key={permission}
            name={`permission ${permission}`}
            label={title}
            description={
              <>
                {meaning}
                {isLacking && !isOwn ? <span className={classes.why}>{t('lacking')}</span> : null}
                {isFull && permission !== 'FULL_ACCESS' ? (
                  <span className={classes.why}>{t('inFullAccess')}</span>
                ) : null}
              </>
            }
            checked={isOn}
            isChanged={before !== null && before.includes(permission) !== isOn}
            disabled={isOwn || isLacking || field.isReadOnly}
            onChange={(event) => toggle(permission, event.currentTarget.checked)}
          />
        )
      })}
      {field.error === undefined ? null : <p className={classes.error}>{field.error}</p>}
    </div>
  )
}

/** How many people a change would concern, and the way to them. */
function Holders({ role }: { role: Role }) {
  const { t } = useTranslation('user-role')
  const { data, error, refetch } = useQuery({
    queryKey: [userApi.path, 'holders', role.id],
    queryFn: ({ signal }) =>
      callApi(userApi.list, { query: { roleId: [role.id], state: 'active', perPage: 10 }, signal }),
    meta: { showsRefusals: true },
  })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={1} label={t('holders')} />
  return (
    <p className={classes.holders}>
      {t('heldBy', { count: data.total })}{' '}
      {data.total === 0 ? null : (
        <Link to={'/users' as string} search={{ roleId: [String(role.id)] } as never}>
          {t('showHolders')}
        </Link>
      )}
    </p>
  )
}
