import { cargoTotals } from '@waybill/contract/order/cargo'
import { orderBudget, totalsOf } from '@waybill/contract/order/money'
import type { Order } from '@waybill/contract/order/order'
import { VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FormCheck, FormNumber } from '../../kit/form/fields.tsx'
import { useFormValue } from '../../kit/form/form-context.ts'
import { FormReference } from '../../kit/form/reference-fields.tsx'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { ReadOnlyField } from '../../ui/field.tsx'
import { MoneyText } from '../../ui/marks.tsx'
import { VehicleTypeSelect } from '../type-list/type-select.tsx'
import type { CargoValues, RouteValues, StopValues } from './order-draft.ts'
import classes from './order-form.module.css'
import { known, marginTone } from './order-money.ts'
import { useVatProposal } from './order-parties.ts'
import { OrderVatField } from './order-vat-field.tsx'

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
  const proposal = useVatProposal({ billingCustomerId: billingCustomerId ?? customerIds[0] ?? null, departmentId, countryIds: locations.map(({ countryId }) => countryId) })
  const assignments = routes.map(({ assignment }) => ({ assignment: assignment === null ? null : { costCents: known(assignment.costCents), vatBp: assignment.vatBp } }))
  const budget = orderBudget({ customerPriceCents, customerVatBp, routes: assignments })
  const carrierTotal = assignments.reduce<number | null>((sum, { assignment }) => {
    const { totalCents } = totalsOf(assignment?.costCents ?? null, known(assignment?.vatBp ?? null))
    return totalCents === null ? sum : (sum ?? 0) + totalCents
  }, null)
  const km = routes.reduce((sum, { distanceKm }) => sum + (known(distanceKm) ?? 0), 0)
  const money = (cents: number | null) => (cents === null ? '–' : format.money(cents))
  const perKm = (cents: number | null) => (cents === null || km === 0 ? '–' : format.money(Math.round(cents / km)))
  const tone = marginTone(budget.incomeCents, budget.marginBp)
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
              <td>
                <FormNumber name="customerPriceCents" label={<VisuallyHidden>{t('fields.customerPriceCents')}</VisuallyHidden>} places={2} hasFixedPlaces factor={100} />
              </td>
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
      </div>
      <div className={classes.vehicle}>
        <div className={classes.wide}>
          <FormReference name="vehicleTypeId" select={VehicleTypeSelect} current={order.vehicleType} label={t('fields.vehicleTypeId')} />
        </div>
        <FormNumber name="paymentPeriodDays" label={t('fields.paymentPeriodDays')} unit={t('daysUnit')} />
        <CargoWeight />
        <div className={`${classes.wide} ${classes.checks}`}>
          <FormCheck name="isLiftRequired" label={t('fields.isLiftRequired')} />
          <FormCheck name="isTransshipmentForbidden" label={t('fields.isTransshipmentForbidden')} />
        </div>
      </div>
    </div>
  )
}

// Apart, so that a key typed in the cargo does not draw the whole section again.
function CargoWeight() {
  const { t } = useTranslation('order')
  const format = useFormat()
  const cargo = useFormValue<CargoValues[]>('cargo')
  const { weightKg } = cargoTotals(cargo.map((line) => ({ weightKg: known(line.weightKg) })))
  return <ReadOnlyField label={t('budget.cargoWeight')}>{format.number(weightKg, 0, 1)} kg</ReadOnlyField>
}
