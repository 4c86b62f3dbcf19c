import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useBlocker, useNavigate } from '@tanstack/react-router'
import type { Order } from '@waybill/contract/order/order'
import type { PatternLane } from '@waybill/contract/order/recurring/pattern'
import {
  changeRecurringOrder,
  changeRecurringTemplate,
  createRecurringOrder,
  makeRecurringDay,
  moveRecurringOrder,
  RecurringOrder as RecurringShape,
  takeOverRecurringOrder,
  type RecurringOrder,
  type RecurringState,
} from '@waybill/contract/order/recurring/recurring-order'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../kit/api/api-error.ts'
import { callApi } from '../../kit/api/call-api.ts'
import { useIntention } from '../../kit/api/use-intention.ts'
import { BackLink } from '../../kit/form/page/back-link.tsx'
import { UnsavedNotice } from '../../kit/form/page/unsaved-notice.tsx'
import type { Draft, DraftKey } from '../../kit/form/state/draft-store.ts'
import { useKeptTyping } from '../../kit/form/state/use-kept-typing.ts'
import { useRefusalWords } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { localToday } from '../../kit/list/filter/filters.ts'
import { useScreenTitle } from '../../kit/record/screen-title.ts'
import { currentSession } from '../../kit/session/session.ts'
import { useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { StatusBadge } from '../../ui/marks/status-badge.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Section } from '../../ui/page/section.tsx'
import { ConfirmModal } from '../../ui/windows/confirm-modal.tsx'
import { useRecordHistory } from '../audit-entry/history-section.tsx'
import { MadePart } from './made-part.tsx'
import { PreviewPart } from './preview-part.tsx'
import { bodyOf, missingOf, templateOf, valuesOf, type ScheduleValues } from './recurring-values.ts'
import { RECURRING_LOOKS, useHistoryWords } from './recurring-words.ts'
import classes from './recurring.module.css'
import { SchedulePart } from './schedule-part.tsx'
import { TemplatePart } from './template-part.tsx'

const isSame = (one: ScheduleValues, other: ScheduleValues): boolean => JSON.stringify(one) === JSON.stringify(other)

interface RecurringFormProps {
  /** as it is saved; null: a new one */
  one: RecurringOrder | null
  /** what a new one is made of */
  order: Order | null
  lane: PatternLane
  first: ScheduleValues
  draftKey: DraftKey
  /** What was typed before on this device, and not saved */
  unsaved: Draft<ScheduleValues> | null
}

/** A recurring order: when its orders are made, which come next, what they begin with, and which were made. */
export function RecurringForm({ one, order, lane, first, draftKey, unsaved }: RecurringFormProps) {
  const { t } = useTranslation('recurring-order')
  const format = useFormat()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const refusalWords = useRefusalWords()
  const [saved, setSaved] = useState(first)
  const restored = one?.state === 'ended' ? null : unsaved
  const [values, setValues] = useState(restored?.values ?? first)
  const [restoredFrom, setRestoredFrom] = useState(restored?.keptAt ?? null)
  // Typed upon an older version it is refused before it writes over what others have saved.
  const [oldVersion, setOldVersion] = useState(restored?.version === one?.version ? null : (restored?.version ?? null))
  const [isEnding, setEnding] = useState(false)
  const isReadOnly = one?.state === 'ended'
  const isChanged = one === null ? !isSame(values, first) : !isSame(values, saved)
  const missing = missingOf(values)
  const today = one?.today ?? localToday()
  const change = (part: Partial<ScheduleValues>) => setValues((before) => ({ ...before, ...part }))
  useScreenTitle(one?.title ?? null)
  const version = oldVersion ?? one?.version ?? null
  const kept = useKeptTyping(draftKey, { values: isChanged && !isReadOnly ? values : null, base: saved, version })
  const discard = () => {
    setValues(one === null ? first : saved)
    setOldVersion(null)
    setRestoredFrom(null)
  }

  // What is typed and not saved stays where something else was done meanwhile.
  const show = (now: RecurringOrder) => {
    queries.setQueryData(['recurring-orders', now.id], now)
    void queries.invalidateQueries({
      queryKey: ['recurring-orders'],
      predicate: ({ queryKey }) => queryKey[1] !== now.id,
    })
    void queries.invalidateQueries({ queryKey: ['audit-entries'] })
  }
  const adopt = (now: RecurringOrder) => {
    show(now)
    setOldVersion(null)
    setRestoredFrom(null)
    setSaved(valuesOf(now))
    setValues(valuesOf(now))
  }
  const leaving = useRef(false)
  const keyOf = useIntention()
  const save = useMutation({
    mutationFn: async () => {
      const schedule = bodyOf(values)
      if (one !== null)
        return callApi(changeRecurringOrder, { params: { id: one.id }, version: version!, body: schedule })
      const body = { ...schedule, orderId: order!.id, withRoutes: values.withRoutes }
      return callApi(createRecurringOrder, { body, idempotencyKey: keyOf(body) })
    },
    onSuccess: (now) => {
      notify({ tone: 'ok', title: t('saved'), closeLabel: t('close') })
      if (one !== null) return adopt(now)
      // It has an address now, and goes on there.
      leaving.current = true
      void kept.forget()
      show(now)
      void navigate({ to: '/recurring-orders/edit/$id', params: { id: String(now.id) }, replace: true })
    },
  })
  const act = useMutation({
    mutationFn: (what: { to: RecurringState } | 'takeOver' | { day: string } | { templateOf: number }) => {
      const { id, version } = one!
      const call = { params: { id }, version }
      if (what === 'takeOver') return callApi(takeOverRecurringOrder, call)
      if ('to' in what) return callApi(moveRecurringOrder, { ...call, body: { to: what.to } })
      if ('day' in what) return callApi(makeRecurringDay, { ...call, body: { day: what.day } })
      const withRoutes = one!.template.routes.length > 0
      return callApi(changeRecurringTemplate, { ...call, body: { orderId: what.templateOf, withRoutes } })
    },
    onSuccess: (now, what) => {
      show(now)
      setEnding(false)
      if (what !== 'takeOver' && 'day' in what) {
        void queries.invalidateQueries({ queryKey: ['orders'] })
        const made = now.made.find(({ day }) => day === what.day)
        notify({ tone: 'ok', title: t('madeOne', { number: made?.order.number }), closeLabel: t('close') })
      }
    },
    onError: () => setEnding(false),
  })
  const isBusy = save.isPending || act.isPending
  const saveNow = () => {
    if (missing === null && !isBusy && !isReadOnly && (isChanged || one === null)) save.mutate()
  }
  useShortcut({ key: 's', mod: true, label: t('save'), run: saveNow }, !isReadOnly)

  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      !leaving.current && isChanged && !isReadOnly && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged && !isReadOnly,
    withResolver: true,
  })
  const history = useRecordHistory({ recurringOrderId: one?.id ?? null }, useHistoryWords(), 1500)
  const refused = save.error ?? act.error
  const current = hasCode(refused, 'stale_version') ? RecurringShape.safeParse(refused.extra.current).data : undefined
  const forget = () => {
    save.reset()
    act.reset()
  }
  const template = one?.template ?? templateOf(order!, values.withRoutes)
  const source = one === null ? { id: order!.id, number: order!.number } : one.source
  const isForeign = one !== null && one.keeper.id !== currentSession()?.profile.id
  const mayTakeRoutes = one === null && order!.routes.some(({ assignment }) => assignment !== null)
  return (
    <div className={classes.form}>
      <PageHead
        lead={<BackLink to="/recurring-orders" label={t('back')} />}
        title={
          <span className={classes.name}>
            {one?.title ?? t('new')}{' '}
            {one === null ? null : (
              <StatusBadge status={RECURRING_LOOKS[one.state]}>{t(`states.${one.state}`)}</StatusBadge>
            )}
          </span>
        }
        note={
          one === null
            ? order!.number
            : t('keptBy', { customer: one.customer.title, keeper: one.keeper.title, department: one.department.title })
        }
        actions={
          <>
            {history.button}
            {one === null || isReadOnly ? null : (
              <>
                {isForeign ? (
                  <Button variant="default" disabled={isBusy} onClick={() => act.mutate('takeOver')}>
                    {t('takeOver')}
                  </Button>
                ) : null}
                <Button variant="default" disabled={isBusy} onClick={() => setEnding(true)}>
                  {t('end.open')}
                </Button>
                <Button
                  variant="default"
                  disabled={isBusy}
                  onClick={() => act.mutate({ to: one.state === 'active' ? 'paused' : 'active' })}
                >
                  {t(one.state === 'active' ? 'pause' : 'resume')}
                </Button>
              </>
            )}
            {isReadOnly ? null : (
              <Button
                variant="filled"
                loading={save.isPending}
                disabled={missing !== null || (one !== null && !isChanged)}
                title={missing === null ? undefined : t(`need.${missing}`)}
                onClick={saveNow}
              >
                {t('save')}
              </Button>
            )}
          </>
        }
      />
      <div className={classes.columns} data-aside={history.rail !== null || undefined}>
        <div className={classes.parts} data-read-only={isReadOnly || undefined}>
          {refused === null ? null : current === undefined ? (
            <Notice tone="danger" isUrgent>
              {[...new Set(refusalWords(refused))].join('. ')}
            </Notice>
          ) : (
            <Notice tone="warn" isUrgent>
              {t('stale')}{' '}
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => {
                  forget()
                  adopt(current)
                }}
              >
                {t('showSaved')}
              </Button>
            </Notice>
          )}
          {restoredFrom === null ? null : <UnsavedNotice keptAt={restoredFrom} onDiscard={discard} />}
          {one === null ? null : <Fault one={one} />}
          <Section id="schedule" title={t('sections.schedule')}>
            <SchedulePart
              values={values}
              isReadOnly={isReadOnly}
              onRoutes={mayTakeRoutes ? (withRoutes) => change({ withRoutes }) : null}
              onChange={change}
            />
          </Section>
          <div className={classes.two}>
            <Section id="preview" title={t('sections.preview')}>
              <PreviewPart
                one={one}
                values={values}
                lane={lane}
                today={today}
                isReadOnly={isReadOnly}
                isChanged={isChanged}
                isBusy={isBusy}
                onLeaveOut={(day, isLeftOut) =>
                  change({
                    leftOut: isLeftOut
                      ? [...values.leftOut, day].toSorted()
                      : values.leftOut.filter((other) => other !== day),
                  })
                }
                onMake={(day) => act.mutate({ day })}
              />
            </Section>
            <div className={classes.stack}>
              <Section
                id="template"
                title={t('sections.template')}
                summary={
                  source === null ? (
                    ''
                  ) : source.id === null ? (
                    source.number
                  ) : (
                    <Link to="/orders/$id/edit" params={{ id: String(source.id) }}>
                      {t('ofOrder', { number: source.number })}
                    </Link>
                  )
                }
              >
                <TemplatePart template={template} />
              </Section>
              {one === null || one.made.length === 0 ? null : (
                <Section id="made" title={t('sections.made')} summary={format.number(one.madeCount)}>
                  <MadePart
                    one={one}
                    isReadOnly={isReadOnly || isBusy || isChanged}
                    onTemplate={(orderId) => act.mutate({ templateOf: orderId })}
                  />
                </Section>
              )}
            </div>
          </div>
        </div>
        {history.rail}
      </div>
      <ConfirmModal
        isOpen={isEnding}
        withInfoIcon
        title={t('end.title')}
        confirmLabel={t('end.end')}
        cancelLabel={t('cancel')}
        closeLabel={t('close')}
        isBusy={act.isPending}
        onCancel={() => setEnding(false)}
        onConfirm={() => act.mutate({ to: 'ended' })}
      >
        {t('end.text')}
      </ConfirmModal>
      <ConfirmModal
        isOpen={blocker.status === 'blocked'}
        withInfoIcon
        title={t('leave.title')}
        confirmLabel={t('leave.leave')}
        cancelLabel={t('cancel')}
        closeLabel={t('close')}
        onCancel={() => blocker.reset?.()}
        onConfirm={() => {
          void kept.forget()
          blocker.proceed?.()
        }}
      >
        {t('leave.text')}
      </ConfirmModal>
    </div>
  )
}

/** Why no orders are made although it is active. */
function Fault({ one: { fault, keeper } }: { one: RecurringOrder }) {
  const { t } = useTranslation('recurring-order')
  const format = useFormat()
  if (fault === null) return null
  return (
    <Notice tone="warn">
      {fault.reason === 'keeper' ? (
        t('faults.keeper', { keeper: keeper.title })
      ) : (
        <>
          <b>{t('faults.refused', { date: fault.day === null ? '' : format.shortWeekdayDate(fault.day) })}</b>{' '}
          {fault.messages.join('. ')}
        </>
      )}
    </Notice>
  )
}
