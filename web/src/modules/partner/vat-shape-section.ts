import type { Endpoint } from '@waybill/contract/kit/endpoint'
import type { Lookalikes } from '@waybill/contract/kit/lookalike'
import { callApi } from '../../kit/api/call-api.ts'
import { useFormContext } from '../../kit/form/state/form-context.ts'
import { useFieldErrorText } from '../../kit/i18n/error-text.ts'

/**
 * Looks at the VAT number of the form around it when its field is left: one that cannot be one in its country is told
 * at once. The server knows the shapes of all countries.
 */
export function useVatShape(lookalikes: Endpoint): () => void {
  const { base, get, remark } = useFormContext()
  const fieldErrorText = useFieldErrorText()
  const ask = async () => {
    const [vatNumber, countryId] = [get('vatNumber'), get('countryId')]
    const before = base as { vatNumber?: unknown; countryId?: unknown } | null
    if (!vatNumber || !countryId) return
    if (before?.vatNumber === vatNumber && before.countryId === countryId) return
    const { vatNumberShape } = (await callApi(lookalikes, { query: { vatNumber, countryId } })) as Lookalikes
    if (vatNumberShape === 'wrong' && get('vatNumber') === vatNumber)
      remark('vatNumber', fieldErrorText('invalid_vat_number'))
  }
  // Without an answer it is told at the save.
  return () => void ask().catch(() => undefined)
}
