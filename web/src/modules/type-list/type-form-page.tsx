import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../kit/api/load-error.tsx'
import type { Draft } from '../../kit/form/draft-store.ts'
import { FormText } from '../../kit/form/fields.tsx'
import { FormPage } from '../../kit/form/form-page.tsx'
import { useStateChange } from '../../kit/form/state-change.tsx'
import { useEntityForm } from '../../kit/form/use-entity-form.ts'
import { useFormRecord, useNewRecordDraft } from '../../kit/form/use-form-record.ts'
import { useValueWords } from '../../kit/form/value-words.ts'
import { FieldGrid } from '../../ui/field-grid.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Mark } from '../../ui/marks.tsx'
import { notify } from '../../ui/notify.tsx'
import { Section } from '../../ui/section.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { HistoryRail, useHistory, useHistoryRail } from '../audit-entry/history-section.tsx'
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
  const { id } = useParams({ strict: false }) as { id: string }
  const { data, error, refetch } = useFormRecord<TypeApi, TypeValues>(api, Number(id))
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={4} label={t(`${words}.one`)} />
  return <TypeForm key={id} view={data.view} draft={data.draft} />
}

/** One that is still to be made. */
export function TypeNewPage() {
  const { api, words } = useTypeList()
  const { t } = useTranslation('type-list')
  const { data, error, refetch } = useNewRecordDraft<TypeValues>(api)
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={4} label={t(`${words}.create`)} />
  return <TypeForm view={null} draft={data.draft} />
}

function TypeForm({ view, draft }: { view: Type | null; draft: Draft<TypeValues> | null }) {
  const typeList = useTypeList()
  const { api, owner: ownerName, words } = typeList
  const { t } = useTranslation('type-list')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const rail = useHistoryRail()
  const labelOf = useTypeLabels(typeList)
  const wordsOf = useValueWords()
  const form = useEntityForm<TypeApi, TypeValues>({
    api,
    view,
    draft,
    empty: EMPTY,
    valuesOf,
    bodyOf: (values) => values,
    onSaved: (saved, isLeaving) => {
      notify({ tone: 'ok', title: t('saved', { title: saved.title }), closeLabel: t('form:close') })
      void queries.invalidateQueries({ queryKey: ['audit-entries'] })
      if (view === null && !isLeaving) void navigate({ to: typePath(typeList, saved.id) })
    },
  })
  const record = form.view
  const owner = { [ownerName]: record?.id ?? 0 }
  const [newest] = useHistory(owner, record !== null).data?.pages[0]?.items ?? []
  const state = useStateChange({
    api,
    question: useTypeStateQuestion(),
    onChanged: (changed) => {
      form.accept(changed)
      void queries.invalidateQueries({ queryKey: ['audit-entries'] })
    },
    takeRefusal: form.takeRefusal,
  })
  return (
    <FormPage
      form={form}
      name={record?.title ?? t(`${words}.create`)}
      back={{ to: `/${api.path}`, label: t('back') }}
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
      <Section title={t(`${words}.one`)}>
        <FieldGrid>
          <FormText name="title" label={t('fields.title')} isRequired maxLength={100} />
        </FieldGrid>
      </Section>
      {state.dialog}
    </FormPage>
  )
}
