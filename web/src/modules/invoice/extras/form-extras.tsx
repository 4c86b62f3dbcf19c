import type { Invoice } from '@waybill/contract/invoice/invoice'
import { focusNew } from '../../../kit/form/state/focus-path.ts'
import { useFormContext, useFormValue } from '../../../kit/form/state/form-context.ts'
import { extraLine, type LineValues } from '../invoice-values.ts'
import { WaitingExtras } from './waiting-extras.tsx'

/** Extras that wait, beside a form that can be typed into: what is approved becomes a line of it. */
export function FormExtras({ invoice: { id, entityType } }: { invoice: Pick<Invoice, 'id' | 'entityType'> }) {
  const { isReadOnly, set } = useFormContext()
  const lines = useFormValue<LineValues[] | null>('lines') ?? []
  if (isReadOnly) return null
  return (
    <WaitingExtras
      invoiceId={id}
      side={entityType}
      billedIds={lines.flatMap(({ extraId }) => extraId ?? [])}
      onBill={
        entityType === 'carrier'
          ? null
          : (extra) => {
              set('lines', [...lines, extraLine(lines, extra)])
              focusNew(`lines.${lines.length}.text`)
            }
      }
    />
  )
}
