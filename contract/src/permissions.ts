/**
 * The eight permissions of spec §6. FULL_ACCESS passes every right, but not "administrators only" (domain, People and
 * rights).
 */
export const PERMISSIONS = [
  'USERS_MANAGEMENT',
  'ORDERS_MANAGEMENT',
  'ASSIGNED_ORDERS',
  'INVOICES_PROCESSING',
  'CUSTOMER_MANAGEMENT',
  'CARRIER_MANAGEMENT',
  'SETTINGS_ACCESS',
  'FULL_ACCESS',
] as const

export type Permission = (typeof PERMISSIONS)[number]

/**
 * Who may call an endpoint or open a screen; `administrator` is open to no right that a role can grant. There is no
 * default: an endpoint that names none does not compile.
 */
export type Access = 'public' | 'signedIn' | 'administrator' | { readonly anyOf: readonly Permission[] }

/** What is known of a signed-in person when a right is decided. */
export interface Rights {
  readonly isAdmin: boolean
  readonly permissions: readonly Permission[]
}

/** A right that any one of the named permissions opens. */
export const can = (...anyOf: Permission[]): Access => ({ anyOf })

/** Both order rights open order screens (spec §2); which orders one sees is the row rule's business. */
export const ORDER_ACCESS = can('ORDERS_MANAGEMENT', 'ASSIGNED_ORDERS')

/** Who plans with vehicles sees what they carry and when they are inspected; who keeps the settings keeps them. */
export const VEHICLES_READ = can('SETTINGS_ACCESS', 'ORDERS_MANAGEMENT', 'ASSIGNED_ORDERS')

/** Either right opens the rate cards; the cards of a kind need theirs (`forbidden`). */
export const RATE_CARD_ACCESS = can('CUSTOMER_MANAGEMENT', 'CARRIER_MANAGEMENT')

/**
 * True where the rights pass: administrators always do, FULL_ACCESS but for `administrator` (spec §2, rule 4). `null`
 * is nobody.
 */
export function mayAccess(access: Access, rights: Rights | null): boolean {
  if (access === 'public') return true
  if (rights === null) return false
  if (access === 'signedIn') return true
  if (access === 'administrator') return rights.isAdmin
  return hasPermission(rights, ...access.anyOf)
}

/** True where one of the permissions is held, by an administrator's position, or by FULL_ACCESS. */
export function hasPermission(rights: Rights, ...anyOf: Permission[]): boolean {
  if (rights.isAdmin || rights.permissions.includes('FULL_ACCESS')) return true
  return anyOf.some((permission) => rights.permissions.includes(permission))
}
