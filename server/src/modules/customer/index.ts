import { sql } from 'kysely'
import { can } from '@waybill/contract/permissions'
import type { OwnerRule } from '../../kit/owners.ts'

/** Files and history of a customer are seen by who manages customers. */
export const customerOwner: OwnerRule = {
  read: can('CUSTOMER_MANAGEMENT'),
  write: can('CUSTOMER_MANAGEMENT'),
  visible: (_ctx, ownerId) => sql<boolean>`exists (select 1 from customer c where c.id = ${ownerId})`,
}
