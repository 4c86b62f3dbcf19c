import { Link } from '@tanstack/react-router'
import type { Reference } from '@waybill/contract/kit/fields'
import { can } from '@waybill/contract/permissions'
import { hasAccess } from '../../kit/session/session.ts'

const ACCESS = can('CUSTOMER_MANAGEMENT')

/** A customer by name, leading to the record for those who may open it. */
export function CustomerLink({ of, className }: { of: Reference; className?: string | undefined }) {
  return hasAccess(ACCESS) ? (
    <Link to={`/customer/${of.id}/edit` as string} className={className} title={of.title}>
      {of.title}
    </Link>
  ) : (
    <span className={className} title={of.title}>
      {of.title}
    </span>
  )
}
