import { MERGE_LEAST } from '@waybill/contract/order/merge'
import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowSelection } from '../../../kit/list/page/row-selection.ts'
import { useFetchOnTouch } from '../../../ui/windows/fetch-on-touch.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { lateWindow } from '../../../ui/windows/late-window.tsx'

const MergeOrdersModal = lateWindow(() => import('./merge-orders-modal.tsx').then((file) => file.MergeOrdersModal))

/** Merges the orders that are chosen in the list. */
export function MergeOrdersAction({ selection }: { selection: Pick<RowSelection<{ id: number }>, 'rows' | 'clear'> }) {
  const { t } = useTranslation('order-list')
  useFetchOnTouch(MergeOrdersModal.fetch)
  const [isOpen, setOpen] = useState(false)
  const isTooFew = selection.rows.length < MERGE_LEAST
  return (
    <>
      <Button
        size="compact-sm"
        leftSection={<Icon name="merge" />}
        disabled={isTooFew}
        title={isTooFew ? t('mergeNeeds', { count: MERGE_LEAST }) : undefined}
        onClick={() => setOpen(true)}
      >
        {t('merge')}
      </Button>
      <Suspense>
        {isOpen ? (
          <MergeOrdersModal
            orderIds={selection.rows.map(({ id }) => id)}
            onClose={() => setOpen(false)}
            onMerged={selection.clear}
          />
        ) : null}
      </Suspense>
    </>
  )
}
