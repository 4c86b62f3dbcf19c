import { can } from '@waybill/contract/permissions'
import { isReadOnlyOrder } from '@waybill/contract/order/status'
import { isDerivedOrderField } from '@waybill/contract/order/derived'
import { orderApi, type Order } from '@waybill/contract/order/order'
import { ORDER_SECTIONS, type OrderSection } from '@waybill/contract/order/presence'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { Suspense, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { FormProvider, useFormValue, useFormValueOf, type Problem } from '../../../kit/form/state/form-context.ts'
import { FormMessages } from '../../../kit/form/page/form-messages.tsx'
import { LeaveGuard } from '../../../kit/form/page/leave-guard.tsx'
import { useSavedNotice } from '../../../kit/form/page/saved-notice.ts'
import { PhoneSaveBar } from '../../../kit/form/page/save-bar.tsx'
import { useEntityForm } from '../../../kit/form/state/use-entity-form.ts'
import { isSame } from '../../../kit/form/state/values.ts'
import { useFormRecord, type FormRecord } from '../../../kit/form/state/use-form-record.ts'
import { loadTexts, useFormat } from '../../../kit/i18n/i18n.ts'
import { useScreenTitle } from '../../../kit/record/screen-title.ts'
import { hasAccess, useSession } from '../../../kit/session/session.ts'
import { Notice } from '../../../ui/notices/notice.tsx'
import { Section } from '../../../ui/page/section.tsx'
import { lateSection } from '../../../ui/windows/late-window.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { placeAmong, useHistory, useHistoryRail } from '../../audit-entry/history-list-section.ts'
import { RailFrame } from '../../audit-entry/rail-section.tsx'
import { useDocuments } from '../../document/document-list-section.ts'
import { useEmails } from '../../email/email-list-section.ts'
import { CargoGrid } from '../cargo/cargo-grid.tsx'
import { lineBehind } from '../grid/dialog-fields.ts'
import {
  checkOrder,
  ORDER_ATOMS,
  orderBodyOf,
  orderValuesOf,
  tidyOrder,
  type CargoValues,
  type OrderValues,
  type RouteValues,
  type StopValues,
} from '../values/draft.ts'
import type { OrderForm } from '../values/order-form.ts'
import { OrderFormContents } from './contents.tsx'
import { OrderFormHeader } from './header.tsx'
import { sectionMarks } from './section-marks.ts'
import type { AskedExtra } from '../extras/asked-extra.ts'
import type { FromMail } from '../intake/changes/mail-changes.tsx'
import classes from './form-page.module.css'
import { OrderGeneralSection } from './general-section.tsx'
import { useBilledFreight, useOrderInvoices } from './invoices.ts'
import { useOrderLabels } from '../values/labels.ts'
import { OrderLocationsSection } from '../stops/locations-section.tsx'
import { NewMail } from '../papers/new-mail.tsx'
import { OrderMailDock } from './mail-dock.tsx'
import { useCustomerForOrder, useIsCustomerAwaited } from '../values/parties.ts'
import { useOrderWords } from '../values/value-words.ts'
import { RAIL_TABS } from '../rail/rail-tabs.ts'
import { useIsReached, useNamedSection } from './use-is-reached.ts'

/** Stands where a part is on its way. */
function Waiting() {
  const { t } = useTranslation('order')
  return <SkeletonLines lines={2} label={t('loading')} />
}

function WaitingRail() {
  const { t } = useTranslation('order')
  return <SkeletonLines lines={8} label={t('loading')} />
}

// What lies below the fold comes when it is reached, what stands beside it once the form is there.
const OrderRail = lateSection(async () => {
  const [file] = await Promise.all([import('../rail/order-rail.tsx'), loadTexts('history')])
  return file.OrderRail
}, WaitingRail)
const BilledLoad = lateSection(() => import('./billed-load.tsx').then((file) => file.BilledLoad))
const OrderBudgetSection = lateSection(
  () => import('./budget-section.tsx').then((file) => file.OrderBudgetSection),
  Waiting,
)
const OrderExtrasSection = lateSection(
  () => import('../extras/extras-section.tsx').then((file) => file.OrderExtrasSection),
  Waiting,
)
const OrderSettingsSection = lateSection(
  () => import('./settings-section.tsx').then((file) => file.OrderSettingsSection),
  Waiting,
)
const MergeSources = lateSection(() => import('../merge/merge-sources.tsx').then((file) => file.MergeSources), Waiting)
const OrderRoutesSection = lateSection(
  () => import('../routes/routes-section.tsx').then((file) => file.OrderRoutesSection),
  Waiting,
)
const OrderCustomersSection = lateSection(
  () => import('./customers-section.tsx').then((file) => file.OrderCustomersSection),
  Waiting,
)
const CarrierInvoicesSection = lateSection(
  () => import('./invoices-section.tsx').then((file) => file.CarrierInvoicesSection),
  Waiting,
)
const CustomerInvoicesSection = lateSection(
  () => import('./invoices-section.tsx').then((file) => file.CustomerInvoicesSection),
  Waiting,
)
const OrderDocumentsSection = lateSection(
  () => import('../papers/documents-section.tsx').then((file) => file.OrderDocumentsSection),
  Waiting,
)
const CameInMails = lateSection(async () => {
  const [file] = await Promise.all([import('../intake/came-in-section.tsx'), loadTexts('intake')])
  return file.CameInMails
})
const MailChangesNotice = lateSection(async () => {
  const [file] = await Promise.all([import('../intake/changes/mail-changes.tsx'), loadTexts('intake')])
  return file.MailChangesNotice
})
const EmailsSection = lateSection(
  () => import('../../email/email-section.tsx').then((file) => file.EmailsSection),
  Waiting,
)

/** One order: everything about it on a page that scrolls. */
export function OrderFormPage() {
  const { t } = useTranslation('order')
  const { id } = useParams({ strict: false }) as { id: string }
  const { data, error, refetch } = useFormRecord<typeof orderApi, OrderValues>(orderApi, Number(id))
  const isCustomerAwaited = useIsCustomerAwaited(data?.view.customers[0]?.id)
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined || isCustomerAwaited) return <SkeletonLines lines={16} label={t('loading')} />
  return <OrderFormOf key={id} record={data} />
}

const INVOICES = can('INVOICES_PROCESSING')
// Where the field of a path is to be found.
const SECTION_OF: Readonly<Record<string, OrderSection>> = {
  cargo: 'cargo',
  locations: 'locations',
  routes: 'routes',
  customerPriceCents: 'budget',
  customerVatBp: 'budget',
  vehicleTypeId: 'budget',
  paymentPeriodDays: 'budget',
  disposition: 'other',
  deviations: 'other',
}

const sectionOf = (path: string): OrderSection => SECTION_OF[path.split('.')[0]!] ?? 'general'

/** Fields of a stop that are folded away. */
const IN_DETAILS = ['timeZone', 'comment', 'cargoActions', 'customerPriceCents', 'carrierPriceCents', 'canceledAt']

/** Scrolls to the section, and into its first field, else its first link or button. */
function enterSection(section: OrderSection): void {
  const head = document.getElementById(section)
  head?.scrollIntoView({ block: 'start' })
  const first = (selector: string) => document.getElementById(`${section}-body`)?.querySelector<HTMLElement>(selector)
  // What is fetched only now has its head alone.
  const field =
    first('input:not([type=hidden], [type=file]), select, textarea') ??
    first('a[href], button:not(:disabled)') ??
    head?.querySelector('button')
  field?.focus({ preventScroll: true })
}

interface CardOptions {
  summary?: React.ReactNode
  actions?: React.ReactNode
  isFlush?: boolean
  ref?: React.Ref<HTMLDivElement>
}

function OrderFormOf({ record }: { record: FormRecord<Order, OrderValues> }) {
  const { t } = useTranslation('order')
  const queries = useQueryClient()
  const labelOf = useOrderLabels()
  const [closed, setClosed] = useState<ReadonlySet<OrderSection>>(new Set())
  const [detailsOf, setDetailsOf] = useState<number | null>(null)
  const [openStop, setOpenStop] = useState<number | null>(null)
  const { rail: asked, changes: changesName } = useSearch({ strict: false }) as { rail?: unknown; changes?: unknown }
  const firstTab = RAIL_TABS.find((tab) => tab === asked)
  // Who comes for a part of it, from the dashboard, finds it open.
  const rail = useHistoryRail(firstTab === undefined ? undefined : 0)
  const mail = useState(false)
  const [, setMailOpen] = mail
  // A link from elsewhere names the section where something is to be done.
  const [named] = useState(() => ORDER_SECTIONS.find((section) => `#${section}` === window.location.hash))
  const page = useRef<HTMLDivElement>(null)
  useNamedSection(named, page, enterSection)
  // A draft may be wrong anywhere.
  const isWhole = record.draft !== null || named !== undefined
  const middle = useIsReached<HTMLDivElement>(isWhole)
  const below = useIsReached<HTMLDivElement>(isWhole)
  useSession()
  const withInvoices = hasAccess(INVOICES)

  // Its name leaves the address as soon as it is taken over.
  const [changesOfMail] = useState(changesName)
  const fromMail = useRef<FromMail>(null)
  const [askedExtras, askExtras] = useState<readonly AskedExtra[]>([])
  const refreshMails = () => void queries.invalidateQueries({ queryKey: ['emails'] })
  const sayThatSaved = useSavedNotice()
  const form: OrderForm = useEntityForm<typeof orderApi, OrderValues>({
    api: orderApi,
    view: record.view,
    draft: record.draft,
    valuesOf: orderValuesOf,
    bodyOf: orderBodyOf,
    tidy: tidyOrder,
    check: checkOrder,
    atoms: ORDER_ATOMS,
    isReadOnly: isReadOnlyOrder(record.view.status),
    reveal: (path) => {
      const [top, index, field] = path.split('.')
      setClosed(new Set([...closed].filter((section) => section !== sectionOf(path))))
      setDetailsOf(lineBehind(path))
      if (top === 'originalMessage') setMailOpen(true)
      if (top === 'locations' && IN_DETAILS.includes(field ?? '')) setOpenStop(Number(index))
    },
    onSaved: (view) => {
      sayThatSaved('order', view.number)
      refreshMails()
      fromMail.current?.saved()
    },
  })
  const order = form.view!
  useScreenTitle(order.number)
  const wordsOf = useOrderWords(order)
  const owner = { orderId: order.id }
  const history = useHistory(owner)
  const [newest] = history.data?.pages[0]?.items ?? []

  const moved = () => {
    refreshMails()
    fromMail.current?.moved()
  }
  const go = (section: OrderSection, path: string | null = null) => {
    setClosed(new Set([...closed].filter((one) => one !== section)))
    requestAnimationFrame(() => {
      if (path === null) {
        enterSection(section)
        return
      }
      // What is missing is given in one field: there.
      document.getElementById(section)?.scrollIntoView({ block: 'start' })
      form.goTo(path)
    })
  }
  // Where a mail asks for nothing else, one is led there.
  const openExtras = (extras: readonly AskedExtra[], isAll: boolean) => {
    askExtras(extras)
    if (isAll) go('extras')
  }
  const sections = ORDER_SECTIONS.filter(
    (section) => withInvoices || (section !== 'carrierInvoices' && section !== 'customerInvoices'),
  )
  const card = (
    section: OrderSection,
    children: React.ReactNode,
    { summary, actions, isFlush = false, ref }: CardOptions = {},
  ) => (
    <div className={classes.anchor} key={section} ref={ref}>
      <Section
        id={section}
        title={t(`sections.${section}`)}
        summary={summary}
        actions={actions}
        isFlush={isFlush}
        isCollapsible
        isOpen={!closed.has(section)}
        onToggle={(isOpen) =>
          setClosed(new Set(isOpen ? [...closed].filter((one) => one !== section) : [...closed, section]))
        }
      >
        <Suspense fallback={<Waiting />}>{children}</Suspense>
      </Section>
    </div>
  )
  const lowerCard = (section: OrderSection, children: React.ReactNode, options?: CardOptions, { isReached } = below) =>
    card(section, isReached ? children : <Waiting />, options)
  // A file of the order changes what the order may do next.
  const reload = () => {
    void callApi(orderApi.get, { params: { id: order.id } }).then(
      (view) => form.accept(view),
      () => undefined,
    )
    refreshMails()
  }
  return (
    <FormProvider value={form.context}>
      <OrderFormHeader form={form} order={order} onMoved={moved} onHistory={rail.toggle} />
      <div className={classes.columns} data-history={rail.isOpen || undefined}>
        <Contents order={order} sections={sections} withInvoices={withInvoices} problems={form.problems} onGo={go} />
        <div ref={page} className={classes.sections} data-read-only={form.context.isReadOnly || undefined}>
          <FormMessages form={form} labelOf={labelOf} wordsOf={wordsOf} other={newest?.actor?.title ?? null} />
          {changesOfMail === undefined ? null : (
            <MailChangesNotice
              ref={fromMail}
              name={changesOfMail}
              form={form}
              order={record.view}
              onExtras={openExtras}
            />
          )}
          {order.mergedIntoId === null ? null : (
            <Notice icon="merge">
              {t('merged')}{' '}
              {order.mergedInto === null ? null : (
                <Link to="/orders/$id/edit" params={{ id: String(order.mergedInto.id) }}>
                  {t('toMerged', { number: order.mergedInto.title })}
                </Link>
              )}
            </Notice>
          )}
          {order.isMergeResult ? <MergeSources form={form} order={order} onChanged={refreshMails} /> : null}
          {card('general', <OrderGeneralSection order={order} />, { summary: <Created order={order} /> })}
          {card('cargo', <Cargo order={order} detailsOf={detailsOf} onDetails={setDetailsOf} />, {
            isFlush: true,
            summary: <CargoSummary />,
          })}
          {card('locations', <OrderLocationsSection order={order} openStop={openStop} onOpenStop={setOpenStop} />, {
            isFlush: true,
            summary: <StopsSummary />,
          })}
          {lowerCard('budget', <OrderBudgetSection order={order} />, { ref: middle.ref }, middle)}
          {lowerCard(
            'extras',
            <OrderExtrasSection
              order={order}
              onSums={reload}
              asked={askedExtras[0] ?? null}
              onAsked={(isSaved) => {
                askExtras(askedExtras.slice(1))
                if (isSaved) fromMail.current?.saved()
              }}
            />,
            { isFlush: true },
          )}
          {lowerCard('other', <OrderSettingsSection />, {}, middle)}
          {lowerCard(
            'emails',
            <>
              <CameInMails of={{ orderId: order.id }} />
              <EmailsSection owner={owner} />
            </>,
            {
              isFlush: true,
              ref: below.ref,
              actions: form.context.isReadOnly ? undefined : <NewMail form={form} order={order} />,
            },
          )}
          {lowerCard(
            'routes',
            <OrderRoutesSection form={form} order={order} onMoved={refreshMails} onReload={reload} />,
            {
              summary: order.routes.map(({ number }) => number).join(', '),
            },
          )}
          {lowerCard('customers', <OrderCustomersSection order={order} />, { isFlush: true })}
          {lowerCard('documents', <OrderDocumentsSection form={form} order={order} onChange={reload} />, {
            isFlush: true,
            summary: order.podWaiverReason === null ? undefined : t('podWaived', { reason: order.podWaiverReason }),
          })}
          {withInvoices
            ? lowerCard('carrierInvoices', <CarrierInvoicesSection order={order} />, { isFlush: true })
            : null}
          {withInvoices
            ? lowerCard('customerInvoices', <CustomerInvoicesSection form={form} order={order} />, { isFlush: true })
            : null}
        </div>
        {rail.isOpen ? (
          <RailFrame label={t('order-rail:title')} top={125}>
            <OrderRail
              orderId={order.id}
              first={firstTab ?? 'history'}
              isReadOnly={form.context.isReadOnly}
              onHide={rail.toggle}
              onMessage={() => setMailOpen(true)}
              labelOf={labelOf}
              wordsOf={wordsOf}
              isDerived={isDerivedOrderField}
              placeOf={(list, id) =>
                placeAmong(list === 'cargo' || list === 'locations' || list === 'routes' ? order[list] : undefined, id)
              }
            />
          </RailFrame>
        ) : null}
      </div>
      <OrderMailDock control={mail} hasTab={!rail.isOpen} />
      {form.context.isReadOnly ? null : <PhoneSaveBar form={form} />}
      <LeaveGuard form={form} name={<b>{order.number}</b>} labelOf={labelOf} />
    </FormProvider>
  )
}

function podMissing({ hasPod, podWaiverReason, pods }: Order) {
  if (hasPod || podWaiverReason !== null) return null
  return pods.some(({ state }) => state === 'toCheck') ? 'podToCheck' : 'pod'
}

/** The marks follow what is typed, without drawing the sections again. */
function Contents({
  order,
  sections,
  withInvoices,
  problems,
  onGo,
}: {
  order: Order
  sections: readonly OrderSection[]
  withInvoices: boolean
  problems: readonly Problem[]
  onGo: (section: OrderSection, path?: string | null) => void
}) {
  const owner = { orderId: order.id }
  const cargo = useFormValue<CargoValues[]>('cargo')
  const locations = useFormValue<StopValues[]>('locations')
  const routes = useFormValue<RouteValues[]>('routes')
  const customerIds = useFormValue<number[]>('customerIds')
  const departmentId = useFormValue<number | null>('departmentId')
  const customerPriceCents = useFormValue<number | null>('customerPriceCents')
  const documents = useDocuments(owner).data
  const emails = useEmails(owner).data
  const invoices = useOrderInvoices(order.id, withInvoices).data?.items ?? []
  const found = sectionMarks(
    { cargo, locations, routes, customerIds, departmentId, customerPriceCents } as OrderValues,
    {
      status: order.status,
      documents: documents?.items.length ?? 0,
      podMissing: podMissing(order),
      emails: emails?.items ?? [],
      hasExtras: order.approvedExtras.length > 0,
      customerInvoices: invoices.filter(({ entityType }) => entityType === 'customer').length,
      carrierInvoices: invoices.filter(({ entityType }) => entityType === 'carrier').length,
    },
  )
  // They are worked out at every key, and mostly say what they said.
  const [marks, setMarks] = useState(found)
  if (!isSame(found, marks)) setMarks(found)
  const wrong = useMemo(() => {
    const counts: Partial<Record<OrderSection, number>> = {}
    for (const { path } of problems) {
      const section = sectionOf(path)
      counts[section] = (counts[section] ?? 0) + 1
    }
    return counts
  }, [problems])
  return <OrderFormContents sections={sections} marks={marks} wrong={wrong} onGo={onGo} />
}

function Created({ order }: { order: Order }) {
  const { t } = useTranslation('order')
  const format = useFormat()
  return (
    <>
      {order.creator === null
        ? t('created', { date: format.day(order.createdAt) })
        : t('createdBy', { date: format.day(order.createdAt), name: order.creator.title })}
    </>
  )
}

function Cargo({
  order,
  detailsOf,
  onDetails,
}: {
  order: Order
  detailsOf: number | null
  onDetails: (line: number | null) => void
}) {
  const [first] = useFormValue<number[]>('customerIds')
  const billed = useBilledFreight(order)
  return (
    <>
      <CargoGrid factors={useCustomerForOrder(first)} detailsOf={detailsOf} onDetails={onDetails} />
      {billed === null ? null : <BilledLoad order={order} billed={billed} />}
    </>
  )
}

function CargoSummary() {
  const { t } = useTranslation('order')
  const length = useFormValueOf('cargo', (cargo: CargoValues[]) => cargo.length)
  return <>{t('lines', { count: length })}</>
}

function StopsSummary() {
  const { t } = useTranslation('order')
  const stops = useFormValue<StopValues[]>('locations')
  const of = (kind: string) => stops.filter((stop) => stop.kind === kind).length
  return <>{[t('pickUps', { count: of('loading') }), t('dropOffs', { count: of('unloading') })].join(', ')}</>
}
