// Before all that asks what day it is.
import './day.ts'
// Before React, which asks for it once.
import './drawings.ts'
import '../../src/ui/theme/base.css'
import './locators.ts'
// The faked server reads by the contract's shapes.
import '../../src/kit/shapes/check.ts'
import { listEmailRefusals } from '@waybill/contract/email'
import { getOrderOrigin } from '@waybill/contract/order/recurring/order-origin'
import { getSignInWays } from '@waybill/contract/session'
import { afterEach, beforeEach } from 'vitest'
import { commands, page } from 'vitest/browser'
import { forgetDevice } from './app.tsx'
import { fakeFetch, faultsSoFar, forgetCalls, server } from './fake-server.ts'

/*
 * Around every component test: no server but the faked one, a device that was never used, and no error in the console.
 */

const errors: string[] = []

const realError = console.error
console.error = (...words: unknown[]) => {
  errors.push(words.map(String).join(' '))
  realError(...words)
}
window.addEventListener('error', ({ message }) => errors.push(message))
window.addEventListener('unhandledrejection', ({ reason }) => errors.push(String(reason)))

window.fetch = fakeFetch

beforeEach(async () => {
  await page.viewport(1280, 800)
  await commands.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  forgetCalls()
  // A page whose session was taken away with its device goes to the sign-in, which asks this.
  server.answer(getSignInWays, { passwords: 'all', provider: null, passkeys: false })
  // The header of an order asks where it comes from.
  server.answer(getOrderOrigin, { recurringOrder: null })
  // Beside each address stands whether a mail server refused it.
  server.answer(listEmailRefusals, { items: [] })
  errors.length = 0
  await forgetDevice()
})

afterEach(async () => {
  const faults = [...faultsSoFar()]
  await forgetDevice()
  if (faults.length > 0) throw new Error(`Calls and replies that do not fit:\n${faults.join('\n')}`)
  if (errors.length > 0) throw new Error(`Errors in the console:\n${errors.join('\n')}`)
})
