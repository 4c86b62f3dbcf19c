import { LANGUAGES, type Language } from '@waybill/contract/errors'
import { findCarrierLookalikes, type CarrierCompany } from '@waybill/contract/carrier-company'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ChildGrid, type ChildColumn } from '../../kit/form/fields/child-grid.tsx'
import { FormCheck, FormNumber, FormText, FormTextArea } from '../../kit/form/fields/fields.tsx'
import { useField, useFormContext, useFormValue } from '../../kit/form/state/form-context.ts'
import { useNamedField } from '../../kit/form/state/use-named-field.ts'
import { FormReference } from '../../kit/form/fields/reference-fields.tsx'
import { LANGUAGE_NAMES } from '../../kit/i18n/languages.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { FieldGrid } from '../../ui/fields/field-grid.tsx'
import { Section } from '../../ui/page/section.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { RefusedAddresses } from '../email/refused-address-section.tsx'
import { AccountNumberField } from '../bookkeeping/account-number-section.tsx'
import { CountrySelect } from '../country/country-select.tsx'
import { CarrierBanks } from './carrier-company-banks.tsx'
import { EMPTY_CONTACT, emailsIn } from './carrier-company-values.ts'
import { useVatShape } from '../partner/vat-shape-section.ts'

/** Who the carrier is, where it sits, whom one calls, where it is paid. Null for one that is still to be made. */
export function CarrierGeneral({
  carrier,
  onConfirm,
}: {
  carrier: CarrierCompany | null
  onConfirm: (bankAccountId: number) => Promise<void>
}) {
  const { t } = useTranslation('carrier-company')
  useNamedField()
  const lookAtVatShape = useVatShape(findCarrierLookalikes)
  const representative = useFormValue<string | null | undefined>('representative.email')
  const billing = useFormValue<readonly string[] | undefined>('billingAddress.emails')
  return (
    <>
      <Section title={t('one')}>
        <FieldGrid>
          <FormText name="title" label={t('fields.title')} isRequired maxLength={250} autoComplete="off" />
          <FormText
            name="vatNumber"
            label={t('fields.vatNumber')}
            maxLength={30}
            autoComplete="off"
            onBlur={lookAtVatShape}
          />
          <FormText name="timocomId" label={t('fields.timocomId')} maxLength={30} autoComplete="off" />
          <FormText name="transId" label={t('fields.transId')} maxLength={30} autoComplete="off" />
          <FormText
            name="website"
            label={t('fields.website')}
            type="url"
            inputMode="url"
            maxLength={250}
            autoComplete="off"
          />
          <LanguageField />
          <FormNumber
            name="paymentPeriodDays"
            label={t('fields.paymentPeriodDays')}
            hint={t('periodMeans')}
            unit={t('daysUnit')}
          />
          <AccountNumberField name="creditorNumber" side="expense" />
        </FieldGrid>
      </Section>
      <Section title={t('sections.address')}>
        <FieldGrid>
          <FormText name="address" label={t('fields.address')} maxLength={250} autoComplete="off" />
          <FormText name="postal" label={t('fields.postal')} maxLength={20} autoComplete="off" />
          <FormText name="city" label={t('fields.city')} maxLength={100} autoComplete="off" />
          <FormReference
            name="countryId"
            label={t('fields.countryId')}
            isRequired
            select={CountrySelect}
            current={carrier?.country ?? null}
          />
        </FieldGrid>
      </Section>
      <Section title={t('sections.billingAddress')} summary={t('billingMeans')}>
        <FieldGrid>
          <FormText name="billingAddress.title" label={t('fields.billingTitle')} maxLength={250} autoComplete="off" />
          <EmailsField />
          <FormText name="billingAddress.address" label={t('fields.address')} maxLength={250} autoComplete="off" />
          <FormText name="billingAddress.postal" label={t('fields.postal')} maxLength={20} autoComplete="off" />
          <FormText name="billingAddress.city" label={t('fields.city')} maxLength={100} autoComplete="off" />
          <FormReference
            name="billingAddress.countryId"
            label={t('fields.countryId')}
            select={CountrySelect}
            current={carrier?.billingCountry ?? null}
          />
        </FieldGrid>
        <RefusedAddresses addresses={billing ?? []} />
      </Section>
      <Section title={t('sections.representative')}>
        <FieldGrid>
          <FormText name="representative.fullName" label={t('fields.fullName')} maxLength={150} autoComplete="off" />
          <FormText name="representative.position" label={t('fields.position')} maxLength={100} autoComplete="off" />
          <FormText
            name="representative.phone"
            label={t('fields.phone')}
            type="tel"
            inputMode="tel"
            maxLength={50}
            autoComplete="off"
          />
          <FormText
            name="representative.email"
            label={t('fields.email')}
            type="email"
            inputMode="email"
            maxLength={250}
            autoComplete="off"
          />
        </FieldGrid>
        <RefusedAddresses addresses={[representative]} />
      </Section>
      <Section title={t('sections.clearance')} summary={t('clearanceMeans')}>
        <FieldGrid>
          <FormText
            name="blockedReason"
            label={t('fields.blockedReason')}
            hint={t('blockedMeans')}
            maxLength={500}
            autoComplete="off"
          />
          <FormText
            name="licenceNotNeededReason"
            label={t('fields.licenceNotNeededReason')}
            hint={t('licenceMeans')}
            maxLength={500}
            autoComplete="off"
          />
          <FormCheck name="isOnceOnly" label={t('fields.isOnceOnly')} />
        </FieldGrid>
      </Section>
      <ContactPersons />
      <CarrierBanks carrier={carrier} onConfirm={onConfirm} />
      <Section title={t('sections.notes')}>
        <FieldGrid>
          <FormTextArea
            name="warnings"
            label={t('fields.warnings')}
            hint={t('warningsMean')}
            minRows={2}
            maxLength={4000}
          />
          <FormTextArea name="notes" label={t('fields.notes')} minRows={2} maxLength={4000} />
        </FieldGrid>
      </Section>
    </>
  )
}

function LanguageField() {
  const { t } = useTranslation('carrier-company')
  const field = useField<Language | null>('language')
  return (
    <div data-path="language">
      <SelectField
        label={t('fields.language')}
        placeholder={t('languageOfCountry')}
        error={field.error}
        isChanged={field.isChanged}
        readOnly={field.isReadOnly}
        clearable
        clearButtonProps={{ 'aria-label': t('languageOfCountry') }}
        data={LANGUAGES.map((language) => ({ value: language, label: LANGUAGE_NAMES[language] }))}
        value={field.value}
        onChange={(value) => field.set(LANGUAGES.find((language) => language === value) ?? null)}
      />
    </div>
  )
}

/** Several addresses in one line, as they are copied from a mail. */
function EmailsField() {
  const { t } = useTranslation('carrier-company')
  const { problems } = useFormContext()
  const field = useField<string[]>('billingAddress.emails')
  const [typed, setTyped] = useState<string | null>(null)
  const problem = problems.find(({ path }) => path.startsWith('billingAddress.emails'))
  return (
    <TextField
      name="billingAddress.emails"
      label={t('fields.emails')}
      hint={t('emailsMean')}
      inputMode="email"
      autoComplete="off"
      maxLength={2000}
      error={problem?.message}
      isChanged={field.isChanged}
      readOnly={field.isReadOnly}
      value={typed ?? field.value.join(', ')}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        field.set(emailsIn(event.currentTarget.value))
      }}
      onBlur={() => setTyped(null)}
    />
  )
}

/** Whom one calls. */
function ContactPersons() {
  const { t } = useTranslation('carrier-company')
  const persons = useFormValue<readonly { email: string | null }[]>('contactPersons')
  const columns = useMemo(
    (): readonly ChildColumn[] => [
      { field: 'fullName', label: t('fields.fullName'), maxLength: 150, isRequired: true },
      { field: 'position', label: t('fields.position'), maxLength: 100 },
      { field: 'phone', label: t('fields.phone'), width: 170, maxLength: 50, type: 'tel' },
      { field: 'email', label: t('fields.email'), maxLength: 250, type: 'email' },
    ],
    [t],
  )
  return (
    <Section title={t('sections.contactPersons')} isFlush>
      <ChildGrid
        name="contactPersons"
        label={t('sections.contactPersons')}
        columns={columns}
        empty={EMPTY_CONTACT}
        addLabel={t('addContact')}
        removeLabel={(line) => t('removeLine', { what: t('line.contactPersons', { line }) })}
        emptyText={t('noContacts')}
      />
      <RefusedAddresses addresses={persons.map(({ email }) => email)} />
    </Section>
  )
}
