import { useQueries } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { FormCheck, FormNumber, FormText } from '../../kit/form/fields/fields.tsx'
import { FormReference } from '../../kit/form/fields/reference-fields.tsx'
import { useValueWords } from '../../kit/form/fields/value-words.ts'
import { FormPage } from '../../kit/form/page/form-page.tsx'
import { NewRecord, StoredRecord, useAfterSave } from '../../kit/form/page/record-form.tsx'
import { useStateOfRecord } from '../../kit/form/page/state-change.tsx'
import { idsInClashes } from '../../kit/form/state/entity-form.ts'
import { useEntityForm } from '../../kit/form/state/use-entity-form.ts'
import type { FormRecord } from '../../kit/form/state/use-form-record.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { titlesOf, withFound } from '../../kit/list/reference/references.ts'
import {
  mayWrite,
  recordPath,
  titleOf,
  type RecordApi,
  type RecordField,
  type RecordView,
  type RecordWidgets,
  type SimpleRecord,
} from '../../kit/record/simple-record.ts'
import { FieldGrid } from '../../ui/fields/field-grid.tsx'
import { Section } from '../../ui/page/section.tsx'
import { useRecordHistory } from '../audit-entry/history-section.tsx'
import { useRecordTexts } from './record-texts.ts'

/** What the form holds: the write shape, where a field may be empty while it is typed. */
type Values = Record<string, unknown>

/** The form of a stored simple record, as a page. */
export function recordFormPage(record: SimpleRecord, widgets: RecordWidgets = {}) {
  const form = formOf(record, widgets)
  return function RecordFormPage() {
    return <StoredRecord api={record.api} label={useRecordTexts(record).one} form={form} />
  }
}

/** The form of a simple record that is still to be made, as a page. */
export function recordNewPage(record: SimpleRecord, widgets: RecordWidgets = {}) {
  const form = formOf(record, widgets)
  return function RecordNewPage() {
    return <NewRecord api={record.api} label={useRecordTexts(record).create} form={form} />
  }
}

function formOf(record: SimpleRecord, widgets: RecordWidgets) {
  const { api, name, fields } = record
  const empty: Values = Object.fromEntries(fields.map((field) => [field.name, emptyValue(field)]))
  const valuesOf = (view: RecordView): Values =>
    Object.fromEntries(fields.map((field) => [field.name, view[field.name]]))
  const bodyOf = (values: Values): Values =>
    Object.fromEntries(fields.map((field) => [field.name, sentValue(field, values[field.name])]))

  return function RecordForm({ view, draft }: FormRecord<RecordView | null, Values>) {
    const { one, create, saved, back, labelOf, question } = useRecordTexts(record)
    const form = useEntityForm<RecordApi, Values>({
      api,
      view,
      draft,
      empty,
      valuesOf,
      bodyOf,
      isReadOnly: !mayWrite(record),
      onSaved: useAfterSave(view, {
        name: { sentence: saved },
        titleOf,
        pathOf: (id) => recordPath(record, id),
      }),
    })
    const shown = form.view
    const wordsOf = useFieldWords(record, shown, (path) => idsInClashes(form.conflict, path))
    const history = useRecordHistory({ [`${name}Id`]: shown?.id ?? null }, { labelOf, wordsOf })
    const state = useStateOfRecord(api, form, question)
    return (
      <FormPage
        form={form}
        name={shown === null ? create : titleOf(shown)}
        back={{ to: `/${api.path}`, label: back }}
        state={mayWrite(record) ? state : { ...state, button: null }}
        history={history}
        labelOf={labelOf}
        wordsOf={wordsOf}
      >
        <Section title={one}>
          <FieldGrid>
            {fields.map((field) => (
              <Field key={field.name} record={record} field={field} view={shown} widgets={widgets} />
            ))}
          </FieldGrid>
        </Section>
      </FormPage>
    )
  }
}

const emptyValue = (field: RecordField): unknown =>
  field.kind === 'own' ? field.empty : field.kind === 'flag' ? false : null

const sentValue = (field: RecordField, value: unknown): unknown =>
  field.kind === 'text' && field.isUpperCase ? ((value as string | null)?.trim().toUpperCase() ?? null) : value

interface FieldProps {
  record: SimpleRecord
  field: RecordField
  view: RecordView | null
  widgets: RecordWidgets
}

function Field({ record, field, view, widgets }: FieldProps) {
  const { t } = useTranslation(record.texts, { nsMode: 'fallback' })
  const { name, isRequired = false, hint } = field
  const marks = { name, isRequired, label: t(`fields.${name}`), ...(hint === undefined ? {} : { hint: t(hint) }) }
  const { choice: Choice, selects = {}, fields = {} } = widgets
  const Own = fields[name]
  if (Own !== undefined) return <Own {...marks} />
  if (field.kind === 'text') return <FormText {...marks} maxLength={field.maxLength} autoComplete="off" />
  if (field.kind === 'number') return <FormNumber {...marks} unit={field.unit} places={field.places} />
  if (field.kind === 'percent') return <FormNumber {...marks} unit="%" places={2} factor={100} />
  if (field.kind === 'money') return <FormNumber {...marks} unit="€" places={2} factor={100} />
  if (field.kind === 'flag') return <FormCheck name={name} label={marks.label} />
  if (field.kind === 'choice' && Choice !== undefined)
    return (
      <Choice {...marks} choices={Object.entries(field.choices).map(([value, word]) => ({ value, label: t(word) }))} />
    )
  const Select = selects[name]
  if (field.kind === 'reference' && Select !== undefined)
    return <FormReference {...marks} select={Select} current={referenceIn(view, field.shown)} />
  throw new Error(`no widget for ${record.name}.${name}`)
}

const referenceIn = (view: RecordView | null, shown: string) =>
  (view?.[shown] ?? null) as { id: number; title: string } | null

/** Values in words, for conflicts and the history. `idsOf`: what both sides of a conflict chose for a field. */
function useFieldWords(
  { texts, fields }: SimpleRecord,
  view: RecordView | null,
  idsOf: (path: string) => readonly number[],
): (path: string, value: unknown) => string {
  const { t } = useTranslation(texts, { nsMode: 'fallback' })
  const format = useFormat()
  const words = useValueWords()
  const references = fields.filter((field) => field.kind === 'reference')
  const asked = references.map(({ api, name, shown }) => ({ api, ids: idsOf(name), known: [referenceIn(view, shown)] }))
  const answers = useQueries({ queries: asked.map(titlesOf) })
  const titleAt = (path: string, id: number) => {
    const place = references.findIndex(({ name }) => name === path)
    return place === -1 ? undefined : withFound(asked[place]!, answers[place]?.data).get(id)
  }
  return (path, value) => {
    const field = fields.find(({ name }) => name === path.split('.')[0])
    if (field?.kind === 'own' && typeof value === 'object' && value !== null) return t(field.said)
    if (field?.kind === 'number' && typeof value === 'number')
      return `${format.number(value, 0, field.places)} ${field.unit}`
    if (field?.kind === 'percent' && typeof value === 'number') return format.percent(value)
    if (field?.kind === 'money' && typeof value === 'number') return format.euro(value)
    if (field?.kind === 'choice' && field.choices[value as string] !== undefined)
      return t(field.choices[value as string]!)
    return (typeof value === 'number' ? titleAt(path, value) : undefined) ?? words(path, value)
  }
}
