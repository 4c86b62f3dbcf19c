import type { State } from '@waybill/contract/kit/fields'
import type { ResourceApi, Versioned, ViewOf } from '@waybill/contract/kit/resource'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmModal } from '../../ui/confirm-modal.tsx'
import { notify } from '../../ui/notify.tsx'
import { callApi } from '../api/call-api.ts'
import { useErrorText } from '../i18n/error-text.ts'

type Stateful = Versioned & { state: State }

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

interface StateChangeOptions<Api extends ResourceApi, Asked> {
  api: Api
  question: (record: NoInfer<Asked>, next: State) => StateQuestion
  onChanged: (record: ViewOf<Api>) => void
  /** Takes a refusal that a form shows in its own place; true where it did. */
  takeRefusal?: (error: unknown) => boolean
}

/** Deactivates a record or takes it back in, asking first (spec §4, Active/inactive). The dialog belongs somewhere on the screen. `Asked` is the record as the screen has it: a line of a list does. */
export function useStateChange<Api extends ResourceApi, Asked extends Stateful = ViewOf<Api> & Stateful>({ api, question, onChanged, takeRefusal }: StateChangeOptions<Api, Asked>): { ask: (record: Asked) => void; dialog: ReactNode } {
  const { t } = useTranslation('form')
  const errorText = useErrorText()
  const [asked, setAsked] = useState<Asked | null>(null)
  const [isOpen, setOpen] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const next: State = asked?.state === 'active' ? 'inactive' : 'active'
  const words = asked === null ? null : question(asked, next)
  const change = async () => {
    if (asked === null || words === null) return
    setBusy(true)
    try {
      onChanged((await callApi(api.patch, { params: { id: asked.id }, body: { state: next }, version: asked.version })) as ViewOf<Api>)
    } catch (error) {
      if (!takeRefusal?.(error)) notify({ tone: 'danger', title: words.refused, detail: errorText(error), closeLabel: t('close') })
    } finally {
      setBusy(false)
      setOpen(false)
    }
  }
  return {
    ask: (record) => {
      setAsked(record)
      setOpen(true)
    },
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
