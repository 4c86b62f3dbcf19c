import { z } from 'zod'
import { coded, email, id, language, optionalText, text } from './kit/fields.ts'
import { endpoint } from './kit/endpoint.ts'

/** Spec §5: at least 8 characters with an uppercase letter, a lowercase letter and a digit. */
export const password = z
  .string()
  .max(200)
  .refine((value) => value.length >= 8 && /\p{Lu}/u.test(value) && /\p{Ll}/u.test(value) && /\d/.test(value), coded('password_rule'))

/** `token` is the access token, `expiresIn` its life in seconds. */
export const Tokens = z.object({ token: z.string(), refreshToken: z.string(), expiresIn: z.number().int() })
export type Tokens = z.output<typeof Tokens>

export const signIn = endpoint({
  method: 'POST',
  path: '/token',
  access: 'public',
  summary: 'Sign in',
  body: z.strictObject({ email: z.string().min(1).max(250), password: z.string().min(1).max(200) }),
  reply: Tokens,
})

const refreshBody = z.strictObject({ refreshToken: z.string().min(1).max(500) })

export const refreshTokens = endpoint({
  method: 'POST',
  path: '/token/refresh',
  access: 'public',
  summary: 'Spend a refresh token for a new pair',
  body: refreshBody,
  reply: Tokens,
})

export const signOut = endpoint({ method: 'POST', path: '/token/logout', access: 'public', summary: 'End a session', body: refreshBody })

/** `permissions` is a JSON string holding a list of names, read only where a position exists (spec §3). */
export const Profile = z.object({
  id,
  version: z.number().int(),
  email: z.string(),
  fullName: z.string(),
  phone: z.string().nullable(),
  defaultLanguage: language,
  position: z.object({ title: z.string(), isAdmin: z.boolean() }).nullable(),
  permissions: z.string(),
  twoFactorEnabled: z.boolean(),
  departmentId: id.nullable(),
})
export type Profile = z.output<typeof Profile>

export const getProfile = endpoint({ method: 'GET', path: '/profile', access: 'signedIn', summary: 'The signed-in person', reply: Profile })

export const patchProfile = endpoint({
  method: 'PATCH',
  path: '/profile',
  access: 'signedIn',
  summary: 'Change one’s own data',
  body: z.strictObject({ fullName: text(150), email, phone: optionalText(50), defaultLanguage: language }).partial(),
  reply: Profile,
  needsVersion: true,
})

export const changePassword = endpoint({
  method: 'POST',
  path: '/profile/change-password',
  access: 'signedIn',
  summary: 'Change one’s own password; every other session ends',
  body: z.strictObject({ currentPassword: z.string().max(200), newPassword: password, confirmPassword: z.string().max(200) }),
})
