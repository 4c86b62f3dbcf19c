import { findCarrierNumber } from '@waybill/contract/invoice/invoice'
import { useEffect, useEffectEvent } from 'react'
import { callApi } from '../../../kit/api/call-api.ts'
import { useFormContext, useFormValue } from '../../../kit/form/state/form-context.ts'
import { useFieldErrorText } from '../../../kit/i18n/error-text.ts'

/**
 * Tells at the number's field that the carrier has used it before: when the field is left, and when the carrier is
 * chosen after it. `exceptId` is the invoice itself.
 */
export function useNumberCheck(exceptId: number | null): () => void {
  const { get, remark } = useFormContext()
  const fieldErrorText = useFieldErrorText()
  const carrier = useFormValue<number | null>('carrierCompanyId')
  const ask = async () => {
    const carrierCompanyId = get('carrierCompanyId') as number | null
    const number = ((get('number') as string | null) ?? '').trim()
    if (carrierCompanyId === null || number === '') return
    const { isTaken } = await callApi(findCarrierNumber, {
      query: { carrierCompanyId, number, ...(exceptId === null ? {} : { exceptId }) },
    })
    const isAsAsked =
      get('carrierCompanyId') === carrierCompanyId && (get('number') as string | null)?.trim() === number
    if (isAsAsked && isTaken) remark('number', fieldErrorText('number_taken'))
  }
  // Without an answer it is told at the save.
  const check = () => void ask().catch(() => undefined)
  const checkNow = useEffectEvent(check)
  useEffect(() => checkNow(), [carrier])
  return check
}
