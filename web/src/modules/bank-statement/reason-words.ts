import type { Reason } from '@waybill/contract/bank-statement/bank-statement'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../kit/i18n/i18n.ts'

/** Why a proposal is what it is, in the person's words. */
export function useReasonWords(): (reason: Reason) => string {
  const { t } = useTranslation('bank-statement')
  const format = useFormat()
  return ({ code, text, cents }) =>
    t(`reason.${code}`, { text: text ?? '', amount: cents === null ? '' : format.euro(cents) })
}
