import type { Order } from '@waybill/contract/order/order'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { FormText, FormTextArea } from '../../../kit/form/fields/fields.tsx'
import { useField, useFormContext } from '../../../kit/form/state/form-context.ts'
import { FormReference, FormReferences } from '../../../kit/form/fields/reference-fields.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { ContactSelect } from '../../customer/contact-select.tsx'
import { CustomerSelect } from '../../customer/customer-select.tsx'
import { DepartmentSelect } from '../../department/department-select.tsx'
import { UserMultiSelect, UserSelect } from '../../user/user-select.tsx'
import classes from '../grid/section.module.css'
import { RefusedAddress } from '../grid/refused-address.tsx'
import { useCustomerForOrder } from '../values/parties.ts'

// Few customers are near their limit: the others' orders do not load it.
const CreditHint = lazy(() =>
  import('../../credit/credit-hint-section.tsx').then((file) => ({ default: file.CreditHint })),
)

/** Who ordered, who pays, who of us looks after it. */
export function OrderGeneralSection({ order }: { order: Order }) {
  const { t } = useTranslation('order')
  const form = useFormContext()
  const customers = useField<number[]>('customerIds')
  const contact = useField<number | null>('contactPersonId')
  const [first] = customers.value
  const customer = useCustomerForOrder(first)
  const remarks = [customer?.warnings, customer?.specialInstructions].filter(Boolean).join(' ')
  const known = [
    ...(customer?.contactPersons.map(({ id, fullName }) => ({ value: String(id), label: fullName })) ?? []),
  ]
  const own = order.contactPerson
  if (own !== null && !known.some(({ value }) => value === String(own.id)))
    known.push({ value: String(own.id), label: own.title })
  return (
    <>
      {remarks === '' ? null : (
        <div className={classes.remark}>
          <Notice tone="warn">
            <b>{t('fromCustomer')}</b> {remarks}
          </Notice>
        </div>
      )}
      {order.credit === null ? null : (
        <div className={classes.remark}>
          <Suspense>
            <CreditHint standing={order.credit} />
          </Suspense>
        </div>
      )}
      <div className={classes.fields}>
        <div className={classes.wide}>
          <CustomerSelect
            label={t('fields.customerIds')}
            isRequired
            name="customerIds"
            value={first ?? null}
            current={order.customers.find(({ id }) => id === first) ?? null}
            error={customers.error}
            isChanged={customers.isChanged}
            isReadOnly={customers.isReadOnly}
            onChange={(id) => {
              customers.set(
                id === null ? customers.value.slice(1) : [id, ...customers.value.slice(1).filter((one) => one !== id)],
              )
              form.set('contactPersonId', null)
            }}
          />
        </div>
        <div>
          <ContactSelect
            label={t('fields.contactPersonId')}
            name="contactPersonId"
            customerId={first ?? null}
            people={known}
            value={contact.value}
            error={contact.error}
            isChanged={contact.isChanged}
            readOnly={contact.isReadOnly}
            clearable={!contact.isReadOnly}
            nothingFoundMessage={t('noContact')}
            onChange={contact.set}
          />
          <RefusedAddress email={customer?.contactPersons.find(({ id }) => id === contact.value)?.email} />
        </div>
        <FormText name="customerOrderNumber" label={t('fields.customerOrderNumber')} maxLength={100} />
        <div className={classes.wide}>
          <FormReference
            name="billingCustomerId"
            select={CustomerSelect}
            current={order.billingCustomer}
            label={t('fields.billingCustomerId')}
            placeholder={t('sameAsCustomer')}
          />
        </div>
        <FormReference
          name="departmentId"
          select={DepartmentSelect}
          current={order.department}
          label={t('fields.departmentId')}
          isRequired
        />
        <FormReference
          name="caseWorkerId"
          select={UserSelect}
          current={order.caseWorker}
          label={t('fields.caseWorkerId')}
        />
        <div className={classes.wide}>
          <FormText name="description" label={t('fields.description')} maxLength={4000} />
        </div>
        <div className={classes.wide}>
          <FormText name="invoiceText" label={t('fields.invoiceText')} maxLength={2000} />
        </div>
        <div className={classes.wide}>
          <FormReferences
            name="managerIds"
            select={UserMultiSelect}
            current={order.managers}
            label={t('fields.managerIds')}
          />
        </div>
        <div className={classes.wide}>
          <FormTextArea name="internalComments" label={t('fields.internalComments')} minRows={1} maxLength={10_000} />
        </div>
      </div>
    </>
  )
}
