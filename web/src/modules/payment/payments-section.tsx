import { Button, Menu } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { disputeInvoice, endDispute } from '@waybill/contract/invoice/invoice'
import {
  getInvoicePayments,
  isSmallCredit,
  isSmallRest,
  mayReverse,
  noteRefund,
  reversePayment,
  useCredit as putCredit,
  type BookedOnInvoice,
  type InvoicePayments,
} from '@waybill/contract/payment/payment'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../kit/api/call-api.ts'
import { SectionError } from '../../kit/api/section-error.tsx'
import { useIntention } from '../../kit/api/use-intention.ts'
import { ReasonWindow } from '../../kit/form/page/reason-window.tsx'
import { useRefusalWords } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { localToday } from '../../kit/list/filter/filters.ts'
import { useLiveChanges } from '../../kit/live/use-live-changes.ts'
import { useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { KeyHint } from '../../ui/marks/marks.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { Section } from '../../ui/page/section.tsx'
import { ConfirmModal } from '../../ui/windows/confirm-modal.tsx'
import { PaymentWindow } from './payment-window.tsx'
import classes from './payment.module.css'
import { WriteOffCreditSection, WriteOffSection } from './write-off-section.tsx'

interface PaymentsProps {
  invoice: {
    id: number
    version: number
    number: string | null
    isOverdue: boolean
    dueDate: string | null
    correctionOfId: number | null
  }
  /** it waits for the money: neither paid nor canceled */
  isSent: boolean
  /** the invoice has another status, or another version */
  onBooked: () => void
}

type Asked =
  | { kind: 'pay' | 'refund' | 'dispute' }
  | { kind: 'reverse'; payment: BookedOnInvoice }
  | { kind: 'takeBack'; credit: InvoicePayments['creditsGivenUp'][number] }

/** What was paid of a sent invoice, with a bar, and what can be done: enter a payment, reverse one, use a credit. */
export function PaymentsSection({ invoice, isSent, onBooked }: PaymentsProps) {
  const { t } = useTranslation(['payment', 'common'])
  const format = useFormat()
  const client = useQueryClient()
  const refusalWords = useRefusalWords()
  const keyOf = useIntention()
  const [asked, setAsked] = useState<Asked | null>(null)
  const queryKey = ['payments', 'invoice', invoice.id]
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => callApi(getInvoicePayments, { params: { id: invoice.id }, signal }),
  })
  useLiveChanges('invoice', () => void client.invalidateQueries({ queryKey }))
  const done = () => {
    setAsked(null)
    void client.invalidateQueries({ queryKey: ['payments'] })
    void client.invalidateQueries({ queryKey: ['invoices'], refetchType: 'none' })
    onBooked()
  }
  const act = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSuccess: done,
    onError: (fault) => {
      setAsked(null)
      notify({
        tone: 'danger',
        title: t('payment:refused'),
        detail: refusalWords(fault).join('. '),
        closeLabel: t('common:close'),
      })
    },
  })
  const mayPay = isSent && data !== undefined && data.openCents > 0
  useShortcut({ key: 'b', label: t('payment:enter'), run: () => setAsked({ kind: 'pay' }) }, mayPay && asked === null)
  if (error && data === undefined)
    return <SectionError title={t('payment:title')} error={error} onRetry={() => void refetch()} />
  if (data === undefined)
    return (
      <Section title={t('payment:title')}>
        <SkeletonLines lines={2} label={t('payment:title')} />
      </Section>
    )
  const owed = data.totalCents - data.correctedCents
  // It is set off, and waits for no money.
  const isCorrection = invoice.correctionOfId !== null
  const reverseWords = (payment: BookedOnInvoice): string =>
    payment.kind === 'write_off'
      ? t('payment:writeOff.reverse', { amount: format.euro(payment.skontoCents) })
      : t('payment:reverse.text', { amount: format.euro(payment.wholeCents) })
  const taken =
    asked?.kind === 'reverse'
      ? { id: asked.payment.id, words: reverseWords(asked.payment) }
      : asked?.kind === 'takeBack'
        ? {
            id: asked.credit.id,
            words: t('payment:writeOffCredit.reverse', { amount: format.euro(asked.credit.amountCents) }),
          }
        : null
  const call = { params: { id: invoice.id }, version: invoice.version }
  const endTheDispute = () => act.mutate(() => callApi(endDispute, { ...call, idempotencyKey: newIdempotencyKey() }))
  return (
    <Section
      title={t('payment:title')}
      summary={
        isCorrection
          ? undefined
          : data.paidCents + data.skontoCents === 0
            ? t('payment:noneYet')
            : t('payment:paidOf', { paid: format.money(data.paidCents), owed: format.euro(owed) })
      }
      isFlush
      actions={
        <>
          {isSent && !isCorrection && data.dispute === null ? (
            <Button size="compact-sm" variant="subtle" onClick={() => setAsked({ kind: 'dispute' })}>
              {t('payment:dispute.do')}
            </Button>
          ) : null}
          {mayPay && isSmallRest(data) ? (
            <WriteOffSection
              {...whoseOf(data)}
              invoices={[{ id: invoice.id, title: invoice.number ?? '', openCents: data.openCents }]}
              onDone={done}
            />
          ) : null}
          {mayPay ? (
            <Button
              size="compact-sm"
              leftSection={<Icon name="plus" />}
              rightSection={<KeyHint>B</KeyHint>}
              onClick={() => setAsked({ kind: 'pay' })}
            >
              {t('payment:enter')}
            </Button>
          ) : null}
        </>
      }
    >
      {data.dispute === null ? null : (
        <div className={classes.notice}>
          <Notice tone="warn">
            {t('payment:dispute.was', { date: format.dayShort(data.dispute.at), reason: data.dispute.reason })}{' '}
            {isSent ? (
              <Button size="compact-sm" variant="subtle" onClick={endTheDispute}>
                {t('payment:dispute.end')}
              </Button>
            ) : null}
          </Notice>
        </div>
      )}
      {owed > 0 ? <Bar of={data} owed={owed} /> : null}
      <Rows of={data} invoice={invoice} onReverse={(payment) => setAsked({ kind: 'reverse', payment })} />
      {data.creditCents === 0 ? null : (
        <div className={classes.credit}>
          <span>{t('payment:onAccount', { amount: format.euro(data.creditCents) })}</span>
          {mayPay ? (
            <Button
              size="compact-sm"
              loading={act.isPending}
              onClick={() =>
                act.mutate(() => callApi(putCredit, { body: creditBody(data), idempotencyKey: newIdempotencyKey() }))
              }
            >
              {t('payment:useCredit', { amount: format.euro(Math.min(data.creditCents, data.openCents)) })}
            </Button>
          ) : null}
          <Button size="compact-sm" variant="subtle" onClick={() => setAsked({ kind: 'refund' })}>
            {t('payment:refund.do')}
          </Button>
          {isSmallCredit(data.creditCents) ? (
            <WriteOffCreditSection {...whoseOf(data)} creditCents={data.creditCents} onDone={done} />
          ) : null}
        </div>
      )}
      {data.creditsGivenUp.map((one) => (
        <div key={one.id} className={classes.credit}>
          <span>
            {t('payment:writeOffCredit.was', {
              amount: format.euro(one.amountCents),
              date: format.date(one.valueDate),
              name: one.createdBy?.title ?? '–',
            })}
          </span>
          <Button size="compact-sm" variant="subtle" onClick={() => setAsked({ kind: 'takeBack', credit: one })}>
            {t('payment:reverse.do')}
          </Button>
        </div>
      ))}
      {asked?.kind === 'pay' ? <PaymentWindow of={data} onClose={() => setAsked(null)} onBooked={done} /> : null}
      <ConfirmModal
        isOpen={asked?.kind === 'refund'}
        title={t('payment:refund.title')}
        tone="primary"
        confirmLabel={t('payment:refund.do')}
        cancelLabel={t('payment:cancel')}
        closeLabel={t('common:close')}
        isBusy={act.isPending}
        onCancel={() => setAsked(null)}
        onConfirm={() =>
          act.mutate(() =>
            callApi(noteRefund, {
              body: { ...whoseOf(data), valueDate: localToday(), amountCents: data.creditCents, reference: null },
              idempotencyKey: newIdempotencyKey(),
            }),
          )
        }
      >
        {t('payment:refund.text', { amount: format.euro(data.creditCents), name: data.customer.title })}
      </ConfirmModal>
      {asked?.kind === 'dispute' ? (
        <ReasonWindow
          of={{ path: 'invoices/dispute', id: invoice.id }}
          title={t('payment:dispute.title')}
          doLabel={t('payment:dispute.mark')}
          onGive={(reason) =>
            callApi(disputeInvoice, {
              ...call,
              body: { reason },
              idempotencyKey: keyOf(['dispute', invoice.version, reason]),
            }).then(done)
          }
          onClose={() => setAsked(null)}
        >
          <p>{t('payment:dispute.text')}</p>
        </ReasonWindow>
      ) : null}
      {taken === null ? null : (
        <ReasonWindow
          of={{ path: 'payments/reverse', id: taken.id }}
          title={t('payment:reverse.title')}
          doLabel={t('payment:reverse.do')}
          onGive={(reason) =>
            callApi(reversePayment, {
              params: { id: taken.id },
              body: { reason },
              idempotencyKey: keyOf(['reverse', taken.id, reason]),
            }).then(done)
          }
          onClose={() => setAsked(null)}
        >
          <p>{taken.words}</p>
        </ReasonWindow>
      )}
    </Section>
  )
}

const whoseOf = ({ company, customer }: InvoicePayments) => ({ companyId: company.id, customerId: customer.id })

/** What a booking takes off what is open; of a rest that was written off no money came. */
const bookedCents = ({ kind, amountCents, skontoCents }: BookedOnInvoice): number =>
  kind === 'write_off' ? skontoCents : amountCents

const creditBody = (of: InvoicePayments) => ({
  ...whoseOf(of),
  shares: [{ invoiceId: of.invoiceId, amountCents: Math.min(of.creditCents, of.openCents) }],
})

function Bar({ of, owed }: { of: InvoicePayments; owed: number }) {
  const { t } = useTranslation('payment')
  const percent = (cents: number) => `${(Math.max(0, cents) / owed) * 100}%`
  return (
    <div
      className={classes.bar}
      role="img"
      aria-label={t('barMeans', { percent: Math.floor(((owed - of.openCents) / owed) * 100) })}
    >
      <i style={{ width: percent(of.paidCents) }} />
      <i data-skonto style={{ width: percent(of.skontoCents) }} />
    </div>
  )
}

function Rows({
  of,
  invoice,
  onReverse,
}: {
  of: InvoicePayments
  invoice: PaymentsProps['invoice']
  onReverse: (payment: BookedOnInvoice) => void
}) {
  const { t } = useTranslation('payment')
  const format = useFormat()
  return (
    <div className={classes.scroll}>
      <table className={classes.rows}>
        <tbody>
          {of.items.map((item) => (
            <tr key={item.id} data-reversed={item.isReversed || item.reversesId !== null || undefined}>
              <td>{format.date(item.valueDate)}</td>
              <th scope="row">
                {item.reversesId === null ? t(`kind.${item.kind}`) : t('reversal')}
                {item.source === 'earlier' ? <span className={classes.dim}> {t('earlier')}</span> : null}
                <span className={classes.dim}>
                  {[item.payer, item.reference, item.correction?.title, item.reason].filter(Boolean).join(' · ')}
                </span>
                {item.skontoCents === 0 || item.kind === 'write_off' ? null : (
                  <span className={classes.dim}>{t('skontoTaken', { amount: format.money(item.skontoCents) })}</span>
                )}
              </th>
              <td className={classes.dim}>{item.createdBy?.title}</td>
              <td data-money>{format.money(bookedCents(item))}</td>
              <td>
                {mayReverse(item) ? (
                  <Menu position="bottom-end">
                    <Menu.Target>
                      <Button
                        size="compact-sm"
                        variant="subtle"
                        aria-label={t('moreOf', { amount: format.money(bookedCents(item)) })}
                      >
                        <Icon name="more" />
                      </Button>
                    </Menu.Target>
                    <Menu.Dropdown>
                      <Menu.Item leftSection={<Icon name="undo" />} onClick={() => onReverse(item)}>
                        {t('reverse.do')}
                      </Menu.Item>
                    </Menu.Dropdown>
                  </Menu>
                ) : null}
              </td>
            </tr>
          ))}
          {of.openCents === 0 ? null : (
            <tr className={classes.open}>
              <td data-late={invoice.isOverdue || undefined}>
                {invoice.dueDate === null ? null : format.date(invoice.dueDate)}
              </td>
              <th scope="row">
                {t(invoice.isOverdue ? 'overdue' : 'openCents')}
                {of.offers.map(({ percentBp, amountCents, until }) => (
                  <span key={until} className={classes.dim}>
                    {t('offer', {
                      percent: format.percent(percentBp),
                      amount: format.money(amountCents),
                      date: format.date(until),
                    })}
                  </span>
                ))}
              </th>
              <td />
              <td data-money>{format.money(of.openCents)}</td>
              <td />
            </tr>
          )}
        </tbody>
      </table>
    </div>
  )
}
