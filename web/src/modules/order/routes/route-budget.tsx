import { extrasOf, incomeOf, marginBpOf, withExtras, type ExtraSums } from '@waybill/contract/order/money'
import { useTranslation } from 'react-i18next'
import { FormNumber } from '../../../kit/form/fields/fields.tsx'
import { useFormValue } from '../../../kit/form/state/form-context.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { ReadOnlyField } from '../../../ui/fields/field.tsx'
import { MoneyText } from '../../../ui/marks/marks.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import form4 from '../grid/section.module.css'
import classes from './routes-section.module.css'
import { known, marginTone } from '../values/money.ts'

/** What a route brings and costs; a loss is warned of while the cost is typed. */
export function RouteBudget({
  at,
  isOnly,
  extras,
  marginWarningBp,
}: {
  at: string
  isOnly: boolean
  /** those of the route that are approved */
  extras: readonly ExtraSums[]
  marginWarningBp: number
}) {
  const { t } = useTranslation(['order-parts', 'order'])
  const format = useFormat()
  const orderPrice = known(useFormValue<number | null>('customerPriceCents'))
  const ownPrice = known(useFormValue<number | null>(`${at}.customerPriceCents`) ?? null)
  const cost = known(useFormValue<number | null>(`${at}.assignment.costCents`) ?? null)
  // The order's price is that of its only route, unless it says otherwise.
  const price = ownPrice ?? (isOnly ? orderPrice : null)
  const onTop = extrasOf(extras)
  const revenue = withExtras(price, onTop.priceCents)
  const incomeCents = incomeOf(revenue, withExtras(cost, onTop.costCents))
  const marginBp = marginBpOf(revenue, incomeCents)
  return (
    <>
      <div className={form4.fields} data-flow>
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
        <div className={classes.whole}>
          <Notice tone="warn">{t('order:loss', { loss: format.euro(-incomeCents) })}</Notice>
        </div>
      ) : null}
    </>
  )
}
