import { isCreditNote } from '@waybill/contract/invoice/carrier-terms'
import { useTranslation } from 'react-i18next'
import { FormChoice } from '../../../kit/form/fields/choice-field.tsx'
import { FormNumber } from '../../../kit/form/fields/fields.tsx'
import { useFormContext, useFormValue } from '../../../kit/form/state/form-context.ts'
import { putShared, sharedIn } from './put-shares.ts'
import { afterAmount } from './route-shares.ts'
import { grossOf } from '../invoice-values.ts'

// In which carriers of Europe write their invoices; an electronic one may name any other.
const CURRENCIES = ['EUR', 'PLN', 'CZK', 'HUF', 'RON', 'GBP', 'CHF', 'DKK', 'SEK', 'NOK', 'RSD', 'UAH', 'TRY', 'USD']

/** Net, VAT and total of a carrier's invoice; the total follows until it is typed over, as a carrier may round. */
export function CarrierAmounts() {
  const { t } = useTranslation('invoice')
  const form = useFormContext()
  const amountCents = useFormValue<number | null>('amountCents')
  const vatBp = useFormValue<number | null>('vatBp')
  const totalCents = useFormValue<number | null>('totalCents')
  const currency = useFormValue<string | undefined>('currency') ?? 'EUR'
  const unit = currency === 'EUR' ? '€' : currency
  const choices = [...new Set([...CURRENCIES, currency])].map((code) => ({ value: code, label: code }))
  return (
    <>
      <FormNumber
        name="amountCents"
        label={t('fields.amountCents')}
        note={isCreditNote({ amountCents }) ? t('carrierCredit') : undefined}
        unit={unit}
        places={2}
        hasFixedPlaces
        factor={100}
        onSet={(value) => putShared(form, afterAmount(sharedIn(form), value))}
      />
      <FormNumber
        name="vatBp"
        label={t('fields.vatBp')}
        unit="%"
        places={2}
        factor={100}
        onSet={(value) => putShared(form, sharedIn(form), value)}
      />
      <FormNumber
        name="totalCents"
        label={t('fields.totalCents')}
        unit={unit}
        places={2}
        hasFixedPlaces
        factor={100}
        isCalculated={totalCents !== null && totalCents === grossOf({ amountCents, vatBp })}
      />
      <FormChoice name="currency" label={t('fields.currency')} choices={choices} />
    </>
  )
}
