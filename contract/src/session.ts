import { z } from 'zod'
import { coded, email, id, idText, language } from './kit/fields.ts'
import { endpoint } from './kit/endpoint.ts'
import { ProfilePatch } from './session/profile-patch.ts'

/** Spec §5, part by part, so that a form can tick them off while one types. */
export const PASSWORD_RULES = {
  length: (value: string) => value.length >= 8,
  upper: (value: string) => /\p{Lu}/u.test(value),
  lower: (value: string) => /\p{Ll}/u.test(value),
  digit: (value: string) => /\d/.test(value),
} as const
export type PasswordRule = keyof typeof PASSWORD_RULES

/** Spec §5: at least 8 characters with an uppercase letter, a lowercase letter and a digit. */
export const password = z
  .string()
  .max(200)
  .refine((value) => Object.values(PASSWORD_RULES).every((isKept) => isKept(value)), coded('password_rule'))

/** `token` is the access token, `expiresIn` its life in seconds. */
export const Tokens = z.object({ token: z.string(), refreshToken: z.string(), expiresIn: z.number().int() })
export type Tokens = z.output<typeof Tokens>

/** What a person can answer a challenge with: a code of the app or a recovery code, or a passkey (decision 116). */
export const SECOND_FACTORS = ['code', 'passkey'] as const
export type SecondFactor = (typeof SECOND_FACTORS)[number]

/**
 * The password was right and a code or a passkey is still to come. `required`: one of `factors` is asked for. `setup`:
 * the role requires a second factor and there is none yet, so `token/two-factor/setup` comes first. The challenge opens
 * nothing else and lives `expiresIn` seconds.
 */
export const TwoFactorChallenge = z.object({
  twoFactor: z.enum(['required', 'setup']),
  factors: z.array(z.enum(SECOND_FACTORS)),
  challenge: z.string(),
  expiresIn: z.number().int(),
})
export type TwoFactorChallenge = z.output<typeof TwoFactorChallenge>

/** Errors: `bad_credentials`, `rate_limited` with Retry-After. */
export const signIn = endpoint({
  method: 'POST',
  path: '/token',
  access: 'public',
  summary: 'Sign in: tokens, or a challenge where a second factor is needed',
  body: z.strictObject({ email: z.string().min(1).max(250), password: z.string().min(1).max(200) }),
  reply: z.union([Tokens, TwoFactorChallenge]),
})

const challenge = z.string().min(1).max(200)

/** Six digits of the app, or one of the recovery codes; spaces and dashes do not matter. */
const code = z.string().trim().min(1).max(40)

/** What an authenticator app needs: the picture, or the secret typed by hand. `qrSvg` is a whole SVG document. */
export const TwoFactorSetup = z.object({ secret: z.string(), otpauthUrl: z.string(), qrSvg: z.string() })
export type TwoFactorSetup = z.output<typeof TwoFactorSetup>

/**
 * Errors: `invalid_code` (the challenge may be tried again, five times in all), `challenge_expired` (sign in anew),
 * `rate_limited`. After a set-up the answer holds `recoveryCodes`: shown this once.
 */
export const enterTwoFactorCode = endpoint({
  method: 'POST',
  path: '/token/two-factor',
  access: 'public',
  summary: 'Answer the challenge of a sign-in with a code',
  body: z.strictObject({ challenge, code }),
  reply: Tokens.extend({ recoveryCodes: z.array(z.string()).optional() }),
})

/** For a challenge of `setup` alone; asked again it answers the same secret. Errors: `challenge_expired`. */
export const setUpTwoFactorAtSignIn = endpoint({
  method: 'POST',
  path: '/token/two-factor/setup',
  access: 'public',
  summary: 'Begin the second factor that the role requires, before the first session',
  body: z.strictObject({ challenge }),
  reply: TwoFactorSetup,
})

/** A line of an answer that the provider gives through the browser. */
const told = z.string().min(1).max(4000)

/** How people get in here: `passwords` of all, or of the one administrator for emergencies alone (decision 112). */
export const SignInWays = z.object({
  passwords: z.enum(['all', 'emergency']),
  /** null: no identity provider is set up */
  provider: z.object({ label: z.string() }).nullable(),
  /** somebody here has a passkey, which is enough for those who may use a password */
  passkeys: z.boolean(),
})
export type SignInWays = z.output<typeof SignInWays>

export const getSignInWays = endpoint({
  method: 'GET',
  path: '/token/ways',
  access: 'public',
  summary: 'How people sign in here',
  reply: SignInWays,
})

/**
 * Begins a sign-in by the identity provider in this browser, which keeps a cookie for ten minutes and goes to `url`.
 * Errors: `provider_away`, `not_found` where none is set up.
 */
export const beginProviderSignIn = endpoint({
  method: 'POST',
  path: '/token/provider',
  access: 'public',
  summary: 'Begin a sign-in by the identity provider',
  reply: z.object({ url: z.string() }),
})

/**
 * What the provider sent back through the browser that began. Errors: `provider_sign_in_failed` (begin anew),
 * `provider_unverified`, `provider_no_account`, `provider_away`, `not_found` where none is set up.
 */
export const endProviderSignIn = endpoint({
  method: 'POST',
  path: '/token/provider/answer',
  access: 'public',
  summary: 'Sign in with the answer of the identity provider: tokens, or a challenge',
  body: z.strictObject({ state: told, code: told.optional(), error: told.optional(), iss: told.optional() }),
  reply: z.union([Tokens, TwoFactorChallenge]),
})

const refreshBody = z.strictObject({ refreshToken: z.string().min(1).max(500) })

/**
 * With a `key` of the caller's own the answer can be asked for again, should it get lost on its way: within
 * 60 s, as long as nobody has spent the new refresh token, a repeat with the same key gets the same one, and a fresh
 * access token. The key is as secret as the token that it belongs to, and is made just before renewing. Errors:
 * `token_spent` within 10 s of the rotation, `token_reused` later, which ends the session; `unauthenticated`.
 */
export const refreshTokens = endpoint({
  method: 'POST',
  path: '/token/refresh',
  access: 'public',
  summary: 'Spend a refresh token for a new pair',
  body: refreshBody.extend({ key: z.string().min(16).max(100).optional() }),
  reply: Tokens,
})

export const signOut = endpoint({
  method: 'POST',
  path: '/token/logout',
  access: 'public',
  summary: 'End a session',
  body: refreshBody,
})

/** `permissions` is a JSON string holding a list of names: none where no position exists (spec §3). */
export const Profile = z.object({
  id,
  version: z.number().int(),
  email: z.string(),
  fullName: z.string(),
  phone: z.string().nullable(),
  defaultLanguage: language,
  position: z.object({ title: z.string(), isAdmin: z.boolean() }).nullable(),
  permissions: z.string(),
  /** the code of an app */
  twoFactorEnabled: z.boolean(),
  /** how many there are */
  passkeys: z.number().int(),
  /** the role asks for a second factor: it cannot be switched off */
  isTwoFactorRequired: z.boolean(),
  /** recovery codes not used yet */
  recoveryCodesLeft: z.number().int(),
  departmentId: id.nullable(),
  /** false for people who have no password, or may not sign in with it: the identity provider lets them in */
  hasPassword: z.boolean(),
})
export type Profile = z.output<typeof Profile>

export const getProfile = endpoint({
  method: 'GET',
  path: '/profile',
  access: 'signedIn',
  inPerson: true,
  summary: 'The signed-in person',
  reply: Profile,
})

/**
 * Another address needs `currentPassword`: a person who reads the mails of an account can become its owner. Errors:
 * fields, among them `wrong_password`; `rate_limited`.
 */
export const patchProfile = endpoint({
  method: 'PATCH',
  path: '/profile',
  access: 'signedIn',
  inPerson: true,
  summary: 'Change one’s own data',
  body: ProfilePatch,
  reply: Profile,
  needsVersion: true,
})

/**
 * Errors: fields, among them `wrong_password`, `passwords_differ`, `password_known`, `password_personal`;
 * `rate_limited`.
 */
export const changePassword = endpoint({
  method: 'POST',
  path: '/profile/change-password',
  access: 'signedIn',
  inPerson: true,
  summary: 'Change one’s own password; every other session ends',
  body: z.strictObject({
    currentPassword: z.string().max(200),
    newPassword: password,
    confirmPassword: z.string().max(200),
  }),
})

/** Begins a second factor; it counts once a code was confirmed. Errors: `conflict` where there is one already. */
export const setUpTwoFactor = endpoint({
  method: 'POST',
  path: '/profile/two-factor',
  access: 'signedIn',
  inPerson: true,
  summary: 'Begin one’s own second factor',
  reply: TwoFactorSetup,
})

/** Errors: `invalid_code`, `rate_limited`, `conflict` where nothing was begun. The codes are shown this once. */
export const confirmTwoFactor = endpoint({
  method: 'POST',
  path: '/profile/two-factor/confirm',
  access: 'signedIn',
  inPerson: true,
  summary: 'Switch on one’s own second factor with a first code',
  body: z.strictObject({ code }),
  reply: z.object({ recoveryCodes: z.array(z.string()) }),
})

/**
 * Errors: `invalid_code`, `rate_limited`, `two_factor_required` where the role asks for it, `conflict` where there is
 * none.
 */
export const removeTwoFactor = endpoint({
  method: 'DELETE',
  path: '/profile/two-factor',
  access: 'signedIn',
  inPerson: true,
  summary: 'Switch off one’s own second factor with a code',
  body: z.strictObject({ code }),
})

/**
 * Always 204, in the same time whether or not the address is known. The mail’s link opens
 * `/auth/reset-password/:token` for 60 minutes.
 */
export const askForPasswordMail = endpoint({
  method: 'POST',
  path: '/profile/recover_password_mail',
  access: 'public',
  summary: 'Ask for a mail with which a forgotten password can be replaced',
  body: z.strictObject({ email }),
})

/**
 * For the links of both mails, recovery and invitation; a token works once and ends every session. Errors:
 * `invalid_link`, fields, among them `password_known`, `password_personal`.
 */
export const resetPassword = endpoint({
  method: 'POST',
  path: '/profile/reset_password',
  access: 'public',
  summary: 'Choose a password with the token of a mail',
  query: z.strictObject({ token: z.string().min(1).max(200) }),
  body: z.strictObject({ password, confirmPassword: z.string().max(200) }),
})

/** A session that is alive. `lastUsedAt` is when it was last renewed: right to a quarter of an hour. */
export const OwnSession = z.object({
  id,
  createdAt: z.string(),
  lastUsedAt: z.string(),
  userAgent: z.string().nullable(),
  /** the network address of the last renewal */
  lastAddress: z.string().nullable(),
  isCurrent: z.boolean(),
})
export type OwnSession = z.output<typeof OwnSession>

export const listSessions = endpoint({
  method: 'GET',
  path: '/profile/sessions',
  access: 'signedIn',
  inPerson: true,
  summary: 'One’s own sessions, the current one first, then the last used',
  reply: z.object({ items: z.array(OwnSession) }),
})

export const endSession = endpoint({
  method: 'DELETE',
  path: '/profile/sessions/:id',
  access: 'signedIn',
  inPerson: true,
  summary: 'End one of one’s own sessions',
  params: z.strictObject({ id: idText }),
})

export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/profile/sessions',
  access: 'signedIn',
  inPerson: true,
  summary: 'End all of one’s own sessions but this one',
})
