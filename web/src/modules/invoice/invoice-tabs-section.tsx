import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { TabBar } from '../../ui/page/tab-bar.tsx'

/** Work screens on money are tabs of the invoices; the sides are views of one list. */
const VIEWS = ['all', 'customer', 'carrier'] as const
type View = (typeof VIEWS)[number]
const SCREENS = {
  check: '/invoices/check',
  runs: '/invoices/payment-runs',
  monthEnd: '/invoices/month-end',
  openItems: '/invoices/open-items',
} as const
type Screen = keyof typeof SCREENS
export type InvoiceTab = View | Screen

const isScreen = (tab: InvoiceTab): tab is Screen => tab in SCREENS
const TABS: readonly InvoiceTab[] = [...VIEWS, 'check', 'runs', 'monthEnd', 'openItems']

/** `onView`: what another view of the list does, where the list stands. */
export function InvoiceTabs({ current, onView }: { current: InvoiceTab; onView?: (view: View) => void }) {
  const { t } = useTranslation('invoice-list')
  const navigate = useNavigate()
  return (
    <TabBar
      label={t('sides')}
      tabs={TABS.map((key) => ({ key, label: t(`tab.${key}`), ...(isScreen(key) && { href: SCREENS[key] }) }))}
      current={current}
      onSelect={(tab) => {
        if (isScreen(tab)) void navigate({ to: SCREENS[tab] as string })
        else if (onView) onView(tab)
        else void navigate({ to: '/invoices', search: (tab === 'all' ? {} : { entityType: tab }) as never })
      }}
    />
  )
}
