import { GENDERS, salutationApi, type Gender, type Salutation } from '@waybill/contract/salutation'
import { useTranslation } from 'react-i18next'
import { FormChoice } from '../../kit/form/fields/choice-field.tsx'
import { FormText } from '../../kit/form/fields/fields.tsx'
import { FormPage } from '../../kit/form/page/form-page.tsx'
import { FormReference } from '../../kit/form/fields/reference-fields.tsx'
import { NewRecord, StoredRecord, useAfterSave } from '../../kit/form/page/record-form.tsx'
import { useStateOfRecord } from '../../kit/form/page/state-change.tsx'
import { idsInClashes, useEntityForm } from '../../kit/form/state/use-entity-form.ts'
import type { FormRecord } from '../../kit/form/state/use-form-record.ts'
import { FieldGrid } from '../../ui/fields/field-grid.tsx'
import { Section } from '../../ui/page/section.tsx'
import { useRecordHistory } from '../audit-entry/history-section.tsx'
import { CountrySelect } from '../country/country-select.tsx'
import { salutationPath } from './salutation-columns.tsx'
import { useSalutationLabels, useSalutationStateQuestion, useSalutationWords } from './salutation-words.ts'

/** What the form holds: the write shape, where a field may be empty while it is typed. */
interface SalutationValues {
  title: string | null
  gender: Gender | null
  countryId: number | null
}

const EMPTY: SalutationValues = { title: null, gender: null, countryId: null }
const valuesOf = ({ title, gender, countryId }: Salutation): SalutationValues => ({ title, gender, countryId })

/** One salutation. */
export function SalutationFormPage() {
  const { t } = useTranslation('salutation')
  return <StoredRecord api={salutationApi} label={t('one')} form={SalutationForm} />
}

/** One that is still to be made. */
export function SalutationNewPage() {
  const { t } = useTranslation('salutation')
  return <NewRecord api={salutationApi} label={t('create')} form={SalutationForm} />
}

function SalutationForm({ view, draft }: FormRecord<Salutation | null, SalutationValues>) {
  const { t } = useTranslation('salutation')
  const labelOf = useSalutationLabels()
  const form = useEntityForm<typeof salutationApi, SalutationValues>({
    api: salutationApi,
    view,
    draft,
    empty: EMPTY,
    valuesOf,
    bodyOf: (values) => values,
    onSaved: useAfterSave(view, { name: 'salutation', titleOf: ({ title }) => title, pathOf: salutationPath }),
  })
  const record = form.view
  const wordsOf = useSalutationWords(record, idsInClashes(form.conflict, 'countryId'))
  const history = useRecordHistory({ salutationId: record?.id ?? null }, { labelOf, wordsOf })
  const state = useStateOfRecord(salutationApi, form, useSalutationStateQuestion())
  return (
    <FormPage
      form={form}
      name={record?.title ?? t('create')}
      back={{ to: '/salutations', label: t('back') }}
      state={state}
      history={history}
      labelOf={labelOf}
      wordsOf={wordsOf}
    >
      <Section title={t('one')}>
        <FieldGrid>
          <FormText name="title" label={t('fields.title')} isRequired maxLength={100} autoComplete="off" />
          <FormChoice
            name="gender"
            label={t('fields.gender')}
            isRequired
            choices={GENDERS.map((value) => ({ value, label: t(`gender.${value}`) }))}
          />
          <FormReference
            name="countryId"
            label={t('fields.countryId')}
            isRequired
            select={CountrySelect}
            current={record?.country ?? null}
          />
        </FieldGrid>
      </Section>
    </FormPage>
  )
}
