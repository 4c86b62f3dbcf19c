import { getCustomerForOrder } from '@waybill/contract/customer'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { FormNumber, FormText, FormCheck } from '../../../kit/form/fields/fields.tsx'
import { useField, useFormContext, useFormValue } from '../../../kit/form/state/form-context.ts'
import { FormReference, FormReferences } from '../../../kit/form/fields/reference-fields.tsx'
import { useFirstFocus } from '../../../kit/session/use-first-focus.ts'
import { useShortcut } from '../../../kit/shortcuts/shortcuts.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { KeyHint } from '../../../ui/marks/marks.tsx'
import { Section } from '../../../ui/page/section.tsx'
import { ContactSelect } from '../../customer/contact-select.tsx'
import { CustomerMultiSelect, CustomerSelect } from '../../customer/customer-select.tsx'
import { DepartmentSelect } from '../../department/department-select.tsx'
import { VehicleTypeSelect } from '../../type-list/type-select.tsx'
import { UserMultiSelect, UserSelect } from '../../user/user-select.tsx'
import { CargoGrid } from '../cargo/cargo-grid.tsx'
import { RefusedAddress } from '../grid/refused-address.tsx'
import { type StopValues } from '../values/draft.ts'
import classes from './new-blocks.module.css'
import { useCustomerForOrder, useKnownPlaces, useVatProposal } from '../values/parties.ts'
import { OrderVatField } from './vat-field.tsx'
import { StopGrid } from '../stops/stop-grid.tsx'

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

export function CustomerBlock() {
  const { t } = useTranslation('order')
  const form = useFormContext()
  const queries = useQueryClient()
  const customers = useField<number[]>('customerIds')
  const customer = useCustomerForOrder(customers.value[0])
  const contact = useField<number | null>('contactPersonId')
  // A mail begins with its sender. On a phone the keyboard would rise over the page before anybody asked.
  const first = useFirstFocus(matchMedia('(pointer: fine)').matches)

  const [wantsMore, setMore] = useState(false)
  const more = useRef<HTMLDivElement>(null)
  // The button that was pressed is gone: the hand goes on in what it opened.
  useEffect(() => {
    if (wantsMore) more.current?.querySelector('input')?.focus()
  }, [wantsMore])
  const managers = useField<number[]>('managerIds')
  // What somebody has filled or has to mend is never hidden.
  const isMoreOpen =
    wantsMore || customers.value.length > 1 || managers.value.length > 0 || managers.error !== undefined

  // The customer fills what depends on it, once, when it is chosen: what was chosen meanwhile or afterwards stays.
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
        const fill = (name: string, value: number | null) => {
          if (form.get(name) === null && value !== null) form.set(name, value)
        }
        fill('contactPersonId', chosen.contactPersons[0]?.id ?? null)
        fill('billingCustomerId', chosen.billingCustomer.id === id ? null : chosen.billingCustomer.id)
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
        <div>
          <ContactSelect
            label={t('fields.contactPersonId')}
            name="contactPersonId"
            customerId={customers.value[0] ?? null}
            people={(customer?.contactPersons ?? []).map(({ id, fullName }) => ({
              value: String(id),
              label: fullName,
            }))}
            value={contact.value}
            error={contact.error}
            disabled={customers.value.length === 0}
            clearable
            nothingFoundMessage={customer === undefined ? t('loading') : t('noContact')}
            onChange={contact.set}
          />
          <RefusedAddress email={customer?.contactPersons.find(({ id }) => id === contact.value)?.email} />
        </div>
        <FormReference
          name="billingCustomerId"
          select={CustomerSelect}
          label={t('fields.billingCustomerId')}
          placeholder={t('sameAsCustomer')}
        />
        <FormReference name="departmentId" select={DepartmentSelect} label={t('fields.departmentId')} isRequired />
        <FormReference name="caseWorkerId" select={UserSelect} label={t('fields.caseWorkerId')} />
        {isMoreOpen ? null : (
          <div className={classes.more}>
            <Button
              size="compact-sm"
              variant="subtle"
              classNames={{ label: classes.moreLabel }}
              leftSection={<Icon name="chevronDown" size={13} />}
              onClick={() => setMore(true)}
            >
              {t('new.moreOfCustomer')}
            </Button>
          </div>
        )}
        {isMoreOpen ? (
          <div ref={more} className={classes.moreFields}>
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
        ) : null}
      </div>
    </Block>
  )
}

export function StopsBlock({
  detailsOf,
  onDetails,
}: {
  detailsOf: number | null
  onDetails: (stop: number | null) => void
}) {
  const { t } = useTranslation('order')
  const customerIds = useFormValue<number[]>('customerIds')
  const known = useKnownPlaces(customerIds)
  return (
    <Block number={2} title={t('stops')} isFlush>
      <StopGrid known={known} detailsOf={detailsOf} onDetails={onDetails} />
    </Block>
  )
}

export function CargoBlock({
  detailsOf,
  onDetails,
}: {
  detailsOf: number | null
  onDetails: (line: number | null) => void
}) {
  const { t } = useTranslation('order')
  const customerIds = useFormValue<number[]>('customerIds')
  const customer = useCustomerForOrder(customerIds[0])
  return (
    <Block number={3} title={t('sections.cargo')} isFlush>
      <CargoGrid factors={customer} detailsOf={detailsOf} onDetails={onDetails} />
    </Block>
  )
}

export function PriceBlock() {
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
      <div className={`${classes.fields} ${classes.price}`}>
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
        <FormText name="description" label={t('fields.description')} maxLength={4000} />
        <div className={classes.checks}>
          <FormCheck name="isLiftRequired" label={t('fields.isLiftRequired')} />
          <FormCheck name="isTransshipmentForbidden" label={t('fields.isTransshipmentForbidden')} />
        </div>
      </div>
    </Block>
  )
}
