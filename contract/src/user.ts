import { z } from 'zod'
import { endpoint } from './kit/endpoint.ts'
import { email, id, idText, language, optionalPhone, optionalText, reference, state, text } from './kit/fields.ts'
import { queryIds } from './kit/paging.ts'
import { resource } from './kit/resource.ts'
import { shownTitle, titles } from './kit/titles.ts'
import { can, PERMISSIONS } from './permissions.ts'

/** A role: what its holders may do. A disabled role grants nothing (domain, People and rights). */
export const RoleWrite = z.strictObject({
  title: text(100),
  ...titles,
  isEnabled: z.boolean().default(true),
  permissions: z.array(z.enum(PERMISSIONS)).max(PERMISSIONS.length).default([]),
  /** the people who hold the role sign in with a second factor; where it begins, sessions of holders without one end */
  isTwoFactorRequired: z.boolean().default(false),
  state,
})

export const Role = z.object({
  id,
  version: z.number().int(),
  ...RoleWrite.shape,
  shownTitle,
  permissions: z.array(z.enum(PERMISSIONS)),
  state: z.enum(['active', 'inactive']),
})

export type Role = z.output<typeof Role>

export const roleApi = resource({
  path: 'user-roles',
  name: 'user role',
  access: { read: can('USERS_MANAGEMENT'), write: can('USERS_MANAGEMENT') },
  write: RoleWrite,
  view: Role,
  changing: ['shownTitle'],
  row: Role,
  filter: {
    isEnabled: z
      .enum(['0', '1'])
      .transform((value) => value === '1')
      .optional(),
  },
  sort: ['title'],
  defaultSort: 'title',
})

export const UserWrite = z.strictObject({
  fullName: text(150),
  email,
  phone: optionalPhone,
  defaultLanguage: language.default('en'),
  roleId: id.nullable().default(null),
  position: z
    .strictObject({ title: text(100), isAdmin: z.boolean().default(false) })
    .nullable()
    .default(null),
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
  /** the code of an app */
  twoFactorEnabled: z.boolean(),
  /** how many there are */
  passkeys: z.number().int(),
  /** false until the first password was chosen, by the invitation's link */
  hasPassword: z.boolean(),
  /** when the last invitation was sent */
  invitedAt: z.string().nullable(),
})
export type User = z.output<typeof User>

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

const oneUser = z.strictObject({ id: idText })

/**
 * The mail's link opens `/auth/recovery-password/:token` for seven days; again = a new mail. Errors: `conflict` for a
 * person who is inactive or has a password.
 */
export const inviteUser = endpoint({
  method: 'POST',
  path: '/users/:id/invite',
  access: can('USERS_MANAGEMENT'),
  inPerson: true,
  summary: 'Send a person the mail with which the first password is chosen',
  params: oneUser,
  reply: User,
  needsVersion: true,
})

/** Every session of the person ends. Errors: `conflict` where there is none. */
export const resetTwoFactor = endpoint({
  method: 'POST',
  path: '/users/:id/two-factor/reset',
  access: can('USERS_MANAGEMENT'),
  inPerson: true,
  summary: 'Take a person’s second factor away, for a lost phone',
  params: oneUser,
  reply: User,
  needsVersion: true,
})

/** Every session of the person ends, and a mail tells them. Errors: `conflict` where there is none. */
export const removeAllPasskeys = endpoint({
  method: 'POST',
  path: '/users/:id/passkeys/reset',
  access: can('USERS_MANAGEMENT'),
  inPerson: true,
  summary: 'Take all passkeys of a person away, for a lost device',
  params: oneUser,
  reply: User,
  needsVersion: true,
})

/** For a lost or stolen device: every session of the person ends, on all nodes at once. Not for oneself. */
export const signOutUser = endpoint({
  method: 'POST',
  path: '/users/:id/sign-out',
  access: can('USERS_MANAGEMENT'),
  inPerson: true,
  summary: 'End every session of a person, for a lost device',
  params: oneUser,
  reply: User,
  needsVersion: true,
})
