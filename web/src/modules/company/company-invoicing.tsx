import { CompanyWrite, getInvoiceCounter, invoiceNumber, UMLAUTS, type Company } from '@waybill/contract/company'
import { KSEF_MODES } from '@waybill/contract/e-invoice/ksef-states'
import { LANGUAGES } from '@waybill/contract/errors'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { FormChoice, FormTimeZone } from '../../kit/form/fields/choice-field.tsx'
import { FormCheck, FormNumber, FormText } from '../../kit/form/fields/fields.tsx'
import { useNamedField } from '../../kit/form/state/use-named-field.ts'
import { check } from '../../kit/shapes/check.ts'
import { useFormValue } from '../../kit/form/state/form-context.ts'
import { LANGUAGE_NAMES } from '../../kit/i18n/languages.ts'
import { localToday } from '../../kit/list/filter/filters.ts'
import { FieldGrid } from '../../ui/fields/field-grid.tsx'
import { Section } from '../../ui/page/section.tsx'
import { ElectronicAddressFields } from '../partner/electronic-address-section.tsx'

/** How a company writes its invoices. */
export function CompanyInvoicing({ company }: { company: Company | null }) {
  const { t } = useTranslation('company')
  useNamedField()
  return (
    <>
      <Section title={t('sections.invoices')}>
        <FieldGrid>
          <FormText
            name="invoiceNumberPattern"
            label={t('fields.invoiceNumberPattern')}
            hint={<NextNumber company={company} />}
            isRequired
            maxLength={40}
            autoComplete="off"
            spellCheck={false}
          />
          <FormTimeZone name="timeZone" label={t('fields.timeZone')} hint={t('timeZoneMeans')} isRequired />
          <FormNumber
            name="marginWarningBp"
            label={t('fields.marginWarningBp')}
            hint={t('marginMeans')}
            isRequired
            unit="%"
            places={2}
            factor={100}
          />
          <FormNumber
            name="amountToleranceCents"
            label={t('fields.amountToleranceCents')}
            hint={t('toleranceMeans')}
            isRequired
            unit="€"
            places={2}
            factor={100}
          />
          <FormChoice
            name="language"
            label={t('fields.language')}
            isRequired
            choices={LANGUAGES.map((language) => ({ value: language, label: LANGUAGE_NAMES[language] }))}
          />
        </FieldGrid>
      </Section>
      <Section title={t('sections.payments')}>
        <FieldGrid>
          <FormChoice
            name="umlautsInPayments"
            label={t('fields.umlautsInPayments')}
            isRequired
            choices={UMLAUTS.map((value) => ({ value, label: t(`umlauts.${value}`) }))}
          />
          <div data-wide>
            <FormCheck name="fourEyesRuns" label={t('fields.fourEyesRuns')} />
          </div>
        </FieldGrid>
      </Section>
      <Section title={t('sections.eInvoice')}>
        <FieldGrid>
          <div data-wide>
            <FormText
              name="eInvoiceContact.fullName"
              label={t('contactFields.fullName')}
              hint={t('eInvoiceMeans')}
              maxLength={150}
              autoComplete="off"
            />
          </div>
          <FormText
            name="eInvoiceContact.phone"
            label={t('contactFields.phone')}
            type="tel"
            inputMode="tel"
            maxLength={50}
            autoComplete="off"
          />
          <FormText
            name="eInvoiceContact.email"
            label={t('contactFields.email')}
            type="email"
            inputMode="email"
            maxLength={250}
            autoComplete="off"
          />
          <ElectronicAddressFields hint={t('eInvoiceAddressMeans')} />
          <FormChoice
            name="ksefMode"
            label={t('fields.ksefMode')}
            hint={t('ksefMeans')}
            placeholder={t('ksefByCountry')}
            choices={KSEF_MODES.map((value) => ({ value, label: t(`ksefModes.${value}`) }))}
          />
        </FieldGrid>
      </Section>
    </>
  )
}

/** What the pattern as it is typed makes of the next invoice. */
function NextNumber({ company }: { company: Company | null }) {
  const { t } = useTranslation('company')
  const pattern = useFormValue<string | null>('invoiceNumberPattern')
  const { data } = useQuery({
    queryKey: ['invoice-counter', company?.id],
    queryFn: ({ signal }) => callApi(getInvoiceCounter, { params: { id: company!.id }, signal }),
    enabled: company !== null,
    meta: { showsRefusals: true },
  })
  const { year, next } = data ?? { year: Number(localToday().slice(0, 4)), next: 1 }
  const read = check(CompanyWrite.shape.invoiceNumberPattern, pattern)
  if (!read.success) return t('patternMeans')
  return company !== null && data === undefined
    ? t('patternMeans')
    : t('nextNumber', { number: invoiceNumber(read.data, year, next) })
}
