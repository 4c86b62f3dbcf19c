import { EMAIL_PREFERENCES, type Customer, type customerApi } from '@waybill/contract/customer'
import { LANGUAGES } from '@waybill/contract/errors'
import { useTranslation } from 'react-i18next'
import { FormChoice } from '../../kit/form/fields/choice-field.tsx'
import { FormCheck, FormText, FormTextArea } from '../../kit/form/fields/fields.tsx'
import { FormReference } from '../../kit/form/fields/reference-fields.tsx'
import type { EntityForm } from '../../kit/form/state/entity-form.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { LANGUAGE_NAMES } from '../../kit/i18n/languages.ts'
import { ReadOnlyField } from '../../ui/fields/field.tsx'
import { Section } from '../../ui/page/section.tsx'
import { CountrySelect } from '../country/country-select.tsx'
import { UserSelect } from '../user/user-select.tsx'
import classes from './customer-form.module.css'
import type { CustomerValues } from './customer-values.ts'
import { VatNumberField } from './vat-number-field.tsx'

interface CustomerGeneralProps {
  /** Null for one that is still to be made */
  customer: Customer | null
  form: EntityForm<typeof customerApi, CustomerValues>
}

/** Who the customer is, where they sit, what is to be minded, and which mails they get. */
export function CustomerGeneral({ customer, form }: CustomerGeneralProps) {
  const { t } = useTranslation('customer')
  const format = useFormat()
  return (
    <>
      <Section title={t('sections.basics')}>
        <div className={classes.fields}>
          <FormText name="alias" label={t('fields.alias')} maxLength={100} autoComplete="off" />
          <div data-half>
            <FormText name="title" label={t('fields.title')} isRequired maxLength={250} autoComplete="off" />
          </div>
          <FormReference
            name="responsibleUserId"
            label={t('fields.responsibleUserId')}
            select={UserSelect}
            current={customer?.responsibleUser ?? null}
          />
          <div data-half>
            <VatNumberField customer={customer} form={form} />
          </div>
          {customer === null ? null : (
            <>
              <ReadOnlyField label={t('createdBy')}>{customer.creator?.title ?? '–'}</ReadOnlyField>
              <ReadOnlyField label={t('fields.createdAt')}>
                <span title={format.dateTime(customer.createdAt)}>{format.day(customer.createdAt)}</span>
              </ReadOnlyField>
            </>
          )}
        </div>
      </Section>
      <Section title={t('sections.address')}>
        <div className={classes.fields}>
          <div data-half>
            <FormText name="address" label={t('fields.address')} maxLength={250} autoComplete="off" />
          </div>
          <div data-narrow>
            <FormText name="postal" label={t('fields.postal')} maxLength={20} autoComplete="off" />
          </div>
          <div data-narrow>
            <FormText name="city" label={t('fields.city')} maxLength={100} autoComplete="off" />
          </div>
          <div data-half>
            <FormReference
              name="countryId"
              label={t('fields.countryId')}
              isRequired
              select={CountrySelect}
              current={customer?.country ?? null}
            />
          </div>
          <div data-half>
            <FormChoice
              name="language"
              label={t('fields.language')}
              hint={t('languageMeans')}
              isClearable
              placeholder={t('languageOfCountry')}
              choices={LANGUAGES.map((language) => ({ value: language, label: LANGUAGE_NAMES[language] }))}
            />
          </div>
        </div>
      </Section>
      <Section title={t('sections.remarks')}>
        <div className={classes.fields}>
          <div data-half>
            <FormTextArea
              name="specialInstructions"
              label={t('fields.specialInstructions')}
              minRows={2}
              maxRows={10}
              maxLength={4000}
            />
          </div>
          <div data-half>
            <FormTextArea
              name="warnings"
              label={t('fields.warnings')}
              note={t('warningsMean')}
              minRows={2}
              maxRows={10}
              maxLength={4000}
            />
          </div>
        </div>
      </Section>
      <Section title={t('sections.emails')} summary={t('emailsMean')}>
        <div className={classes.checks}>
          {EMAIL_PREFERENCES.map((name) => (
            <FormCheck key={name} name={`emailPreferences.${name}`} label={t(`emailPreferences.${name}`)} />
          ))}
        </div>
      </Section>
    </>
  )
}
