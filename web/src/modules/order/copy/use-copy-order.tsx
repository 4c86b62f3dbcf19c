import { Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../../ui/marks/icon.tsx'
import { lateWindow } from '../../../ui/windows/late-window.tsx'
import type { CopiedOrder, CopyMode } from './copy-order-modal.tsx'

const CopyOrderModal = lateWindow(() => import('./copy-order-modal.tsx').then((file) => file.CopyOrderModal))

/**
 * Entries of an order's menu that make another order of it, and the dialog that they open,
 * which stands outside of the menu.
 */
export function useCopyOrder(order: CopiedOrder, hasChanges = false): { items: ReactNode; dialog: ReactNode } {
  const { t } = useTranslation('order-list')
  const navigate = useNavigate()
  const [asked, setAsked] = useState<{ mode: CopyMode; turn: number; isOpen: boolean } | null>(null)
  return {
    items: [
      ...(['copy', 'return'] as const satisfies readonly CopyMode[]).map((mode) => (
        <Menu.Item
          key={mode}
          leftSection={<Icon name={mode === 'copy' ? 'copy' : 'undo'} />}
          onClick={() => setAsked({ mode, turn: (asked?.turn ?? 0) + 1, isOpen: true })}
        >
          {t(`copy.${mode}`)}
        </Menu.Item>
      )),
      <Menu.Item
        key="recurring"
        leftSection={<Icon name="refresh" />}
        onClick={() => void navigate({ to: '/recurring-orders/create', search: { order: order.id } as never })}
      >
        {t('copy.recurring')}
      </Menu.Item>,
    ],
    dialog: (
      <Suspense>
        {asked === null ? null : (
          <CopyOrderModal
            key={asked.turn}
            order={order}
            initialMode={asked.mode}
            hasChanges={hasChanges}
            isOpen={asked.isOpen}
            onClose={() => setAsked({ ...asked, isOpen: false })}
          />
        )}
      </Suspense>
    ),
  }
}
