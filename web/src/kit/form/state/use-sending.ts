import type { Versioned, ViewOf } from '@waybill/contract/kit/resource'
import { useRef } from 'react'
import { callApi, newIdempotencyKey } from '../../api/call-api.ts'
import type { FormApi, Latest } from './entity-form.ts'
import { isSame, patchOf } from './values.ts'

/** Sends the values of a form: a new record whole, of a stored one what differs from what was read. Throws ApiError. */
export function useSending<Api extends FormApi, Values extends object>(
  api: Api,
  now: () => Latest<Api, Values>,
): (values: Values) => Promise<ViewOf<Api>> {
  const intention = useRef({ body: '', key: '' })
  return async (values) => {
    const { options, view, base } = now()
    const body = options.bodyOf(values)
    if (options.send !== undefined && view !== null)
      return isSame(options.bodyOf(base), body) ? view : options.send(body, view)
    if (view === null) {
      // A repeat of the same words after a lost answer must not make a second record.
      const text = JSON.stringify(body)
      if (intention.current.body !== text) intention.current = { body: text, key: newIdempotencyKey() }
      return (await callApi(api.create!, { body, idempotencyKey: intention.current.key })) as ViewOf<Api>
    }
    const patch = patchOf(options.bodyOf(base), body)
    if (Object.keys(patch).length === 0) return view
    const { id, version } = view as Versioned
    return (await callApi(api.patch!, { params: { id }, body: patch, version })) as ViewOf<Api>
  }
}
