import { drivenRoutes } from '@waybill/contract/order/consignment'
import type { Order } from '@waybill/contract/order/order'
import { Button } from '@mantine/core'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFieldErrorText } from '../../../kit/i18n/error-text.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { lateWindow } from '../../../ui/windows/late-window.tsx'
import { DocumentsSection } from '../../document/document-section.tsx'
import type { OrderForm } from '../values/order-form.ts'
import { proofsOf } from './proofs-of-order.ts'
import classes from './papers.module.css'

const GenerateDocumentModal = lateWindow(() =>
  import('./generate-document-modal.tsx').then((file) => file.GenerateDocumentModal),
)

const PaperState = lazy(() => import('./paper-states.tsx').then((file) => ({ default: file.PaperState })))

interface OrderDocumentsProps {
  form: OrderForm
  order: Order
  /** A file came, changed or went */
  onChange: () => void
}

const paperState = (form: OrderForm, order: Order, documentId: number, onMade: () => void) => (
  <Suspense>
    <PaperState form={form} order={order} documentId={documentId} onMade={onMade} />
  </Suspense>
)

/** The order's files, and those that are made of its own data. */
export function OrderDocumentsSection({ form, order, onChange }: OrderDocumentsProps) {
  const { t } = useTranslation('order-papers')
  const fieldErrorText = useFieldErrorText()
  const [isOpen, setOpen] = useState(false)
  // Each opening begins afresh.
  const [turn, setTurn] = useState(0)
  const proofs = useMemo(() => proofsOf(order), [order])
  const hasRoute = drivenRoutes(order.routes).length > 0
  return (
    <>
      <DocumentsSection
        ownerKind="order"
        owner={{ orderId: order.id }}
        usualType="PROOF_OF_DELIVERY"
        isReadOnly={form.context.isReadOnly}
        proofs={proofs}
        state={(id) => paperState(form, order, id, onChange)}
        onChange={onChange}
      />
      <div className={classes.bar}>
        <Button
          size="compact-sm"
          leftSection={<Icon name="file" />}
          onClick={() => {
            setTurn(turn + 1)
            setOpen(true)
          }}
        >
          {t('open')}
        </Button>
        <span>{hasRoute ? t('openMeans') : fieldErrorText('route_missing')}</span>
      </div>
      <Suspense>
        {turn === 0 ? null : (
          <GenerateDocumentModal
            key={turn}
            form={form}
            order={order}
            isOpen={isOpen}
            onClose={() => setOpen(false)}
            onMade={onChange}
          />
        )}
      </Suspense>
    </>
  )
}
