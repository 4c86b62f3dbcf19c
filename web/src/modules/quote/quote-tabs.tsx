import { useNavigate } from '@tanstack/react-router'
import { ORDER_ACCESS, RATE_CARD_ACCESS } from '@waybill/contract/permissions'
import { QUOTES_SHOWN, type Quotes, type QuotesShown } from '@waybill/contract/quote/quote'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { hasAccess } from '../../kit/session/session.ts'
import { TabBar, type Tab } from '../../ui/page/tab-bar.tsx'

type Key = QuotesShown | 'rateCards'

const addressOf = (key: Key): string =>
  key === 'rateCards' ? '/rate-cards' : key === 'all' ? '/quotes' : `/quotes?show=${key}`

/** Quotes by how they stand, and the rate cards beside them; each as far as one may see it. */
export function QuoteTabs({
  current,
  counts,
  children,
}: {
  current: Key
  counts: Quotes['counts'] | undefined
  children?: ReactNode
}) {
  const { t } = useTranslation('quote')
  const navigate = useNavigate()
  const quotes: Tab<Key>[] = hasAccess(ORDER_ACCESS)
    ? QUOTES_SHOWN.map((key) => ({
        key,
        label: t(`shown.${key}`),
        href: addressOf(key),
        ...(counts !== undefined && key !== 'all' && { count: counts[key] }),
        ...(key === 'followUp' && (counts?.followUp ?? 0) > 0 && { countTone: 'warn' as const }),
      }))
    : []
  const cards: Tab<Key>[] = hasAccess(RATE_CARD_ACCESS)
    ? [{ key: 'rateCards', label: t('shown.rateCards'), href: '/rate-cards' }]
    : []
  return (
    <TabBar
      label={t('title')}
      current={current}
      tabs={[...quotes, ...cards]}
      onSelect={(key) =>
        void navigate(
          key === 'rateCards'
            ? { to: '/rate-cards' }
            : { to: '/quotes', search: (key === 'all' ? {} : { show: key }) as never },
        )
      }
    >
      {children}
    </TabBar>
  )
}
