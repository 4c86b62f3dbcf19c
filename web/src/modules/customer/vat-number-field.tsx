import { Button } from '@mantine/core'
import { checkCustomerVat, findCustomerLookalikes, type Customer, type customerApi } from '@waybill/contract/customer'
import { formatVatNumber } from '@waybill/contract/kit/vat-number'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../kit/api/call-api.ts'
import { FormText } from '../../kit/form/fields/fields.tsx'
import { useFormValue } from '../../kit/form/state/form-context.ts'
import { useNamedField } from '../../kit/form/state/use-named-field.ts'
import type { EntityForm } from '../../kit/form/state/entity-form.ts'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { notify } from '../../ui/notices/notify.tsx'
import { useVatShape } from '../partner/vat-shape-section.ts'
import classes from './customer-form.module.css'
import type { CustomerValues } from './customer-values.ts'

interface VatNumberFieldProps {
  customer: Customer | null
  form: EntityForm<typeof customerApi, CustomerValues>
}

/** The VAT number, what its digits say, and what the EU's register said of it; both of the number that is saved. */
export function VatNumberField({ customer, form }: VatNumberFieldProps) {
  const { t } = useTranslation('customer')
  useNamedField()
  const format = useFormat()
  const errorText = useErrorText()
  const typed = useFormValue<string | null>('vatNumber')
  const countryId = useFormValue<number | null>('countryId')
  const [isAsking, setAsking] = useState(false)
  const saved =
    customer !== null &&
    customer.vatNumber !== null &&
    formatVatNumber(customer.vatNumber) === typed &&
    customer.countryId === countryId
      ? customer
      : null
  const shape = saved?.vatNumberShape
  const check = saved?.vatCheck ?? null
  const lookAtShape = useVatShape(findCustomerLookalikes)
  const ask = async ({ id, version }: Customer) => {
    setAsking(true)
    try {
      form.accept(await callApi(checkCustomerVat, { params: { id }, version, idempotencyKey: newIdempotencyKey() }))
    } catch (error) {
      if (!form.takeRefusal(error))
        notify({ tone: 'danger', title: t('vatCheck.failed'), detail: errorText(error), closeLabel: t('form:close') })
    } finally {
      setAsking(false)
    }
  }
  return (
    <>
      <FormText
        name="vatNumber"
        label={t('fields.vatNumber')}
        hint={shape === 'doubtful' || shape === 'wrong' || shape === 'not_checked' ? t(`vatShape.${shape}`) : undefined}
        maxLength={30}
        autoComplete="off"
        spellCheck={false}
        onBlur={lookAtShape}
      />
      {saved === null || (check === null && !saved.isVatCheckable) ? null : (
        <div className={classes.vat}>
          {check === null ? null : (
            <span
              data-tone={check.isValid ? 'ok' : 'danger'}
              title={[check.name, check.address].filter(Boolean).join(', ') || undefined}
            >
              {t(check.isValid ? 'vatCheck.validAt' : 'vatCheck.invalidAt', { time: format.dateTime(check.checkedAt) })}
              {check.name === null ? '' : `: ${check.name}`}
            </span>
          )}
          {saved.isVatCheckable ? (
            <Button size="compact-sm" loading={isAsking} onClick={() => void ask(saved)}>
              {t(check === null ? 'vatCheck.ask' : 'vatCheck.askAgain')}
            </Button>
          ) : null}
        </div>
      )}
    </>
  )
}
