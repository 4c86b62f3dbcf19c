import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { departmentApi, type Department } from '@waybill/contract/department'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../kit/api/load-error.tsx'
import type { Draft } from '../../kit/form/draft-store.ts'
import { FormText } from '../../kit/form/fields.tsx'
import { FormPage, useFormTabs } from '../../kit/form/form-page.tsx'
import { FormReference } from '../../kit/form/reference-fields.tsx'
import { useStateChange } from '../../kit/form/state-change.tsx'
import { idsInClashes, useEntityForm } from '../../kit/form/use-entity-form.ts'
import { useFormRecord, useNewRecordDraft } from '../../kit/form/use-form-record.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { ReadOnlyField } from '../../ui/field.tsx'
import { FieldGrid } from '../../ui/field-grid.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Mark } from '../../ui/marks.tsx'
import { notify } from '../../ui/notify.tsx'
import { Section } from '../../ui/section.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { HistoryRail, useHistory, useHistoryRail } from '../audit-entry/history-section.tsx'
import { CompanySelect } from '../company/company-select.tsx'
import { CountrySelect } from '../country/country-select.tsx'
import { departmentPath } from './department-columns.tsx'
import { useDepartmentLabels, useDepartmentStateQuestion, useDepartmentWords } from './department-words.ts'

/** What the form holds: the write shape, where a field may be empty while it is typed. */
interface DepartmentValues {
  abbreviation: string | null
  companyId: number | null
  countryId: number | null
  city: string | null
}

const EMPTY: DepartmentValues = { abbreviation: null, companyId: null, countryId: null, city: null }
const valuesOf = ({ abbreviation, companyId, countryId, city }: Department): DepartmentValues => ({ abbreviation, companyId, countryId, city })
const TABS = ['general'] as const

/** One department: where it belongs. */
export function DepartmentFormPage() {
  const { t } = useTranslation('department')
  const { id } = useParams({ strict: false }) as { id: string }
  const { data, error, refetch } = useFormRecord<typeof departmentApi, DepartmentValues>(departmentApi, Number(id))
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={4} label={t('one')} />
  return <DepartmentForm key={id} view={data.view} draft={data.draft} />
}

/** One that is still to be made. */
export function DepartmentNewPage() {
  const { t } = useTranslation('department')
  const { data, error, refetch } = useNewRecordDraft<DepartmentValues>(departmentApi)
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={4} label={t('create')} />
  return <DepartmentForm view={null} draft={data.draft} />
}

function DepartmentForm({ view, draft }: { view: Department | null; draft: Draft<DepartmentValues> | null }) {
  const { t } = useTranslation('department')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const format = useFormat()
  const rail = useHistoryRail()
  const labelOf = useDepartmentLabels()
  // Templates of mails and documents will stand beside it.
  const tabs = useFormTabs(TABS, () => 'general')
  const form = useEntityForm<typeof departmentApi, DepartmentValues>({
    api: departmentApi,
    view,
    draft,
    empty: EMPTY,
    valuesOf,
    bodyOf: (values) => values,
    onSaved: (saved, isLeaving) => {
      notify({ tone: 'ok', title: t('saved', { title: saved.abbreviation }), closeLabel: t('form:close') })
      void queries.invalidateQueries({ queryKey: ['audit-entries'] })
      if (view === null && !isLeaving) void navigate({ to: departmentPath(saved.id) })
    },
  })
  const record = form.view
  const wordsOf = useDepartmentWords(record, idsInClashes(form.conflict, 'companyId'), idsInClashes(form.conflict, 'countryId'))
  const owner = { departmentId: record?.id ?? 0 }
  const [newest] = useHistory(owner, record !== null).data?.pages[0]?.items ?? []
  const state = useStateChange({
    api: departmentApi,
    question: useDepartmentStateQuestion(),
    onChanged: (changed) => {
      form.accept(changed)
      void queries.invalidateQueries({ queryKey: ['audit-entries'] })
    },
    takeRefusal: form.takeRefusal,
  })
  return (
    <FormPage
      form={form}
      name={record?.abbreviation ?? t('create')}
      back={{ to: '/departments', label: t('back') }}
      note={record?.state === 'inactive' ? <Mark level={2}>{t('list:state.inactive')}</Mark> : null}
      actions={
        record === null ? null : (
          <>
            <IconButton icon="history" label={t('history:title')} aria-pressed={rail.isOpen} onClick={rail.toggle} />
            <Button onClick={() => state.ask(record)}>{t(record.state === 'active' ? 'change.inactive.confirm' : 'change.active.confirm')}</Button>
          </>
        )
      }
      tabs={{ ...tabs, label: t('parts'), labels: { general: t('tab.general') } }}
      labelOf={labelOf}
      wordsOf={wordsOf}
      other={newest?.actor?.title ?? null}
      aside={record !== null && rail.isOpen ? <HistoryRail owner={owner} onHide={rail.toggle} labelOf={labelOf} wordsOf={wordsOf} /> : null}
    >
      <Section title={t('one')}>
        <FieldGrid>
          <FormText name="abbreviation" label={t('fields.abbreviation')} isRequired maxLength={30} autoComplete="off" />
          <FormReference name="companyId" label={t('fields.companyId')} isRequired select={CompanySelect} current={record?.company ?? null} />
          <FormReference name="countryId" label={t('fields.countryId')} isRequired select={CountrySelect} current={record?.country ?? null} />
          <FormText name="city" label={t('fields.city')} maxLength={100} autoComplete="off" />
          {record === null ? null : <ReadOnlyField label={t('fields.createdAt')}>{format.day(record.createdAt)}</ReadOnlyField>}
        </FieldGrid>
      </Section>
      {state.dialog}
    </FormPage>
  )
}
