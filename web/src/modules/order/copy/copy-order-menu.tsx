import { Menu } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import type { CopiedOrder } from './copy-order-modal.tsx'
import { useCopyOrder } from './use-copy-order.tsx'

/** Makes another order of the one in hand. */
export function CopyOrderMenu({ order }: { order: CopiedOrder }) {
  const { t } = useTranslation('order-list')
  const copying = useCopyOrder(order)
  return (
    <>
      <Menu position="top-end">
        <Menu.Target>
          <IconButton icon="more" isSmall label={t('copy.menu')} />
        </Menu.Target>
        <Menu.Dropdown>{copying.items}</Menu.Dropdown>
      </Menu>
      {copying.dialog}
    </>
  )
}
