import { Link } from '@tanstack/react-router'
import { companyApi } from '@waybill/contract/company'
import { customerApi } from '@waybill/contract/customer'
import { useTranslation } from 'react-i18next'
import { hasAccess } from '../../../kit/session/session.ts'
import { CustomerFieldLink } from '../../customer/customer-field-link.tsx'

interface MendLinkProps {
  /** begins with the name of the record whose field mends it */
  path: string
  customerId: number
  companyId: number
}

/** The way to the field that mends what hinders an invoice, for who may open its record. */
export function MendLink({ path, customerId, companyId }: MendLinkProps) {
  const { t } = useTranslation('month-end')
  const [record, ...field] = path === 'to' ? ['customer', 'invoiceEmail'] : path.split('.')
  if (record === 'customer' && hasAccess(customerApi.get.access))
    return (
      <CustomerFieldLink id={customerId} path={field.join('.')}>
        {t('help.customer')}
      </CustomerFieldLink>
    )
  if (record === 'company' && hasAccess(companyApi.get.access))
    return (
      <Link to={`/companies/${companyId}/edit` as string} hash={field.join('.')}>
        {t('help.ourCompany')}
      </Link>
    )
  return null
}
