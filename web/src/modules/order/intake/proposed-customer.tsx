import { Button } from '@mantine/core'
import { customerApi } from '@waybill/contract/customer'
import type { Draft } from '@waybill/contract/order/intake/mail-draft'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useField } from '../../../kit/form/state/form-context.ts'
import { hasAccess } from '../../../kit/session/session.ts'
import { Notice } from '../../../ui/notices/notice.tsx'
import { NewCustomer } from '../../customer/customer-select.tsx'
import classes from './intake.module.css'

interface ProposedCustomerProps {
  /** what the mail says of who is not on record */
  proposed: NonNullable<Draft['customer']['proposed']>
  onMade: () => void
}

/** Who sent a mail and is no customer yet, with the way to make one of what the mail says. */
export function ProposedCustomer({ proposed, onMade }: ProposedCustomerProps) {
  const { t } = useTranslation('intake')
  const customers = useField<number[]>('customerIds')
  const [isMaking, setMaking] = useState(false)
  const { title, address, postal, city, vatNumber, email } = proposed
  if (customers.value.length > 0) return null
  return (
    <Notice tone="info">
      <b>{t('newCustomer')}</b>{' '}
      {[title, address, postal, city, vatNumber, email].filter((part) => part !== null).join(', ')}
      <div className={classes.choices}>
        {hasAccess(customerApi.create.access) ? (
          <Button size="compact-sm" onClick={() => setMaking(true)}>
            {t('createCustomer')}
          </Button>
        ) : (
          t('createdByOthers')
        )}
      </div>
      {isMaking ? (
        <NewCustomer
          typed={title ?? ''}
          known={proposed}
          onClose={() => setMaking(false)}
          onMade={({ id }) => {
            customers.set([id])
            onMade()
          }}
        />
      ) : null}
    </Notice>
  )
}
