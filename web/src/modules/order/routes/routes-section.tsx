import type { CarrierForOrder } from '@waybill/contract/carrier-company'
import type { Reference } from '@waybill/contract/kit/fields'
import { incomeOf, marginBpOf, totalsOf } from '@waybill/contract/order/money'
import type { Order } from '@waybill/contract/order/order'
import { isDropOff, isPickUp } from '@waybill/contract/order/schedule'
import { Button, MultiSelect } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { memo, useCallback, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { FormNumber, FormText } from '../../../kit/form/fields/fields.tsx'
import { FormReference, FormReferences } from '../../../kit/form/fields/reference-fields.tsx'
import { focusPath } from '../../../kit/form/state/focus-path.ts'
import { useField, useFormContext, useFormValue } from '../../../kit/form/state/form-context.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { CheckField } from '../../../ui/fields/check-field.tsx'
import { fieldProps, ReadOnlyField } from '../../../ui/fields/field.tsx'
import { Icon } from '../../../ui/marks/icon.tsx'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { MoneyText, StopMark } from '../../../ui/marks/marks.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { Segmented } from '../../../ui/fields/segmented.tsx'
import { useTakeOnTab } from '../../../ui/fields/take-on-tab.ts'
import { CarrierCompanySelect } from '../../carrier-company/carrier-company-select.tsx'
import { VehicleTypeSelect } from '../../type-list/type-select.tsx'
import { UserMultiSelect } from '../../user/user-select.tsx'
import { FormInstant } from '../stops/instant-input.tsx'
import {
  emptyAssignment,
  freeStops,
  namesOfStops,
  routeOver,
  stopsOfRoute,
  type AssignmentValues,
  type RouteValues,
  type StopValues,
} from '../values/draft.ts'
import type { OrderForm } from '../values/order-form.ts'
import form4 from '../grid/section.module.css'
import { known, marginTone } from '../values/money.ts'
import { carrierForOrder, useCarrierForOrder } from '../values/parties.ts'
import classes from './routes-section.module.css'
import { StatusMenu } from '../status/status-menu.tsx'
import { measureRoute, RouteDistance } from './route-distance.tsx'

/** Who drives which stops, with whom, for how much, and what happened when. */
export function OrderRoutesSection({
  form: entityForm,
  order,
  onMoved,
}: {
  form: OrderForm
  order: Order
  onMoved: () => void
}) {
  // All words of a route: fetched only with the first one, they would take the section away for
  // a moment, and the hand with it.
  const { t } = useTranslation(['order', 'order-parts'])
  const form = useFormContext()
  const routes = useFormValue<RouteValues[]>('routes')
  const locations = useFormValue<StopValues[]>('locations')
  const queries = useQueryClient()
  const free = freeStops(routes, locations)
  const plan = () => {
    const all = form.get('locations') as StopValues[]
    const stops = free.map((index) => all[index]!)
    const route = withDescription(
      routeOver(stops),
      routes.length === 0 ? (form.get('description') as string | null) : null,
    )
    const before = form.get('routes') as RouteValues[]
    form.set('routes', [...before, route])
    // The button that was pressed is gone: on with who drives.
    focusPath(`routes.${before.length}.assignment.carrierCompanyId`)
    // Fills itself in if it comes before anybody typed one, or saved.
    void measureRoute(queries, stops).then(
      (distance) => {
        const place = (form.get('routes') as RouteValues[]).findIndex(
          ({ key, id, distanceKm }) => key === route.key && id === undefined && distanceKm === null,
        )
        if (distance === null || place === -1) return
        form.set(`routes.${place}.distanceKm`, distance.distanceKm)
        form.set(`routes.${place}.isDistanceEstimated`, distance.isEstimated)
      },
      () => undefined,
    )
  }
  return (
    <div className={classes.routes} data-path="routes">
      {routes.map((route, index) => (
        <RouteCard
          key={route.key ?? route.id}
          index={index}
          entityForm={entityForm}
          onMoved={onMoved}
          order={order}
          isOnly={routes.length === 1}
        />
      ))}
      {free.length > 0 && routes.length > 0 ? (
        <Notice tone="warn">
          {t('routes.free', { count: free.length, stops: free.map((index) => index + 1).join(', ') })}
        </Notice>
      ) : null}
      {routes.length === 0 ? (
        <div className={form4.miniEmpty}>
          <span>{locations.length === 0 ? t('routes.noStops') : t('routes.none')}</span>
          <Button
            size="compact-sm"
            disabled={form.isReadOnly || locations.length === 0}
            leftSection={<Icon name="plus" size={13} />}
            onClick={plan}
          >
            {t('routes.plan')}
          </Button>
        </div>
      ) : free.length > 0 ? (
        <div>
          <Button
            size="compact-sm"
            disabled={form.isReadOnly}
            leftSection={<Icon name="plus" size={13} />}
            onClick={plan}
          >
            {t('routes.planRest')}
          </Button>
        </div>
      ) : null}
    </div>
  )
}

// What the customer asked for is what the carrier has to know first.
const withDescription = (route: RouteValues, description: string | null): RouteValues => ({
  ...route,
  assignment: { ...emptyAssignment(), extraData: description },
})

interface RouteCardProps {
  index: number
  entityForm: OrderForm
  order: Order
  isOnly: boolean
  onMoved: () => void
}

function RouteCard({ index, entityForm, order, isOnly, onMoved }: RouteCardProps) {
  const { t } = useTranslation('order')
  const form = useFormContext()
  const at = `routes.${index}`
  const route = useFormValue<RouteValues>(at)
  const locations = useFormValue<StopValues[]>('locations')
  const carrier = useCarrierForOrder(route.assignment?.carrierCompanyId)
  const stored = order.routes.find(({ id }) => id === route.id)
  const stops = stopsOfRoute(route, locations)
  const number = stored?.number ?? t('routeNumber', { route: index + 1 })
  const assign = useCallback(
    (part: Partial<AssignmentValues>) =>
      form.set(`${at}.assignment`, {
        ...((form.get(`${at}.assignment`) as AssignmentValues | null) ?? emptyAssignment()),
        ...part,
      }),
    [form, at],
  )
  const isOwn = route.assignment?.ownFleet ?? false
  const toggleStop = (stop: number, isOn: boolean) => {
    const chosen = locations.filter((_stop, place) => (place === stop ? isOn : stops.includes(place)))
    form.set(at, { ...route, ...namesOfStops(chosen) })
  }
  return (
    <section className={classes.route} aria-label={number}>
      <div className={classes.head}>
        <Icon name="truck" size={22} className={classes.truck} />
        <b>{number}</b>
        {stored === undefined || isOnly ? null : (
          <StatusMenu form={entityForm} order={order} route={stored} onMoved={onMoved} />
        )}
        <Segmented
          isSmall
          label={t('routes.who')}
          value={isOwn ? 'own' : 'carrier'}
          options={[
            { value: 'carrier', label: t('routeFields.carrierCompanyId') },
            { value: 'own', label: t('routeFields.ownFleet') },
          ]}
          onChange={(value) => {
            if (!form.isReadOnly && (value === 'own') !== isOwn)
              assign({
                ownFleet: value === 'own',
                carrierCompanyId: null,
                driverIds: [],
                disponentName: null,
                disponentPhone: null,
                disponentEmail: null,
              })
          }}
        />
        <span className={classes.gap} />
        <IconButton
          icon="trash"
          isSmall
          label={t('routes.remove', { number })}
          disabled={form.isReadOnly}
          onClick={() => form.set('routes', (form.get('routes') as RouteValues[]).toSpliced(index, 1))}
        />
      </div>
      {isOnly && stops.length === locations.length ? null : (
        <fieldset className={classes.stops} disabled={form.isReadOnly}>
          <legend>{t('routes.stops')}</legend>
          {locations.map((stop, place) => (
            <CheckField
              key={stop.key ?? stop.id}
              label={`${place + 1} ${stop.city ?? stop.companyTitle ?? ''}`}
              checked={stops.includes(place)}
              onChange={(event) => toggleStop(place, event.currentTarget.checked)}
            />
          ))}
        </fieldset>
      )}
      {carrier?.warnings ? <Notice tone="warn">{carrier.warnings}</Notice> : null}
      <AssignmentFields
        at={`${at}.assignment`}
        isOwn={isOwn}
        carrier={carrier}
        stored={stored?.assignment ?? null}
        assign={assign}
      />
      <div className={form4.fields}>
        <RouteDistance at={at} stops={stops.map((stop) => locations[stop]!)} numbers={stops.map((stop) => stop + 1)} />
      </div>
      <RouteBudget at={at} isOnly={isOnly} marginWarningBp={order.marginWarningBp} />
      <StopTimes stops={stops} order={order} />
    </section>
  )
}

interface AssignmentFieldsProps {
  at: string
  isOwn: boolean
  carrier: CarrierForOrder | undefined
  stored: Order['routes'][number]['assignment']
  assign: (part: Partial<AssignmentValues>) => void
}

// What is typed at the stops leaves the carrier's fields alone.
const AssignmentFields = memo(function AssignmentFields({ at, isOwn, carrier, stored, assign }: AssignmentFieldsProps) {
  const { t } = useTranslation('order')
  const format = useFormat()
  const form = useFormContext()
  const queries = useQueryClient()
  const cost = known(useFormValue<number | null>(`${at}.costCents`) ?? null)
  const vat = known(useFormValue<number | null>(`${at}.vatBp`) ?? null)
  const plate = useFormValue<string | null>(`${at}.plateNumber`)
  const { totalCents } = totalsOf(cost, vat)
  const disponent = useField<string | null>(`${at}.disponentName`)
  const contactsId = useId()
  // Most carriers have one who is written to; another is named by typing over.
  const chooseCarrier = (chosen: Reference | null) => {
    assign({ driverIds: [], disponentName: null, disponentPhone: null, disponentEmail: null })
    if (chosen === null) return
    queries.fetchQuery(carrierForOrder(chosen.id)).then(
      ({ dispatchContacts: [contact] }) => {
        const { carrierCompanyId, disponentName, disponentPhone, disponentEmail } = form.get(at) as AssignmentValues
        if (
          contact === undefined ||
          carrierCompanyId !== chosen.id ||
          disponentName !== null ||
          disponentPhone !== null ||
          disponentEmail !== null
        )
          return
        assign({ disponentName: contact.fullName, disponentPhone: contact.phone, disponentEmail: contact.email })
      },
      // Without it the person writes it by hand.
      () => undefined,
    )
  }
  return (
    <div className={form4.fields}>
      {isOwn ? (
        <div className={form4.wide}>
          <FormReferences
            name={`${at}.driverIds`}
            select={UserMultiSelect}
            current={stored?.drivers}
            label={t('routeFields.driverIds')}
          />
        </div>
      ) : (
        <>
          <div className={form4.wide}>
            <FormReference
              name={`${at}.carrierCompanyId`}
              select={CarrierCompanySelect}
              current={stored?.carrierCompany}
              label={t('routeFields.carrierCompanyId')}
              onPick={chooseCarrier}
            />
          </div>
          <div className={form4.wide}>
            <DriverPick
              at={at}
              carrier={carrier}
              stored={stored}
              onPick={(driver) => assign({ plateNumber: plate ?? driver.plateNumber })}
            />
          </div>
          <div>
            <FormText
              name={`${at}.disponentName`}
              label={t('routeFields.disponentName')}
              maxLength={150}
              list={contactsId}
              onInput={(event) => {
                const chosen = carrier?.dispatchContacts.find(({ fullName }) => fullName === event.currentTarget.value)
                if (chosen !== undefined && chosen.fullName !== disponent.value)
                  assign({ disponentName: chosen.fullName, disponentPhone: chosen.phone, disponentEmail: chosen.email })
              }}
            />
            <datalist id={contactsId}>
              {(carrier?.dispatchContacts ?? []).map(({ id, fullName, email }) => (
                <option key={id} value={fullName}>
                  {email}
                </option>
              ))}
            </datalist>
          </div>
          <FormText name={`${at}.disponentPhone`} label={t('routes.disponentPhone')} type="tel" maxLength={50} />
          <div className={form4.wide}>
            <FormText name={`${at}.disponentEmail`} label={t('routes.disponentEmail')} type="email" maxLength={250} />
          </div>
        </>
      )}
      <FormText name={`${at}.driverText`} label={t('routes.driverText')} maxLength={250} />
      <FormText name={`${at}.plateNumber`} label={t('routeFields.plateNumber')} maxLength={40} />
      <FormReference name={`${at}.vehicleTypeId`} select={VehicleTypeSelect} label={t('routeFields.vehicleTypeId')} />
      <FormText name={`${at}.signedBy`} label={t('routeFields.signedBy')} maxLength={150} />
      <div className={form4.wide}>
        <FormText name={`${at}.extraData`} label={t('routeFields.extraData')} maxLength={2000} />
      </div>
      <FormNumber
        name={`${at}.costCents`}
        label={t('routeFields.costCents')}
        unit="€"
        places={2}
        hasFixedPlaces
        factor={100}
      />
      <FormNumber name={`${at}.vatBp`} label={t('routeFields.vatBp')} unit="%" places={2} factor={100} />
      <ReadOnlyField label={t('routes.total')}>{totalCents === null ? '–' : format.euro(totalCents)}</ReadOnlyField>
    </div>
  )
})

/** What a route brings and costs; a loss is warned of while the cost is typed. */
function RouteBudget({ at, isOnly, marginWarningBp }: { at: string; isOnly: boolean; marginWarningBp: number }) {
  const { t } = useTranslation(['order-parts', 'order'])
  const format = useFormat()
  const orderPrice = known(useFormValue<number | null>('customerPriceCents'))
  const ownPrice = known(useFormValue<number | null>(`${at}.customerPriceCents`) ?? null)
  const cost = known(useFormValue<number | null>(`${at}.assignment.costCents`) ?? null)
  // The order's price is that of its only route, unless it says otherwise.
  const price = ownPrice ?? (isOnly ? orderPrice : null)
  const incomeCents = incomeOf(price, cost)
  const marginBp = marginBpOf(price, incomeCents)
  return (
    <>
      <div className={form4.fields}>
        <FormNumber
          name={`${at}.customerPriceCents`}
          label={t('order:routeFields.customerPriceCents')}
          hint={
            isOnly && ownPrice === null && orderPrice !== null
              ? t('routePrice.ofOrder', { price: format.euro(orderPrice) })
              : undefined
          }
          unit="€"
          places={2}
          hasFixedPlaces
          factor={100}
        />
        <ReadOnlyField label={t('order:budget.income')}>
          {incomeCents === null ? (
            '–'
          ) : (
            <MoneyText tone={marginTone(incomeCents, marginBp, marginWarningBp)} isStrong>
              {format.euro(incomeCents)} {marginBp === null ? '' : format.percent(Math.round(marginBp / 10) * 10)}
            </MoneyText>
          )}
        </ReadOnlyField>
      </div>
      {incomeCents !== null && incomeCents < 0 ? (
        <Notice tone="warn">{t('order:loss', { loss: format.euro(-incomeCents) })}</Notice>
      ) : null}
    </>
  )
}

/** The carrier's drivers; the plate comes with the first. */
function DriverPick({
  at,
  carrier,
  stored,
  onPick,
}: Pick<AssignmentFieldsProps, 'at' | 'carrier' | 'stored'> & {
  onPick: (driver: CarrierForOrder['drivers'][number]) => void
}) {
  const { t } = useTranslation('order')
  const field = useField<number[]>(`${at}.driverIds`)
  const drivers = (carrier?.drivers ?? []).map(({ id, fullName }) => ({ value: String(id), label: fullName }))
  for (const { id, title } of stored?.drivers ?? [])
    if (field.value?.includes(id) && !drivers.some(({ value }) => value === String(id)))
      drivers.push({ value: String(id), label: title })
  const carrierId = useFormValue<number | null>(`${at}.carrierCompanyId`)
  const byKey = useTakeOnTab()
  const phones = (carrier?.drivers ?? [])
    .flatMap(({ id, phone }) => (field.value?.includes(id) && phone !== null ? [phone] : []))
    .join(', ')
  return (
    <div data-path={`${at}.driverIds`}>
      <MultiSelect
        {...fieldProps({
          label: t('routeFields.driverIds'),
          error: field.error,
          isChanged: field.isChanged,
          hint: carrier !== undefined && drivers.length === 0 ? t('routes.noDrivers') : phones || undefined,
        })}
        rightSection={<Icon name="chevronDown" size={13} />}
        rightSectionPointerEvents="none"
        data={drivers}
        value={(field.value ?? []).map(String)}
        readOnly={field.isReadOnly}
        // Not while the drivers are on their way: the hand that comes from the carrier would pass over it.
        disabled={carrierId === null}
        searchable
        {...byKey}
        placeholder={(field.value ?? []).length === 0 ? t('routes.chooseDriver') : undefined}
        nothingFoundMessage={carrier === undefined ? t('loading') : t('nothingFound')}
        onChange={(values) => {
          const ids = values.map(Number)
          field.set(ids)
          const added = carrier?.drivers.find(({ id }) => ids.includes(id) && !(field.value ?? []).includes(id))
          if (added !== undefined) onPick(added)
        }}
      />
    </div>
  )
}

/** What is planned and what happened at each stop, in the stop's own time. */
function StopTimes({ stops, order }: { stops: readonly number[]; order: Order }) {
  const { t } = useTranslation('order')
  const locations = useFormValue<StopValues[]>('locations')
  const zones = new Map(order.locations.map(({ id, timeZone }) => [id, timeZone]))
  if (stops.length === 0) return null
  return (
    <div className={form4.scroll}>
      <table className={classes.times}>
        <thead>
          <tr>
            <th scope="col">{t('stop')}</th>
            <th scope="col">{t('stopFields.plannedAt')}</th>
            <th scope="col">{t('stopFields.arrivedAt')}</th>
            <th scope="col">{t('routes.loadedUnloaded')}</th>
          </tr>
        </thead>
        <tbody>
          {stops.map((index) => {
            const stop = locations[index]!
            const zone = stop.timeZone ?? zones.get(stop.id ?? 0) ?? Intl.DateTimeFormat().resolvedOptions().timeZone
            const day = stop.termin?.dateTo ?? stop.termin?.dateFrom ?? null
            const place = stop.city ?? stop.companyTitle ?? t('stopNumber', { stop: index + 1 })
            const input = (field: 'plannedAt' | 'arrivedAt' | 'loadedAt' | 'unloadedAt') => (
              <FormInstant
                name={`locations.${index}.${field}`}
                zone={zone}
                day={day}
                ariaLabel={`${t(`stopFields.${field}`)}, ${place}`}
              />
            )
            return (
              <tr key={stop.key ?? stop.id}>
                <th scope="row">
                  <StopMark position={index + 1} /> {place}
                </th>
                <td>{input('plannedAt')}</td>
                <td>{input('arrivedAt')}</td>
                <td>
                  {isPickUp(stop) ? input('loadedAt') : null}
                  {isDropOff(stop) ? input('unloadedAt') : null}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
