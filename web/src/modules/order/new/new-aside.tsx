import { isDropOff, isPickUp } from '@waybill/contract/order/schedule'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormValue, useFormValuesOf } from '../../../kit/form/state/form-context.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { Section } from '../../../ui/page/section.tsx'
import { cargoPlaces, isBlankCargo, type CargoValues, type StopValues } from '../values/draft.ts'
import classes from './new-page.module.css'
import { useCustomerForOrder } from '../values/parties.ts'

/** How many stops have dates, how many lines say something, and how many of those have both their stops. */
function planned(locations: readonly StopValues[], cargo: readonly CargoValues[]) {
  const dated = locations.filter(({ termin }) => termin !== null)
  const lines = cargo.filter((line) => !isBlankCargo(line))
  const placeOf = cargoPlaces(locations)
  const linked = lines.filter((line) => placeOf(line, 'PICK_UP') !== -1 && placeOf(line, 'DROP_OFF') !== -1)
  return {
    pickUps: dated.filter(isPickUp).length,
    dropOffs: dated.filter(isDropOff).length,
    lines: lines.length,
    linked: linked.length,
  }
}

/** What a transport needs before it can be planned; only the first line keeps an order from being saved. */
export function ReadyList() {
  const { t } = useTranslation('order')
  const format = useFormat()
  const customerIds = useFormValue<number[]>('customerIds')
  const departmentId = useFormValue<number | null>('departmentId')
  const { pickUps, dropOffs, lines, linked } = useFormValuesOf<
    [StopValues[], CargoValues[]],
    ReturnType<typeof planned>
  >(['locations', 'cargo'], planned)
  const price = useFormValue<number | null>('customerPriceCents')
  const checks = [
    { label: t('ready.customer'), isDone: customerIds.length > 0 && departmentId !== null, note: '' },
    { label: t('ready.pickUp'), isDone: pickUps > 0, note: format.number(pickUps) },
    { label: t('ready.dropOff'), isDone: dropOffs > 0, note: format.number(dropOffs) },
    {
      label: t('ready.cargo'),
      isDone: lines > 0 && linked === lines,
      note: format.number(linked),
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

// Most customers have no limit: their orders do not load it.
const TypedCreditHint = lazy(() =>
  import('../../credit/credit-hint-section.tsx').then((file) => ({ default: file.TypedCreditHint })),
)

/** What choosing the customer brought along. */
export function FilledFromCustomer() {
  const { t } = useTranslation('order')
  const customerIds = useFormValue<number[]>('customerIds')
  const netCents = useFormValue<number | null>('customerPriceCents')
  const vatBp = useFormValue<number | null>('customerVatBp')
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
      {customer.hasCreditLimit ? (
        <Suspense>
          <TypedCreditHint customerId={customer.billingCustomer.id} netCents={netCents} vatBp={vatBp} />
        </Suspense>
      ) : null}
      {customer.warnings !== null || customer.specialInstructions !== null ? (
        <div className={classes.customerWarning}>
          <Notice tone="warn">{[customer.warnings, customer.specialInstructions].filter(Boolean).join(' ')}</Notice>
        </div>
      ) : null}
    </Section>
  )
}
