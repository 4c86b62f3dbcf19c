import type { Language } from '@waybill/contract/errors'
import { departmentApi } from '@waybill/contract/department'
import type { State } from '@waybill/contract/kit/fields'
import type { User } from '@waybill/contract/user'
import { useTranslation } from 'react-i18next'
import type { StateQuestion } from '../../kit/form/page/state-change.tsx'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { LANGUAGE_NAMES } from '../../kit/i18n/languages.ts'
import { useTitles } from '../../kit/list/reference/references.ts'
import { useRoles } from '../user-role/user-role-select.tsx'

const FIELDS = [
  'fullName',
  'email',
  'phone',
  'defaultLanguage',
  'roleId',
  'position',
  'departmentId',
  'plateNumber',
  'state',
  'twoFactorEnabled',
  'isTwoFactorRequired',
  'passkey',
] as const

/** What a field of a person is called. */
export function useUserLabels(): (path: string) => string {
  const { t } = useTranslation('user')
  return (path) => {
    if (path === 'position.isAdmin') return t('fields.isAdmin')
    const name = FIELDS.find((one) => path === one || path.startsWith(`${one}.`))
    return name === undefined ? t('one') : t(`fields.${name}`)
  }
}

const DERIVED = /^(permissions|invitedAt|hasPassword|recoveryCodesLeft|passkeys)$/

/** Fields that follow from the role, or are told by an entry of their own. */
export const isDerivedUserField = (path: string): boolean => DERIVED.test(path)

/** A person's values in words, for conflicts and the history. */
export function useUserWords(
  user: Pick<User, 'role' | 'department'> | null,
  departmentIds: readonly number[] = [],
): (path: string, value: unknown) => string {
  const { t } = useTranslation(['user', 'form', 'list'])
  const format = useFormat()
  const { data: roles } = useRoles()
  const departments = useTitles(departmentApi, departmentIds, [user?.department])
  return (path, value) => {
    if (value === null || value === undefined || value === '') return t('form:nothing')
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
    if (path === 'state') return t(`list:state.${value as State}`)
    if (path === 'defaultLanguage') return LANGUAGE_NAMES[value as Language] ?? String(value)
    if (path === 'position' && typeof value === 'object') {
      const { title, isAdmin } = value as NonNullable<User['position']>
      return isAdmin ? `${title}, ${t('fields.isAdmin')}` : title
    }
    if (typeof value === 'number') {
      const title = path === 'roleId' ? roles?.find(({ id }) => id === value)?.title : departments.get(value)
      return title ?? format.number(value)
    }
    return typeof value === 'string' ? value : ''
  }
}

/** What is asked before a person is shut out or let in again. */
export function useUserStateQuestion(): (user: User, next: State) => StateQuestion {
  const { t } = useTranslation('user')
  return ({ fullName: name }, next) => ({
    title: t(`change.${next}.title`),
    text: t(`change.${next}.text`, { name }),
    confirm: t(`change.${next}.confirm`),
    refused: t('notChanged'),
  })
}
