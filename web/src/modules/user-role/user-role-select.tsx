import { useQuery } from '@tanstack/react-query'
import { roleApi } from '@waybill/contract/user'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { useField } from '../../kit/form/state/form-context.ts'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { useSession } from '../../kit/session/session.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { isGranting, mayGrant, type Role } from './user-role-rules.ts'
import classes from './user-role-select.module.css'

/** Every role with what it grants, inactive ones too; a house has a dozen. */
export function useRoles() {
  return useQuery({
    queryKey: [roleApi.path, 'all'],
    queryFn: ({ signal }) => allRoles(signal),
    meta: { showsRefusals: true },
  })
}

/** Whether this role grants what the signed-in person lacks. */
export function useGrantsMore(roleId: number | null): boolean {
  const rights = useSession()?.rights
  const role = useRoles().data?.find(({ id }) => id === roleId)
  return rights !== undefined && role !== undefined && !mayGrant(rights, role.permissions)
}

async function allRoles(signal: AbortSignal): Promise<Role[]> {
  const roles: Role[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof rolePage>> = await rolePage(cursor, signal)
    roles.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  return roles
}

const rolePage = (cursor: string | null, signal: AbortSignal) =>
  callApi(roleApi.list, { query: { perPage: 100, ...(cursor === null ? {} : { cursor }) }, signal })

interface RoleSelectProps {
  name: string
  label: string
  /** As it was read: it stays, whatever it grants */
  current: { id: number; title: string } | null
  /** Why nobody may choose here; null where one may */
  locked: string | null
}

/**
 * Picks the role of a person. A role that grants what one lacks is there, but cannot be chosen, and says
 * why (domain, People and rights).
 */
export function UserRoleField({ name, label, current, locked }: RoleSelectProps) {
  const { t } = useTranslation('user-role')
  const errorText = useErrorText()
  const field = useField<number | null>(name)
  const rights = useSession()?.rights ?? { isAdmin: false, permissions: [] }
  const { data: roles, error } = useRoles()
  const offered = (roles ?? []).filter((role) => role.state === 'active' || role.id === field.value)
  const known = offered.map((role) => {
    const isLacking = role.id !== current?.id && !mayGrant(rights, role.permissions)
    return {
      value: String(role.id),
      label: role.shownTitle,
      disabled: isLacking,
      note: isLacking ? t('roleLacking') : isGranting(role) ? null : t('grantsNothing'),
    }
  })
  // Until the roles are here, the one that is held already has its name.
  const data =
    known.length === 0 && current !== null
      ? [{ value: String(current.id), label: current.title, disabled: false, note: null }]
      : known
  // The select hides its named input: a person who is led to the field wants the one that is seen.
  return (
    <div data-path={name}>
      <SelectField
        label={label}
        hint={locked ?? undefined}
        error={field.error ?? (error ? errorText(error) : undefined)}
        isChanged={field.isChanged}
        readOnly={field.isReadOnly || locked !== null}
        data={data}
        value={field.value === null ? null : String(field.value)}
        onChange={(value) => field.set(value === null ? null : Number(value))}
        placeholder={t('noRole')}
        searchable
        clearable={!field.isReadOnly && locked === null}
        clearButtonProps={{ 'aria-label': t('takeRoleAway') }}
        nothingFoundMessage={t('list:nothingFound')}
        renderOption={({ option, checked }) => {
          const note = data.find(({ value }) => value === option.value)?.note ?? null
          return (
            <>
              <span className={classes.option}>
                {option.label}
                {note === null ? null : <small>{note}</small>}
              </span>
              {checked ? <Icon name="check" size={13} className={classes.chosen} /> : null}
            </>
          )
        }}
      />
    </div>
  )
}
