import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { writeOff } from '@waybill/contract/payment/payment'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../kit/api/call-api.ts'
import { useRefusalWords } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { notify } from '../../ui/notices/notify.tsx'
import { ConfirmModal } from '../../ui/windows/confirm-modal.tsx'

interface WriteOffProps {
  companyId: number
  customerId: number
  /** all of them small rests */
  invoices: readonly { id: number; title: string; openCents: number }[]
  onDone: () => void
}

/** Gives up the small rests of invoices of one customer, once a person has said so. */
export function WriteOffSection({ companyId, customerId, invoices, onDone }: WriteOffProps) {
  const { t } = useTranslation(['payment', 'common'])
  const format = useFormat()
  const refusalWords = useRefusalWords()
  const [isAsked, setAsked] = useState(false)
  const act = useMutation({
    mutationFn: () =>
      callApi(writeOff, {
        body: {
          companyId,
          customerId,
          shares: invoices.map(({ id, openCents }) => ({ invoiceId: id, amountCents: openCents })),
        },
        idempotencyKey: newIdempotencyKey(),
      }),
    onSuccess: onDone,
    onError: (fault) =>
      notify({
        tone: 'danger',
        title: t('payment:writeOff.refused'),
        detail: [...new Set(refusalWords(fault))].join('. '),
        closeLabel: t('common:close'),
      }),
    onSettled: () => setAsked(false),
  })
  const amount = format.euro(invoices.reduce((sum, { openCents }) => sum + openCents, 0))
  return (
    <>
      <Button size="compact-sm" loading={act.isPending} onClick={() => setAsked(true)}>
        {t('payment:writeOff.do', { amount })}
      </Button>
      <ConfirmModal
        isOpen={isAsked}
        title={t('payment:writeOff.title')}
        tone="primary"
        confirmLabel={t('payment:writeOff.do', { amount })}
        cancelLabel={t('payment:cancel')}
        closeLabel={t('common:close')}
        isBusy={act.isPending}
        onCancel={() => setAsked(false)}
        onConfirm={() => act.mutate()}
      >
        {t('payment:writeOff.text', { amount, numbers: invoices.map(({ title }) => title).join(', ') })}
      </ConfirmModal>
    </>
  )
}
