import { delayWords, HOURS_A_DAY } from '../values/delay-words.ts'
import { delayedStop } from '@waybill/contract/order/delay'
import { orderBudget } from '@waybill/contract/order/money'
import { orderApi, type Order } from '@waybill/contract/order/order'
import { mayDeactivateOrder } from '@waybill/contract/order/status'
import { Menu } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { BackLink } from '../../../kit/form/page/back-link.tsx'
import { SaveButton, UnsavedMark } from '../../../kit/form/page/save-bar.tsx'
import { useFormValue } from '../../../kit/form/state/form-context.ts'
import { useChanges } from '../../../kit/form/state/change-store.ts'
import { useErrorText } from '../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { ConfirmModal } from '../../../ui/windows/confirm-modal.tsx'
import { Icon } from '../../../ui/marks/icon.tsx'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { CountryCode, DelayMark, Mark, MoneyText, StopMark } from '../../../ui/marks/marks.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import { CustomerLink } from '../../customer/customer-link.tsx'
import { RecurringOrderLink } from '../../recurring-order/recurring-order-link.tsx'
import { useCountries } from '../grid/choices.ts'
import type { RouteValues, StopValues } from '../values/draft.ts'
import type { OrderForm } from '../values/order-form.ts'
import classes from './header.module.css'
import { OrderMarks } from '../status/marks.tsx'
import { known, marginTone } from '../values/money.ts'
import { useOrderHome } from '../values/paths.ts'
import { OrderPresence } from './presence.tsx'
import { StatusMenu } from '../status/status-menu.tsx'
import { terminWords } from '../values/stop-words.ts'
import { useCopyOrder } from '../copy/use-copy-order.tsx'

interface HeaderProps {
  form: OrderForm
  order: Order
  /** The status moved, or the record was put aside */
  onMoved: () => void
  onHistory: () => void
}

/** What never leaves the screen: number, customer, status, margin, save; below it the lane. */
export function OrderFormHeader({ form, order, onMoved, onHistory }: HeaderProps) {
  const { t } = useTranslation('order')
  const { home } = useOrderHome()
  const [customer] = order.customers
  const copy = () => {
    void navigator.clipboard?.writeText(order.number).then(() =>
      notify({
        tone: 'ok',
        title: t('numberCopied', { number: order.number }),
        closeLabel: t('close'),
        closesAfter: 3000,
      }),
    )
  }
  return (
    <header className={classes.head}>
      <div className={classes.top}>
        <BackLink to={home} label={t('back')} />
        <h1>{order.number}</h1>
        <span className={classes.desk}>
          <IconButton icon="copy" isSmall label={t('copyNumber')} onClick={copy} />
        </span>
        <div className={classes.customer}>
          <span>{customer === undefined ? null : <CustomerLink of={customer} />}</span>
          <span>{order.customerOrderNumber}</span>
        </div>
        <StatusMenu form={form} order={order} onMoved={onMoved} />
        <Delay order={order} />
        <OrderMarks of={order} />
        <RecurringOrderLink orderId={order.id} />
        {order.state === 'inactive' ? <Mark level={2}>{t('inactive')}</Mark> : null}
        <span className={classes.gap} />
        <OrderPresence orderId={order.id} />
        <Margin order={order} />
        <span className={classes.desk}>
          <UnsavedMark form={form} />
        </span>
        {form.context.isReadOnly ? null : (
          <span className={classes.desk}>
            <SaveButton form={form} />
          </span>
        )}
        <MoreMenu form={form} order={order} onMoved={onMoved} onHistory={onHistory} />
      </div>
      <Lane />
    </header>
  )
}

function Delay({ order: { delay, locations } }: { order: Order }) {
  const { t } = useTranslation('order-list')
  const format = useFormat()
  if (delay === null) return null
  const words = delayWords(delay, format, t, delayedStop(locations, delay)?.timeZone)
  const isLong = delay.hours >= HOURS_A_DAY
  return (
    <DelayMark isLong={isLong} title={words}>
      <span className={classes.lateShort} aria-hidden>
        {isLong
          ? t('delay.days', { number: format.number(delay.days) })
          : t('delay.hours', { number: format.number(delay.hours) })}
      </span>
      <span className={classes.lateWords}>{words}</span>
    </DelayMark>
  )
}

function Margin({ order: { marginWarningBp, approvedExtras } }: { order: Order }) {
  const { t } = useTranslation('order')
  const format = useFormat()
  const price = known(useFormValue<number | null>('customerPriceCents'))
  const routes = useFormValue<RouteValues[]>('routes')
  const { incomeCents, marginBp, carrierCostCents, extras } = orderBudget({
    customerPriceCents: price,
    customerVatBp: null,
    routes: routes.map(({ assignment }) => ({
      assignment: assignment === null ? null : { costCents: known(assignment.costCents) },
    })),
    extras: approvedExtras,
  })
  if (incomeCents === null) return null
  return (
    <div
      className={classes.margin}
      title={t('marginOf', {
        price: format.money((price ?? 0) + extras.priceCents),
        cost: format.money((carrierCostCents ?? 0) + extras.costCents),
      })}
    >
      <span>{t('margin')}</span>
      <MoneyText tone={marginTone(incomeCents, marginBp, marginWarningBp)} isStrong>
        {format.euro(incomeCents)} {marginBp === null ? '' : format.percent(Math.round(marginBp / 10) * 10)}
      </MoneyText>
    </div>
  )
}

function MoreMenu({ form, order, onMoved, onHistory }: HeaderProps) {
  const { t } = useTranslation('order')
  const errorText = useErrorText()
  const changes = useChanges(form)
  const [isAsking, setAsking] = useState(false)
  const isActive = order.state === 'active'
  const copying = useCopyOrder(order, changes.length > 0)
  const setState = async () => {
    setAsking(false)
    try {
      form.accept(
        (await callApi(orderApi.patch, {
          params: { id: order.id },
          body: { state: isActive ? 'inactive' : 'active' },
          version: order.version,
        })) as Order,
      )
      onMoved()
    } catch (error) {
      if (!form.takeRefusal(error))
        notify({ tone: 'danger', title: t('notChanged'), detail: errorText(error), closeLabel: t('close') })
    }
  }
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <IconButton icon="more" label={t('more')} />
        </Menu.Target>
        <Menu.Dropdown>
          {/* First what always works: an entry that is disabled would keep the focus out of the menu. */}
          <Menu.Item leftSection={<Icon name="history" />} onClick={onHistory}>
            {t('showHistory')}
          </Menu.Item>
          {copying.items}
          <Menu.Item leftSection={<Icon name="undo" />} disabled={changes.length === 0} onClick={form.discard}>
            {t('discardChanges')}
          </Menu.Item>
          {mayDeactivateOrder(order.status) ? (
            <Menu.Item
              leftSection={<Icon name={isActive ? 'trash' : 'refresh'} />}
              onClick={() => (isActive ? setAsking(true) : void setState())}
            >
              {isActive ? t('deactivate') : t('activate')}
            </Menu.Item>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      {copying.dialog}
      <ConfirmModal
        isOpen={isAsking}
        withInfoIcon
        title={t('deactivateTitle')}
        confirmLabel={t('deactivate')}
        cancelLabel={t('cancel')}
        closeLabel={t('close')}
        onCancel={() => setAsking(false)}
        onConfirm={() => void setState()}
      >
        {t('deactivateText', { number: order.number })}
      </ConfirmModal>
    </>
  )
}

/** The stops in one line, with their times in their own zones. */
function Lane() {
  const { t } = useTranslation('order')
  const format = useFormat()
  const stops = useFormValue<StopValues[]>('locations')
  const routes = useFormValue<RouteValues[]>('routes')
  const countries = useCountries()
  // Between two stops the route's distance is that of the leg.
  const km = stops.length === 2 && routes.length === 1 ? known(routes[0]!.distanceKm) : null
  if (stops.length === 0) return <div className={classes.lane}>{t('noStopsYet')}</div>
  return (
    <div className={classes.lane} tabIndex={0} role="group" aria-label={t('stops')}>
      {stops.map((stop, index) => {
        const country = countries.find(({ id }) => id === stop.countryId)
        return (
          <span
            key={stop.key ?? stop.id}
            className={classes.laneStop}
            data-canceled={stop.canceledAt !== null || undefined}
          >
            {index === 0 ? null : (
              <span className={classes.leg}>{km === null ? null : `${format.number(km, 0, 0)} km`}</span>
            )}
            <StopMark position={index + 1} />
            <b>
              {stop.termin === null
                ? t('noTermin')
                : terminWords(stop.termin, format, { before: t('termin.before'), fix: t('termin.fix') })}
            </b>
            {country?.code ? <CountryCode code={country.code} title={country.title} /> : null}
            {stop.city ?? stop.companyTitle}
          </span>
        )
      })}
    </div>
  )
}
