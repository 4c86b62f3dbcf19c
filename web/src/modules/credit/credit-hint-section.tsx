import { useQuery } from '@tanstack/react-query'
import { getCreditStanding, type CreditStanding } from '@waybill/contract/credit/credit'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { keptOf } from '../../kit/api/kept-data.ts'
import { Notice } from '../../ui/notices/notice.tsx'

/** That a customer is near its credit limit or over it, without sums. */
export function CreditHint({ standing }: { standing: CreditStanding }) {
  const { t } = useTranslation('credit')
  return <Notice tone={standing === 'over' ? 'danger' : 'warn'}>{t(`hint.${standing}`)}</Notice>
}

interface TypedProps {
  customerId: number
  netCents: number | null
  vatBp: number | null
}

/** The same while an order is being entered: its price counts. */
export function TypedCreditHint({ customerId, netCents, vatBp }: TypedProps) {
  const query = {
    ...(netCents !== null && netCents > 0 && { netCents: String(netCents) }),
    ...(vatBp !== null && { vatBp: String(vatBp) }),
  }
  const { data } = useQuery({
    queryKey: ['credit', 'standing', customerId, query],
    queryFn: ({ signal }) => callApi(getCreditStanding, { params: { id: customerId }, query: query as never, signal }),
    placeholderData: keptOf('credit', 'standing', customerId),
    meta: { showsRefusals: true },
  })
  return data === undefined || data.standing === null ? null : <CreditHint standing={data.standing} />
}
