import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { bookPayment, listOpenInvoices, type InvoicePayments } from '@waybill/contract/payment/payment'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { useIntention } from '../../kit/api/use-intention.ts'
import { useKept } from '../../kit/form/state/use-kept-typing.ts'
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
import { restToWriteOff, shareOut } from './share-out.ts'
import { SharesSection } from './shares-section.tsx'

interface TypedPayment {
  valueDate: string
  amountCents: number | null
  payer: string
  reference: string
  /** Until somebody shares it out by hand, the payment is shared out as it is typed. */
  byHand: readonly (readonly [invoiceId: number, cents: number])[] | null
  /** invoices whose small rest is written off with it */
  writesOff?: readonly number[]
}

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
  const typed = useKept<TypedPayment>('payments', invoiceId, {
    valueDate: localToday(),
    amountCents: of.openCents > 0 ? of.openCents : null,
    payer: customer.title,
    reference: '',
    byHand: null,
  })
  const { valueDate, amountCents, payer, reference, byHand, writesOff = [] } = typed.values
  const invoices = useMemo(() => open.data?.items ?? [], [open.data])
  const shares = useMemo(
    () =>
      byHand === null
        ? shareOut(invoices, { amountCents: amountCents ?? 0, firstId: invoiceId, valueDate })
        : // What was paid meanwhile is not shown any more.
          new Map(byHand.filter(([id]) => invoices.some((one) => one.id === id))),
    [byHand, invoices, amountCents, invoiceId, valueDate],
  )
  const shared = [...shares.values()].reduce((sum, cents) => sum + cents, 0)
  const left = (amountCents ?? 0) - shared
  const restOf = (id: number, cents: number): number => {
    const invoice = writesOff.includes(id) ? invoices.find((one) => one.id === id) : undefined
    return invoice === undefined ? 0 : restToWriteOff(invoice, cents, valueDate)
  }
  const keyOf = useIntention()
  const book = useMutation({
    mutationFn: () => {
      const body = {
        companyId: company.id,
        customerId: customer.id,
        valueDate,
        amountCents: amountCents!,
        payer: payer.trim() || null,
        reference: reference.trim() || null,
        shares: [...shares].flatMap(([id, cents]) =>
          cents > 0 ? [{ invoiceId: id, amountCents: cents, writeOffCents: restOf(id, cents) }] : [],
        ),
      }
      return callApi(bookPayment, { body: body as never, idempotencyKey: keyOf(body) })
    },
    onSuccess: () => {
      void typed.forget()
      onBooked()
    },
  })
  const why =
    amountCents === null || amountCents === 0 ? t('payment:noAmount') : left < 0 ? t('payment:tooMuchShared') : null
  const giveUp = () => {
    void typed.forget()
    onClose()
  }
  const press = () => {
    if (why === null && !book.isPending && open.data) book.mutate()
  }
  return (
    <ModalFrame
      isOpen
      onClose={giveUp}
      title={t('payment:enter')}
      closeLabel={t('common:close')}
      onSubmit={press}
      footer={
        <>
          <Button variant="default" onClick={giveUp}>
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
          onChange={(cents) => typed.change({ amountCents: cents, byHand: null })}
        />
        <DayField
          label={t('payment:valueDate')}
          value={valueDate}
          onChange={(day) => typed.change({ valueDate: day })}
          isKept
        />
        <TextField
          label={t('payment:payer')}
          maxLength={140}
          autoComplete="off"
          value={payer}
          onChange={(event) => typed.change({ payer: event.currentTarget.value })}
        />
        <TextField
          label={t('payment:reference')}
          maxLength={500}
          autoComplete="off"
          value={reference}
          onChange={(event) => typed.change({ reference: event.currentTarget.value })}
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
            onChange={(id, cents) => typed.change({ byHand: [...new Map(shares).set(id, cents)] })}
            writtenOff={new Set(writesOff)}
            onWriteOff={(id, cents) => {
              const others = writesOff.filter((one) => one !== id)
              typed.change({ writesOff: cents === 0 ? others : [...others, id] })
            }}
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
