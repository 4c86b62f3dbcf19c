import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { companyApi } from '@waybill/contract/company'
import { billLoadCarriers, type HolderKind } from '@waybill/contract/load-carrier/account'
import type { NamedLoadCarrierType } from '@waybill/contract/load-carrier/type'
import { useTranslation } from 'react-i18next'
import { callApi, callCompact } from '../../kit/api/call-api.ts'
import { useIntention } from '../../kit/api/use-intention.ts'
import { useKept } from '../../kit/form/state/use-kept-typing.ts'
import { useRefusalWords } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { Notice } from '../../ui/notices/notice.tsx'
import { ModalFrame } from '../../ui/windows/confirm-modal.tsx'
import { CompanySelect } from '../company/company-select.tsx'
import { CustomerSelect } from '../customer/customer-select.tsx'
import { CentsField } from '../payment/cents-section.tsx'
import classes from './load-carrier.module.css'
import { PiecesField } from './pieces-field.tsx'

/** Pieces of a type that the holder has of ours, and that are on no draft yet. */
export interface LeftToBill {
  type: NamedLoadCarrierType
  pieces: number
  /** as many are proposed: what is beyond the limit, else all */
  proposed: number
}

interface BillWindowProps {
  holder: { kind: HolderKind; id: number; title: string }
  left: readonly LeftToBill[]
  onBilled: () => void
  onClose: () => void
}

interface TypedBill {
  companyId: number | null
  billingCustomerId: number | null
  /** by type; the others are all that is left, at their own price */
  lines: Readonly<Record<number, { pieces: number; priceCents: number | null }>>
}

/** Bills load carriers that a holder keeps: it becomes a draft, which is looked at and sent as every invoice. */
export function BillWindow({ holder, left, onBilled, onClose }: BillWindowProps) {
  const { t } = useTranslation('load-carrier')
  const format = useFormat()
  const refusalWords = useRefusalWords()
  const navigate = useNavigate()
  const isCustomer = holder.kind === 'customer'
  const kept = useKept<TypedBill>(`load-carriers/${holder.kind}/bill`, holder.id, {
    companyId: null,
    billingCustomerId: isCustomer ? holder.id : null,
    lines: {},
  })
  const { billingCustomerId, lines: typed } = kept.values
  // Where there is one company of ours alone, nobody is asked.
  const companies = useQuery({
    queryKey: [companyApi.path, 'compact', 'billing'],
    queryFn: ({ signal }) => callCompact(companyApi, { state: 'active', perPage: 10 }, signal),
  })
  const [only, ...others] = companies.data?.items ?? []
  const companyId = kept.values.companyId ?? (others.length === 0 ? (only?.id ?? null) : null)
  const lineOf = ({ type, proposed }: LeftToBill) => typed[type.id] ?? { pieces: proposed, priceCents: type.priceCents }
  const set = (one: LeftToBill, part: Partial<TypedBill['lines'][number]>) =>
    kept.change({ lines: { ...typed, [one.type.id]: { ...lineOf(one), ...part } } })
  const billed = left.filter((one) => lineOf(one).pieces > 0)
  const isUnpriced = billed.some((one) => lineOf(one).priceCents === null)
  const netCents = billed.reduce((sum, one) => sum + lineOf(one).pieces * (lineOf(one).priceCents ?? 0), 0)
  const close = () => {
    void kept.forget()
    onClose()
  }
  const keyOf = useIntention()
  const bill = useMutation({
    mutationFn: () => {
      const body = {
        holder: { kind: holder.kind, id: holder.id },
        companyId: companyId!,
        billingCustomerId: billingCustomerId!,
        lines: billed.map((one) => {
          const { pieces, priceCents } = lineOf(one)
          return { typeId: one.type.id, pieces, priceCents: priceCents! }
        }),
      }
      return callApi(billLoadCarriers, { body, idempotencyKey: keyOf(body) })
    },
    onSuccess: async ({ invoice }) => {
      await kept.forget()
      onBilled()
      await navigate({ to: `/invoices/${invoice.id}/edit` as string })
    },
  })
  const why =
    companyId === null
      ? t('bill.need.company')
      : billingCustomerId === null
        ? t('bill.need.customer')
        : billed.length === 0
          ? t('bill.need.pieces')
          : isUnpriced
            ? t('bill.need.price')
            : null
  return (
    <ModalFrame
      isOpen
      onClose={close}
      title={t('bill.title', { title: holder.title })}
      closeLabel={t('close')}
      onSubmit={() => {
        if (why === null && !bill.isPending) bill.mutate()
      }}
      footer={
        <>
          <Button variant="default" onClick={close}>
            {t('cancel')}
          </Button>
          <Button
            type="submit"
            variant="filled"
            loading={bill.isPending}
            disabled={why !== null}
            title={why ?? undefined}
          >
            {t('bill.make')}
          </Button>
        </>
      }
    >
      {bill.error === null ? null : (
        <Notice tone="danger" isUrgent>
          {[...new Set(refusalWords(bill.error))].join('. ')}
        </Notice>
      )}
      <div className={classes.fields}>
        <CompanySelect
          label={t('bill.company')}
          isRequired
          value={companyId}
          current={only?.id === companyId ? (only ?? null) : null}
          onChange={(id) => kept.change({ companyId: id })}
        />
        <CustomerSelect
          label={t('bill.customer')}
          hint={isCustomer ? undefined : t('bill.customerHint')}
          isRequired
          value={billingCustomerId}
          current={isCustomer && billingCustomerId === holder.id ? holder : null}
          onChange={(id) => kept.change({ billingCustomerId: id })}
        />
      </div>
      <table className={classes.grid} aria-label={t('bill.lines')}>
        <thead>
          <tr>
            <th scope="col">{t('columns.type')}</th>
            <th scope="col" data-number>
              {t('bill.left')}
            </th>
            <th scope="col" data-number>
              {t('bill.pieces')}
            </th>
            <th scope="col" data-number>
              {t('bill.price')}
            </th>
          </tr>
        </thead>
        <tbody>
          {left.map((one, index) => {
            const { pieces, priceCents } = lineOf(one)
            return (
              <tr key={one.type.id}>
                <th scope="row">{one.type.title}</th>
                <td data-number>{format.number(one.pieces)}</td>
                <td>
                  <PiecesField
                    {...(index === 0 ? { 'data-autofocus': true } : {})}
                    label={<span className={classes.hidden}>{t('bill.pieces')}</span>}
                    aria-label={`${one.type.title}: ${t('bill.pieces')}`}
                    value={pieces}
                    onChange={(value) => set(one, { pieces: value })}
                  />
                </td>
                <td>
                  <CentsField
                    label={<span className={classes.hidden}>{t('bill.price')}</span>}
                    aria-label={`${one.type.title}: ${t('bill.price')}`}
                    value={priceCents}
                    onChange={(value) => set(one, { priceCents: value })}
                  />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <p className={classes.said}>
        <b>{t('bill.net', { amount: format.euro(netCents) })}</b> {t('bill.means')}
      </p>
    </ModalFrame>
  )
}
