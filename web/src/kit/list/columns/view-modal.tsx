import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { createView, listViews, patchView, removeView, VIEW_AUDIENCES, type View } from '@waybill/contract/preferences'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ModalFrame } from '../../../ui/windows/confirm-modal.tsx'
import { TextField } from '../../../ui/fields/field.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import { SelectField } from '../../../ui/fields/select-field.tsx'
import { ApiError } from '../../api/api-error.ts'
import { callApi, newIdempotencyKey } from '../../api/call-api.ts'
import { useKept } from '../../form/state/use-kept-typing.ts'
import { useErrorText, useFieldErrorText } from '../../i18n/error-text.ts'
import classes from './view-menu.module.css'

interface ViewModalProps {
  /** Null for a new one */
  view: View | null
  list: string
  query: string
  /** As they are chosen now; null: the standard ones */
  columns: View['columns']
  onClose: () => void
}

interface TypedView extends Pick<View, 'name' | 'sharedWith'> {
  /** of the view that it was typed upon; null for a new one */
  version: number | null
}

/** Names a view and says who may use it. */
export function ViewModal({ view, list, query, columns, onClose }: ViewModalProps) {
  const { t } = useTranslation(['list', 'list-page'])
  const errorText = useErrorText()
  const fieldErrorText = useFieldErrorText()
  const queries = useQueryClient()
  const typed = useKept<TypedView>(`views/${list}`, view?.id ?? 'new', {
    name: view?.name ?? '',
    sharedWith: view?.sharedWith ?? 'nobody',
    version: view?.version ?? null,
  })
  const { name, sharedWith, version } = typed.values
  const [isTried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<unknown>(null)
  const [key] = useState(newIdempotencyKey)
  const nameError =
    refusal instanceof ApiError ? refusal.errors.find(({ path }) => path === 'name')?.message : undefined
  const act = async (said: string, work: () => Promise<unknown>) => {
    setBusy(true)
    setRefusal(null)
    try {
      await work()
      void typed.forget()
      await queries.invalidateQueries({ queryKey: [listViews.path] })
      notify({ tone: 'ok', title: said, closeLabel: t('close') })
      onClose()
    } catch (error) {
      setRefusal(error)
    } finally {
      setBusy(false)
    }
  }
  const save = () => {
    setTried(true)
    if (name.trim() === '') return
    void act(t('list-page:views.saved', { name: name.trim() }), () =>
      view === null
        ? callApi(createView, {
            body: { list, name: name.trim(), query, columns, sharedWith },
            idempotencyKey: `${key} ${name.trim()} ${sharedWith}`.slice(0, 200),
          })
        : callApi(patchView, {
            params: { id: view.id },
            body: { name: name.trim(), sharedWith },
            version: version ?? view.version,
          }),
    )
  }
  const giveUp = () => {
    void typed.forget()
    onClose()
  }
  return (
    <ModalFrame
      isOpen
      onClose={giveUp}
      onSubmit={save}
      title={view === null ? t('list-page:views.saveTitle') : t('list-page:views.editTitle')}
      closeLabel={t('close')}
      footer={
        <>
          {view === null ? null : (
            <Button
              color="red"
              variant="subtle"
              className={classes.remove}
              disabled={isBusy}
              onClick={() =>
                void act(t('list-page:views.removed', { name: view.name }), () =>
                  callApi(removeView, { params: { id: view.id } }),
                )
              }
            >
              {t('list-page:views.remove')}
            </Button>
          )}
          <Button onClick={giveUp}>{t('cancel')}</Button>
          <Button type="submit" variant="filled" loading={isBusy}>
            {t('list-page:views.store')}
          </Button>
        </>
      }
    >
      <div className={classes.fields}>
        <TextField
          data-autofocus
          label={t('list-page:views.name')}
          isRequired
          value={name}
          maxLength={80}
          error={isTried && name.trim() === '' ? fieldErrorText('required') : nameError}
          onChange={(event) => {
            typed.change({ name: event.currentTarget.value })
            setRefusal(null)
          }}
        />
        <SelectField
          label={t('list-page:views.sharedWith')}
          allowDeselect={false}
          data={VIEW_AUDIENCES.map((value) => ({ value, label: t(`list-page:views.audience.${value}`) }))}
          value={sharedWith}
          onChange={(value) => typed.change({ sharedWith: VIEW_AUDIENCES.find((one) => one === value) ?? 'nobody' })}
        />
        {refusal !== null && nameError === undefined ? (
          <Notice tone="danger" isUrgent>
            {errorText(refusal)}
          </Notice>
        ) : null}
      </div>
    </ModalFrame>
  )
}
