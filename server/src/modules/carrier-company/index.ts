import { sql } from 'kysely'
import { can } from '@waybill/contract/permissions'
import type { OwnerRule } from '../../kit/owners.ts'

/** Files and history of a carrier are seen by who manages carriers. */
export const carrierCompanyOwner: OwnerRule = {
  read: can('CARRIER_MANAGEMENT'),
  write: can('CARRIER_MANAGEMENT'),
  visible: (_ctx, ownerId) => sql<boolean>`exists (select 1 from carrier_company c where c.id = ${ownerId})`,
}
