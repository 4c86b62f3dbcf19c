import type { ClearanceReason } from '@waybill/contract/order/clearance/clearance'
import { askRelease } from '@waybill/contract/order/clearance/release'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { useIntention } from '../../../kit/api/use-intention.ts'
import { ReasonWindow } from '../../../kit/form/page/reason-window.tsx'
import classes from './clearance-row.module.css'
import { useReasonWords } from '../values/reason-words.ts'

interface AskReleaseProps {
  routeId: number
  carrierId: number
  reasons: readonly ClearanceReason[]
  onClose: () => void
  onAsked: () => void
}

/** Asks a second person to let a carrier drive this one route. */
export function AskReleaseModal({ routeId, carrierId, reasons, onClose, onAsked }: AskReleaseProps) {
  const { t } = useTranslation('clearance')
  const words = useReasonWords()
  const keyOf = useIntention()
  return (
    <ReasonWindow
      of={{ path: `routes/release/${carrierId}`, id: routeId }}
      title={t('askTitle')}
      doLabel={t('doAsk')}
      tone="primary"
      isLong
      maxLength={2000}
      onGive={async (reason) => {
        const body = { carrierCompanyId: carrierId, reason }
        await callApi(askRelease, { params: { id: routeId }, body, idempotencyKey: keyOf(body) })
        onAsked()
      }}
      onClose={onClose}
    >
      <ul className={classes.listed}>
        {reasons.map((one) => (
          <li key={one.code}>{words(one)}</li>
        ))}
      </ul>
      <p className={classes.means}>{t('askMeans')}</p>
    </ReasonWindow>
  )
}
