import type { QuoteState } from '@waybill/contract/quote/quote'
import type { StatusLook } from '../../ui/marks/status-badge.tsx'

/** Which colour a state wears. */
export const QUOTE_LOOKS: Readonly<Record<QuoteState, StatusLook>> = {
  draft: 'created',
  sent: 'sent',
  accepted: 'approved',
  refused: 'canceled',
  expired: 'canceled',
}
