import type { Versioned, ViewOf } from '@waybill/contract/kit/resource'
import { callApi } from '../../api/call-api.ts'
import { useIntention } from '../../api/use-intention.ts'
import type { FormApi, Latest } from './entity-form.ts'
import { isSame, patchOf } from './values.ts'

/** Sends the values of a form: a new record whole, of a stored one what differs from what was read. Throws ApiError. */
export function useSending<Api extends FormApi, Values extends object>(
  api: Api,
  now: () => Latest<Api, Values>,
): (values: Values) => Promise<ViewOf<Api>> {
  const keyOf = useIntention()
  return async (values) => {
    const { options, view, base } = now()
    const body = options.bodyOf(values)
    if (options.send !== undefined && view !== null)
      return isSame(options.bodyOf(base), body) ? view : options.send(body, view)
    if (view === null) return (await callApi(api.create!, { body, idempotencyKey: keyOf(body) })) as ViewOf<Api>
    const patch = patchOf(options.bodyOf(base), body)
    if (Object.keys(patch).length === 0) return view
    const { id, version } = view as Versioned
    return (await callApi(api.patch!, { params: { id }, body: patch, version })) as ViewOf<Api>
  }
}
