import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { countryApi, type Country } from '@waybill/contract/country'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../kit/api/load-error.tsx'
import { FormTimeZone } from '../../kit/form/choice-field.tsx'
import type { Draft } from '../../kit/form/draft-store.ts'
import { FormCheck, FormNumber, FormText } from '../../kit/form/fields.tsx'
import { FormPage } from '../../kit/form/form-page.tsx'
import { useStateChange } from '../../kit/form/state-change.tsx'
import { useEntityForm } from '../../kit/form/use-entity-form.ts'
import { useFormRecord, useNewRecordDraft } from '../../kit/form/use-form-record.ts'
import { FieldGrid } from '../../ui/field-grid.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Mark } from '../../ui/marks.tsx'
import { notify } from '../../ui/notify.tsx'
import { Section } from '../../ui/section.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { HistoryRail, useHistory, useHistoryRail } from '../audit-entry/history-section.tsx'
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
const valuesOf = ({ title, code, isEu, standardVatBp, timeZone }: Country): CountryValues => ({ title, code, isEu, standardVatBp, timeZone })

/** One country. */
export function CountryFormPage() {
  const { t } = useTranslation('country')
  const { id } = useParams({ strict: false }) as { id: string }
  const { data, error, refetch } = useFormRecord<typeof countryApi, CountryValues>(countryApi, Number(id))
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={4} label={t('one')} />
  return <CountryForm key={id} view={data.view} draft={data.draft} />
}

/** One that is still to be made. */
export function CountryNewPage() {
  const { t } = useTranslation('country')
  const { data, error, refetch } = useNewRecordDraft<CountryValues>(countryApi)
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={4} label={t('create')} />
  return <CountryForm view={null} draft={data.draft} />
}

function CountryForm({ view, draft }: { view: Country | null; draft: Draft<CountryValues> | null }) {
  const { t } = useTranslation('country')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const rail = useHistoryRail()
  const labelOf = useCountryLabels()
  const wordsOf = useCountryWords()
  const form = useEntityForm<typeof countryApi, CountryValues>({
    api: countryApi,
    view,
    draft,
    empty: EMPTY,
    valuesOf,
    bodyOf: (values) => ({ ...values, code: values.code?.trim().toUpperCase() ?? null }),
    onSaved: (saved, isLeaving) => {
      notify({ tone: 'ok', title: t('saved', { title: saved.title }), closeLabel: t('form:close') })
      void queries.invalidateQueries({ queryKey: ['audit-entries'] })
      if (view === null && !isLeaving) void navigate({ to: countryPath(saved.id) })
    },
  })
  const record = form.view
  const owner = { countryId: record?.id ?? 0 }
  const [newest] = useHistory(owner, record !== null).data?.pages[0]?.items ?? []
  const state = useStateChange({
    api: countryApi,
    question: useCountryStateQuestion(),
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
      back={{ to: '/countries', label: t('back') }}
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
          <FormText name="code" label={t('fields.code')} hint={t('codeMeans')} isRequired maxLength={2} autoComplete="off" />
          <FormNumber name="standardVatBp" label={t('fields.standardVatBp')} hint={t('vatMeans')} isRequired unit="%" places={2} factor={100} />
          <FormTimeZone name="timeZone" label={t('fields.timeZone')} hint={t('timeZoneMeans')} isRequired />
          <FormCheck name="isEu" label={t('fields.isEu')} />
        </FieldGrid>
      </Section>
      {state.dialog}
    </FormPage>
  )
}
