import {
  beHere,
  leaveOrder,
  ORDER_SECTIONS,
  PRESENCE_SECONDS,
  type OrderSection,
} from '@waybill/contract/order/presence'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { keptOf } from '../../../kit/api/kept-data.ts'
import { Avatar } from '../../../ui/marks/marks.tsx'
import classes from './header.module.css'

const MOST_AVATARS = 3

/** Who else has this order open, and in which part of it; tells the others that this person has. */
export function OrderPresence({ orderId }: { orderId: number }) {
  const { t } = useTranslation('order')
  const section = useSectionInHand()
  const { data } = useQuery({
    queryKey: ['orders', orderId, 'presence', section],
    queryFn: ({ signal }) => callApi(beHere, { params: { id: orderId }, body: { section }, signal }),
    refetchInterval: PRESENCE_SECONDS.beat * 1000,
    placeholderData: keptOf('orders', orderId),
    gcTime: 0,
    retry: false,
    // A person who lost the order learns it when something is done with it.
    meta: { showsRefusals: true },
  })
  useEffect(() => () => void callApi(leaveOrder, { params: { id: orderId } }).catch(() => undefined), [orderId])
  const others = data?.others ?? []
  const words = others.map(({ title, section: at }) =>
    at === null ? title : t('presence.in', { name: title, section: t(`sections.${at}`) }),
  )
  return (
    <div className={classes.presence} role="group" aria-live="polite" aria-label={t('presence.label')}>
      {others.slice(0, MOST_AVATARS).map(({ id, title }, place) => (
        <span key={id} title={words[place]}>
          <Avatar name={title} />
        </span>
      ))}
      {others.length === 0 ? null : (
        <span className={classes.presenceWords}>
          {words[0]}
          {others.length > 1 ? ` ${t('presence.more', { count: others.length - 1 })}` : ''}
        </span>
      )}
    </div>
  )
}

/** The section that has the focus. */
function useSectionInHand(): OrderSection | null {
  const [section, setSection] = useState<OrderSection | null>(null)
  useEffect(() => {
    const look = ({ target }: FocusEvent) => {
      const id = (target as Element).closest('section[id]')?.id
      const found = ORDER_SECTIONS.find((one) => one === id)
      if (found !== undefined) setSection(found)
    }
    addEventListener('focusin', look)
    return () => removeEventListener('focusin', look)
  }, [])
  return section
}
