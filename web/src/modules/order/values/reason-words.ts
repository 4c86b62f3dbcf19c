import type { ClearanceReason } from '@waybill/contract/order/clearance/clearance'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../kit/i18n/i18n.ts'

/** Why a carrier may not be sent, as a sentence with the day, the sum or the reason that it goes by. */
export function useReasonWords(): (reason: ClearanceReason) => string {
  const { t } = useTranslation('clearance')
  const format = useFormat()
  return useCallback(
    ({ code, endsOn, insuredCents, text }) => {
      if (code === 'licence_ends' || code === 'insurance_ends')
        return endsOn === null ? t(`reasons.${code}_unknown`) : t(`reasons.${code}`, { day: format.date(endsOn) })
      if (code === 'insurance_low')
        return insuredCents === null
          ? t('reasons.insurance_unknown')
          : t('reasons.insurance_low', { sum: format.euro(insuredCents) })
      if (code === 'blocked') return t('reasons.blocked', { text: text ?? '' })
      return t(`reasons.${code}`)
    },
    [t, format],
  )
}
