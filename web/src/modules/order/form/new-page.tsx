import { getCustomerForOrder } from '@waybill/contract/customer'
import { orderApi } from '@waybill/contract/order/order'
import { isDropOff, isPickUp } from '@waybill/contract/order/schedule'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { BackLink } from '../../../kit/form/page/back-link.tsx'
import type { Draft } from '../../../kit/form/state/draft-store.ts'
import { FormNumber, FormText, FormCheck } from '../../../kit/form/fields/fields.tsx'
import { FormProvider, useField, useFormContext, useFormValue } from '../../../kit/form/state/form-context.ts'
import { FormMessages } from '../../../kit/form/page/form-messages.tsx'
import { LeaveGuard } from '../../../kit/form/page/leave-guard.tsx'
import { FormReference, FormReferences } from '../../../kit/form/fields/reference-fields.tsx'
import { useSavedNotice } from '../../../kit/form/page/saved-notice.ts'
import type { EntityForm } from '../../../kit/form/state/entity-form.ts'
import { useEntityForm } from '../../../kit/form/state/use-entity-form.ts'
import { useNewRecordDraft } from '../../../kit/form/state/use-form-record.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { currentSession } from '../../../kit/session/session.ts'
import { useFirstFocus } from '../../../kit/session/use-first-focus.ts'
import { useShortcut } from '../../../kit/shortcuts/shortcuts.ts'
import { SelectField } from '../../../ui/fields/select-field.tsx'
import { Icon } from '../../../ui/marks/icon.tsx'
import { KeyHint } from '../../../ui/marks/marks.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { StickyBar } from '../../../ui/page/page-head.tsx'
import { Section } from '../../../ui/page/section.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { CustomerMultiSelect, CustomerSelect } from '../../customer/customer-select.tsx'
import { DepartmentSelect } from '../../department/department-select.tsx'
import { VehicleTypeSelect } from '../../type-list/type-select.tsx'
import { UserMultiSelect, UserSelect } from '../../user/user-select.tsx'
import { CargoGrid } from '../cargo/cargo-grid.tsx'
import { lineBehind, stopBehind } from '../grid/dialog-fields.ts'
import {
  cargoPlaces,
  checkOrder,
  emptyOrder,
  isBlankCargo,
  ORDER_ATOMS,
  orderBodyOf,
  orderValuesOf,
  tidyOrder,
  type CargoValues,
  type OrderValues,
  type StopValues,
} from '../values/draft.ts'
import { OrderMailDock } from './mail-dock.tsx'
import { useOrderLabels } from '../values/labels.ts'
import { useOrderHome } from '../values/paths.ts'
import classes from './new-page.module.css'
import { useCustomerForOrder, useKnownPlaces, useVatProposal } from '../values/parties.ts'
import { OrderVatField } from './vat-field.tsx'
import { useOrderWords } from '../values/value-words.ts'
import { SameLane } from '../routes/same-lane.tsx'
import { StopGrid } from '../stops/stop-grid.tsx'

/** Takes an order on one screen, in the order in which a customer's mail reads: customer, stops, cargo, price. */
export function OrderNewPage() {
  const { t } = useTranslation('order')
  // A finished form makes room for the next: save and new.
  const [round, setRound] = useState(0)
  const { data, error, refetch } = useNewRecordDraft<OrderValues>(orderApi)
  const queries = useQueryClient()
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={12} label={t('newOrder')} />
  const next = () => {
    queries.setQueryData([orderApi.path, 'new', 'form'], { draft: null })
    setRound(round + 1)
    scrollTo({ top: 0 })
  }
  return <NewOrder key={round} draft={data.draft} onNext={next} />
}

type OrderForm = EntityForm<typeof orderApi, OrderValues>

function NewOrder({ draft, onNext }: { draft: Draft<OrderValues> | null; onNext: () => void }) {
  const { t } = useTranslation('order')
  const navigate = useNavigate()
  const { home, pathOf } = useOrderHome()
  const labelOf = useOrderLabels()
  const wordsOf = useOrderWords(null)
  const [detailsOf, setDetailsOf] = useState<number | null>(null)
  const [stopOpen, setStopOpen] = useState<number | null>(null)
  const isNext = useRef(false)
  const [empty] = useState(() => {
    const profile = currentSession()?.profile
    return emptyOrder({ departmentId: profile?.departmentId ?? null, caseWorkerId: profile?.id ?? null })
  })
  const sayThatSaved = useSavedNotice()
  const form = useEntityForm<typeof orderApi, OrderValues>({
    api: orderApi,
    view: null,
    draft,
    empty,
    valuesOf: orderValuesOf,
    bodyOf: orderBodyOf,
    tidy: tidyOrder,
    check: checkOrder,
    atoms: ORDER_ATOMS,
    reveal: (path) => {
      setDetailsOf(lineBehind(path))
      setStopOpen(stopBehind(path))
    },
    onSaved: (view, isLeaving) => {
      sayThatSaved('order', view.number)
      if (isLeaving) return
      if (isNext.current) onNext()
      else void navigate({ to: pathOf(view.id) })
    },
  })
  const save = (andNew = false) => {
    isNext.current = andNew
    void form.save()
  }
  useShortcut({ key: 'Enter', mod: true, label: t('saveOrder'), run: () => save(), isEverywhere: true })
  useShortcut({ key: 'n', alt: true, label: t('saveAndNew'), run: () => save(true), isEverywhere: true })
  useShortcut({ key: 's', mod: true, label: t('saveOrder'), run: () => save(), isEverywhere: true })
  const buttons = (
    <>
      <Button loading={form.isSaving && isNext.current} onClick={() => save(true)}>
        {t('saveAndNew')}
        <span className={classes.keysBeside}>
          <KeyHint>{t('altN')}</KeyHint>
        </span>
      </Button>
      <Button variant="filled" loading={form.isSaving && !isNext.current} onClick={() => save()}>
        {t('saveOrder')}
        <span className={`${classes.keysBeside} ${classes.onAccent}`}>
          <KeyHint>{t('ctrlEnter')}</KeyHint>
        </span>
      </Button>
    </>
  )
  return (
    <FormProvider value={form.context}>
      <header className={classes.head}>
        <BackLink to={home} label={t('back')} />
        <h1>{t('newOrder')}</h1>
        <DraftMark keptAt={form.draftKeptAt} />
        <div className={classes.headButtons}>{buttons}</div>
      </header>
      <div className={classes.columns}>
        <div className={classes.blocks}>
          <FormMessages form={form} labelOf={labelOf} wordsOf={wordsOf} />
          <CustomerBlock />
          <StopsBlock detailsOf={stopOpen} onDetails={setStopOpen} />
          <CargoBlock detailsOf={detailsOf} onDetails={setDetailsOf} />
          <PriceBlock />
        </div>
        <aside className={classes.rail} aria-label={t('new.aside')}>
          <ReadyList />
          <FilledFromCustomer />
          <SameLane />
          <p className={classes.keys}>
            <KeyHint>Ctrl</KeyHint> <KeyHint>Enter</KeyHint> {t('keys.newLine')}
            <br />
            <KeyHint>Ctrl</KeyHint> <KeyHint>D</KeyHint> {t('keys.copyAbove')}
            <br />
            <KeyHint>Alt</KeyHint> <KeyHint>Enter</KeyHint> {t('keys.more')}
            <br />
            <KeyHint>Alt</KeyHint> <KeyHint>1</KeyHint>–<KeyHint>4</KeyHint> {t('keys.jump')}
          </p>
        </aside>
      </div>
      <OrderMailDock />
      <div className={classes.phoneBar}>
        <StickyBar label={t('saveOrder')}>
          <span className={classes.gap} />
          {buttons}
        </StickyBar>
      </div>
      <LeaveGuard form={form as OrderForm} name={t('newOrder')} labelOf={labelOf} />
    </FormProvider>
  )
}

function DraftMark({ keptAt }: { keptAt: string | null }) {
  const { t } = useTranslation('form')
  const format = useFormat()
  return <span className={classes.draft}>{keptAt === null ? '' : t('draft.kept', { time: format.time(keptAt) })}</span>
}

/** A numbered block; Alt and its number put its first field in hand. */
function Block({
  number,
  title,
  summary,
  children,
  isFlush = false,
}: {
  number: 1 | 2 | 3 | 4
  title: string
  summary?: React.ReactNode
  children: React.ReactNode
  isFlush?: boolean
}) {
  const id = useId()
  useShortcut({
    key: String(number),
    alt: true,
    label: title,
    run: () => document.getElementById(id)?.querySelector<HTMLElement>('input, select')?.focus(),
    isEverywhere: true,
  })
  return (
    <div id={id}>
      <Section
        lead={<span className={classes.blockNumber}>{number}</span>}
        title={title}
        summary={summary}
        actions={
          <span className={classes.blockKey}>
            <KeyHint>{`Alt ${number}`}</KeyHint>
          </span>
        }
        isFlush={isFlush}
      >
        {children}
      </Section>
    </div>
  )
}

function CustomerBlock() {
  const { t } = useTranslation('order')
  const form = useFormContext()
  const queries = useQueryClient()
  const customers = useField<number[]>('customerIds')
  const customer = useCustomerForOrder(customers.value[0])
  const contact = useField<number | null>('contactPersonId')
  // A mail begins with its sender. On a phone the keyboard would rise over the page before anybody asked.
  const first = useFirstFocus(matchMedia('(pointer: fine)').matches)

  // The customer fills what depends on it, once, when it is chosen: what was typed afterwards stays.
  const choose = (id: number | null) => {
    const others = customers.value.slice(1).filter((one) => one !== id)
    customers.set(id === null ? others : [id, ...others])
    form.set('contactPersonId', null)
    form.set('billingCustomerId', null)
    if (id === null) return
    const request = {
      queryKey: ['customers', id, 'for-order'],
      queryFn: () => callApi(getCustomerForOrder, { params: { id } }),
      staleTime: 60_000,
    }
    queries.fetchQuery(request).then(
      (chosen) => {
        if ((form.get('customerIds') as number[])[0] !== id) return
        form.set('contactPersonId', chosen.contactPersons[0]?.id ?? null)
        form.set('billingCustomerId', chosen.billingCustomer.id === id ? null : chosen.billingCustomer.id)
      },
      // Without them the person chooses by hand.
      () => undefined,
    )
  }
  return (
    <Block number={1} title={t('sections.customer')}>
      <div className={classes.fields}>
        <div className={classes.wide}>
          <CustomerSelect
            label={t('fields.customerIds')}
            isRequired
            name="customerIds"
            inputRef={first}
            value={customers.value[0] ?? null}
            error={customers.error}
            onChange={choose}
          />
        </div>
        <FormText name="customerOrderNumber" label={t('fields.customerOrderNumber')} maxLength={100} />
        <SelectField
          label={t('fields.contactPersonId')}
          name="contactPersonId"
          data={(customer?.contactPersons ?? []).map(({ id, fullName }) => ({ value: String(id), label: fullName }))}
          value={contact.value === null ? null : String(contact.value)}
          error={contact.error}
          disabled={customers.value.length === 0}
          clearable
          searchable
          nothingFoundMessage={customer === undefined ? t('loading') : t('noContact')}
          onChange={(value) => contact.set(value === null ? null : Number(value))}
        />
        <FormReference
          name="billingCustomerId"
          select={CustomerSelect}
          label={t('fields.billingCustomerId')}
          placeholder={t('sameAsCustomer')}
        />
        <FormReference name="departmentId" select={DepartmentSelect} label={t('fields.departmentId')} isRequired />
        <FormReference name="caseWorkerId" select={UserSelect} label={t('fields.caseWorkerId')} />
        <CustomerMultiSelect
          label={t('coCustomers')}
          value={customers.value.slice(1)}
          isReadOnly={customers.value.length === 0}
          onChange={(ids) => customers.set([customers.value[0]!, ...ids.filter((id) => id !== customers.value[0])])}
        />
        <FormReferences
          name="managerIds"
          select={UserMultiSelect}
          label={t('fields.managerIds')}
          placeholder={t('youAndCaseWorker')}
        />
      </div>
    </Block>
  )
}

function StopsBlock({ detailsOf, onDetails }: { detailsOf: number | null; onDetails: (stop: number | null) => void }) {
  const { t } = useTranslation('order')
  const customerIds = useFormValue<number[]>('customerIds')
  const known = useKnownPlaces(customerIds)
  return (
    <Block number={2} title={t('stops')} isFlush>
      <StopGrid known={known} detailsOf={detailsOf} onDetails={onDetails} />
    </Block>
  )
}

function CargoBlock({ detailsOf, onDetails }: { detailsOf: number | null; onDetails: (line: number | null) => void }) {
  const { t } = useTranslation('order')
  const customerIds = useFormValue<number[]>('customerIds')
  const customer = useCustomerForOrder(customerIds[0])
  return (
    <Block number={3} title={t('sections.cargo')} isFlush>
      <CargoGrid factors={customer} detailsOf={detailsOf} onDetails={onDetails} />
    </Block>
  )
}

function PriceBlock() {
  const { t } = useTranslation('order')
  const form = useFormContext()
  const customerIds = useFormValue<number[]>('customerIds')
  const billingCustomerId = useFormValue<number | null>('billingCustomerId')
  const departmentId = useFormValue<number | null>('departmentId')
  const locations = useFormValue<StopValues[]>('locations')
  const customer = useCustomerForOrder(customerIds[0])
  const proposal = useVatProposal({
    billingCustomerId: billingCustomerId ?? customerIds[0] ?? null,
    departmentId,
    countryIds: locations.map(({ countryId }) => countryId),
  })
  const lastProposed = useRef<number | null>(null)

  // The proposal is taken over until somebody types another rate.
  useEffect(() => {
    if (proposal === undefined) return
    const value = form.get('customerVatBp') as number | null
    if (value !== proposal.vatBp && (value === null || value === lastProposed.current))
      form.set('customerVatBp', proposal.vatBp)
    lastProposed.current = proposal.vatBp
  }, [proposal, form])
  return (
    <Block number={4} title={t('sections.price')}>
      <div className={classes.fields}>
        <FormNumber
          name="customerPriceCents"
          label={t('fields.customerPriceCents')}
          unit="€"
          places={2}
          hasFixedPlaces
          factor={100}
        />
        <OrderVatField proposal={proposal} />
        <FormNumber
          name="paymentPeriodDays"
          label={t('fields.paymentPeriodDays')}
          unit={t('daysUnit')}
          placeholder={customer === undefined ? undefined : String(customer.paymentPeriodDays)}
        />
        <FormReference name="vehicleTypeId" select={VehicleTypeSelect} label={t('fields.vehicleTypeId')} />
        <div className={classes.wide}>
          <FormText name="description" label={t('fields.description')} maxLength={4000} />
        </div>
        <div className={classes.checks}>
          <FormCheck name="isLiftRequired" label={t('fields.isLiftRequired')} />
          <FormCheck name="isTransshipmentForbidden" label={t('fields.isTransshipmentForbidden')} />
        </div>
      </div>
    </Block>
  )
}

/** What a transport needs before it can be planned; only the first line keeps an order from being saved. */
function ReadyList() {
  const { t } = useTranslation('order')
  const format = useFormat()
  const customerIds = useFormValue<number[]>('customerIds')
  const departmentId = useFormValue<number | null>('departmentId')
  const locations = useFormValue<StopValues[]>('locations')
  const cargo = useFormValue<CargoValues[]>('cargo')
  const price = useFormValue<number | null>('customerPriceCents')
  const dated = locations.filter(({ termin }) => termin !== null)
  const lines = cargo.filter((line) => !isBlankCargo(line))
  const placeOf = cargoPlaces(locations)
  const linked = lines.filter((line) => placeOf(line, 'PICK_UP') !== -1 && placeOf(line, 'DROP_OFF') !== -1)
  const pickUps = dated.filter(isPickUp).length
  const dropOffs = dated.filter(isDropOff).length
  const checks = [
    { label: t('ready.customer'), isDone: customerIds.length > 0 && departmentId !== null, note: '' },
    { label: t('ready.pickUp'), isDone: pickUps > 0, note: format.number(pickUps) },
    { label: t('ready.dropOff'), isDone: dropOffs > 0, note: format.number(dropOffs) },
    {
      label: t('ready.cargo'),
      isDone: lines.length > 0 && linked.length === lines.length,
      note: format.number(linked.length),
    },
    {
      label: t('ready.price'),
      isDone: price !== null && !Number.isNaN(price),
      note: price === null || Number.isNaN(price) ? '' : format.euro(price),
    },
  ]
  return (
    <Section title={t('ready.title')} headingLevel={3}>
      <ul className={classes.ready}>
        {checks.map(({ label, isDone, note }) => (
          <li key={label} data-done={isDone || undefined}>
            {isDone ? (
              <Icon name="check" size={13} label={t('ready.done')} />
            ) : (
              <span className={classes.ring} role="img" aria-label={t('ready.open')} />
            )}
            <span>{label}</span>
            <span>{isDone ? note : ''}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** What choosing the customer brought along. */
function FilledFromCustomer() {
  const { t } = useTranslation('order')
  const customerIds = useFormValue<number[]>('customerIds')
  const customer = useCustomerForOrder(customerIds[0])
  if (customer === undefined) return null
  const mails = Object.values(customer.emailPreferences)
  const isOwn = customer.billingCustomer.id === customer.id
  return (
    <Section title={t('filled.title')} headingLevel={3}>
      <dl className={classes.facts}>
        <dt>{t('filled.billsTo')}</dt>
        <dd>{isOwn ? t('filled.itself') : customer.billingCustomer.title}</dd>
        <dt>{t('filled.payment')}</dt>
        <dd>{t('days', { count: customer.paymentPeriodDays })}</dd>
        <dt>{t('filled.mails')}</dt>
        <dd>{t('filled.mailsOn', { on: mails.filter(Boolean).length, all: mails.length })}</dd>
      </dl>
      {customer.warnings !== null || customer.specialInstructions !== null ? (
        <div className={classes.customerWarning}>
          <Notice tone="warn">{[customer.warnings, customer.specialInstructions].filter(Boolean).join(' ')}</Notice>
        </div>
      ) : null}
    </Section>
  )
}
