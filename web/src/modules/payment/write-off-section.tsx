import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { writeOff, writeOffCredit } from '@waybill/contract/payment/payment'
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

/** Books a small credit of a customer out, once a person has said so. */
export function WriteOffCreditSection({ companyId, customerId, creditCents, onDone }: WriteOffCreditProps) {
  const { t } = useTranslation('payment')
  const amount = useFormat().euro(creditCents)
  return (
    <ConfirmedWriteOff
      doLabel={t('writeOffCredit.do')}
      title={t('writeOffCredit.title')}
      text={t('writeOffCredit.text', { amount })}
      confirmLabel={t('writeOffCredit.give', { amount })}
      isSubtle
      call={() =>
        callApi(writeOffCredit, {
          body: { companyId, customerId, amountCents: creditCents },
          idempotencyKey: newIdempotencyKey(),
        })
      }
      onDone={onDone}
    />
  )
}

interface WriteOffCreditProps {
  companyId: number
  customerId: number
  creditCents: number
  onDone: () => void
}

/** Gives up the small rests of invoices of one customer, once a person has said so. */
export function WriteOffSection({ companyId, customerId, invoices, onDone }: WriteOffProps) {
  const { t } = useTranslation('payment')
  const amount = useFormat().euro(invoices.reduce((sum, { openCents }) => sum + openCents, 0))
  const shares = invoices.map(({ id, openCents }) => ({ invoiceId: id, amountCents: openCents }))
  return (
    <ConfirmedWriteOff
      doLabel={t('writeOff.do', { amount })}
      title={t('writeOff.title')}
      text={t('writeOff.text', { amount, numbers: invoices.map(({ title }) => title).join(', ') })}
      confirmLabel={t('writeOff.do', { amount })}
      call={() => callApi(writeOff, { body: { companyId, customerId, shares }, idempotencyKey: newIdempotencyKey() })}
      onDone={onDone}
    />
  )
}

interface ConfirmedProps {
  doLabel: string
  title: string
  text: string
  confirmLabel: string
  isSubtle?: boolean
  call: () => Promise<unknown>
  onDone: () => void
}

function ConfirmedWriteOff({ doLabel, title, text, confirmLabel, isSubtle = false, call, onDone }: ConfirmedProps) {
  const { t } = useTranslation(['payment', 'common'])
  const refusalWords = useRefusalWords()
  const [isAsked, setAsked] = useState(false)
  const act = useMutation({
    mutationFn: call,
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
  return (
    <>
      <Button
        size="compact-sm"
        {...(isSubtle && { variant: 'subtle' })}
        loading={act.isPending}
        onClick={() => setAsked(true)}
      >
        {doLabel}
      </Button>
      <ConfirmModal
        isOpen={isAsked}
        title={title}
        tone="primary"
        confirmLabel={confirmLabel}
        cancelLabel={t('payment:cancel')}
        closeLabel={t('common:close')}
        isBusy={act.isPending}
        onCancel={() => setAsked(false)}
        onConfirm={() => act.mutate()}
      >
        {text}
      </ConfirmModal>
    </>
  )
}
