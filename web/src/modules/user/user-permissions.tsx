import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useFormValue } from '../../kit/form/state/form-context.ts'
import { Notice } from '../../ui/notices/notice.tsx'
import { Section } from '../../ui/page/section.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { GrantedPermissions } from '../user-role/permission-section.tsx'
import { useRoles } from '../user-role/user-role-select.tsx'
import type { UserValues } from './user-values.ts'

/** What the chosen role opens, to be read; it is changed on the role. */
export function UserPermissions() {
  const { t } = useTranslation('user')
  const roleId = useFormValue<number | null>('roleId')
  const position = useFormValue<UserValues['position']>('position')
  const { data: roles, error, refetch } = useRoles()
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (roles === undefined) return <SkeletonLines lines={6} label={t('tab.permissions')} />
  const role = roles.find(({ id }) => id === roleId) ?? null
  return (
    <>
      {position.isAdmin ? <Notice icon="info">{t('grants.admin')}</Notice> : null}
      {!position.isAdmin && (position.title ?? '').trim() === '' ? (
        <Notice tone="warn">{t('grants.noPosition')}</Notice>
      ) : null}
      {role === null ? <Notice tone="warn">{t('grants.noRole')}</Notice> : null}
      {role === null ? null : (
        <Section
          title={t('grants.title', { title: role.shownTitle })}
          actions={<Link to={`/user-roles/${role.id}/edit` as string}>{t('grants.toRole')}</Link>}
        >
          <GrantedPermissions role={role} />
        </Section>
      )}
    </>
  )
}
