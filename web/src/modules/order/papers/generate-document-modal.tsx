import { CONTENT_MODES, generateOrderPaper, ORDER_PAPERS, type OrderPaper } from '@waybill/contract/document'
import { LANGUAGES, type Language } from '@waybill/contract/errors'
import { consignmentsOf, drivenRoutes, missingForPaper } from '@waybill/contract/order/consignment'
import type { Order, OrderRoute } from '@waybill/contract/order/order'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { hasCode } from '../../../kit/api/api-error.ts'
import { callApi, newIdempotencyKey } from '../../../kit/api/call-api.ts'
import { readNumber } from '../../../kit/form/fields/number-text.ts'
import { useFieldErrorText, useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { ModalFrame } from '../../../ui/windows/confirm-modal.tsx'
import { TextAreaField, TextField } from '../../../ui/fields/field.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import { Segmented } from '../../../ui/fields/segmented.tsx'
import { SelectField } from '../../../ui/fields/select-field.tsx'
import type { OrderForm } from '../values/order-form.ts'
import classes from './papers.module.css'
import { RefusalsNotice } from '../../../ui/notices/refusals-notice.tsx'

interface GenerateDocumentProps {
  form: OrderForm
  order: Order
  isOpen: boolean
  onClose: () => void
  onMade: () => void
}

type Body = z.input<typeof generateOrderPaper.body>

const CARRIAGE = ['paid', 'forward'] as const

const BLANK = { attachedDocuments: '', instructions: '', cashOnDelivery: '', declaredValue: '', agreements: '' }

/** Makes the order's papers: what is missing is told before the click. */
export function GenerateDocumentModal({ form, order, isOpen, onClose, onMade }: GenerateDocumentProps) {
  const { t, i18n } = useTranslation('order-papers')
  const queries = useQueryClient()
  const refusalWords = useRefusalWords()
  const fieldErrorText = useFieldErrorText()
  const routes = drivenRoutes(order.routes)
  const [paper, setPaper] = useState<OrderPaper>('CMR_NOTE')
  const [routeId, setRouteId] = useState<number | null>(routes[0]?.id ?? null)
  const [pair, setPair] = useState<string | null>(null)
  const [first, setFirst] = useState<Language | null>(null)
  const [second, setSecond] = useState<Language | null>(null)
  const [mode, setMode] = useState<(typeof CONTENT_MODES)[number]>('standard')
  const [content, setContent] = useState('')
  const [carriageIs, setCarriage] = useState<(typeof CARRIAGE)[number] | null>(null)
  const [typed, setTyped] = useState(BLANK)
  const [isBusy, setBusy] = useState(false)
  const [refusals, setRefusals] = useState<readonly string[]>([])

  const route = routes.find(({ id }) => id === routeId) ?? null
  const missing = missingForPaper(paper, order, route)
  const isNote = paper === 'CMR_NOTE'
  const pairs = isNote && route !== null ? consignmentsOf(order, route) : []
  const chosen = pairs.find((one) => pairKey(one) === pair)
  const cents = (text: string) => {
    const amount = readNumber(text, i18n.language as Language)
    return amount === null ? null : Math.round(amount * 100)
  }
  const wrongAmount = (text: string) =>
    Number.isNaN(cents(text)) || (cents(text) ?? 0) < 0 ? fieldErrorText('invalid_value') : undefined
  const isContentMissing = !isNote && mode !== 'standard' && content.trim() === ''
  const isWrong =
    missing !== null ||
    isContentMissing ||
    (isNote && (wrongAmount(typed.cashOnDelivery) !== undefined || wrongAmount(typed.declaredValue) !== undefined))

  const body = (): Body => ({
    documentType: paper,
    routeId,
    language: first,
    ...(isNote
      ? {
          secondLanguage: second,
          ...(chosen === undefined ? {} : { pickUpId: chosen.pickUpId, dropOffId: chosen.dropOffId }),
          consignment: {
            attachedDocuments: typed.attachedDocuments,
            instructions: typed.instructions,
            agreements: typed.agreements,
            carriageIs,
            cashOnDeliveryCents: cents(typed.cashOnDelivery),
            declaredValueCents: cents(typed.declaredValue),
          },
        }
      : { contentMode: mode, content: mode === 'standard' ? null : content }),
  })
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
        body: body(),
        version: saved.version,
        idempotencyKey: newIdempotencyKey(),
      })
      void queries.invalidateQueries({ queryKey: ['documents', { orderId: order.id }] })
      onMade()
      onClose()
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

  const languages = (
    value: Language | null,
    change: (language: Language | null) => void,
    label: string,
    other: Language | null,
  ) => (
    <SelectField
      label={label}
      data={LANGUAGES.filter((one) => one !== other).map((one) => ({ value: one, label: t(`language.${one}`) }))}
      value={value}
      placeholder={t('automatic')}
      clearable
      onChange={(next) => change(next as Language | null)}
    />
  )
  return (
    <ModalFrame
      isOpen={isOpen}
      onClose={onClose}
      onSubmit={() => void make()}
      title={t('title')}
      closeLabel={t('close')}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="filled" loading={isBusy} disabled={isWrong}>
            {t('generate')}
          </Button>
        </>
      }
    >
      <div className={classes.fields}>
        <Choice label={t('which')}>
          <Segmented
            label={t('which')}
            value={paper}
            options={ORDER_PAPERS.map((value) => ({ value, label: t(`paper.${value}`) }))}
            onChange={setPaper}
          />
        </Choice>
        {routes.length > 1 ? (
          <SelectField
            label={t('route')}
            isRequired
            allowDeselect={false}
            data={routes.map((one) => ({ value: String(one.id), label: routeWords(order, one) }))}
            value={String(routeId)}
            onChange={(value) => setRouteId(Number(value))}
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
            value={pair}
            clearable
            placeholder={t('allPairs', { count: pairs.length })}
            onChange={setPair}
          />
        ) : null}
        {isNote ? (
          <>
            <div className={classes.pair}>
              {languages(first, setFirst, t('firstLanguage'), second)}
              {languages(second, setSecond, t('secondLanguage'), first)}
            </div>
            <details className={classes.more}>
              <summary>{t('more')}</summary>
              <div className={classes.fields}>
                <TextAreaField
                  label={t('attached')}
                  note="5"
                  value={typed.attachedDocuments}
                  maxLength={1000}
                  onChange={(event) => setTyped({ ...typed, attachedDocuments: event.currentTarget.value })}
                />
                <TextAreaField
                  label={t('instructions')}
                  note="13"
                  hint={t('instructionsMean')}
                  value={typed.instructions}
                  maxLength={2000}
                  onChange={(event) => setTyped({ ...typed, instructions: event.currentTarget.value })}
                />
                <SelectField
                  label={t('carriage')}
                  note="14"
                  data={CARRIAGE.map((value) => ({ value, label: t(`carriageIs.${value}`) }))}
                  value={carriageIs}
                  clearable
                  placeholder={t('leftFree')}
                  onChange={(value) => setCarriage(CARRIAGE.find((one) => one === value) ?? null)}
                />
                <div className={classes.pair}>
                  <TextField
                    label={t('cashOnDelivery')}
                    note="15"
                    isNumeric
                    rightSection="€"
                    inputMode="decimal"
                    maxLength={20}
                    value={typed.cashOnDelivery}
                    error={wrongAmount(typed.cashOnDelivery)}
                    onChange={(event) => setTyped({ ...typed, cashOnDelivery: event.currentTarget.value })}
                  />
                  <TextField
                    label={t('declaredValue')}
                    note="19"
                    isNumeric
                    rightSection="€"
                    inputMode="decimal"
                    maxLength={20}
                    value={typed.declaredValue}
                    error={wrongAmount(typed.declaredValue)}
                    onChange={(event) => setTyped({ ...typed, declaredValue: event.currentTarget.value })}
                  />
                </div>
                <TextAreaField
                  label={t('agreements')}
                  note="19"
                  value={typed.agreements}
                  maxLength={2000}
                  onChange={(event) => setTyped({ ...typed, agreements: event.currentTarget.value })}
                />
              </div>
            </details>
          </>
        ) : (
          <>
            {languages(first, setFirst, t('language.of'), null)}
            <Choice label={t('content')}>
              <Segmented
                label={t('content')}
                isSmall
                value={mode}
                options={CONTENT_MODES.map((value) => ({ value, label: t(`mode.${value}`) }))}
                onChange={setMode}
              />
            </Choice>
            {mode === 'standard' ? null : (
              <TextAreaField
                label={t(`text.${mode}`)}
                isRequired
                minRows={4}
                value={content}
                maxLength={10_000}
                onChange={(event) => setContent(event.currentTarget.value)}
              />
            )}
          </>
        )}
        {form.changes().length > 0 ? <p>{t('savesFirst')}</p> : null}
        <RefusalsNotice refusals={refusals} />
      </div>
    </ModalFrame>
  )
}

function Choice({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.choice}>
      <span className={classes.label} aria-hidden>
        {label}
      </span>
      {children}
    </div>
  )
}

const pairKey = ({ pickUpId, dropOffId }: { pickUpId: number; dropOffId: number }): string => `${pickUpId} ${dropOffId}`

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
