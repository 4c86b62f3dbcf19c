import { useBlocker } from '@tanstack/react-router'
import { useState, useSyncExternalStore, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmModal } from '../../../ui/windows/confirm-modal.tsx'
import { useFormat } from '../../i18n/i18n.ts'
import type { EntityForm, FormApi } from '../state/entity-form.ts'
import { isSame } from '../state/values.ts'

interface LeaveGuardProps<Api extends FormApi, Values extends object> {
  form: EntityForm<Api, Values>
  /** What the record is called */
  name: ReactNode
  /** What a changed field is called */
  labelOf: (path: string) => string
}

const MOST_NAMED = 5

/** Asks before unsaved changes are left (spec §2, rule 5). It compares values, so what was taken back asks nothing. */
export function LeaveGuard<Api extends FormApi, Values extends object>({
  form,
  name,
  labelOf,
}: LeaveGuardProps<Api, Values>) {
  const { t } = useTranslation('form')
  const format = useFormat()
  const [isBusy, setBusy] = useState(false)
  const hasChanges = () => form.changes().length > 0
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => hasChanges() && current.pathname !== next.pathname,
    enableBeforeUnload: hasChanges,
    withResolver: true,
  })
  const isOpen = blocker.status === 'blocked'
  // A form that is only read asks nothing: the window is not even fetched before there is something to lose.
  const isUnsaved = useSyncExternalStore(form.onChanges, hasChanges)
  const [isWanted, setWanted] = useState(false)
  if (isUnsaved && !isWanted) setWanted(true)
  // What was unsaved when one was asked: it stays named while it is being saved, and while the window goes.
  const [labels, setLabels] = useState<readonly string[]>([])
  const unsaved = isOpen && !isBusy ? [...new Set(form.changes().map(({ path }) => labelOf(path)))] : labels
  if (!isSame(unsaved, labels)) setLabels(unsaved)
  const more = labels.length - MOST_NAMED
  const fields = format.list([...labels.slice(0, MOST_NAMED), ...(more > 0 ? [t('moreFields', { count: more })] : [])])
  const saveAndGo = async () => {
    setBusy(true)
    const saved = await form.save(true)
    setBusy(false)
    if (saved === null) blocker.reset?.()
    else blocker.proceed?.()
  }
  if (!isWanted) return null
  return (
    <ConfirmModal
      isOpen={isOpen}
      withInfoIcon
      title={t('leave.title')}
      confirmLabel={t('leave.leave')}
      cancelLabel={t('cancel')}
      closeLabel={t('close')}
      onCancel={() => blocker.reset?.()}
      onConfirm={() => {
        void form.abandon()
        blocker.proceed?.()
      }}
      isBusy={isBusy}
      extra={{ label: t('leave.saveAndContinue'), onClick: () => void saveAndGo() }}
    >
      {name} {t('leave.has', { count: labels.length, fields })}
    </ConfirmModal>
  )
}
