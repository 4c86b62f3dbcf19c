import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { bookPayment, listOpenInvoices, type InvoicePayments } from '@waybill/contract/payment/payment'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../kit/api/call-api.ts'
import { useRefusalWords } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { localToday } from '../../kit/list/filter/filters.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { ModalFrame } from '../../ui/windows/confirm-modal.tsx'
import { DayField } from '../typed-day/day-select.tsx'
import { CentsField } from './cents-section.tsx'
import classes from './payment.module.css'
import { shareOut } from './share-out.ts'
import { SharesSection } from './shares-section.tsx'

interface PaymentWindowProps {
  of: InvoicePayments
  onClose: () => void
  onBooked: () => void
}

/** A payment as it came: date, amount, and which invoices it is for; what is left stands on the customer's account. */
export function PaymentWindow({ of, onClose, onBooked }: PaymentWindowProps) {
  const { t } = useTranslation(['payment', 'common'])
  const format = useFormat()
  const refusalWords = useRefusalWords()
  const { company, customer, invoiceId } = of
  const open = useQuery({
    queryKey: ['payments', 'open', company.id, customer.id],
    queryFn: ({ signal }) =>
      callApi(listOpenInvoices, { query: { companyId: company.id, customerId: customer.id } as never, signal }),
  })
  const [valueDate, setValueDate] = useState(localToday)
  const [amountCents, setAmount] = useState<number | null>(of.openCents > 0 ? of.openCents : null)
  const [payer, setPayer] = useState(customer.title)
  const [reference, setReference] = useState('')
  // Until somebody shares it out by hand, the payment is shared out as it is typed.
  const [byHand, setByHand] = useState<ReadonlyMap<number, number> | null>(null)
  const invoices = useMemo(() => open.data?.items ?? [], [open.data])
  const shares = useMemo(
    () => byHand ?? shareOut(invoices, { amountCents: amountCents ?? 0, firstId: invoiceId, valueDate }),
    [byHand, invoices, amountCents, invoiceId, valueDate],
  )
  const shared = [...shares.values()].reduce((sum, cents) => sum + cents, 0)
  const left = (amountCents ?? 0) - shared
  const key = useRef({ of: '', key: '' })
  const book = useMutation({
    mutationFn: () => {
      const body = {
        companyId: company.id,
        customerId: customer.id,
        valueDate,
        amountCents: amountCents!,
        payer: payer.trim() || null,
        reference: reference.trim() || null,
        shares: [...shares].flatMap(([id, cents]) => (cents > 0 ? [{ invoiceId: id, amountCents: cents }] : [])),
      }
      // One key for one intention: pressed again after a lost answer it is the same payment.
      const text = JSON.stringify(body)
      if (key.current.of !== text) key.current = { of: text, key: newIdempotencyKey() }
      return callApi(bookPayment, { body: body as never, idempotencyKey: key.current.key })
    },
    onSuccess: onBooked,
  })
  const why =
    amountCents === null || amountCents === 0 ? t('payment:noAmount') : left < 0 ? t('payment:tooMuchShared') : null
  const press = () => {
    if (why === null && !book.isPending && open.data) book.mutate()
  }
  return (
    <ModalFrame
      isOpen
      onClose={onClose}
      title={t('payment:enter')}
      closeLabel={t('common:close')}
      onSubmit={press}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('payment:cancel')}
          </Button>
          <Button
            type="submit"
            variant="filled"
            loading={book.isPending}
            disabled={why !== null || open.data === undefined}
            title={why ?? undefined}
          >
            {t('payment:book', { amount: format.euro(amountCents ?? 0) })}
          </Button>
        </>
      }
    >
      {book.error === null ? null : <Notice tone="danger">{[...new Set(refusalWords(book.error))].join('. ')}</Notice>}
      <div className={classes.fields}>
        <CentsField
          data-autofocus
          label={t('payment:amount')}
          isRequired
          value={amountCents}
          onChange={(cents) => {
            setAmount(cents)
            setByHand(null)
          }}
        />
        <DayField label={t('payment:valueDate')} value={valueDate} onChange={setValueDate} />
        <TextField
          label={t('payment:payer')}
          maxLength={140}
          autoComplete="off"
          value={payer}
          onChange={(event) => setPayer(event.currentTarget.value)}
        />
        <TextField
          label={t('payment:reference')}
          maxLength={500}
          autoComplete="off"
          value={reference}
          onChange={(event) => setReference(event.currentTarget.value)}
        />
      </div>
      {open.data === undefined ? (
        <SkeletonLines lines={3} label={t('payment:openInvoices')} />
      ) : (
        <div className={classes.scroll}>
          <SharesSection
            invoices={invoices}
            shares={shares}
            valueDate={valueDate}
            onChange={(id, cents) => setByHand(new Map(shares).set(id, cents))}
          />
        </div>
      )}
      <p className={classes.left} data-wrong={left < 0 || undefined}>
        {left < 0
          ? t('payment:sharedOver', { amount: format.euro(-left) })
          : t('payment:toAccount', { amount: format.euro(left) })}
      </p>
    </ModalFrame>
  )
}
