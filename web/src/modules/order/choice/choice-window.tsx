import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { listCarrierChoices, type CarrierChoice } from '@waybill/contract/order/choice/carrier-choice'
import {
  askPrices,
  closePriceRound,
  getPriceRound,
  stillHolds,
  takePrice,
} from '@waybill/contract/order/choice/price-round'
import type { Order } from '@waybill/contract/order/order'
import { needsAssignment } from '@waybill/contract/order/status'
import { useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../../kit/api/call-api.ts'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { useIntention } from '../../../kit/api/use-intention.ts'
import { useKept } from '../../../kit/form/state/use-kept-typing.ts'
import { useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { useLiveChanges } from '../../../kit/live/use-live-changes.ts'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import { RefusalsNotice } from '../../../ui/notices/refusals-notice.tsx'
import { TabBar } from '../../../ui/page/tab-bar.tsx'
import { ModalFrame } from '../../../ui/windows/confirm-modal.tsx'
import { AnswersPart } from './answers-part.tsx'
import { AskPart, firstAsked, isDeadline, laterToday, type Asked } from './ask-part.tsx'
import { CarrierPanel } from './carrier-panel.tsx'
import classes from './choice.module.css'
import { RankedTable } from './ranked-table.tsx'
import { RankedTools } from './ranked-tools.tsx'

const TYPING_MS = 250
const TABS = ['ranked', 'ask', 'answers'] as const
type TabKey = (typeof TABS)[number]

export interface ChosenCarrier {
  id: number
  title: string
  costCents: number | null
}

interface ChoiceWindowProps {
  order: Order
  routeId: number
  /** What is agreed already, as it stands in the form */
  costCents: number | null
  isReadOnly: boolean
  onAssign: (chosen: ChosenCarrier) => void
  /** The server has put a carrier on the route: the order is another one by now */
  onTaken: () => void
  onClose: () => void
}

/** Who could drive a route, in an order that can be read, and what they answer when they are asked for a price. */
export function ChoiceWindow(props: ChoiceWindowProps) {
  const { order, routeId, costCents, isReadOnly, onAssign, onTaken, onClose } = props
  const { t } = useTranslation(['carrier-choice', 'clearance', 'form'])
  const format = useFormat()
  const queries = useQueryClient()
  const refusalWords = useRefusalWords()
  const [chosenTab, setTab] = useState<TabKey | null>(null)
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed.trim(), TYPING_MS)
  const [currentId, setCurrent] = useState<number | null>(null)
  const [cost, setCost] = useState<number | null>(costCents)
  const keyOf = useIntention()
  const kept = useKept<Asked>('price-rounds', routeId, {
    ids: null,
    deadline: laterToday(),
    limitCents: null,
    remark: '',
  })
  const asked = kept.values
  const [answerId, setAnswer] = useState<number | null>(null)
  const [tellsOthers, setTellsOthers] = useState(true)
  const [refusals, setRefusals] = useState<readonly string[]>([])
  const [isBusy, setBusy] = useState(false)
  // Of UTC, as the server has it.
  const [today] = useState(() => new Date().toISOString().slice(0, 10))
  const search = useRef<HTMLInputElement>(null)
  const { data, error, refetch } = useQuery({
    queryKey: ['orders', order.id, 'carrier-choice', routeId, order.version, q],
    queryFn: ({ signal }) =>
      callApi(listCarrierChoices, { params: { id: order.id, routeId }, query: q === '' ? {} : { q }, signal }),
    placeholderData: keepPreviousData,
    meta: { showsRefusals: true },
  })
  const roundKey = ['orders', order.id, 'price-round', routeId]
  const { data: found } = useQuery({
    queryKey: roundKey,
    queryFn: ({ signal }) => callApi(getPriceRound, { params: { id: routeId }, signal }),
    meta: { showsRefusals: true },
  })
  useLiveChanges('order', () => void queries.invalidateQueries({ queryKey: roundKey }))
  const round = found?.round ?? null
  const isOpen = round !== null && round.closedAt === null
  // Who has asked comes back for the answers.
  const tab = chosenTab ?? (isOpen ? 'answers' : 'ranked')
  const items = data?.items ?? []
  const current = items.find(({ id }) => id === currentId) ?? items[0]
  const route = order.routes.find(({ id }) => id === routeId)!
  // Nobody could save it.
  const isRefused = current !== undefined && !current.isCleared && needsAssignment(route.status)
  const mayAssign = current !== undefined && !isRefused && !isReadOnly
  // A price that was agreed already stays until somebody writes another one.
  const proposed = (one: CarrierChoice) => cost ?? one.prices[0]?.priceCents ?? null
  const asks = asked.ids ?? firstAsked(items)
  const mayAsk = !isOpen && !isReadOnly && asks.length > 0 && isDeadline(asked.deadline)
  const priced = round?.answers.filter(({ state }) => state === 'priced') ?? []
  const holding = priced.filter((one) => stillHolds(one, today))
  const answer = holding.find(({ id }) => id === answerId) ?? cheapest(holding)
  const mayTake = isOpen && answer !== undefined && !isReadOnly

  const run = async (work: () => Promise<unknown>) => {
    if (isBusy) return
    setBusy(true)
    setRefusals([])
    try {
      await work()
    } catch (failure) {
      setRefusals(refusalWords(failure))
    }
    setBusy(false)
    void queries.invalidateQueries({ queryKey: roundKey })
  }
  const ask = () =>
    run(async () => {
      const body = {
        carrierCompanyIds: [...asks],
        deadline: new Date(asked.deadline).toISOString(),
        limitCents: asked.limitCents,
        remark: asked.remark,
      }
      await callApi(askPrices, { params: { id: routeId }, body, idempotencyKey: keyOf(body) })
      await kept.forget()
      notify({ tone: 'ok', title: t('ask.sent'), closeLabel: t('form:close') })
      setTab('answers')
    })
  const take = () =>
    run(async () => {
      if (answer === undefined || round === null) return
      await callApi(takePrice, {
        params: { id: routeId, roundId: round.id },
        version: order.version,
        body: { answerId: answer.id, tellOthers: tellsOthers },
        idempotencyKey: newIdempotencyKey(),
      })
      notify({
        tone: 'ok',
        title: t('answers.taken', { carrier: answer.carrierCompany.title, price: format.euro(answer.priceCents!) }),
        closeLabel: t('form:close'),
      })
      onTaken()
    })
  const close = () =>
    run(() =>
      callApi(closePriceRound, { params: { id: routeId, roundId: round!.id }, idempotencyKey: newIdempotencyKey() }),
    )
  const giveUp = () => {
    void kept.forget()
    onClose()
  }
  const submit = () => {
    if (tab === 'ranked' && mayAssign) onAssign({ id: current.id, title: current.title, costCents: proposed(current) })
    if (tab === 'ask' && mayAsk) void ask()
    if (tab === 'answers' && mayTake) void take()
  }
  const show = (key: TabKey) => {
    setTab(key)
    setRefusals([])
  }
  const press = (event: KeyboardEvent) => {
    const { target, key } = event
    if (event.ctrlKey || event.altKey || event.metaKey || !(target instanceof HTMLElement)) return
    const isText = target.matches('input:not([type=radio], [type=checkbox]), textarea')
    const isFilled = isText && (target as HTMLInputElement).value !== ''
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
    // Between radio buttons the browser goes by itself.
    if (tab === 'ranked' && step !== 0 && !target.matches('[type=radio]') && current !== undefined) {
      const next = items[items.indexOf(current) + step]
      if (next !== undefined) setCurrent(next.id)
    } else if (tab === 'ranked' && key === '/' && !isFilled) search.current?.focus()
    else if (tab !== 'ask' && key === 'Enter' && target === event.currentTarget) submit()
    else if (key === 'a' && !isText) show('ask')
    // A mail to several leaves by its button or Ctrl and Enter, never by an Enter too many.
    else if (!(tab === 'ask' && key === 'Enter' && isText && !target.matches('textarea'))) return
    event.preventDefault()
  }
  return (
    <ModalFrame
      isOpen
      isWide
      onClose={giveUp}
      onSubmit={submit}
      title={t('title', { route: route.number })}
      closeLabel={t('form:close')}
      footer={
        <>
          <Button onClick={giveUp}>{t('form:cancel')}</Button>
          {tab === 'ranked' ? (
            <Button type="submit" variant="filled" disabled={!mayAssign}>
              {current === undefined ? t('assign') : t('assignOne', { carrier: current.title })}
            </Button>
          ) : tab === 'ask' ? (
            <Button type="submit" variant="filled" disabled={!mayAsk} loading={isBusy}>
              {t('ask.send', { count: asks.length })}
            </Button>
          ) : (
            <Button type="submit" variant="filled" disabled={!mayTake} loading={isBusy}>
              {answer === undefined
                ? t('answers.takeNone')
                : t('answers.take', { price: format.euro(answer.priceCents!) })}
            </Button>
          )}
        </>
      }
    >
      {/* Before the list is here the keys already belong to it. */}
      <div
        className={classes.window}
        role="group"
        aria-label={t('carriers')}
        tabIndex={-1}
        data-autofocus
        onKeyDown={press}
      >
        <TabBar
          label={t('tabs.label')}
          tabs={TABS.map((key) => ({
            key,
            label: t(`tabs.${key}`),
            ...(key === 'answers' && priced.length > 0 && { count: priced.length }),
          }))}
          current={tab}
          onSelect={show}
        />
        <RefusalsNotice refusals={refusals} />
        {error ? (
          <LoadError error={error} onRetry={() => void refetch()} />
        ) : data === undefined || found === undefined ? (
          <SkeletonLines lines={6} label={t('loading')} />
        ) : tab === 'ask' ? (
          <AskPart
            items={items}
            asked={asked}
            ids={asks}
            round={isOpen ? round : null}
            isReadOnly={isReadOnly}
            onChange={kept.set}
            onClose={() => void close()}
          />
        ) : tab === 'answers' ? (
          <AnswersPart
            choices={data}
            round={round}
            today={today}
            currentId={answer?.id ?? null}
            tellsOthers={tellsOthers}
            isReadOnly={isReadOnly}
            onCurrent={setAnswer}
            onTellOthers={setTellsOthers}
            onClose={() => void close()}
          />
        ) : (
          <>
            <RankedTools choices={data} typed={typed} search={search} onType={setTyped} />
            <div className={classes.body}>
              {items.length === 0 ? (
                <p className={classes.none}>{t(q === '' ? 'none' : 'noneFound')}</p>
              ) : (
                <RankedTable choices={data} currentId={current?.id ?? null} onCurrent={setCurrent} />
              )}
              {current === undefined ? null : (
                <CarrierPanel
                  choices={data}
                  carrier={current}
                  place={items.indexOf(current) + 1}
                  costCents={proposed(current)}
                  isRefused={isRefused}
                  isReadOnly={isReadOnly}
                  onCost={setCost}
                />
              )}
            </div>
          </>
        )}
      </div>
    </ModalFrame>
  )
}

const cheapest = <One extends { priceCents: number | null }>(answers: readonly One[]): One | undefined =>
  answers.toSorted((a, b) => (a.priceCents ?? 0) - (b.priceCents ?? 0))[0]
