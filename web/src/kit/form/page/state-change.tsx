import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { State } from '@waybill/contract/kit/fields'
import type { ResourceApi, Versioned, ViewOf } from '@waybill/contract/kit/resource'
import { useCallback, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmModal } from '../../../ui/windows/confirm-modal.tsx'
import { Mark } from '../../../ui/marks/marks.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import { callApi } from '../../api/call-api.ts'
import { useErrorText } from '../../i18n/error-text.ts'
import type { EntityForm } from '../state/entity-form.ts'

type Stateful = Versioned & { state: State }

const otherState = ({ state }: Stateful): State => (state === 'active' ? 'inactive' : 'active')

/** What is asked before a record is deactivated or activated. */
export interface StateQuestion {
  title: string
  /** What happens to what */
  text: ReactNode
  /** The verb, again on the button */
  confirm: string
  /** Said when it was refused */
  refused: string
}

type Question<One> = (record: One, next: State) => StateQuestion

interface StateChangeOptions<Api extends ResourceApi, One extends Stateful> {
  api: Api
  question: Question<One>
  onChanged: (record: ViewOf<Api>) => void
  /** Takes a refusal that a form shows in its own place; true where it did. */
  takeRefusal?: (error: unknown) => boolean
}

/**
 * Deactivates a record or takes it back in, asking first (spec §4, Active/inactive). The dialog
 * belongs somewhere on the screen.
 */
function useStateChange<Api extends ResourceApi, One extends Stateful>({
  api,
  question,
  onChanged,
  takeRefusal,
}: StateChangeOptions<Api, One>): { ask: (record: One) => void; dialog: ReactNode } {
  const { t } = useTranslation('form')
  const errorText = useErrorText()
  const [asked, setAsked] = useState<One | null>(null)
  const [isOpen, setOpen] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const next = asked === null ? 'active' : otherState(asked)
  const words = asked === null ? null : question(asked, next)
  const change = async () => {
    if (asked === null || words === null) return
    setBusy(true)
    try {
      onChanged(
        (await callApi(api.patch, {
          params: { id: asked.id },
          body: { state: next },
          version: asked.version,
        })) as ViewOf<Api>,
      )
    } catch (error) {
      if (!takeRefusal?.(error))
        notify({ tone: 'danger', title: words.refused, detail: errorText(error), closeLabel: t('close') })
    } finally {
      setBusy(false)
      setOpen(false)
    }
  }
  // The same function between renders: a list's columns hold it.
  const ask = useCallback((record: One) => {
    setAsked(record)
    setOpen(true)
  }, [])
  return {
    ask,
    // The words stay while the dialog closes.
    dialog: (
      <ConfirmModal
        isOpen={isOpen}
        withInfoIcon
        tone={next === 'inactive' ? 'danger' : 'primary'}
        title={words?.title}
        confirmLabel={words?.confirm}
        cancelLabel={t('cancel')}
        closeLabel={t('close')}
        isBusy={isBusy}
        onCancel={() => setOpen(false)}
        onConfirm={() => void change()}
      >
        {words?.text}
      </ConfirmModal>
    ),
  }
}

/** Deactivates and activates the rows of a list. */
export function useStateOfRows<Row extends Stateful>(
  api: ResourceApi,
  question: Question<Row>,
): { ask: (row: Row) => void; dialog: ReactNode } {
  const queries = useQueryClient()
  return useStateChange({ api, question, onChanged: () => void queries.invalidateQueries({ queryKey: [api.path] }) })
}

/** How a form shows its record's state: a mark beside the name, the button that changes it, and what is asked first. */
export interface RecordState {
  mark: ReactNode
  button: ReactNode
  dialog: ReactNode
}

/** Deactivates and activates the record of a form; nothing shows for one that is still to be made. */
export function useStateOfRecord<Api extends ResourceApi, Values extends object>(
  api: Api,
  form: EntityForm<Api, Values>,
  question: Question<ViewOf<Api> & Stateful>,
): RecordState & { /** Asks, for a screen that has no room for the button */ action: (() => void) | null } {
  const { t } = useTranslation('list')
  const { ask, dialog } = useStateChange<Api, ViewOf<Api> & Stateful>({
    api,
    question,
    onChanged: form.accept,
    takeRefusal: form.takeRefusal,
  })
  const record = form.view as (ViewOf<Api> & Stateful) | null
  return {
    mark: record?.state === 'inactive' ? <Mark level={2}>{t('state.inactive')}</Mark> : null,
    button:
      record === null ? null : (
        <Button onClick={() => ask(record)}>{question(record, otherState(record)).confirm}</Button>
      ),
    action: record === null ? null : () => ask(record),
    dialog,
  }
}
