import { PERMISSIONS, type Permission } from '@waybill/contract/permissions'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/marks/icon.tsx'
import { isGranting, type Role } from './user-role-rules.ts'
import classes from './permission-section.module.css'

/** What each permission is called and what it opens, in the person's words. */
export function usePermissionWords(): (permission: Permission) => { title: string; meaning: string } {
  const { t } = useTranslation('user-role')
  return (permission) => ({
    title: t(`permissions.${permission}.title`),
    meaning: t(`permissions.${permission}.meaning`),
  })
}

/** Every permission with its meaning, and whether the role grants it; to be read only. */
export function GrantedPermissions({ role }: { role: Role }) {
  const { t } = useTranslation('user-role')
  const words = usePermissionWords()
  const granted = isGranting(role) ? role.permissions : []
  const isFull = granted.includes('FULL_ACCESS')
  return (
    <>
      {isGranting(role) ? null : <p className={classes.warning}>{t('grantsNothing')}</p>}
      <ul className={classes.granted}>
        {PERMISSIONS.map((permission) => {
          const isGranted = isFull || granted.includes(permission)
          const { title, meaning } = words(permission)
          return (
            <li key={permission} data-granted={isGranted || undefined}>
              <span className={classes.mark}>
                <Icon name={isGranted ? 'check' : 'close'} size={13} label={t(isGranted ? 'granted' : 'notGranted')} />
              </span>
              <span>
                <b>{title}</b>
                <small>{meaning}</small>
              </span>
            </li>
          )
        })}
      </ul>
    </>
  )
}
