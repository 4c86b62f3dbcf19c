import { useTranslation } from 'react-i18next'
import { FormText } from '../../kit/form/fields/fields.tsx'
import { FormPage } from '../../kit/form/page/form-page.tsx'
import { NewRecord, StoredRecord, useAfterSave } from '../../kit/form/page/record-form.tsx'
import { useStateOfRecord } from '../../kit/form/page/state-change.tsx'
import { useEntityForm } from '../../kit/form/state/use-entity-form.ts'
import type { FormRecord } from '../../kit/form/state/use-form-record.ts'
import { useValueWords } from '../../kit/form/fields/value-words.ts'
import { FieldGrid } from '../../ui/fields/field-grid.tsx'
import { Section } from '../../ui/page/section.tsx'
import { useRecordHistory } from '../audit-entry/history-section.tsx'
import { typePath, useTypeList, type Type, type TypeList } from './type-lists.ts'
import { useTypeLabels, useTypeStateQuestion } from './type-words.ts'

type TypeApi = TypeList['api']

/** What the form holds: the write shape, where a field may be empty while it is typed. */
interface TypeValues {
  title: string | null
}

const EMPTY: TypeValues = { title: null }
const valuesOf = ({ title }: Type): TypeValues => ({ title })

/** One entry of one of the lists. */
export function TypeFormPage() {
  const { api, words } = useTypeList()
  const { t } = useTranslation('type-list')
  return <StoredRecord api={api} label={t(`${words}.one`)} form={TypeForm} />
}

/** One that is still to be made. */
export function TypeNewPage() {
  const { api, words } = useTypeList()
  const { t } = useTranslation('type-list')
  return <NewRecord api={api} label={t(`${words}.create`)} form={TypeForm} />
}

function TypeForm({ view, draft }: FormRecord<Type | null, TypeValues>) {
  const typeList = useTypeList()
  const { api, name, words } = typeList
  const { t } = useTranslation('type-list')
  const labelOf = useTypeLabels(typeList)
  const wordsOf = useValueWords()
  const form = useEntityForm<TypeApi, TypeValues>({
    api,
    view,
    draft,
    empty: EMPTY,
    valuesOf,
    bodyOf: (values) => values,
    onSaved: useAfterSave(view, { name, titleOf: ({ title }) => title, pathOf: (id) => typePath(typeList, id) }),
  })
  const record = form.view
  const history = useRecordHistory({ [`${name}Id`]: record?.id ?? null }, { labelOf, wordsOf })
  const state = useStateOfRecord(api, form, useTypeStateQuestion())
  return (
    <FormPage
      form={form}
      name={record?.title ?? t(`${words}.create`)}
      back={{ to: `/${api.path}`, label: t('back') }}
      state={state}
      history={history}
      labelOf={labelOf}
      wordsOf={wordsOf}
    >
      <Section title={t(`${words}.one`)}>
        <FieldGrid>
          <FormText name="title" label={t('fields.title')} isRequired maxLength={100} />
        </FieldGrid>
      </Section>
    </FormPage>
  )
}
