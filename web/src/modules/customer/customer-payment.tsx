import { Button } from '@mantine/core'
import { PAYMENT_OPTIONS, type Customer } from '@waybill/contract/customer'
import { CUSTOMER_FORMATS } from '@waybill/contract/e-invoice/format'
import { countryApi } from '@waybill/contract/country'
import { can } from '@waybill/contract/permissions'
import { useTranslation } from 'react-i18next'
import { FormChoice } from '../../kit/form/fields/choice-field.tsx'
import { FormCheck, FormNumber, FormText } from '../../kit/form/fields/fields.tsx'
import { useField, useFormValue } from '../../kit/form/state/form-context.ts'
import { useNamedField } from '../../kit/form/state/use-named-field.ts'
import { FormReference } from '../../kit/form/fields/reference-fields.tsx'
import { hasAccess } from '../../kit/session/session.ts'
import { useTitles } from '../../kit/list/reference/references.ts'
import { CheckField } from '../../ui/fields/check-field.tsx'
import { IconButton } from '../../ui/marks/icon-button.tsx'
import { Icon } from '../../ui/marks/icon.tsx'
import { Section } from '../../ui/page/section.tsx'
import { AccountNumberField } from '../bookkeeping/account-number-section.tsx'
import { RefusedAddresses } from '../email/refused-address-section.tsx'
import { CustomerCreditPanel } from '../credit/customer-credit-section.tsx'
import { CountrySelect } from '../country/country-select.tsx'
import { ElectronicAddressFields } from '../partner/electronic-address-section.tsx'
import classes from './customer-form.module.css'
import { EMPTY_ADDRESS, type CustomerValues } from './customer-values.ts'

/** How the customer pays, where bills go, and how freight is charged by volume. */
export function CustomerPayment({ customer }: { customer: Customer | null }) {
  const { t } = useTranslation(['customer', 'e-invoice-out'])
  useNamedField()
  const invoiceEmail = useFormValue<string | null | undefined>('invoiceEmail')
  return (
    <>
      <Section title={t('sections.payment')}>
        <div className={classes.fields}>
          <div data-half>
            <FormChoice
              name="paymentOption"
              label={t('fields.paymentOption')}
              choices={PAYMENT_OPTIONS.map((value) => ({ value, label: t(`paymentOption.${value}`) }))}
            />
          </div>
          <FormNumber
            name="paymentPeriodDays"
            label={t('fields.paymentPeriodDays')}
            hint={t('periodMeans')}
            isRequired
            unit={t('daysUnit')}
          />
          <AccountNumberField name="debtorNumber" side="income" />
          <FormNumber
            name="creditLimitCents"
            label={t('fields.creditLimitCents')}
            hint={t('creditLimitMeans')}
            unit="€"
            places={2}
            hasFixedPlaces
            factor={100}
          />
          <div data-wide>
            <FormCheck name="remindersOff" label={t('fields.remindersOff')} />
          </div>
        </div>
      </Section>
      {customer !== null && hasAccess(can('INVOICES_PROCESSING')) ? (
        <CustomerCreditPanel key={customer.version} customerId={customer.id} />
      ) : null}
      <SkontoSteps />
      <Section title={t('sections.invoice')}>
        <div className={classes.fields}>
          <div data-half>
            <FormChoice
              name="eInvoiceFormat"
              label={t('e-invoice-out:fields.eInvoiceFormat')}
              hint={t('e-invoice-out:formatMeans')}
              choices={CUSTOMER_FORMATS.map((value) => ({ value, label: t(`e-invoice-out:format.${value}`) }))}
            />
          </div>
          <div data-half>
            <FormText
              name="buyerReference"
              label={t('fields.buyerReference')}
              hint={t('buyerReferenceMeans')}
              maxLength={100}
              autoComplete="off"
            />
          </div>
          <ElectronicAddressFields hint={t('eInvoiceAddressMeans')} />
          <div data-half>
            <FormText
              name="invoiceEmail"
              label={t('fields.invoiceEmail')}
              hint={t('invoiceEmailMeans')}
              type="email"
              inputMode="email"
              maxLength={250}
              autoComplete="off"
            />
            <RefusedAddresses addresses={[invoiceEmail]} />
          </div>
          <div data-wide>
            <FormCheck name="isForwarder" label={t('fields.isForwarder')} />
          </div>
          <div data-wide>
            <FormCheck name="isConsumer" label={t('fields.isConsumer')} />
          </div>
          <div data-wide>
            <FormCheck name="needsOrderNumber" label={t('fields.needsOrderNumber')} />
          </div>
          <div data-wide>
            <FormCheck name="podsInPdf" label={t('fields.podsInPdf')} />
          </div>
          <div data-wide>
            <FormCheck name="emissionsOnInvoices" label={t('fields.emissionsOnInvoices')} />
          </div>
          <div data-wide>
            <FormCheck name="creditNotes" label={t('fields.creditNotes')} />
          </div>
        </div>
      </Section>
      <BillingAddress customer={customer} />
      <Section title={t('sections.chargeable')} summary={t('chargeableMeans')}>
        <div className={classes.fields}>
          <FormNumber name="chargeableKgPerM3" label={t('fields.chargeableKgPerM3')} isRequired unit="kg" places={3} />
          <FormNumber
            name="chargeableKgPerLdm"
            label={t('fields.chargeableKgPerLdm')}
            isRequired
            unit="kg"
            places={3}
          />
        </div>
      </Section>
    </>
  )
}

const STEPS = ['first', 'second'] as const
const FIRST_STEP = { percentBp: 200, days: 10 }

/** What may be taken off for paying early, in two steps at most. */
function SkontoSteps() {
  const { t } = useTranslation('customer')
  const { value: steps, set, isReadOnly } = useField<CustomerValues['skonto']>('skonto')
  return (
    <Section title={t('sections.skonto')} summary={t('skontoSteps.means')}>
      {steps.map((_step, index) => (
        // Steps are not moved: the place is the key.
        <div key={STEPS[index]} className={classes.fields}>
          <FormNumber
            name={`skonto.${index}.percentBp`}
            label={t('skontoSteps.percent')}
            isRequired
            unit="%"
            places={2}
            factor={100}
          />
          <FormNumber name={`skonto.${index}.days`} label={t('skontoSteps.days')} isRequired unit={t('daysUnit')} />
          {isReadOnly ? null : (
            <IconButton
              icon="trash"
              label={t('skontoSteps.remove', { number: index + 1 })}
              onClick={() => set(steps.toSpliced(index, 1))}
            />
          )}
        </div>
      ))}
      {isReadOnly || steps.length >= STEPS.length ? null : (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<Icon name="plus" />}
          onClick={() => set([...steps, steps.length === 0 ? FIRST_STEP : { percentBp: null, days: null }])}
        >
          {t('skontoSteps.add')}
        </Button>
      )}
    </Section>
  )
}

/** Bills go to the main address unless there is another (spec §3). */
function BillingAddress({ customer }: { customer: Customer | null }) {
  const { t } = useTranslation('customer')
  const billing = useField<CustomerValues['billingAddress']>('billingAddress')
  const billingCountryId = customer?.billingAddress?.countryId ?? null
  const titles = useTitles(countryApi, billingCountryId === null ? [] : [billingCountryId], [customer?.country])
  const title = billingCountryId === null ? undefined : titles.get(billingCountryId)
  return (
    <Section title={t('fields.billingAddress')}>
      <div className={classes.fields}>
        <div data-wide>
          <CheckField
            name="billingAddress"
            label={t('billingIsMain')}
            checked={billing.value === null}
            disabled={billing.isReadOnly}
            onChange={(event) =>
              billing.set(event.currentTarget.checked ? null : (customer?.billingAddress ?? EMPTY_ADDRESS))
            }
          />
        </div>
        {billing.value === null ? null : (
          <>
            <div data-half>
              <FormText
                name="billingAddress.title"
                label={t('billingTitle')}
                hint={t('billingTitleMeans')}
                maxLength={250}
                autoComplete="off"
              />
            </div>
            <div data-half>
              <FormText name="billingAddress.address" label={t('fields.address')} maxLength={250} autoComplete="off" />
            </div>
            <div data-narrow>
              <FormText name="billingAddress.postal" label={t('fields.postal')} maxLength={20} autoComplete="off" />
            </div>
            <div data-narrow>
              <FormText name="billingAddress.city" label={t('fields.city')} maxLength={100} autoComplete="off" />
            </div>
            <div data-half>
              <FormReference
                name="billingAddress.countryId"
                label={t('fields.countryId')}
                select={CountrySelect}
                current={billingCountryId === null || title === undefined ? null : { id: billingCountryId, title }}
              />
            </div>
          </>
        )}
      </div>
    </Section>
  )
}
