import { cancelEmail, resendEmail, sendEmailNow, undoCancelEmail, type Email } from '@waybill/contract/email'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../kit/api/call-api.ts'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { notify } from '../../ui/notices/notify.tsx'

export type EmailAction = 'cancel' | 'send' | 'resend' | 'undo'

/** Addresses as a person types them beside each other. */
export const addressesIn = (typed: string): string[] => typed.split(/[\s,;]+/).filter(Boolean)

/** What comes before: where that fails, nothing is done with the mail. */
type First = () => Promise<void>

function saidOf(action: EmailAction, { status }: Email) {
  if (action === 'cancel') return 'canceled'
  if (action === 'resend') return 'queuedAgain'
  return status === 'planned' ? 'plannedAgain' : 'sent'
}

/** What can still be done with a mail; `to` sends it to these instead of those it has. */
export function useEmailActions(id: number, onDone: (made: Email, action: EmailAction) => void) {
  const { t } = useTranslation('email')
  const queries = useQueryClient()
  const errorText = useErrorText()
  const [busy, setBusy] = useState<EmailAction | null>(null)
  const call = (action: EmailAction, to: string[]): Promise<Email> => {
    const params = { id }
    const idempotencyKey = newIdempotencyKey()
    if (action === 'cancel') return callApi(cancelEmail, { params, idempotencyKey })
    if (action === 'undo') return callApi(undoCancelEmail, { params, idempotencyKey })
    const body = to.length > 0 ? { to } : {}
    return callApi(action === 'resend' ? resendEmail : sendEmailNow, { params, body, idempotencyKey })
  }
  const act = async (action: EmailAction, to: string[], first: First | undefined) => {
    setBusy(action)
    let isReady = first === undefined
    try {
      await first?.()
      isReady = true
      const made = await call(action, to)
      notify({ tone: 'ok', title: t(saidOf(action, made)), closeLabel: t('close') })
      onDone(made, action)
    } catch (failure) {
      const title = isReady ? t(action === 'resend' ? 'notQueued' : 'failedAction') : t('notKept')
      notify({ tone: 'danger', title, detail: errorText(failure), closeLabel: t('close') })
    }
    setBusy(null)
    for (const key of ['emails', 'email']) void queries.invalidateQueries({ queryKey: [key] })
  }
  return { act: (action: EmailAction, to: string[] = [], first?: First) => void act(action, to, first), busy }
}
