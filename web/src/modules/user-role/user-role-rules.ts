import { hasPermission, PERMISSIONS, type Permission, type Rights } from '@waybill/contract/permissions'
import type { ViewOf } from '@waybill/contract/kit/resource'
import type { roleApi } from '@waybill/contract/user'

export type Role = ViewOf<typeof roleApi>

/** In the order of the contract: taking a choice away and giving it back is no change. */
export const inOrder = (permissions: readonly Permission[]): Permission[] =>
  PERMISSIONS.filter((one) => permissions.includes(one))

/** A disabled or inactive role grants nothing (domain, People and rights). */
export const isGranting = ({ isEnabled, state }: Pick<Role, 'isEnabled' | 'state'>): boolean =>
  isEnabled && state === 'active'

/** Nobody grants or withdraws what they lack. */
export const mayGrant = (rights: Rights, permissions: readonly Permission[]): boolean =>
  permissions.every((permission) => hasPermission(rights, permission))
