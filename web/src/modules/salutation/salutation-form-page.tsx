import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { GENDERS, salutationApi, type Gender, type Salutation } from '@waybill/contract/salutation'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../kit/api/load-error.tsx'
import { FormChoice } from '../../kit/form/choice-field.tsx'
import type { Draft } from '../../kit/form/draft-store.ts'
import { FormText } from '../../kit/form/fields.tsx'
import { FormPage } from '../../kit/form/form-page.tsx'
import { FormReference } from '../../kit/form/reference-fields.tsx'
import { useStateChange } from '../../kit/form/state-change.tsx'
import { idsInClashes, useEntityForm } from '../../kit/form/use-entity-form.ts'
import { useFormRecord, useNewRecordDraft } from '../../kit/form/use-form-record.ts'
import { FieldGrid } from '../../ui/field-grid.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Mark } from '../../ui/marks.tsx'
import { notify } from '../../ui/notify.tsx'
import { Section } from '../../ui/section.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { HistoryRail, useHistory, useHistoryRail } from '../audit-entry/history-section.tsx'
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
  const { id } = useParams({ strict: false }) as { id: string }
  const { data, error, refetch } = useFormRecord<typeof salutationApi, SalutationValues>(salutationApi, Number(id))
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={4} label={t('one')} />
  return <SalutationForm key={id} view={data.view} draft={data.draft} />
}

/** One that is still to be made. */
export function SalutationNewPage() {
  const { t } = useTranslation('salutation')
  const { data, error, refetch } = useNewRecordDraft<SalutationValues>(salutationApi)
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={4} label={t('create')} />
  return <SalutationForm view={null} draft={data.draft} />
}

function SalutationForm({ view, draft }: { view: Salutation | null; draft: Draft<SalutationValues> | null }) {
  const { t } = useTranslation('salutation')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const rail = useHistoryRail()
  const labelOf = useSalutationLabels()
  const form = useEntityForm<typeof salutationApi, SalutationValues>({
    api: salutationApi,
    view,
    draft,
    empty: EMPTY,
    valuesOf,
    bodyOf: (values) => values,
    onSaved: (saved, isLeaving) => {
      notify({ tone: 'ok', title: t('saved', { title: saved.title }), closeLabel: t('form:close') })
      void queries.invalidateQueries({ queryKey: ['audit-entries'] })
      if (view === null && !isLeaving) void navigate({ to: salutationPath(saved.id) })
    },
  })
  const record = form.view
  const wordsOf = useSalutationWords(record, idsInClashes(form.conflict, 'countryId'))
  const owner = { salutationId: record?.id ?? 0 }
  const [newest] = useHistory(owner, record !== null).data?.pages[0]?.items ?? []
  const state = useStateChange({
    api: salutationApi,
    question: useSalutationStateQuestion(),
    onChanged: (changed) => {
      form.accept(changed)
      void queries.invalidateQueries({ queryKey: ['audit-entries'] })
    },
    takeRefusal: form.takeRefusal,
  })
  return (
    <FormPage
      form={form}
      name={record?.title ?? t('create')}
      back={{ to: '/salutations', label: t('back') }}
      note={record?.state === 'inactive' ? <Mark level={2}>{t('list:state.inactive')}</Mark> : null}
      actions={
        record === null ? null : (
          <>
            <IconButton icon="history" label={t('history:title')} aria-pressed={rail.isOpen} onClick={rail.toggle} />
            <Button onClick={() => state.ask(record)}>{t(record.state === 'active' ? 'change.inactive.confirm' : 'change.active.confirm')}</Button>
          </>
        )
      }
      labelOf={labelOf}
      wordsOf={wordsOf}
      other={newest?.actor?.title ?? null}
      aside={record !== null && rail.isOpen ? <HistoryRail owner={owner} onHide={rail.toggle} labelOf={labelOf} wordsOf={wordsOf} /> : null}
    >
      <Section title={t('one')}>
        <FieldGrid>
          <FormText name="title" label={t('fields.title')} isRequired maxLength={100} autoComplete="off" />
          <FormChoice name="gender" label={t('fields.gender')} isRequired choices={GENDERS.map((value) => ({ value, label: t(`gender.${value}`) }))} />
          <FormReference name="countryId" label={t('fields.countryId')} isRequired select={CountrySelect} current={record?.country ?? null} />
        </FieldGrid>
      </Section>
      {state.dialog}
    </FormPage>
  )
}
