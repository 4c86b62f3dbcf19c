import { z } from 'zod'
import { email, id, language, optionalText, reference, state, text } from './kit/fields.ts'
import { queryIds } from './kit/paging.ts'
import { resource } from './kit/resource.ts'
import { can, PERMISSIONS } from './permissions.ts'

/** A role: what its holders may do. A disabled role grants nothing (domain, People and rights). */
export const RoleWrite = z.strictObject({
  title: text(100),
  isEnabled: z.boolean().default(true),
  permissions: z.array(z.enum(PERMISSIONS)).max(PERMISSIONS.length).default([]),
  state,
})

export const Role = z.object({ id, version: z.number().int(), ...RoleWrite.shape, permissions: z.array(z.enum(PERMISSIONS)), state: z.enum(['active', 'inactive']) })

export const roleApi = resource({
  path: 'user-roles',
  name: 'user role',
  access: { read: can('USERS_MANAGEMENT'), write: can('USERS_MANAGEMENT') },
  write: RoleWrite,
  view: Role,
  row: Role,
  filter: { isEnabled: z.enum(['0', '1']).transform((value) => value === '1').optional() },
  sort: ['title'],
  defaultSort: 'title',
})

export const UserWrite = z.strictObject({
  fullName: text(150),
  email,
  phone: optionalText(50),
  defaultLanguage: language.default('en'),
  roleId: id.nullable().default(null),
  position: z.strictObject({ title: text(100), isAdmin: z.boolean().default(false) }).nullable().default(null),
  departmentId: id.nullable().default(null),
  plateNumber: optionalText(20),
  state,
})

export const User = z.object({
  id,
  version: z.number().int(),
  ...UserWrite.shape,
  state: z.enum(['active', 'inactive']),
  role: reference.nullable(),
  department: reference.nullable(),
  createdAt: z.string(),
})

export const userApi = resource({
  path: 'users',
  name: 'user',
  access: { read: can('USERS_MANAGEMENT'), write: can('USERS_MANAGEMENT'), compact: 'signedIn' },
  write: UserWrite,
  view: User,
  row: User,
  filter: { roleId: queryIds.optional(), departmentId: queryIds.optional() },
  sort: ['fullName', 'email', 'createdAt'],
  defaultSort: 'fullName',
})
