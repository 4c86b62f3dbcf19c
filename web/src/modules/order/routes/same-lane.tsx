import { findSameLane, postalArea } from '@waybill/contract/order/lane'
import { isDropOff, isPickUp } from '@waybill/contract/order/schedule'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { useFormValue } from '../../../kit/form/state/form-context.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { MoneyText } from '../../../ui/marks/marks.tsx'
import { Section } from '../../../ui/page/section.tsx'
import type { StopValues } from '../values/draft.ts'
import { marginTone } from '../values/money.ts'
import classes from './same-lane.module.css'

const TYPING_MS = 300
const STALE_MS = 60_000

/** What was charged between the same two postal areas; nothing while they are not known, or where there was nothing. */
export function SameLane({ exceptId }: { /** the order itself */ exceptId?: number }) {
  const { t } = useTranslation('order')
  const format = useFormat()
  const stops = useFormValue<StopValues[]>('locations').filter(({ canceledAt }) => canceledAt === null)
  const [lane] = useDebouncedValue(laneOf(stops.find(isPickUp), stops.findLast(isDropOff)), TYPING_MS)
  const { data } = useQuery({
    queryKey: ['orders', 'same-lane', lane, exceptId],
    queryFn: ({ signal }) => {
      const [fromCountryId, fromPostal, toCountryId, toPostal] = lane!.split(' ') as [string, string, string, string]
      return callApi(findSameLane, {
        query: {
          fromCountryId: Number(fromCountryId),
          fromPostal,
          toCountryId: Number(toCountryId),
          toPostal,
          ...(exceptId !== undefined && { exceptId }),
        },
        signal,
      })
    },
    enabled: lane !== null,
    placeholderData: lane === null ? undefined : keepPreviousData,
    staleTime: STALE_MS,
    retry: false,
    meta: { showsRefusals: true },
  })
  if (lane === null || data === undefined || data.items.length === 0) return null
  return (
    <Section title={t('sameLane')} headingLevel={3}>
      <ul className={classes.lane}>
        {data.items.map((order) => (
          <li key={order.id}>
            <Link
              to="/orders/$id/edit"
              params={{ id: String(order.id) }}
              target="_blank"
              title={`${order.customer.title}, ${format.day(order.createdAt)}`}
            >
              {order.number}
            </Link>
            <span>{format.money(order.customerPriceCents)}</span>
            <MoneyText tone={marginTone(order.incomeCents, order.marginBp, order.marginWarningBp)}>
              {order.marginBp === null ? '–' : format.percent(Math.round(order.marginBp / 10) * 10)}
            </MoneyText>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** The two ends as one word, so that typing on in a postal code asks nothing anew. */
function laneOf(from: StopValues | undefined, to: StopValues | undefined): string | null {
  const [area, other] = [postalArea(from?.postal), postalArea(to?.postal)]
  return from?.countryId == null || to?.countryId == null || area === null || other === null
    ? null
    : [from.countryId, area, to.countryId, other].join(' ')
}
