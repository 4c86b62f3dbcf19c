import type { State } from '@waybill/contract/kit/fields'
import type { Permission } from '@waybill/contract/permissions'
import { TITLE_FIELDS } from '@waybill/contract/kit/titles'
import { useTranslation } from 'react-i18next'
import type { StateQuestion } from '../../kit/form/page/state-change.tsx'
import { usePermissionWords } from './permission-section.tsx'
import type { Role } from './user-role-rules.ts'

const FIELDS = ['title', ...TITLE_FIELDS, 'isEnabled', 'isTwoFactorRequired', 'permissions', 'state'] as const

/** What a field of a role is called. */
export function useRoleLabels(): (path: string) => string {
  const { t } = useTranslation('user-role')
  return (path) => {
    const name = FIELDS.find((one) => path === one || path.startsWith(`${one}.`))
    return name === undefined ? t('one') : t(`fields.${name}`)
  }
}

/** A role's values in words, for conflicts and the history. */
export function useRoleWords(): (path: string, value: unknown) => string {
  const { t } = useTranslation(['user-role', 'form', 'list'])
  const words = usePermissionWords()
  return (path, value) => {
    if (value === null || value === undefined || value === '') return t('form:nothing')
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
    if (path === 'state') return t(`list:state.${value as State}`)
    if (Array.isArray(value))
      return (value as Permission[]).map((one) => words(one).title).join(', ') || t('form:nothing')
    return typeof value === 'string' ? value : ''
  }
}

/** What is asked before a role is put to sleep or woken. */
export function useRoleStateQuestion(): (role: Role, next: State) => StateQuestion {
  const { t } = useTranslation('user-role')
  return ({ shownTitle }, next) => ({
    title: t(`change.${next}.title`),
    text: t(`change.${next}.text`, { title: shownTitle }),
    confirm: t(`change.${next}.confirm`),
    refused: t('notChanged'),
  })
}
