import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { moveRoute, orderApi } from '@waybill/contract/order/order'
import type { BoardBar } from '@waybill/contract/order/planning/board'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../../kit/api/call-api.ts'
import { useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { CheckField } from '../../../ui/fields/check-field.tsx'
import { RefusalsNotice } from '../../../ui/notices/refusals-notice.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import { ConfirmModal, ModalFrame } from '../../../ui/windows/confirm-modal.tsx'
import { lateWindow } from '../../../ui/windows/late-window.tsx'
import { laneOf, useWarningWords } from './board-words.ts'
import { rowName } from './board-grid.tsx'
import { ChoiceOnBoard, type Choosing } from './choice-on-board.tsx'
import type { useBoard } from './use-board.ts'
import type { useHand } from './use-hand.ts'

const MergeOrdersModal = lateWindow(() =>
  import('../merge/merge-orders-modal.tsx').then((file) => file.MergeOrdersModal),
)

interface PlanningWindowsProps {
  held: ReturnType<typeof useHand>
  /** the routes that are planned and not told; null: the window is closed */
  drafts: readonly BoardBar[] | null
  /** those that are ticked to begin with */
  isTicked: (bar: BoardBar) => boolean
  board: ReturnType<typeof useBoard>
  /** null: no carrier is being chosen */
  choosing: Choosing | null
  onChosen: () => void
  onScheduled: () => void
}

/** What the board asks: whether a load that does not fit is meant, which orders to merge, which to schedule. */
export function PlanningWindows(props: PlanningWindowsProps) {
  const { held, drafts, isTicked, board, choosing, onChosen, onScheduled } = props
  const { t } = useTranslation('planning')
  const warningWords = useWarningWords(String)
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
            <li key={warning.code}>{warningWords(warning, doubt.inHand.stops)}</li>
          ))}
          {doubt?.ended.map((one) => (
            <li key={one}>{t(`loss.${one}`)}</li>
          ))}
        </ul>
        {doubt === null || doubt.ended.length === 0 ? null : <p>{t('lossMeans')}</p>}
      </ConfirmModal>
      <Suspense>
        {merging === null ? null : (
          <MergeOrdersModal orderIds={merging} onClose={() => held.merge(null)} onMerged={() => held.merge(null)} />
        )}
      </Suspense>
      {choosing === null ? null : (
        <ChoiceOnBoard choosing={choosing} board={board} onGive={held.give} onClose={onChosen} />
      )}
      {drafts === null ? null : (
        <ScheduleWindow drafts={drafts} isTicked={isTicked} board={board} onClose={onScheduled} />
      )}
    </>
  )
}

interface ScheduleWindowProps extends Pick<PlanningWindowsProps, 'isTicked' | 'board'> {
  drafts: readonly BoardBar[]
  onClose: () => void
}

/** Schedules planned routes, those with a tick: carriers and drivers are told by that. */
function ScheduleWindow({ drafts, isTicked, board, onClose }: ScheduleWindowProps) {
  const { t } = useTranslation('planning')
  const queries = useQueryClient()
  const refusalWords = useRefusalWords()
  const [ticked, setTicked] = useState<ReadonlySet<number>>(
    () => new Set(drafts.filter(isTicked).map(({ routeId }) => routeId)),
  )
  const [refusals, setRefusals] = useState<readonly string[]>([])
  const [isBusy, setBusy] = useState(false)
  const chosen = drafts.filter(({ routeId }) => ticked.has(routeId))
  const tick = (routeIds: readonly number[], isOn: boolean) =>
    setTicked((before) => {
      const next = new Set(before)
      for (const routeId of routeIds)
        if (isOn) next.add(routeId)
        else next.delete(routeId)
      return next
    })
  const run = async () => {
    if (isBusy || chosen.length === 0) return
    setBusy(true)
    const refused: string[] = []
    // One after the other: each is a step of its own, refused by its own rules.
    for (const bar of chosen) {
      try {
        const moved = await callApi(moveRoute, {
          params: { id: bar.routeId },
          version: board.versionOf(bar),
          body: { to: 'scheduled' },
          idempotencyKey: newIdempotencyKey(),
        })
        board.noteMoved(moved)
      } catch (error) {
        refused.push(`${bar.number}: ${refusalWords(error).join(' ')}`)
      }
    }
    const done = chosen.length - refused.length
    if (done > 0) notify({ tone: 'ok', title: t('schedule.done', { count: done }), closeLabel: t('close') })
    void queries.invalidateQueries({ queryKey: [orderApi.path] })
    // What was refused is tried again as it stands by then.
    await board.readAnew()
    setBusy(false)
    setRefusals(refused)
    if (refused.length === 0) onClose()
  }
  return (
    <ModalFrame
      isOpen
      onClose={onClose}
      onSubmit={() => void run()}
      title={t('schedule.title')}
      closeLabel={t('close')}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="filled" loading={isBusy} disabled={chosen.length === 0} data-autofocus>
            {t('schedule.button', { count: chosen.length })}
          </Button>
        </>
      }
    >
      <p>{t('schedule.text')}</p>
      <RefusalsNotice refusals={refusals} />
      <CheckField
        label={t('schedule.all', { count: drafts.length })}
        checked={chosen.length === drafts.length}
        indeterminate={chosen.length > 0 && chosen.length < drafts.length}
        onChange={(event) =>
          tick(
            drafts.map(({ routeId }) => routeId),
            event.currentTarget.checked,
          )
        }
      />
      <ul>
        {drafts.map((bar) => (
          <li key={bar.routeId}>
            <CheckField
              label={[
                `${bar.number} ${laneOf(bar.stops)}`,
                bar.ownFleet ? (bar.plateNumber ?? t('lane.own')) : bar.carrierCompany?.title,
              ].join(' · ')}
              checked={ticked.has(bar.routeId)}
              onChange={(event) => tick([bar.routeId], event.currentTarget.checked)}
            />
          </li>
        ))}
      </ul>
    </ModalFrame>
  )
}
