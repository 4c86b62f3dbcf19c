import type { Company } from '@waybill/contract/company'
import { useTranslation } from 'react-i18next'
import { FormText } from '../../kit/form/fields/fields.tsx'
import { FormReference } from '../../kit/form/fields/reference-fields.tsx'
import { FieldGrid } from '../../ui/fields/field-grid.tsx'
import { Section } from '../../ui/page/section.tsx'
import { CountrySelect } from '../country/country-select.tsx'

/** What a company is called, where it sits, how it is reached. */
export function CompanyGeneral({ company }: { company: Company | null }) {
  const { t } = useTranslation('company')
  return (
    <>
      <Section title={t('one')}>
        <FieldGrid>
          <FormText name="title" label={t('fields.title')} isRequired maxLength={250} autoComplete="off" />
          <FormText name="code" label={t('fields.code')} isRequired maxLength={20} autoComplete="off" />
          <FormText name="vatNumber" label={t('fields.vatNumber')} maxLength={30} autoComplete="off" />
          <FormText name="taxNumber" label={t('fields.taxNumber')} maxLength={30} autoComplete="off" />
          <div data-wide>
            <FormText
              name="register"
              label={t('fields.register')}
              hint={t('registerMeans')}
              maxLength={150}
              autoComplete="off"
            />
          </div>
        </FieldGrid>
      </Section>
      <Section title={t('sections.address')}>
        <FieldGrid>
          <FormText name="address" label={t('fields.address')} maxLength={250} autoComplete="off" />
          <FormReference
            name="countryId"
            label={t('fields.countryId')}
            isRequired
            select={CountrySelect}
            current={company?.country ?? null}
          />
          <FormText name="postal" label={t('fields.postal')} maxLength={20} autoComplete="off" />
          <FormText name="city" label={t('fields.city')} maxLength={100} autoComplete="off" />
          <FormText
            name="phone"
            label={t('fields.phone')}
            type="tel"
            inputMode="tel"
            maxLength={50}
            autoComplete="off"
          />
          <FormText
            name="email"
            label={t('fields.email')}
            type="email"
            inputMode="email"
            maxLength={250}
            autoComplete="off"
          />
        </FieldGrid>
      </Section>
    </>
  )
}
