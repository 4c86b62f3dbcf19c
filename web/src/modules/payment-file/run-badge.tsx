import type { PaymentFileRow } from '@waybill/contract/payment-file/payment-file'
import { useTranslation } from 'react-i18next'
import { StatusBadge, type StatusLook } from '../../ui/marks/status-badge.tsx'

type Standing = 'made' | 'paid' | 'partlyReturned' | 'voided'

const LOOKS: Readonly<Record<Standing, StatusLook>> = {
  made: 'created',
  paid: 'paid',
  partlyReturned: 'in_progress',
  voided: 'canceled',
}

/** How a run stands: file made, paid, partly returned, void. */
function standingOf({ status, returnedCount }: Pick<PaymentFileRow, 'status' | 'returnedCount'>): Standing {
  if (status === 'voided') return 'voided'
  if (returnedCount > 0) return 'partlyReturned'
  return status === 'confirmed' ? 'paid' : 'made'
}

/** How a run stands, in the person's words. */
export function RunBadge({ run }: { run: Pick<PaymentFileRow, 'status' | 'returnedCount'> }) {
  const { t } = useTranslation('payment-file')
  const standing = standingOf(run)
  return <StatusBadge status={LOOKS[standing]}>{t(`standing.${standing}`)}</StatusBadge>
}
