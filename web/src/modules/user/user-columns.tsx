import { Link } from '@tanstack/react-router'
import type { User } from '@waybill/contract/user'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListColumn } from '../../kit/list/page/list-table.tsx'
import { StateButton } from '../../kit/list/page/state-columns.tsx'
import { useSession } from '../../kit/session/session.ts'
import { Mark } from '../../ui/marks/marks.tsx'
import classes from './user.module.css'

/** Where a person is opened. */
export const userPath = (id: number): string => `/users/${id}/edit`

/** The card of a phone, in three lines. */
export const USER_PHONE_GRID = '"fullName actions" 26px "email email" 20px "role state" 22px / minmax(0, 1fr) auto'

/** The columns of the users list; `onState` asks before a person is shut out or let in. */
export function useUserColumns(onState: (user: User) => void): readonly ListColumn<User>[] {
  const { t } = useTranslation(['user', 'list'])
  const isAdmin = useSession()?.rights.isAdmin ?? false
  return useMemo(
    () => [
      {
        id: 'fullName',
        header: t('fields.fullName'),
        meta: { width: 156 },
        cell: (user) => <Link to={userPath(user.id)}>{user.fullName}</Link>,
      },
      {
        id: 'email',
        header: t('fields.email'),
        cell: (user) => (
          <a href={`mailto:${user.email}`} title={user.email}>
            {user.email}
          </a>
        ),
      },
      {
        id: 'phone',
        header: t('fields.phone'),
        isSortable: false,
        meta: { width: 124, isHiddenOnPhone: true },
        cell: (user) =>
          user.phone === null ? null : <a href={`tel:${user.phone.replace(/[^+\d]/g, '')}`}>{user.phone}</a>,
      },
      {
        id: 'role',
        header: t('fields.roleId'),
        isSortable: false,
        meta: { width: 120 },
        cell: (user) => <span title={user.role?.title}>{user.role?.title}</span>,
      },
      {
        id: 'position',
        header: t('fields.position'),
        isSortable: false,
        meta: { width: 140, isHiddenOnPhone: true },
        cell: (user) => <Position user={user} />,
      },
      {
        id: 'department',
        header: t('fields.departmentId'),
        isSortable: false,
        meta: { width: 92, isHiddenOnPhone: true },
        cell: (user) => user.department?.title,
      },
      {
        id: 'plateNumber',
        header: t('fields.plateNumber'),
        isSortable: false,
        meta: { width: 96, isHiddenOnPhone: true },
        cell: (user) => user.plateNumber,
      },
      {
        id: 'state',
        header: t('fields.state'),
        isSortable: false,
        meta: { width: 104 },
        cell: (user) =>
          user.state === 'active' && !user.hasPassword ? (
            <Mark level={2} title={t('noPasswordMeans')}>
              {t('noPassword')}
            </Mark>
          ) : (
            t(`list:state.${user.state}`)
          ),
      },
      {
        id: 'actions',
        header: '',
        isSortable: false,
        meta: { width: 56, align: 'end' },
        // Only administrators touch administrators (domain, People and rights).
        cell: (user) =>
          user.position?.isAdmin && !isAdmin ? null : (
            <StateButton state={user.state} name={user.fullName} onClick={() => onState(user)} />
          ),
      },
    ],
    [t, onState, isAdmin],
  )
}

function Position({ user: { position } }: { user: User }) {
  const { t } = useTranslation('user')
  if (position === null) return null
  return (
    <span
      className={classes.position}
      title={position.isAdmin ? `${position.title}, ${t('fields.isAdmin')}` : position.title}
    >
      <span className={classes.positionTitle}>{position.title}</span>
      {position.isAdmin ? <Mark title={t('fields.isAdmin')}>{t('adminMark')}</Mark> : null}
    </span>
  )
}
