import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { moveOrder, orderApi } from '@waybill/contract/order/order'
import type { BoardBar } from '@waybill/contract/order/planning/board'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../../kit/api/call-api.ts'
import { useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { RefusalsNotice } from '../../../ui/notices/refusals-notice.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import { ConfirmModal, ModalFrame } from '../../../ui/windows/confirm-modal.tsx'
import { lateWindow } from '../../../ui/windows/late-window.tsx'
import { laneOf, warningWords } from './board-words.ts'
import { rowName } from './board-grid.tsx'
import type { useHand } from './use-hand.ts'

const MergeOrdersModal = lateWindow(() =>
  import('../merge/merge-orders-modal.tsx').then((file) => file.MergeOrdersModal),
)

interface PlanningWindowsProps {
  held: ReturnType<typeof useHand>
  /** the routes that are planned and not told; null: the window is closed */
  drafts: readonly BoardBar[] | null
  onScheduled: () => void
}

/** What the board asks: whether a load that does not fit is meant, which orders to merge, which to schedule. */
export function PlanningWindows({ held, drafts, onScheduled }: PlanningWindowsProps) {
  const { t } = useTranslation('planning')
  const format = useFormat()
  const { doubt, merging } = held
  const number = doubt?.inHand.number
  return (
    <>
      <ConfirmModal
        isOpen={doubt !== null}
        title={
          doubt === null || doubt.warnings.length === 0 || doubt.row === null
            ? t('lossTitle', { number })
            : t('unfitTitle', { number, row: rowName(doubt.row, t) })
        }
        confirmLabel={t(doubt?.row == null ? 'doAnyway' : 'planAnyway')}
        cancelLabel={t('cancel')}
        closeLabel={t('close')}
        tone={doubt === null || doubt.ended.length === 0 ? 'primary' : 'danger'}
        withInfoIcon
        onCancel={() => held.answerDoubt(false)}
        onConfirm={() => held.answerDoubt(true)}
      >
        <ul>
          {doubt?.warnings.map((warning) => (
            <li key={warning.code}>{warningWords(warning, doubt.inHand.stops, String, t, format)}</li>
          ))}
          {doubt?.ended.map((one) => (
            <li key={one}>{t(`loss.${one}`)}</li>
          ))}
        </ul>
        {doubt === null || doubt.ended.length === 0 ? null : <p>{t('lossMeans')}</p>}
      </ConfirmModal>
      {merging === null ? null : <Merging orderIds={merging} onClose={() => held.merge(null)} />}
      {drafts === null ? null : <ScheduleWindow drafts={drafts} onClose={onScheduled} />}
    </>
  )
}

/** The window that merges orders, as the list has it. */
function Merging({ orderIds, onClose }: { orderIds: readonly number[]; onClose: () => void }) {
  const { data } = useQuery({
    queryKey: [orderApi.path, 'list', 'merging', ...orderIds],
    queryFn: ({ signal }) => callApi(orderApi.list, { query: { id: [...orderIds] }, signal }),
    gcTime: 0,
  })
  return data === undefined ? null : (
    <Suspense>
      <MergeOrdersModal chosen={data.items} onClose={onClose} onMerged={onClose} />
    </Suspense>
  )
}

/** Schedules the orders of the routes that are planned: carriers and drivers are told by that. */
function ScheduleWindow({ drafts, onClose }: { drafts: readonly BoardBar[]; onClose: () => void }) {
  const { t } = useTranslation('planning')
  const queries = useQueryClient()
  const refusalWords = useRefusalWords()
  const [refusals, setRefusals] = useState<readonly string[]>([])
  const [isBusy, setBusy] = useState(false)
  const [left, setLeft] = useState<readonly BoardBar[]>(() => [
    ...new Map(drafts.map((bar) => [bar.orderId, bar])).values(),
  ])
  const run = async () => {
    if (isBusy) return
    setBusy(true)
    const refused: string[] = []
    const stayed: BoardBar[] = []
    // One after the other: each is a step of its own, refused by its own rules.
    for (const bar of left) {
      try {
        await callApi(moveOrder, {
          params: { id: bar.orderId },
          version: bar.version,
          body: { to: 'scheduled' },
          idempotencyKey: newIdempotencyKey(),
        })
      } catch (error) {
        stayed.push(bar)
        refused.push(`${bar.number}: ${refusalWords(error).join(' ')}`)
      }
    }
    void queries.invalidateQueries({ queryKey: [orderApi.path] })
    const done = left.length - stayed.length
    if (done > 0) notify({ tone: 'ok', title: t('schedule.done', { count: done }), closeLabel: t('close') })
    setBusy(false)
    if (stayed.length === 0) onClose()
    else {
      setLeft(stayed)
      setRefusals(refused)
    }
  }
  return (
    <ModalFrame
      isOpen
      onClose={onClose}
      onSubmit={() => void run()}
      title={t('schedule.title', { count: left.length })}
      closeLabel={t('close')}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="filled" loading={isBusy} data-autofocus>
            {t('schedule.button', { count: left.length })}
          </Button>
        </>
      }
    >
      <p>{t('schedule.text')}</p>
      <RefusalsNotice refusals={refusals} />
      <ul>
        {left.map((bar) => (
          <li key={bar.orderId}>
            {bar.number} {laneOf(bar.stops)}
            {' · '}
            {bar.ownFleet ? (bar.plateNumber ?? t('lane.own')) : bar.carrierCompany?.title}
          </li>
        ))}
      </ul>
    </ModalFrame>
  )
}
