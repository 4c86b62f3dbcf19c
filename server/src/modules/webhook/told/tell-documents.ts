import type { Acceptance } from '@waybill/contract/document'
import type { WebhookEvent } from '@waybill/contract/webhook/webhook'
import type { Ctx, Reaction } from '../../../kit/context/context.ts'
import type { Events } from '../../../kit/context/events.ts'
import { addressOf, tellWebhooks } from '../tell-webhooks.ts'

const EVENT_OF_CHECK = {
  accepted: 'document.accepted',
  refused: 'document.refused',
  toCheck: 'document.reopened',
} as const satisfies Record<Acceptance, WebhookEvent>

/** What is told of a file: one that counts at once is told as added and as accepted. */
function eventsOf(change: Events['document.written']['change'], acceptance: Acceptance | null): WebhookEvent[] {
  if (change === 'removed') return ['document.removed']
  if (change === 'added')
    return acceptance === 'accepted' ? ['document.added', 'document.accepted'] : ['document.added']
  return change === 'checked' && acceptance !== null ? [EVENT_OF_CHECK[acceptance]] : []
}

const POSSIBLE = {
  added: ['document.added', 'document.accepted'],
  checked: Object.values(EVENT_OF_CHECK),
  changed: [],
  removed: ['document.removed'],
} as const satisfies Record<Events['document.written']['change'], readonly WebhookEvent[]>

/** The name of a file stays here: it may name people. */
const readFile = (ctx: Ctx, id: number) =>
  ctx.db
    .selectFrom('document')
    .select(['version', 'documentType', 'acceptance'])
    .where('id', '=', id)
    .executeTakeFirst()

export const tellDocument: Reaction<'document.written'> = (ctx, { owner, documentId, documentTypes, change }) => {
  const { id: ownerId, kind } = owner
  // Letters to a place of load carriers, and quotes, are no event of any record that programs know.
  return kind === 'loadCarrierPlace' || kind === 'quote' || POSSIBLE[change].length === 0
    ? Promise.resolve()
    : tellWebhooks(ctx, POSSIBLE[change], async () => {
        const file = await readFile(ctx, documentId)
        return eventsOf(change, file?.acceptance ?? null).map((type) => ({
          type,
          record: { kind, id: ownerId },
          data: {
            id: documentId,
            ...(file && { version: file.version }),
            documentType: file?.documentType ?? documentTypes[0],
            ...(file && file.acceptance !== null && { acceptance: file.acceptance }),
            owner: { kind, id: ownerId },
            ...(file && { url: addressOf(ctx, `documents/${documentId}/file`) }),
          },
        }))
      })
}
