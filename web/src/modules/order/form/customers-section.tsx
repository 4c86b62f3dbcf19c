import type { Order } from '@waybill/contract/order/order'
import type { Reference } from '@waybill/contract/kit/fields'
import { customerApi } from '@waybill/contract/customer'
import { Button } from '@mantine/core'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useField, useFormValue, useFormValueOf } from '../../../kit/form/state/form-context.ts'
import { useTitles } from '../../../kit/list/reference/references.ts'
import { loadTexts, useFormat } from '../../../kit/i18n/i18n.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { CustomerSelect } from '../../customer/customer-select.tsx'
import type { CargoValues } from '../values/draft.ts'
import classes from '../grid/section.module.css'
import { useCustomerForOrder } from '../values/parties.ts'

const TrackingLinks = lazy(async () => {
  const [file] = await Promise.all([import('../papers/tracking-links.tsx'), loadTexts('tracking-link')])
  return { default: file.TrackingLinksOfOrder }
})

/**
 * Whose goods are carried: the first customer, and others who own a part of the cargo; the money
 * runs through the billing customer.
 */
export function OrderCustomersSection({ order }: { order: Order }) {
  const { t } = useTranslation('order')
  const format = useFormat()
  const customers = useField<number[]>('customerIds')
  // Whose a line is changes rarely, the lines themselves at every key in their grid.
  const ownerIds = useFormValueOf('cargo', (cargo: CargoValues[]) => cargo.map(({ customerId }) => customerId))
  const billingCustomerId = useFormValue<number | null>('billingCustomerId')
  const [isAdding, setAdding] = useState(false)
  const [picked, setPicked] = useState<readonly Reference[]>([])
  const titles = useTitles(
    customerApi,
    [...customers.value, ...(billingCustomerId === null ? [] : [billingCustomerId])],
    [...order.customers, order.billingCustomer, ...picked],
  )
  const [first] = customers.value
  const linesOf = useMemo(() => {
    const lines = ownerIds.map((owner, index) => ({ owner: owner ?? first, index }))
    const byOwner = Map.groupBy(lines, ({ owner }) => owner)
    return (id: number) =>
      byOwner
        .get(id)
        ?.map(({ index }) => format.number(index + 1))
        .join(', ') ?? null
  }, [ownerIds, first, format])
  return (
    <>
      <div className={classes.scroll} tabIndex={0} role="group" aria-label={t('sections.customers')}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t('customers.customer')}</th>
              <th scope="col">{t('customers.cargo')}</th>
              <th scope="col">{t('customers.billsTo')}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {customers.value.map((id, place) => (
              <tr key={id}>
                <td>{titles.get(id) ?? '…'}</td>
                <td className={classes.dim}>
                  {linesOf(id) === null ? '–' : t('customers.lines', { lines: linesOf(id) })}
                </td>
                <td className={classes.dim}>
                  {place > 0
                    ? t('customers.notBilled')
                    : billingCustomerId === null || billingCustomerId === id
                      ? t('customers.itself')
                      : (titles.get(billingCustomerId) ?? '…')}
                </td>
                <td data-end>
                  {place === 0 ? null : (
                    <IconButton
                      icon="close"
                      isSmall
                      label={t('customers.remove', { customer: titles.get(id) ?? '' })}
                      disabled={customers.isReadOnly}
                      onClick={() => customers.set(customers.value.filter((one) => one !== id))}
                    />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {customers.value.slice(1).map((id) => (
        <Warnings key={id} customerId={id} />
      ))}
      <div className={classes.below}>
        {isAdding ? (
          <div className={classes.adding}>
            <CustomerSelect
              label={t('customers.add')}
              value={null}
              onChange={(id, reference) => {
                setAdding(false)
                if (id === null || customers.value.includes(id)) return
                if (reference !== null) setPicked([...picked, reference])
                customers.set([...customers.value, id])
              }}
            />
          </div>
        ) : (
          <Button
            size="compact-sm"
            variant="subtle"
            disabled={customers.isReadOnly}
            leftSection={<Icon name="plus" size={13} />}
            onClick={() => setAdding(true)}
          >
            {t('customers.add')}
          </Button>
        )}
      </div>
      <Suspense fallback={<div className={classes.linksPlace} />}>
        <TrackingLinks order={order} />
      </Suspense>
    </>
  )
}

/** What is to be minded of a further customer; the first one's stands in the general part. */
function Warnings({ customerId }: { customerId: number }) {
  const customer = useCustomerForOrder(customerId)
  if (!customer?.warnings) return null
  return (
    <div className={classes.below}>
      <Notice tone="warn">
        <b>{customer.title}</b>: {customer.warnings}
      </Notice>
    </div>
  )
}
