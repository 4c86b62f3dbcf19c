import { VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FormNumber } from '../../../kit/form/fields/fields.tsx'
import { useFormValue } from '../../../kit/form/state/form-context.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import type { VatProposal } from '../values/parties.ts'

/** The price's VAT; what is proposed stands beside the label, and is dashed where it was taken over. */
export function OrderVatField({
  proposal,
  isBare = false,
}: {
  proposal: VatProposal | undefined /** in a table, whose head names it */
  isBare?: boolean
}) {
  const { t } = useTranslation('order')
  const format = useFormat()
  const value = useFormValue<number | null>('customerVatBp')
  const isProposed = proposal !== undefined && value === proposal.vatBp
  const words = proposal === undefined ? null : t(`vat.${proposal.vatCategory}`)
  function hint() {
    if (proposal === undefined) return undefined
    if (proposal.warning === 'no_vat_number') return t('vat.noVatNumber')
    // A rate of 0 % is the answer.
    if (proposal.warning === 'recipient_only') return value === 0 ? undefined : t('vat.recipientOnly')
    if (isProposed) return isBare ? words : undefined
    return t('vat.proposed', { vat: `${format.percent(proposal.vatBp)} ${words}` })
  }
  return (
    <FormNumber
      name="customerVatBp"
      label={isBare ? <VisuallyHidden>{t('fields.customerVatBp')}</VisuallyHidden> : t('fields.customerVatBp')}
      note={isProposed && !isBare ? words : undefined}
      hint={hint()}
      isCalculated={isProposed}
      unit="%"
      places={2}
      factor={100}
    />
  )
}
