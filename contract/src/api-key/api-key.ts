import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { id, idText, line, reference } from '../kit/fields.ts'
import { hasPermission, PERMISSIONS, type Permission, type Rights } from '../permissions.ts'

/**
 * The rights that a key can have. People’s accounts are for people, and nothing opens everything: neither
 * USERS_MANAGEMENT nor FULL_ACCESS is among them (decision 099).
 */
export const KEY_PERMISSIONS = PERMISSIONS.filter(
  (permission) => permission !== 'USERS_MANAGEMENT' && permission !== 'FULL_ACCESS',
)

/**
 * What of the rights given to a key counts while its owner has these. Who manages all orders may let a key see the
 * owner’s own alone.
 */
export const rightsOfKey = (given: readonly Permission[], owner: Rights): Permission[] =>
  KEY_PERMISSIONS.filter(
    (permission) =>
      given.includes(permission) &&
      (hasPermission(owner, permission) ||
        (permission === 'ASSIGNED_ORDERS' && hasPermission(owner, 'ORDERS_MANAGEMENT'))),
  )

/** How long a key can live, in days: a year and a month to change it in. */
export const MOST_KEY_DAYS = 396

const permission = z.enum(PERMISSIONS)

/** How a key stands; `ownerInactive`: its owner was deactivated, so that it opens nothing. */
const KeyState = z.enum(['active', 'ownerInactive', 'expired', 'revoked'])
export type KeyState = z.output<typeof KeyState>

/** A key with which another system calls in its owner’s name. `hint` is how it ends, to tell it from others by. */
export const ApiKey = z.object({
  id,
  title: z.string(),
  hint: z.string(),
  owner: reference,
  permissions: z.array(permission),
  /** those of them that count at the moment: the owner may have lost some */
  effective: z.array(permission),
  state: KeyState,
  createdAt: z.string(),
  createdBy: reference,
  expiresAt: z.string(),
  /** right to a minute; null = not used yet */
  lastUsedAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  revokedBy: reference.nullable(),
})
export type ApiKey = z.output<typeof ApiKey>

export const listApiKeys = endpoint({
  method: 'GET',
  path: '/api-keys',
  access: 'administrator',
  inPerson: true,
  summary: 'The keys of other systems, those that open something first, then the newest; 500 at most',
  reply: z.object({ items: z.array(ApiKey) }),
})

export const ApiKeyWrite = z.strictObject({
  title: line(100),
  ownerId: id,
  permissions: z.array(permission).min(1).max(PERMISSIONS.length),
  /** how many days it lives */
  days: z.number().int().min(1).max(MOST_KEY_DAYS),
})

/**
 * `token` is the key itself: told this once, and kept nowhere. Errors: fields, among them `beyond_owner` for a right
 * that the owner lacks, `taken` for a name that a key in use has, `unknown_reference` for nobody or an inactive person.
 */
export const createApiKey = endpoint({
  method: 'POST',
  path: '/api-keys',
  access: 'administrator',
  inPerson: true,
  summary: 'Make a key for another system',
  body: ApiKeyWrite,
  reply: ApiKey.extend({ token: z.string() }),
  status: 201,
  location: null,
})

/** From the next call on it opens nothing. Errors: `conflict` where it was revoked already. */
export const revokeApiKey = endpoint({
  method: 'POST',
  path: '/api-keys/:id/revoke',
  access: 'administrator',
  inPerson: true,
  summary: 'Revoke a key for good',
  params: z.strictObject({ id: idText }),
  reply: ApiKey,
})

/** What can be given to a key of this person’s. */
export const getKeyRights = endpoint({
  method: 'GET',
  path: '/api-keys/rights/:userId',
  access: 'administrator',
  inPerson: true,
  summary: 'The rights that a key of a person can have',
  params: z.strictObject({ userId: idText }),
  reply: z.object({ permissions: z.array(permission) }),
})
