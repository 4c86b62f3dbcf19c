import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListColumn } from '../../kit/list/page/list-table.tsx'
import { useStateColumns } from '../../kit/list/page/state-columns.tsx'
import { Mark } from '../../ui/marks/marks.tsx'
import { usePermissionWords } from './permission-section.tsx'
import { inOrder, type Role } from './user-role-rules.ts'
import classes from './user-role.module.css'

/** Where a role is opened. */
export const rolePath = (id: number): string => `/user-roles/${id}/edit`

/** The card of a phone. */
export const ROLE_PHONE_GRID =
  '"title actions" 26px "permissions permissions" auto "marks marks" auto / minmax(0, 1fr) auto'

/** The columns of the roles list; `onState` asks before a role is put to sleep or woken. */
export function useRoleColumns(onState: (role: Role) => void): readonly ListColumn<Role>[] {
  const { t } = useTranslation('user-role')
  const words = usePermissionWords()
  const stateColumns = useStateColumns('title', onState)
  return useMemo(
    () => [
      {
        id: 'title',
        header: t('fields.title'),
        meta: { width: 230 },
        cell: (role) => <Link to={rolePath(role.id)}>{role.shownTitle}</Link>,
      },
      {
        id: 'permissions',
        header: t('fields.permissions'),
        isSortable: false,
        cell: (role) => {
          const titles = inOrder(role.permissions)
            .map((one) => words(one).title)
            .join(', ')
          return (
            <span className={classes.titles} title={titles}>
              {titles || <span className={classes.none}>{t('noPermissions')}</span>}
            </span>
          )
        },
      },
      {
        id: 'marks',
        header: t('column.marks'),
        isSortable: false,
        meta: { width: 190 },
        cell: (role) => (
          <span className={classes.marks}>
            {role.isEnabled ? null : (
              <Mark level={2} title={t('disabledMeans')}>
                {t('disabled')}
              </Mark>
            )}
            {role.isTwoFactorRequired ? <Mark>{t('twoFactor')}</Mark> : null}
          </span>
        ),
      },
      ...stateColumns,
    ],
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the rest follows the session, which a page outlives not
    [t, stateColumns],
  )
}
