import { sumCents } from '@waybill/contract/kit/money'
import { extrasOf, incomeOf, marginBpOf, orderBudget, totalsOf, withExtras } from '@waybill/contract/order/money'
import type { Order } from '@waybill/contract/order/order'
import { VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FormCheck, FormNumber } from '../../../kit/form/fields/fields.tsx'
import { useFormValue, useFormValueOf } from '../../../kit/form/state/form-context.ts'
import { FormReference } from '../../../kit/form/fields/reference-fields.tsx'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { ReadOnlyField } from '../../../ui/fields/field.tsx'
import { MoneyText } from '../../../ui/marks/marks.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { VehicleTypeSelect } from '../../type-list/type-select.tsx'
import { sumsOf } from '../cargo/cargo-figures.ts'
import type { CargoValues, RouteValues, StopValues } from '../values/draft.ts'
import classes from '../grid/section.module.css'
import { known, marginTone } from '../values/money.ts'
import { useVatProposal } from '../values/parties.ts'
import { SameLane } from '../routes/same-lane.tsx'
import { Billed } from './billed.tsx'
import { OrderVatField } from '../blocks/vat-field.tsx'

/** What the order brings and costs: the sums are read-only, the price is written here, the cost with the carrier. */
export function OrderBudgetSection({ order }: { order: Order }) {
  const { t } = useTranslation('order')
  const format = useFormat()
  const customerPriceCents = known(useFormValue<number | null>('customerPriceCents'))
  const customerVatBp = known(useFormValue<number | null>('customerVatBp'))
  const routes = useFormValue<RouteValues[]>('routes')
  const locations = useFormValue<StopValues[]>('locations')
  const customerIds = useFormValue<number[]>('customerIds')
  const billingCustomerId = useFormValue<number | null>('billingCustomerId')
  const departmentId = useFormValue<number | null>('departmentId')
  const proposal = useVatProposal({
    billingCustomerId: billingCustomerId ?? customerIds[0] ?? null,
    departmentId,
    countryIds: locations.map(({ countryId }) => countryId),
  })
  const assignments = routes.map(({ assignment }) => ({
    assignment: assignment === null ? null : { costCents: known(assignment.costCents), vatBp: assignment.vatBp },
  }))
  const budget = orderBudget({ customerPriceCents, customerVatBp, routes: assignments, extras: order.approvedExtras })
  const carrierTotal = assignments.reduce<number | null>((sum, { assignment }) => {
    const { totalCents } = totalsOf(assignment?.costCents ?? null, known(assignment?.vatBp ?? null))
    return totalCents === null ? sum : (sum ?? 0) + totalCents
  }, null)
  const km = routes.reduce((sum, { distanceKm }) => sum + (known(distanceKm) ?? 0), 0)
  const money = (cents: number | null) => (cents === null ? '–' : format.money(cents))
  const perKm = (cents: number | null) => (cents === null || km === 0 ? '–' : format.money(Math.round(cents / km)))
  // Split over the routes, or over some of them only: then there is nothing to compare.
  const prices = routes.map((route) => known(route.customerPriceCents))
  const split = routes.length < 2 || prices.includes(null) ? null : sumCents(prices as number[])
  const tone = marginTone(budget.incomeCents, budget.marginBp, order.marginWarningBp)
  return (
    <div className={classes.budget}>
      <div className={classes.scroll} tabIndex={0} role="group" aria-label={t('sections.budget')}>
        <table className={classes.money}>
          <thead>
            <tr>
              <td />
              <th scope="col" data-end>
                {t('budget.net')}
              </th>
              <th scope="col">{t('budget.vat')}</th>
              <th scope="col" data-end>
                {t('budget.total')}
              </th>
              <th scope="col" data-end>
                {t('budget.perKm')}
              </th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">{t('budget.customerPrice')}</th>
              {order.isMergeResult ? (
                <td data-end title={t('priceOfSources')}>
                  {money(customerPriceCents)}
                </td>
              ) : (
                <td>
                  <FormNumber
                    name="customerPriceCents"
                    label={<VisuallyHidden>{t('fields.customerPriceCents')}</VisuallyHidden>}
                    places={2}
                    hasFixedPlaces
                    factor={100}
                  />
                </td>
              )}
              <td>
                <OrderVatField proposal={proposal} isBare />
              </td>
              <td data-end>{money(budget.customerTotalCents)}</td>
              <td data-end className={classes.dim}>
                {perKm(customerPriceCents)}
              </td>
            </tr>
            <tr>
              <th scope="row">{t('budget.carrierCost')}</th>
              <td data-end>{money(budget.carrierCostCents)}</td>
              <td className={classes.dim}>{routes.length > 0 ? t('budget.seeRoutes') : ''}</td>
              <td data-end>{money(carrierTotal)}</td>
              <td data-end className={classes.dim}>
                {perKm(budget.carrierCostCents)}
              </td>
            </tr>
            {routes.length < 2
              ? null
              : routes.map((route, index) => (
                  <RouteRow
                    key={route.key ?? route.id}
                    route={route}
                    name={
                      order.routes.find(({ id }) => id === route.id)?.number ?? t('routeNumber', { route: index + 1 })
                    }
                    extras={order.approvedExtras.filter(({ routeId }) => routeId === route.id)}
                    marginWarningBp={order.marginWarningBp}
                  />
                ))}
            {order.approvedExtras.length === 0 ? null : (
              <tr>
                <th scope="row">{t('sections.extras')}</th>
                <td data-end>{money(budget.extras.priceCents)}</td>
                <td className={classes.dim}>{t('budget.extrasCost', { cost: money(budget.extras.costCents) })}</td>
                <td />
                <td />
              </tr>
            )}
            <tr className={classes.income}>
              <th scope="row">{t('budget.income')}</th>
              <td data-end>
                <MoneyText tone={tone} isStrong>
                  {money(budget.incomeCents)}
                </MoneyText>
              </td>
              <td>
                <MoneyText tone={tone} isStrong>
                  {budget.marginBp === null ? '' : format.percent(budget.marginBp)}
                </MoneyText>
              </td>
              <td />
              <td data-end className={classes.dim}>
                {perKm(budget.incomeCents)}
              </td>
            </tr>
          </tbody>
        </table>
        <Billed order={order} priceCents={customerPriceCents} />
        {budget.incomeCents !== null && budget.incomeCents < 0 ? (
          <Notice tone="warn">{t('loss', { loss: format.euro(-budget.incomeCents) })}</Notice>
        ) : null}
        {split === null || split === customerPriceCents ? null : (
          <Notice tone="warn">{t('budget.split', { sum: format.euro(split) })}</Notice>
        )}
      </div>
      <div className={classes.vehicle}>
        <div className={classes.wide}>
          <FormReference
            name="vehicleTypeId"
            select={VehicleTypeSelect}
            current={order.vehicleType}
            label={t('fields.vehicleTypeId')}
          />
        </div>
        <FormNumber name="paymentPeriodDays" label={t('fields.paymentPeriodDays')} unit={t('daysUnit')} />
        <CargoWeight />
        <div className={`${classes.wide} ${classes.checks}`}>
          <FormCheck name="isLiftRequired" label={t('fields.isLiftRequired')} />
          <FormCheck name="isTransshipmentForbidden" label={t('fields.isTransshipmentForbidden')} />
        </div>
        <div className={classes.wide}>
          <SameLane exceptId={order.id} />
        </div>
      </div>
    </div>
  )
}

/** A route's own cost and, where the price is split, what it brings. */
function RouteRow({
  route,
  name,
  extras,
  marginWarningBp,
}: {
  route: RouteValues
  name: string
  extras: Order['approvedExtras']
  marginWarningBp: number
}) {
  const format = useFormat()
  const cost = known(route.assignment?.costCents ?? null)
  const { totalCents } = totalsOf(cost, known(route.assignment?.vatBp ?? null))
  const price = known(route.customerPriceCents)
  const onTop = extrasOf(extras)
  const revenue = withExtras(price, onTop.priceCents)
  const income = incomeOf(revenue, withExtras(cost, onTop.costCents))
  const marginBp = marginBpOf(revenue, income)
  const km = known(route.distanceKm)
  return (
    <tr className={classes.dim}>
      <th scope="row">{name}</th>
      <td data-end>{cost === null ? '–' : format.money(cost)}</td>
      <td>
        {income === null ? null : (
          <MoneyText tone={marginTone(income, marginBp, marginWarningBp)}>
            {format.money(income)} {marginBp === null ? '' : format.percent(Math.round(marginBp / 10) * 10)}
          </MoneyText>
        )}
      </td>
      <td data-end>{totalCents === null ? '–' : format.money(totalCents)}</td>
      <td data-end>{cost === null || km === null || km === 0 ? '–' : format.money(Math.round(cost / km))}</td>
    </tr>
  )
}

// Apart, so that a key typed in the cargo does not draw the whole section again.
function CargoWeight() {
  const { t } = useTranslation('order')
  const format = useFormat()
  const weightKg = useFormValueOf('cargo', (cargo: CargoValues[]) => sumsOf(cargo).weightKg)
  return <ReadOnlyField label={t('budget.cargoWeight')}>{format.number(weightKg, 0, 1)} kg</ReadOnlyField>
}
