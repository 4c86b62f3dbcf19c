import type { Language } from '@waybill/contract/errors'
import type { Endpoint } from '@waybill/contract/kit/endpoint'
import type { z } from 'zod'
import { ApiError, errorOf } from '../../kit/api/api-error.ts'
import { addressOf, headersOf, type RequestInput } from '../../kit/api/request.ts'
import { sendForm } from '../../kit/api/send-form.ts'

/** Calls a public endpoint, without a session. Throws ApiError; `offline` where no answer came. */
export async function callPublic<E extends Endpoint>(
  endpoint: E,
  language: Language,
  input: RequestInput,
): Promise<z.output<E['reply']>> {
  const headers = headersOf(input, { language, token: null, groupFilter: 0 })
  const address = addressOf(endpoint.path, input)
  const { method } = endpoint
  const { form, onProgress, signal = null } = input
  let response: Response
  try {
    response =
      form !== undefined && onProgress !== undefined
        ? await sendForm(address, { method, headers, form, onProgress, signal })
        : await fetch(address, {
            method,
            headers,
            body: form ?? (input.body === undefined ? null : JSON.stringify(input.body)),
            signal,
            credentials: 'omit',
          })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError(0, 'offline')
  }
  if (!response.ok) throw await errorOf(response)
  return (response.status === 204 ? {} : await response.json()) as z.output<E['reply']>
}

/** What of a failed call passes by itself: no connection, a server that starts, too many calls. */
export const passes = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)
