import { useQueryClient } from '@tanstack/react-query'
import { approveInvoice, undoApproval, type InvoiceCheck } from '@waybill/contract/invoice/checking'
import { moveInvoice } from '@waybill/contract/invoice/invoice'
import type { CheckKey } from '@waybill/contract/invoice/check'
import { UNDO_SECONDS } from '@waybill/contract/order/status'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, hasCode } from '../../../kit/api/api-error.ts'
import { callApi, newIdempotencyKey } from '../../../kit/api/call-api.ts'
import { useErrorText, useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { notify, takeBack } from '../../../ui/notices/notify.tsx'
import { whenIdle } from './when-idle.ts'
import type { Answers } from './check-lines.tsx'
import { checkQuery } from './use-check.ts'

const UNDO_NOTICE = 'invoice-approved'

/** Which checks say something else than before. */
function changedKeys(before: InvoiceCheck, now: InvoiceCheck): Set<CheckKey> {
  const said = ({ checks }: InvoiceCheck) => new Map(checks.map((check) => [check.key, JSON.stringify(check)]))
  const was = said(before)
  return new Set([...said(now)].filter(([key, words]) => was.get(key) !== words).map(([key]) => key))
}

interface Heard {
  /** what is asked before it can be approved */
  onRefused: (paths: readonly string[]) => void
  onChanged: (keys: Set<CheckKey>) => void
}

interface Told {
  /** opens the next one; `from` is the one that is done */
  onDone: (from: number) => Promise<void>
  onUndone: (id: number) => void
}

/** Approves, takes that back, and lets a problem go; what stands around is read anew. */
export function useCheckActions({ onDone, onUndone }: Told) {
  const { t } = useTranslation('invoice-check')
  const format = useFormat()
  const errorText = useErrorText()
  const refusalWords = useRefusalWords()
  const queryClient = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [approved, setApproved] = useState<InvoiceCheck | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const keep = (check: InvoiceCheck) => queryClient.setQueryData(checkQuery(check.id).queryKey, check)
  const readAnew = () => void queryClient.invalidateQueries({ queryKey: ['invoices'], refetchType: 'active' })

  useEffect(() => () => clearTimeout(timer.current), [])

  const run = async (work: () => Promise<void>, title: string) => {
    if (isBusy) return
    setBusy(true)
    try {
      await work()
    } catch (error) {
      notify({ tone: 'danger', title, detail: refusalWords(error).join(' '), closeLabel: t('close') })
    } finally {
      setBusy(false)
    }
  }

  const undo = (done: InvoiceCheck) =>
    run(async () => {
      clearTimeout(timer.current)
      setApproved(null)
      takeBack(UNDO_NOTICE)
      keep(await callApi(undoApproval, { params: { id: done.id }, version: done.version }))
      onUndone(done.id)
      readAnew()
    }, t('notUndone'))

  const approve = (check: InvoiceCheck, { difference, reason }: Answers, { onRefused, onChanged }: Heard) =>
    run(async () => {
      try {
        const done = await callApi(approveInvoice, {
          params: { id: check.id },
          version: check.version,
          idempotencyKey: newIdempotencyKey(),
          body: {
            seen: check.seen,
            answers: { amount: difference === 'not_agreed' ? null : difference },
            reason: reason.trim() === '' ? null : reason.trim(),
          },
        })
        const isNextShown = onDone(done.id)
        notify({
          id: UNDO_NOTICE,
          tone: 'ok',
          title: t('approved', { number: done.number ?? done.innerNumber }),
          detail: t('approvedDetail', {
            carrier: done.carrierCompany?.title ?? '',
            amount: format.amount(done.totalCents, done.currency),
          }),
          action: { label: `${t('undo')} (U)`, onClick: () => void undo(done) },
          closeLabel: t('close'),
          closesAfter: UNDO_SECONDS * 1000,
        })
        clearTimeout(timer.current)
        timer.current = setTimeout(() => setApproved(null), UNDO_SECONDS * 1000)
        // The next one comes first: this one is drawn no more, and what was read of the others can wait for a frame.
        await isNextShown
        keep(done)
        setApproved(done)
        whenIdle(readAnew)
      } catch (error) {
        if (hasCode(error, 'stale_version') && error.extra.current !== undefined) {
          const now = error.extra.current as InvoiceCheck
          keep(now)
          const keys = changedKeys(check, now)
          onChanged(keys)
          if (keys.size === 0)
            notify({ tone: 'warn', title: t('notApproved'), detail: errorText(error), closeLabel: t('close') })
          return
        }
        if (error instanceof ApiError && error.status === 422) {
          onRefused(error.errors.map(({ path }) => path))
          return
        }
        throw error
      }
    }, t('notApproved'))

  /** The problem is solved without the carrier: it is checked again. */
  const release = ({ id, version }: InvoiceCheck) =>
    run(async () => {
      await callApi(moveInvoice, {
        params: { id },
        version,
        body: { to: 'received' },
        idempotencyKey: newIdempotencyKey(),
      })
      await queryClient.invalidateQueries({ queryKey: ['invoices'], refetchType: 'active' })
    }, t('notReleased'))

  return { isBusy, approve, undo, release, approved, readAnew, keep }
}
