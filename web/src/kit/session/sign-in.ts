import {
  beginProviderSignIn,
  endProviderSignIn,
  enterTwoFactorCode,
  getSignInWays,
  signIn as signInEndpoint,
  type SignInWays,
  type Tokens,
  type TwoFactorChallenge,
} from '@waybill/contract/session'
import { callApi } from '../api/call-api.ts'
import { beginSession } from './session.ts'
import {
  forgetNewRecoveryCodes,
  forgetStep,
  keepNewRecoveryCodes,
  keepStep,
  keepWanted,
  readStep,
  type SignInStep,
} from './sign-in-step.ts'

/** What the identity provider sends through the browser. */
interface ProviderAnswer {
  state: string
  code?: string
  error?: string
  iss?: string
}

/**
 * Signs in with a password. Answers null where that was all, else what comes next. Throws ApiError, `bad_credentials`
 * or `rate_limited` among others.
 */
export async function signIn(email: string, password: string): Promise<SignInStep | null> {
  forgetStep()
  forgetNewRecoveryCodes()
  return enter(await callApi(signInEndpoint, { body: { email, password } }))
}

async function enter(answer: Tokens | TwoFactorChallenge): Promise<SignInStep | null> {
  if ('twoFactor' in answer) return keepStep(answer)
  await beginSession(answer)
  return null
}

/** How people sign in here; without an answer with a password, which says the rest itself. */
export const readSignInWays = (): Promise<SignInWays> =>
  callApi(getSignInWays).catch(() => ({ passwords: 'all', provider: null, passkeys: false }))

/** Leaves for the identity provider; `wanted` is where the person wanted to go. Throws ApiError, `provider_away`. */
export async function leaveForProvider(wanted: unknown): Promise<void> {
  forgetStep()
  forgetNewRecoveryCodes()
  const { url } = await callApi(beginProviderSignIn)
  keepWanted(wanted)
  location.assign(url)
}

/** Back from the identity provider with its answer: as after a password. Throws ApiError. */
export const signInFromProvider = async (answer: ProviderAnswer): Promise<SignInStep | null> =>
  enter(await callApi(endProviderSignIn, { body: answer }))

/**
 * Answers the challenge of the step under way; after a set-up the new recovery codes are kept in this tab. Throws
 * ApiError, `invalid_code` or `challenge_expired` among others.
 */
export async function enterCode(code: string): Promise<void> {
  const { recoveryCodes = null, ...tokens } = await callApi(enterTwoFactorCode, {
    body: { challenge: readStep()?.challenge ?? '-', code },
  })
  if (recoveryCodes !== null) keepNewRecoveryCodes(recoveryCodes)
  forgetStep()
  await beginSession(tokens)
}
