import type { SecondFactor, TwoFactorChallenge } from '@waybill/contract/session'

/*
 * What stands between a password and a session. It lives in this tab alone, so that a reload in the middle goes on,
 * and in no address, where it would stay in the history.
 */

/**
 * `code`: one of `factors` is asked for, the app's code or a passkey. `setUp`: the role requires a second factor, and
 * there is none yet.
 */
export interface SignInStep {
  next: 'code' | 'setUp'
  challenge: string
  factors: readonly SecondFactor[]
}

const STEP = 'sign_in_step'
const WANTED = 'sign_in_wanted'
const RECOVERY_CODES = 'new_recovery_codes'

/** The step under way, or null. */
export function readStep(): SignInStep | null {
  const value = read(STEP) as Partial<SignInStep> | null
  if (typeof value?.challenge !== 'string' || (value.next !== 'code' && value.next !== 'setUp')) return null
  const factors = Array.isArray(value.factors) ? value.factors : (['code'] as const)
  return { next: value.next, challenge: value.challenge, factors }
}

export function keepStep({ twoFactor, challenge, factors }: TwoFactorChallenge): SignInStep {
  const step: SignInStep = { next: twoFactor === 'setup' ? 'setUp' : 'code', challenge, factors }
  sessionStorage.setItem(STEP, JSON.stringify(step))
  return step
}

export const forgetStep = (): void => sessionStorage.removeItem(STEP)

/** Recovery codes that were made and not yet put away: the server tells them once, so a reload must not lose them. */
export function readNewRecoveryCodes(): string[] | null {
  const value = read(RECOVERY_CODES)
  return Array.isArray(value) && value.every((code) => typeof code === 'string') ? value : null
}

export const keepNewRecoveryCodes = (codes: readonly string[]): void =>
  sessionStorage.setItem(RECOVERY_CODES, JSON.stringify(codes))

export const forgetNewRecoveryCodes = (): void => sessionStorage.removeItem(RECOVERY_CODES)

/** Where a person wanted to go who is away at the identity provider; it is looked at before it is gone to. */
export const keepWanted = (wanted: unknown): void => sessionStorage.setItem(WANTED, JSON.stringify(wanted ?? null))

export const readWanted = (): unknown => read(WANTED)

function read(name: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? 'null')
  } catch {
    return null
  }
}
