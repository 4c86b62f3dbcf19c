import { useNavigate, useParams } from '@tanstack/react-router'
import type { ResourceApi, ViewOf } from '@waybill/contract/kit/resource'
import type { ComponentType } from 'react'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { LoadError } from '../../api/load-error.tsx'
import { useSavedNotice, type Saved } from './saved-notice.ts'
import { useFormRecord, useNewRecordDraft, type FormRecord } from '../state/use-form-record.ts'

interface RecordProps<Api extends ResourceApi, View, Values> {
  api: Api
  /** What is read out while it loads */
  label: string
  /** About as high as the form will be */
  lines?: number
  form: ComponentType<FormRecord<View, Values>>
}

/** The form of the record that the page's address names. */
export function StoredRecord<Api extends ResourceApi, Values>({
  api,
  label,
  lines = 4,
  form: Form,
}: RecordProps<Api, ViewOf<Api>, Values>) {
  const { id } = useParams({ strict: false }) as { id: string }
  const { data, error, refetch } = useFormRecord<Api, Values>(api, Number(id))
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={lines} label={label} />
  return <Form key={id} view={data.view} draft={data.draft} />
}

/** The form of a record that is still to be made. */
export function NewRecord<Values>({ api, label, lines = 4, form: Form }: RecordProps<ResourceApi, null, Values>) {
  const { data, error, refetch } = useNewRecordDraft<Values>(api)
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={lines} label={label} />
  return <Form view={null} draft={data.draft} />
}

interface SavedRecord<View> {
  name: Saved
  titleOf: (view: View) => string
  pathOf: (id: number) => string
}

/**
 * What follows a save: it is said, and a record that was made opens under its own address, at the same part of the
 * form.
 */
export function useAfterSave<View extends { id: number }>(
  before: View | null,
  { name, titleOf, pathOf }: SavedRecord<View>,
): (saved: View, isLeaving: boolean) => void {
  const navigate = useNavigate()
  const sayThatSaved = useSavedNotice()
  return (saved, isLeaving) => {
    sayThatSaved(name, titleOf(saved))
    if (before === null && !isLeaving)
      void navigate({ to: pathOf(saved.id), search: ((search: object) => search) as never })
  }
}
