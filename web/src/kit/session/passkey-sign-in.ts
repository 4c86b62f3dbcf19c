import {
  beginPasskeyFactor,
  beginPasskeySignIn,
  endPasskeyFactor,
  endPasskeySignIn,
} from '@waybill/contract/session/passkey'
import { callApi } from '../api/call-api.ts'
import { signWithPasskey } from './passkey.ts'
import { beginSession } from './session.ts'
import { forgetNewRecoveryCodes, forgetStep, readStep } from './sign-in-step.ts'

/** Signs in with a passkey alone, which is both factors. Throws ApiError, PasskeyError. */
export async function signInByPasskey(): Promise<void> {
  forgetStep()
  forgetNewRecoveryCodes()
  const signed = await signWithPasskey(await callApi(beginPasskeySignIn))
  await beginSession(await callApi(endPasskeySignIn, { body: signed }))
}

/** Answers the challenge of the step under way with a passkey. Throws ApiError, PasskeyError. */
export async function answerByPasskey(): Promise<void> {
  const challenge = readStep()?.challenge ?? '-'
  const passkey = await signWithPasskey(await callApi(beginPasskeyFactor, { body: { challenge } }))
  const tokens = await callApi(endPasskeyFactor, { body: { challenge, passkey } })
  forgetStep()
  await beginSession(tokens)
}
