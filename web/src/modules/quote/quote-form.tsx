import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useBlocker, useNavigate } from '@tanstack/react-router'
import { quoteMailDraft } from '@waybill/contract/quote/mail-quote'
import {
  changeQuote,
  createQuote,
  orderQuote,
  Quote as QuoteShape,
  withdrawQuote,
  type Quote,
} from '@waybill/contract/quote/quote'
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../kit/api/api-error.ts'
import { callApi } from '../../kit/api/call-api.ts'
import { useIntention } from '../../kit/api/use-intention.ts'
import { BackLink } from '../../kit/form/page/back-link.tsx'
import { UnsavedNotice } from '../../kit/form/page/unsaved-notice.tsx'
import type { Draft, DraftKey } from '../../kit/form/state/draft-store.ts'
import { useKeptTyping } from '../../kit/form/state/use-kept-typing.ts'
import { useRefusalWords } from '../../kit/i18n/error-text.ts'
import { loadTexts, useFormat } from '../../kit/i18n/i18n.ts'
import { useScreenTitle } from '../../kit/record/screen-title.ts'
import { keysOf, useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { KeyHint } from '../../ui/marks/marks.tsx'
import { StatusBadge } from '../../ui/marks/status-badge.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Section } from '../../ui/page/section.tsx'
import { ConfirmModal } from '../../ui/windows/confirm-modal.tsx'
import { lateWindow } from '../../ui/windows/late-window.tsx'
import { useRecordHistory } from '../audit-entry/history-section.tsx'
import { AskedPart } from './asked-part.tsx'
import { CostPart } from './cost-part.tsx'
import { PaperButton } from './paper-button.tsx'
import { PricePart, proposedFor } from './price-part.tsx'
import { QUOTE_LOOKS } from './quote-words.ts'
import classes from './quote.module.css'
import { bodyOf, missingOf, valuesOf, type QuoteValues } from './quote-values.ts'
import { useHistoryWords } from './use-history-words.ts'
import { useLaneCosts, useMeasured } from './use-lane-costs.ts'

const CameInMails = lazy(async () => {
  const [file] = await Promise.all([import('../order/intake/came-in-section.tsx'), loadTexts('intake')])
  return { default: file.CameInMails }
})

const SendWindow = lateWindow(() => import('./send-window.tsx').then((file) => file.SendWindow))
const OrderWindow = lateWindow(() => import('./quote-windows.tsx').then((file) => file.OrderWindow))
const LoseWindow = lateWindow(() => import('./quote-windows.tsx').then((file) => file.LoseWindow))

const isSame = (one: QuoteValues, other: QuoteValues): boolean => JSON.stringify(one) === JSON.stringify(other)

const goTo = (id: string): void => document.querySelector<HTMLElement>(`#${id} :is(input, button):enabled`)?.focus()

interface QuoteFormProps {
  /** null: a new one */
  quote: Quote | null
  first: QuoteValues
  /** the mail that asks for it, and which draft of it; null: nobody's */
  mail: { id: number; position: number } | null
  draftKey: DraftKey
  /** What was typed before on this device, and not saved */
  unsaved: Draft<QuoteValues> | null
}

/** A quote: what is asked for, what it costs us, the price; what has been sent is read, and moved on. */
export function QuoteForm({ quote, first, mail, draftKey, unsaved }: QuoteFormProps) {
  const { t } = useTranslation('quote')
  const format = useFormat()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const refusalWords = useRefusalWords()
  const [base, setBase] = useState(quote)
  const [saved, setSaved] = useState(first)
  // What was sent or withdrawn meanwhile cannot be typed in any more.
  const restored = quote === null || quote.state === 'draft' ? unsaved : null
  const [values, setValues] = useState(restored?.values ?? first)
  const [restoredFrom, setRestoredFrom] = useState(restored?.keptAt ?? null)
  // Typed upon an older version it is refused, and both are shown, before it writes over what others have saved.
  const [version, setVersion] = useState(restored?.version ?? quote?.version ?? null)
  const [window, setWindow] = useState<'send' | 'lose' | 'order' | null>(null)
  const state = base?.state ?? 'draft'
  const isReadOnly = state !== 'draft'
  const isWaiting = state === 'draft' || state === 'sent' || state === 'expired'
  const isChanged = base === null ? !isSame(values, first) : !isSame(values, saved)
  const missing = missingOf(values)
  const change = (part: Partial<QuoteValues>) => setValues((before) => ({ ...before, ...part }))
  useScreenTitle(base?.number ?? null)
  const kept = useKeptTyping(draftKey, { values: isChanged && !isReadOnly ? values : null, base: saved, version })
  const discard = () => {
    setValues(base === null ? first : saved)
    setVersion(base?.version ?? null)
    setRestoredFrom(null)
  }

  // The query of this very quote was what the page began with; others of quotes are asked anew.
  const adopt = (now: Quote) => {
    setBase(now)
    setVersion(now.version)
    setRestoredFrom(null)
    setSaved(valuesOf(now))
    setValues(valuesOf(now))
    void queries.invalidateQueries({ queryKey: ['quotes'], predicate: ({ queryKey }) => queryKey[1] !== now.id })
    void queries.invalidateQueries({ queryKey: ['audit-entries'] })
  }
  const leaving = useRef(false)
  const keyOf = useIntention()
  const save = useMutation({
    mutationFn: async () => {
      const body = bodyOf(values)
      if (base !== null) return callApi(changeQuote, { params: { id: base.id }, version: version!, body })
      const sent = { body, idempotencyKey: keyOf(body) }
      return mail === null ? callApi(createQuote, sent) : callApi(quoteMailDraft, { ...sent, params: mail })
    },
    onSuccess: (now) => {
      notify({ tone: 'ok', title: t('saved'), closeLabel: t('close') })
      if (mail !== null) void queries.invalidateQueries({ queryKey: ['intake-mails'] })
      if (base !== null) return adopt(now)
      // It has an address now, and goes on there.
      leaving.current = true
      void kept.forget()
      queries.setQueryData(['quotes', now.id], now)
      void navigate({ to: '/quotes/edit/$id', params: { id: String(now.id) }, replace: true })
    },
  })
  const withdraw = useMutation({
    mutationFn: () => callApi(withdrawQuote, { params: { id: base!.id }, version: base!.version }),
    onSuccess: adopt,
  })
  const order = useMutation({
    mutationFn: (quantity: number | null) =>
      callApi(orderQuote, {
        params: { id: base!.id },
        version: base!.version,
        body: quantity === null ? {} : { quantity },
      }),
    onSuccess: (now) => {
      adopt(now)
      void queries.invalidateQueries({ queryKey: ['orders'] })
      notify({ tone: 'ok', title: t('ordered', { number: now.order!.number }), closeLabel: t('close') })
    },
  })
  const isBusy = save.isPending || withdraw.isPending || order.isPending
  const saveNow = () => {
    if (missing === null && !isBusy && !isReadOnly && (isChanged || base === null)) save.mutate()
  }
  const whyNotSend =
    missing === null
      ? values.priceCents === null
        ? t('need.price')
        : base === null || isChanged
          ? t('need.save')
          : null
      : t(`need.${missing}`)
  const sendNow = () => {
    if (whyNotSend === null && !isBusy) setWindow('send')
    else saveNow()
  }
  const canOrder = base !== null && base.order === null && (isWaiting || state === 'accepted') && !isChanged
  const orderNow = () => {
    if (!canOrder || values.priceCents === null || isBusy) return
    if (base.quantity === null) setWindow('order')
    else order.mutate(null)
  }
  useShortcut({ key: 's', mod: true, label: t('save'), run: saveNow }, !isReadOnly)
  useShortcut({ key: 'Enter', mod: true, label: t('send.open'), run: sendNow }, state === 'draft' && window === null)
  useShortcut({ key: 'o', label: t('makeOrder'), run: orderNow }, canOrder && window === null)
  useShortcut({ key: '1', alt: true, label: t('sections.asked'), run: () => goTo('asked') })
  useShortcut({ key: '2', alt: true, label: t('sections.cost'), run: () => goTo('cost') })
  useShortcut({ key: '3', alt: true, label: t('sections.price'), run: () => goTo('price') })

  const costs = useLaneCosts(values)
  const measured = useMeasured(values)
  const lastMeasured = useRef<number | null>(null)
  // A distance that nobody has typed follows the towns; a quote that is only looked at stays as it is.
  const follow = useEffectEvent((km: number) => {
    const isTyped = values.distanceKm !== null && values.distanceKm !== lastMeasured.current
    lastMeasured.current = km
    if (!isReadOnly && (base === null || isChanged) && !isTyped) change({ distanceKm: km })
  })
  useEffect(() => {
    if (measured !== undefined) follow(measured)
  }, [measured])
  const withPrice = (next: QuoteValues): QuoteValues => {
    // A price that was proposed follows what it was proposed for; one that somebody has typed stays.
    const isProposed = next.priceCents === null || next.priceCents === proposedFor(values)
    return isProposed ? { ...next, priceCents: proposedFor(next) } : next
  }

  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      !leaving.current && isChanged && !isReadOnly && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged && !isReadOnly,
    withResolver: true,
  })
  const history = useRecordHistory({ quoteId: base?.id ?? null }, useHistoryWords(), 1500)
  const refused = save.error ?? withdraw.error ?? order.error
  const current = hasCode(refused, 'stale_version') ? QuoteShape.safeParse(refused.extra.current).data : undefined
  const forget = () => {
    save.reset()
    withdraw.reset()
    order.reset()
  }
  return (
    <div className={classes.form}>
      <PageHead
        lead={<BackLink to="/quotes" label={t('back')} />}
        title={
          <span className={classes.name}>
            {base?.number ?? t('new')} <StatusBadge status={QUOTE_LOOKS[state]}>{t(`states.${state}`)}</StatusBadge>
          </span>
        }
        note={base === null ? '' : standing(base)}
        actions={
          <>
            {history.button}
            {base === null || isChanged || values.priceCents === null ? null : <PaperButton quote={base} />}
            {base === null ? null : (
              <Button
                variant="default"
                onClick={() => void navigate({ to: '/quotes/create', search: { copy: String(base.id) } as never })}
              >
                {t('copy')}
              </Button>
            )}
            {base !== null && isWaiting ? (
              <Button variant="default" disabled={isBusy} onClick={() => setWindow('lose')}>
                {t('lose.open')}
              </Button>
            ) : null}
            {state === 'sent' || state === 'expired' ? (
              <Button variant="default" loading={withdraw.isPending} onClick={() => withdraw.mutate()}>
                {t('withdraw')}
              </Button>
            ) : null}
            {canOrder && state === 'draft' && values.priceCents !== null ? (
              <Button variant="default" loading={order.isPending} onClick={orderNow}>
                {t('makeOrder')}
              </Button>
            ) : null}
            {isReadOnly ? null : (
              <Button
                variant={base === null || isChanged ? 'filled' : 'default'}
                loading={save.isPending}
                disabled={missing !== null || (base !== null && !isChanged)}
                title={missing === null ? undefined : t(`need.${missing}`)}
                onClick={saveNow}
              >
                {t('save')}
              </Button>
            )}
            {state === 'draft' && base !== null && !isChanged ? (
              <Button
                variant="filled"
                disabled={whyNotSend !== null}
                title={whyNotSend ?? undefined}
                rightSection={<KeyHint>{keysOf({ key: 'Enter', mod: true }).join(' ')}</KeyHint>}
                onClick={sendNow}
              >
                {t('send.open')}
              </Button>
            ) : null}
            {canOrder && state !== 'draft' ? (
              <Button variant="filled" loading={order.isPending} rightSection={<KeyHint>O</KeyHint>} onClick={orderNow}>
                {t('makeOrder')}
              </Button>
            ) : null}
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
                {t('takeOver')}
              </Button>
            </Notice>
          )}
          {restoredFrom === null ? null : <UnsavedNotice keptAt={restoredFrom} onDiscard={discard} />}
          {base === null ? null : <Answered quote={base} />}
          {base === null ? (
            mail === null ? null : (
              <Notice tone="info">
                {t('fromMail')}{' '}
                <Link to="/intake/$id" params={{ id: String(mail.id) }}>
                  {t('openMail')}
                </Link>
              </Notice>
            )
          ) : (
            <Suspense>
              <CameInMails of={{ quoteId: base.id }} />
            </Suspense>
          )}
          <Section
            id="asked"
            title={t('sections.asked')}
            lead={<KeyHint>{keysOf({ key: '1', alt: true }).join(' ')}</KeyHint>}
          >
            <AskedPart quote={base} values={values} isReadOnly={isReadOnly} onChange={change} />
          </Section>
          <Section
            id="cost"
            title={t('sections.cost')}
            lead={<KeyHint>{keysOf({ key: '2', alt: true }).join(' ')}</KeyHint>}
            summary={values.distanceKm === null ? '' : `${format.number(values.distanceKm, 0, 0)} km`}
          >
            <CostPart
              values={values}
              costs={costs}
              isReadOnly={isReadOnly}
              onChoose={(costSource, costCents) =>
                setValues(withPrice({ ...values, costSource: costCents === null ? null : costSource, costCents }))
              }
              onDistance={(distanceKm) => change({ distanceKm })}
            />
          </Section>
          <Section
            id="price"
            title={t('sections.price')}
            lead={<KeyHint>{keysOf({ key: '3', alt: true }).join(' ')}</KeyHint>}
          >
            <PricePart
              values={values}
              costs={costs}
              customer={base?.customer.title ?? t('fields.customerId')}
              isReadOnly={isReadOnly}
              onTarget={(targetBp) => setValues(withPrice({ ...values, targetBp }))}
              onPrice={(priceCents) => change({ priceCents })}
            />
          </Section>
        </div>
        {history.rail}
      </div>
      {window === 'send' && base !== null ? (
        <SendWindow
          quote={base}
          onClose={() => setWindow(null)}
          onSent={(now) => {
            adopt(now)
            setWindow(null)
            notify({ tone: 'ok', title: t('send.sent', { to: now.sentTo }), closeLabel: t('close') })
          }}
        />
      ) : null}
      {window === 'order' && base !== null ? (
        <OrderWindow
          quote={base}
          onClose={() => setWindow(null)}
          onOrder={(quantity) => {
            setWindow(null)
            order.mutate(quantity)
          }}
        />
      ) : null}
      {window === 'lose' && base !== null ? (
        <LoseWindow
          quote={base}
          onClose={() => setWindow(null)}
          onLost={(now) => {
            adopt(now)
            setWindow(null)
          }}
        />
      ) : null}
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

  function standing({ sentAt, sentTo, createdAt }: Quote): string {
    return sentAt === null
      ? t('createdAt', { when: format.dayTime(createdAt) })
      : t('sentAt', { when: format.dayTime(sentAt), to: sentTo })
  }
}

/** What the customer said, and what came of it. */
function Answered({ quote }: { quote: Quote }) {
  const { t } = useTranslation('quote')
  const format = useFormat()
  const { state, answeredAt, answeredBy, answerRemark, lostReason, order, customer } = quote
  if (state === 'expired') return <Notice tone="warn">{t('answered.expired')}</Notice>
  if (answeredAt === null || answeredBy === null) return null
  const isWon = state === 'accepted'
  return (
    <Notice tone={isWon ? 'ok' : 'info'}>
      <b>
        {t(`answered.${isWon ? 'accepted' : 'refused'}.${answeredBy}`, {
          customer: customer.title,
          when: format.dayTime(answeredAt),
        })}
      </b>{' '}
      {[lostReason === null ? '' : `${t(`reasons.${lostReason}`)}.`, answerRemark === null ? '' : `„${answerRemark}“`]
        .filter(Boolean)
        .join(' ')}{' '}
      {order === null ? (
        isWon ? (
          t('answered.noOrder')
        ) : null
      ) : order.id === null ? (
        order.number
      ) : (
        <Link to="/orders/$id/edit" params={{ id: String(order.id) }}>
          {t('answered.order', { number: order.number })}
        </Link>
      )}
    </Notice>
  )
}
