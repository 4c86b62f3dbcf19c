import { Button, Menu } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { CheckKey } from '@waybill/contract/invoice/check'
import type { InvoiceCheck, ProblemKind, ToCheckView } from '@waybill/contract/invoice/checking'
import {
  allowedInvoiceMoves,
  isHeldInvoice,
  isReceivedInvoice,
  type InvoiceStatus,
} from '@waybill/contract/invoice/status'
import { ORDER_ACCESS } from '@waybill/contract/permissions'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { BackLink } from '../../../kit/form/page/back-link.tsx'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { useLiveChanges } from '../../../kit/live/use-live-changes.ts'
import { useScreenTitle } from '../../../kit/record/screen-title.ts'
import { hasAccess } from '../../../kit/session/session.ts'
import { useShortcut } from '../../../kit/shortcuts/shortcuts.ts'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { Icon } from '../../../ui/marks/icon.tsx'
import { KeyHint } from '../../../ui/marks/marks.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { EmptyState } from '../../../ui/notices/notice.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import { ProofStopsModal, RefusePodModal, usePodChecks } from '../../document/paper-section.ts'
import { InvoiceStatusBadge } from '../invoice-status-badge.tsx'
import classes from './check.module.css'
import { ANSWERS, CheckLines, NO_ANSWERS, type Answers } from './check-lines.tsx'
import { WaitingExtras } from '../extras/waiting-extras.tsx'
import { CheckPaper, type PaperTab } from './check-paper.tsx'
import { CheckQueue } from './check-queue.tsx'
import { KeptAnswers } from './kept-answers.tsx'
import { useCheckActions } from './use-check-actions.ts'
import { checkQuery, paperQuery } from './use-check.ts'
import { useQueuePlace } from './use-queue-place.ts'

const ProblemWindow = lazy(() => import('./problem-window.tsx').then((file) => ({ default: file.ProblemWindow })))

const mayHoldInvoice = (status: InvoiceStatus): boolean =>
  allowedInvoiceMoves('carrier', status).some(({ kind }) => kind === 'hold')

const NOTHING_CHANGED: ReadonlySet<CheckKey> = new Set()

/** Carriers' invoices one after the other: the queue, the checks, the paper. */
export function CheckPage() {
  const { t } = useTranslation(['invoice-check', 'invoice-list'])
  const search = useSearch({ strict: false }) as { invoice?: unknown; view?: unknown }
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const view: ToCheckView = search.view === 'in_progress' ? 'in_progress' : 'received'
  const named = Number(search.invoice)
  const chosen = Number.isSafeInteger(named) && named > 0 ? named : null
  const { queue, ids, current, next, hasNext, hasPrevious, find } = useQueuePlace(view, chosen)
  useScreenTitle(t('title'))

  const show = (id: number | null, replace = true): Promise<void> =>
    navigate({
      to: '/invoices/check' as string,
      search: {
        ...(id !== null && { invoice: String(id) }),
        ...(view === 'in_progress' && { view }),
      } as never,
      replace,
      resetScroll: false,
    })
  const step = async (by: 1 | -1) => {
    const found = current === null ? null : await find(current, by)
    if (found !== null) await show(found)
  }
  useLiveChanges('invoice', () => void queryClient.invalidateQueries({ queryKey: ['invoices'] }))

  // The next one is there before it is asked for, with its paper.
  useEffect(() => {
    if (next === null) return
    void queryClient.prefetchQuery(checkQuery(next)).then(() => {
      const [paper] = queryClient.getQueryData(checkQuery(next).queryKey)?.papers ?? []
      if (paper) void queryClient.prefetchQuery(paperQuery(paper.documentId))
    })
  }, [next, queryClient])

  const done = async (from: number) => show((await find(from, 1)) ?? (await find(from, -1)))
  const actions = useCheckActions({ onDone: done, onUndone: (id) => void show(id) })
  useShortcut(
    { key: 'u', label: t('undo'), run: () => void actions.undo(actions.approved!) },
    actions.approved !== null,
  )
  const first = queue.data?.pages[0]
  const isEmpty = first !== undefined && ids.length === 0 && chosen === null
  return (
    <div className={classes.page} data-chosen={chosen !== null || undefined}>
      {current === null || isEmpty ? (
        <>
          <QueueHead />
          <div className={classes.columns}>
            <CheckQueue view={view} onView={(to) => openView(navigate, to)} current={null} />
            <div className={classes.nothing}>
              {queue.error ? (
                <LoadError error={queue.error} onRetry={() => void queue.refetch()} />
              ) : first === undefined ? (
                <SkeletonLines lines={8} label={t('loading')} />
              ) : (
                <Nothing view={view} sums={first} onProblems={() => openView(navigate, 'in_progress')} />
              )}
            </div>
          </div>
        </>
      ) : (
        <OpenCheck
          id={current}
          view={view}
          onView={(to) => openView(navigate, to)}
          onStep={(by) => void step(by)}
          hasNext={hasNext}
          hasPrevious={hasPrevious}
          onList={() => void show(null, false)}
          onDone={done}
          actions={actions}
        />
      )}
    </div>
  )
}

const openView = (navigate: ReturnType<typeof useNavigate>, view: ToCheckView) =>
  void navigate({
    to: '/invoices/check' as string,
    search: (view === 'in_progress' ? { view } : {}) as never,
  })

function Nothing({
  view,
  sums: { counts, approvedToday },
  onProblems,
}: {
  view: ToCheckView
  sums: { counts: Record<ToCheckView, number>; approvedToday: { count: number; totalCents: number } }
  onProblems: () => void
}) {
  const { t } = useTranslation('invoice-check')
  const format = useFormat()
  if (view === 'in_progress') return <EmptyState icon="inbox" title={t('empty.noProblems')} />
  return (
    <EmptyState
      icon="inbox"
      title={t('empty.title')}
      actions={
        counts.in_progress > 0 ? (
          <Button size="compact-sm" onClick={onProblems}>
            {t('empty.showProblems', { count: counts.in_progress })}
          </Button>
        ) : undefined
      }
    >
      {t('empty.text', { count: approvedToday.count, amount: format.euro(approvedToday.totalCents) })}
    </EmptyState>
  )
}

interface OpenCheckProps {
  id: number
  view: ToCheckView
  onView: (view: ToCheckView) => void
  onStep: (by: 1 | -1) => void
  hasNext: boolean
  hasPrevious: boolean
  onList: () => void
  onDone: (from: number) => Promise<void>
  actions: ReturnType<typeof useCheckActions>
}

/** One invoice between its queue and its paper. */
function OpenCheck({ id, view, onView, onStep, hasNext, hasPrevious, onList, onDone, actions }: OpenCheckProps) {
  const { t } = useTranslation(['invoice-check', 'document'])
  const { data: check, error, refetch } = useQuery(checkQuery(id))
  const [answers, setAnswers] = useState(NO_ANSWERS)
  const [changed, setChanged] = useState(NOTHING_CHANGED)
  const [tab, setTab] = useState<PaperTab>('invoice')
  const [isPaperOpen, setPaperOpen] = useState(false)
  const [problem, setProblem] = useState<{ kind: ProblemKind | null } | null>(null)
  const [refused, setRefused] = useState<InvoiceCheck['pods'][number] | null>(null)
  const [asked, setAsked] = useState<InvoiceCheck['pods'][number] | null>(null)
  // The next one begins anew; the queue beside it stays as it is, which is most of what a key would draw again.
  const [shownId, setShownId] = useState(id)
  if (shownId !== id) {
    setShownId(id)
    setAnswers(NO_ANSWERS)
    setChanged(NOTHING_CHANGED)
    setTab('invoice')
    setPaperOpen(false)
    setProblem(null)
    setRefused(null)
    setAsked(null)
  }
  const pods = usePodChecks(() => {
    actions.readAnew()
  })
  const mayApprove = check !== undefined && isReceivedInvoice(check.status)
  const mayHold = check !== undefined && mayHoldInvoice(check.status)
  const ask = (paths: readonly string[]) => {
    setAnswers((before) => ({ ...before, refused: paths }))
    // What is asked is brought into sight.
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>('[data-missing] input, textarea[aria-invalid]')?.focus(),
    )
  }
  const approve = () => {
    if (!check) return
    if (answers.difference === 'not_agreed') setProblem({ kind: 'amount' })
    else void actions.approve(check, answers, { onRefused: ask, onChanged: setChanged })
  }
  const answer = (given: Partial<Answers>) => setAnswers((before) => ({ ...before, ...given }))
  const showPaper = (wanted: PaperTab) => {
    setTab(wanted)
    setPaperOpen(true)
  }
  const accept = async (pod: InvoiceCheck['pods'][number]) => {
    if (pod.stops.length > 0) {
      setAsked(pod)
      return
    }
    const refusals = await pods.accept({ id: pod.documentId, version: pod.version })
    if (refusals.length > 0)
      notify({
        tone: 'danger',
        title: t('document:pod.notAccepted'),
        detail: refusals.join(' '),
        closeLabel: t('close'),
      })
  }
  const isOpen = problem === null && refused === null && asked === null
  useShortcut({ key: 'a', label: t('keys.approve'), run: approve }, isOpen && mayApprove)
  useShortcut({ key: 'p', label: t('keys.problem'), run: () => setProblem({ kind: null }) }, isOpen && mayHold)
  useShortcut({ key: 'j', label: t('keys.next'), run: () => onStep(1) }, isOpen)
  useShortcut({ key: 'k', label: t('keys.previous'), run: () => onStep(-1) }, isOpen)
  useShortcut({ key: 'o', label: t('keys.pod'), run: () => showPaper('pod') }, isOpen)
  useShortcut({ key: 't', label: t('keys.transportOrder'), run: () => showPaper('transportOrder') }, isOpen)
  useShortcut({ key: 'i', label: t('keys.invoice'), run: () => showPaper('invoice') }, isOpen)
  const asksDifference = mayApprove && check.checks.some((line) => line.answer === 'difference')
  useDigits((digit) => {
    const picked = ANSWERS[digit - 1]
    if (picked !== undefined) answer({ difference: picked, refused: [] })
  }, isOpen && asksDifference)

  const buttons =
    check === undefined ? null : (
      <CheckButtons
        check={check}
        isBusy={actions.isBusy}
        isNotAgreed={answers.difference === 'not_agreed'}
        onApprove={approve}
        onProblem={() => setProblem({ kind: null })}
        onRelease={() => void actions.release(check)}
      />
    )
  return (
    <>
      {/* An invoice that is not to be approved any more asks nothing. */}
      <KeptAnswers key={id} id={id} answers={mayApprove ? answers : NO_ANSWERS} onRead={answer} />
      <QueueHead isPhones />
      <CheckHead check={check} answers={answers} buttons={buttons} onList={onList} />
      <div className={classes.columns}>
        <CheckQueue view={view} onView={onView} current={id} />
        <section key={`checks of ${id}`} className={classes.middle} aria-label={t('checks')}>
          {error && check === undefined ? (
            <LoadError error={error} onRetry={() => void refetch()} />
          ) : check === undefined ? (
            <div className={classes.waiting}>
              <SkeletonLines lines={12} label={t('loading')} />
            </div>
          ) : (
            <>
              <div className={classes.paperButtons}>
                <Button onClick={() => showPaper('invoice')}>{t('paper.invoice')}</Button>
                <Button onClick={() => showPaper('pod')}>{t('paper.pod')}</Button>
                <Button onClick={() => showPaper('transportOrder')}>{t('paper.transportOrder')}</Button>
                <PhoneTotal check={check} />
              </div>
              {/* First, so that nobody books again as a difference what only waits to be approved. */}
              {mayApprove ? (
                <WaitingExtras key={id} invoiceId={id} side="carrier" onDecided={actions.readAnew} />
              ) : null}
              <CheckLines
                check={check}
                answers={answers}
                onAnswer={answer}
                changed={changed}
                onPod={() => showPaper('pod')}
                onAccount={actions.readAnew}
              />
            </>
          )}
        </section>
        {check === undefined ? (
          <div className={classes.paper} />
        ) : (
          <div key={`paper of ${id}`} className={classes.paperPlace} data-open={isPaperOpen || undefined}>
            <CheckPaper
              check={check}
              tab={tab}
              onTab={setTab}
              onAccept={(pod) => void accept(pod)}
              onRefuse={setRefused}
              {...(isPaperOpen && { onClose: () => setPaperOpen(false) })}
            />
          </div>
        )}
      </div>
      <div className={classes.phoneBar}>
        <IconButton icon="chevronUp" label={t('keys.previous')} disabled={!hasPrevious} onClick={() => onStep(-1)} />
        <IconButton icon="chevronDown" label={t('keys.next')} disabled={!hasNext} onClick={() => onStep(1)} />
        <span className={classes.grow} />
        {buttons}
      </div>
      {problem === null || check === undefined ? null : (
        <Suspense>
          <ProblemWindow
            check={check}
            kind={problem.kind}
            onClose={() => setProblem(null)}
            onHeld={(held) => {
              setProblem(null)
              actions.keep(held)
              void onDone(held.id).then(actions.readAnew)
              notify({
                tone: 'ok',
                title: t('held', { number: held.number ?? held.innerNumber }),
                detail: held.problem?.isTold ? t('heldTold') : undefined,
                closeLabel: t('close'),
              })
            }}
          />
        </Suspense>
      )}
      {asked === null ? null : (
        <ProofStopsModal
          key={asked.documentId}
          files={[asked.title]}
          stops={asked.stops}
          submitLabel={t('document:pod.accept')}
          onClose={() => setAsked(null)}
          onSubmit={(locationIds) => pods.accept({ id: asked.documentId, version: asked.version }, locationIds)}
        />
      )}
      {refused === null ? null : (
        <RefusePodModal
          document={{ id: refused.documentId, title: refused.title }}
          onClose={() => setRefused(null)}
          onRefuse={(reason) => pods.refuse({ id: refused.documentId, version: refused.version }, reason)}
        />
      )}
    </>
  )
}

/** The digits answer, outside of fields. */
function useDigits(run: (digit: number) => void, isOn: boolean): void {
  const act = useEffectEvent(run)
  useEffect(() => {
    if (!isOn) return
    const press = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof HTMLElement &&
        event.target.closest('textarea, select, [role=dialog], input:not([type=radio], [type=checkbox])') !== null
      if (isTyping || event.ctrlKey || event.altKey || event.metaKey || !/^[1-8]$/.test(event.key)) return
      event.preventDefault()
      act(Number(event.key))
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [isOn])
}

/** Above the queue; on a phone also while an invoice is ready beside it, which is not seen there yet. */
function QueueHead({ isPhones = false }: { isPhones?: boolean }) {
  const { t } = useTranslation('invoice-check')
  return (
    <header className={classes.head} data-queue={isPhones || undefined}>
      <BackLink to="/invoices" label={t('back')} />
      <div className={classes.name}>
        <h1>{t('title')}</h1>
      </div>
    </header>
  )
}

function CheckHead({
  check,
  answers,
  buttons,
  onList,
}: {
  check: InvoiceCheck | undefined
  answers: Answers
  buttons: React.ReactNode
  onList: () => void
}) {
  const { t } = useTranslation('invoice-check')
  const format = useFormat()
  if (check === undefined)
    return (
      <header className={classes.head}>
        <BackLink to="/invoices" label={t('back')} />
        <div className={classes.name}>
          <h1>{t('title')}</h1>
        </div>
      </header>
    )
  const { number, innerNumber, carrierCompany, routes, orders } = check
  const place = routes[0]?.title ?? orders[0]?.title
  return (
    <header className={classes.head}>
      <span className={classes.desk}>
        <BackLink to="/invoices" label={t('back')} />
      </span>
      <span className={classes.phone}>
        <IconButton icon="chevronLeft" label={t('toQueue')} onClick={onList} />
      </span>
      <div className={classes.name}>
        <h1>{number ?? innerNumber}</h1>
        <div className={classes.party}>
          {carrierCompany?.title}
          {place === undefined ? null : (
            <>
              {' · '}
              {t('order')}{' '}
              {hasAccess(ORDER_ACCESS) && orders[0] ? (
                <Link to={`/orders/${orders[0].id}/edit` as string}>{place}</Link>
              ) : (
                place
              )}
            </>
          )}
        </div>
      </div>
      <InvoiceStatusBadge status={check.status} isBig />
      <dl className={classes.figures}>
        <div>
          <dt>{t('total')}</dt>
          <dd>{format.amount(check.totalCents, check.currency)}</dd>
        </div>
        {check.dueDate === null ? null : (
          <div>
            <dt>{t('due')}</dt>
            <dd>{format.date(check.dueDate)}</dd>
          </div>
        )}
      </dl>
      <Why check={check} answers={answers} />
      <div className={`${classes.actions} ${classes.desk}`}>{buttons}</div>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button aria-label={t('moreActions')} className={classes.moreButton}>
            <Icon name="more" />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<Icon name="edit" />}
            renderRoot={(props) => <Link to={`/invoices/${check.id}/edit` as string} {...props} />}
          >
            {t('openForm')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </header>
  )
}

/** Beside the button, what pressing it comes to. */
function Why({ check, answers }: { check: InvoiceCheck; answers: Answers }) {
  const { t } = useTranslation('invoice-check')
  const format = useFormat()
  if (!isReceivedInvoice(check.status)) return null
  const amount = check.checks.find(({ key }) => key === 'amount')
  const iban = check.checks.find(({ key }) => key === 'iban')
  const words =
    amount?.answer === 'difference' && answers.difference !== null && answers.difference !== 'not_agreed'
      ? t('why.keeps', {
          amount: format.euro(Math.abs(amount.expected.values.differenceCents as number)),
          kind: t(`answer.${answers.difference}`),
        })
      : amount?.answer === 'difference' && answers.difference === null
        ? t('why.answer')
        : iban?.level === 'stop'
          ? t('why.iban')
          : null
  return words === null ? null : (
    <span className={`${classes.why} ${classes.desk}`} data-tone={amount?.answer === 'difference' ? 'look' : 'stop'}>
      {words}
    </span>
  )
}

function CheckButtons({
  check: { status },
  isBusy,
  isNotAgreed,
  onApprove,
  onProblem,
  onRelease,
}: {
  check: InvoiceCheck
  isBusy: boolean
  isNotAgreed: boolean
  onApprove: () => void
  onProblem: () => void
  onRelease: () => void
}) {
  const { t } = useTranslation('invoice-check')
  return (
    <>
      {mayHoldInvoice(status) ? (
        <Button onClick={onProblem}>
          {t('problem.button')} <KeyHint>P</KeyHint>
        </Button>
      ) : null}
      {isReceivedInvoice(status) ? (
        <Button variant="filled" loading={isBusy} onClick={onApprove}>
          {t(isNotAgreed ? 'askCorrection' : 'approve')} <KeyHint>A</KeyHint>
        </Button>
      ) : null}
      {isHeldInvoice(status) ? (
        <Button variant="filled" loading={isBusy} onClick={onRelease}>
          {t('release')}
        </Button>
      ) : null}
    </>
  )
}

function PhoneTotal({ check }: { check: InvoiceCheck }) {
  const { t } = useTranslation('invoice-check')
  const format = useFormat()
  return (
    <span className={classes.phoneTotal}>
      <span>{t('total')}</span>
      <b>{format.amount(check.totalCents, check.currency)}</b>
    </span>
  )
}
