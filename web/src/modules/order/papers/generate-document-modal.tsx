import { generateOrderPaper, ORDER_PAPERS } from '@waybill/contract/document'
import type { Order, OrderRoute } from '@waybill/contract/order/order'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../../kit/api/api-error.ts'
import { callApi, newIdempotencyKey } from '../../../kit/api/call-api.ts'
import { useFieldErrorText, useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { SelectField } from '../../../ui/fields/select-field.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import { RefusalsNotice } from '../../../ui/notices/refusals-notice.tsx'
import { ModalFrame } from '../../../ui/windows/confirm-modal.tsx'
import type { OrderForm } from '../values/order-form.ts'
import { CertificateFields } from './certificate-fields.tsx'
import { NoteFields, TransportOrderFields } from './paper-fields.tsx'
import classes from './papers.module.css'
import { pairKey, usePaper } from './use-paper.ts'

interface GenerateDocumentProps {
  form: OrderForm
  order: Order
  isOpen: boolean
  onClose: () => void
  onMade: () => void
}

/** Makes the order's papers: what is missing is told before the click. */
export function GenerateDocumentModal({ form, order, isOpen, onClose, onMade }: GenerateDocumentProps) {
  const { t } = useTranslation('order-papers')
  const queries = useQueryClient()
  const refusalWords = useRefusalWords()
  const fieldErrorText = useFieldErrorText()
  const paper = usePaper(order)
  const { typed, set, routes, pairs, isNote, certificate, missing, isWrong } = paper
  const [isBusy, setBusy] = useState(false)
  const [refusals, setRefusals] = useState<readonly string[]>([])

  const leave = () => {
    void paper.forget()
    onClose()
  }
  const make = async () => {
    if (isWrong) return
    setBusy(true)
    setRefusals([])
    try {
      // Papers are made of what is seen: what is typed is saved before.
      const saved = form.changes().length > 0 ? await form.save(true) : order
      if (saved === null) {
        onClose()
        return
      }
      const { items } = await callApi(generateOrderPaper, {
        params: { id: saved.id },
        body: paper.body(),
        version: saved.version,
        idempotencyKey: newIdempotencyKey(),
      })
      void queries.invalidateQueries({ queryKey: ['documents', { orderId: order.id }] })
      onMade()
      leave()
      notify({
        tone: 'ok',
        title: t('made', { count: items.length }),
        detail: items.map(({ title }) => title).join(', '),
        closeLabel: t('close'),
      })
    } catch (error) {
      if (hasCode(error, 'stale_version')) {
        onClose()
        form.takeRefusal(error)
      } else setRefusals(refusalWords(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <ModalFrame
      isOpen={isOpen}
      onClose={leave}
      onSubmit={() => void make()}
      title={t('title')}
      closeLabel={t('close')}
      footer={
        <>
          <Button onClick={leave}>{t('cancel')}</Button>
          <Button type="submit" variant="filled" loading={isBusy} disabled={isWrong}>
            {t('generate')}
          </Button>
        </>
      }
    >
      <div className={classes.fields}>
        <SelectField
          label={t('which')}
          allowDeselect={false}
          data={ORDER_PAPERS.map((value) => ({ value, label: t(`paper.${value}`) }))}
          value={typed.paper}
          onChange={(value) => set({ paper: ORDER_PAPERS.find((one) => one === value) ?? typed.paper })}
        />
        {certificate === null && routes.length > 1 ? (
          <SelectField
            label={t('route')}
            isRequired
            allowDeselect={false}
            data={routes.map((one) => ({ value: String(one.id), label: routeWords(order, one) }))}
            value={String(typed.routeId)}
            onChange={(value) => set({ routeId: Number(value) })}
          />
        ) : null}
        {missing === null ? null : <Notice tone="warn">{fieldErrorText(missing)}</Notice>}
        {pairs.length > 1 ? (
          <SelectField
            label={t('pair')}
            data={pairs.map((one) => ({
              value: pairKey(one),
              label: [one.pickUpId, one.dropOffId].map((id) => placeOf(order, id)).join(' – '),
            }))}
            value={typed.pair}
            clearable
            placeholder={t('allPairs', { count: pairs.length })}
            onChange={(pair) => set({ pair })}
          />
        ) : null}
        {certificate === null ? (
          isNote ? (
            <NoteFields paper={paper} />
          ) : (
            <TransportOrderFields paper={paper} />
          )
        ) : (
          <CertificateFields order={order} form={certificate} />
        )}
        {form.changes().length > 0 ? <p>{t('savesFirst')}</p> : null}
        <RefusalsNotice refusals={refusals} />
      </div>
    </ModalFrame>
  )
}

/** The first line of where a stop is: two stops in one town are told apart by their firms. */
function placeOf(order: Order, id: number): string {
  const stop = order.locations.find((one) => one.id === id)
  return [stop?.city, stop?.companyTitle].filter(Boolean).join(', ')
}

const routeWords = (order: Order, { number, locationIds, assignment }: OrderRoute): string =>
  [
    number,
    [locationIds[0], locationIds.at(-1)]
      .map((id) => order.locations.find((stop) => stop.id === id)?.city)
      .filter(Boolean)
      .join(' – '),
    assignment?.carrierCompany?.title,
  ]
    .filter(Boolean)
    .join(' · ')
