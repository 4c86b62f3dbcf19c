import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { TabBar } from '../../../ui/page/tab-bar.tsx'

/** Work screens on money are tabs of the invoices; the sides are views of one list. */
const TABS = ['all', 'customer', 'carrier', 'check'] as const
export type InvoiceTab = (typeof TABS)[number]

const PATHS: Partial<Record<InvoiceTab, string>> = { check: '/invoices/check' }

/** `onView`: what another view of the list does, where the list stands. */
export function InvoiceTabs({
  current,
  onView,
}: {
  current: InvoiceTab
  onView?: (view: Exclude<InvoiceTab, 'check'>) => void
}) {
  const { t } = useTranslation('invoice-list')
  const navigate = useNavigate()
  return (
    <TabBar
      label={t('sides')}
      tabs={TABS.map((key) => ({ key, label: t(`tab.${key}`), ...(PATHS[key] && { href: PATHS[key] }) }))}
      current={current}
      onSelect={(tab) => {
        if (tab === 'check') void navigate({ to: '/invoices/check' as string })
        else if (onView) onView(tab)
        else void navigate({ to: '/invoices', search: (tab === 'all' ? {} : { entityType: tab }) as never })
      }}
    />
  )
}
