import type { OwnerRule } from '../../kit/context/context.ts'
import { titleBy } from '../../kit/records/owners.ts'
import { sql } from 'kysely'
import './webhook.table.ts'

/** Whose rule the history of a webhook obeys: administrators alone know of it. */
export const webhookOwner: OwnerRule = {
  read: 'administrator',
  write: 'administrator',
  visible: (_ctx, ownerId) => sql<boolean>`exists (select 1 from webhook owner where owner.id = ${ownerId})`,
  title: titleBy('webhook', 'title'),
  seesAll: () => true,
}
