import type { Invoice } from '@waybill/contract/invoice/invoice'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormNumber, FormText, FormTextArea } from '../../kit/form/fields/fields.tsx'
import { Section } from '../../ui/page/section.tsx'
import { AgreedDue } from './carrier/agreed-due.tsx'
import { useNumberCheck } from './carrier/use-number-check.ts'
import { CarrierAmounts } from './carrier/carrier-amounts.tsx'
import { FormDayField } from '../typed-day/form-day-select.tsx'
import classes from './invoice-form.module.css'

/**
 * What a carrier's invoice says of itself, as it is typed from the paper; null for one that is still to be made.
 * `beside` stands in the field of the IBAN.
 */
export function CarrierInvoiceFields({ invoice, beside }: { invoice: Invoice | null; beside?: ReactNode }) {
  const { t } = useTranslation('invoice')
  const checkNumber = useNumberCheck(invoice?.id ?? null)
  return (
    <Section title={t('sections.amounts')}>
      <div className={classes.fields}>
        <FormText
          name="number"
          label={t('fields.number')}
          isRequired
          maxLength={100}
          autoComplete="off"
          onBlur={checkNumber}
        />
        <CarrierAmounts />
        <div className={classes.wide}>
          <FormText name="iban" label={t('fields.iban')} maxLength={50} autoComplete="off" rightSection={beside} />
        </div>
        <FormDayField name="documentCreationDate" label={t('fields.documentCreationDate')} />
        <AgreedDue invoice={invoice} />
      </div>
    </Section>
  )
}

/** When it is paid, for which days, and what else is said on it. */
export function InvoiceTerms({ isCustomerSide }: { isCustomerSide: boolean }) {
  const { t } = useTranslation('invoice')
  return (
    <Section title={t('sections.terms')}>
      <div className={classes.fields}>
        {isCustomerSide ? (
          <FormNumber name="paymentPeriodDays" label={t('fields.paymentPeriodDays')} unit={t('daysUnit')} />
        ) : null}
        <FormDayField name="servicePeriodFrom" label={t('fields.servicePeriodFrom')} />
        <FormDayField name="servicePeriodTo" label={t('fields.servicePeriodTo')} />
        <div className={classes.all}>
          <FormTextArea name="notes" label={t('fields.notes')} minRows={2} maxRows={8} maxLength={4000} />
        </div>
      </div>
    </Section>
  )
}
