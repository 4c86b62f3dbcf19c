import { countryApi, type Country } from '@waybill/contract/country'
import { useTranslation } from 'react-i18next'
import { FormTimeZone } from '../../kit/form/fields/choice-field.tsx'
import { FormCheck, FormNumber, FormText } from '../../kit/form/fields/fields.tsx'
import { FormPage } from '../../kit/form/page/form-page.tsx'
import { NewRecord, StoredRecord, useAfterSave } from '../../kit/form/page/record-form.tsx'
import { useStateOfRecord } from '../../kit/form/page/state-change.tsx'
import { useEntityForm } from '../../kit/form/state/use-entity-form.ts'
import type { FormRecord } from '../../kit/form/state/use-form-record.ts'
import { FieldGrid } from '../../ui/fields/field-grid.tsx'
import { Section } from '../../ui/page/section.tsx'
import { useRecordHistory } from '../audit-entry/history-section.tsx'
import { countryPath } from './country-columns.tsx'
import { useCountryLabels, useCountryStateQuestion, useCountryWords } from './country-words.ts'

/** What the form holds: the write shape, where a field may be empty while it is typed. */
interface CountryValues {
  title: string | null
  code: string | null
  isEu: boolean
  standardVatBp: number | null
  timeZone: string | null
}

const EMPTY: CountryValues = { title: null, code: null, isEu: false, standardVatBp: null, timeZone: null }
const valuesOf = ({ title, code, isEu, standardVatBp, timeZone }: Country): CountryValues => ({
  title,
  code,
  isEu,
  standardVatBp,
  timeZone,
})

/** One country. */
export function CountryFormPage() {
  const { t } = useTranslation('country')
  return <StoredRecord api={countryApi} label={t('one')} form={CountryForm} />
}

/** One that is still to be made. */
export function CountryNewPage() {
  const { t } = useTranslation('country')
  return <NewRecord api={countryApi} label={t('create')} form={CountryForm} />
}

function CountryForm({ view, draft }: FormRecord<Country | null, CountryValues>) {
  const { t } = useTranslation('country')
  const labelOf = useCountryLabels()
  const wordsOf = useCountryWords()
  const form = useEntityForm<typeof countryApi, CountryValues>({
    api: countryApi,
    view,
    draft,
    empty: EMPTY,
    valuesOf,
    bodyOf: (values) => ({ ...values, code: values.code?.trim().toUpperCase() ?? null }),
    onSaved: useAfterSave(view, { name: 'country', titleOf: ({ title }) => title, pathOf: countryPath }),
  })
  const record = form.view
  const history = useRecordHistory({ countryId: record?.id ?? null }, { labelOf, wordsOf })
  const state = useStateOfRecord(countryApi, form, useCountryStateQuestion())
  return (
    <FormPage
      form={form}
      name={record?.title ?? t('create')}
      back={{ to: '/countries', label: t('back') }}
      state={state}
      history={history}
      labelOf={labelOf}
      wordsOf={wordsOf}
    >
      <Section title={t('one')}>
        <FieldGrid>
          <FormText name="title" label={t('fields.title')} isRequired maxLength={100} autoComplete="off" />
          <FormText
            name="code"
            label={t('fields.code')}
            hint={t('codeMeans')}
            isRequired
            maxLength={2}
            autoComplete="off"
          />
          <FormNumber
            name="standardVatBp"
            label={t('fields.standardVatBp')}
            hint={t('vatMeans')}
            isRequired
            unit="%"
            places={2}
            factor={100}
          />
          <FormTimeZone name="timeZone" label={t('fields.timeZone')} hint={t('timeZoneMeans')} isRequired />
          <FormCheck name="isEu" label={t('fields.isEu')} />
        </FieldGrid>
      </Section>
    </FormPage>
  )
}
