import { COPY_MODES, duplicateOrder, MAX_SHIFT_DAYS } from '@waybill/contract/order/copy'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../../kit/api/call-api.ts'
import { useKept } from '../../../kit/form/state/use-kept-typing.ts'
import { useFieldErrorText, useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { ModalFrame } from '../../../ui/windows/confirm-modal.tsx'
import { TextField } from '../../../ui/fields/field.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import { Segmented } from '../../../ui/fields/segmented.tsx'
import classes from '../papers/papers.module.css'
import { RefusalsNotice } from '../../../ui/notices/refusals-notice.tsx'

export type CopyMode = (typeof COPY_MODES)[number]

/** As much of an order as a copy is made of */
export interface CopiedOrder {
  id: number
  version: number
  number: string
}

interface CopyOrderProps {
  order: CopiedOrder
  initialMode: CopyMode
  /** What is typed and not saved is not copied */
  hasChanges: boolean
  isOpen: boolean
  onClose: () => void
}

const DATES = ['drop', 'keep'] as const

const NOTHING: { dates: (typeof DATES)[number]; days: string } = { dates: 'drop', days: '0' }

/** Another order from this one: the same once more, or the way back; then it is opened. */
export function CopyOrderModal({ order, initialMode, hasChanges, isOpen, onClose }: CopyOrderProps) {
  const { t } = useTranslation('order-copy')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const refusalWords = useRefusalWords()
  const fieldErrorText = useFieldErrorText()
  const [mode, setMode] = useState(initialMode)
  const typed = useKept('orders/copy', order.id, NOTHING)
  const { dates, days } = typed.values
  const [isBusy, setBusy] = useState(false)
  const [refusals, setRefusals] = useState<readonly string[]>([])
  const key = useRef('')
  const shiftDays = /^[-−+]?\d{1,4}$/.test(days.trim()) ? Number(days.trim().replace('−', '-')) : Number.NaN
  const isWrong = dates === 'keep' && !(Math.abs(shiftDays) <= MAX_SHIFT_DAYS)
  const make = async () => {
    if (isWrong) return
    setBusy(true)
    setRefusals([])
    key.current ||= newIdempotencyKey()
    try {
      const made = await callApi(duplicateOrder, {
        params: { id: order.id },
        body: { mode, dates, shiftDays: dates === 'keep' ? shiftDays : 0 },
        version: order.version,
        idempotencyKey: key.current,
      })
      void queries.invalidateQueries({ queryKey: ['orders', 'list'] })
      void typed.forget()
      onClose()
      notify({
        tone: 'ok',
        title: t(`made.${mode}`, { number: made.number, from: order.number }),
        closeLabel: t('close'),
      })
      void navigate({ to: '/orders/$id/edit', params: { id: String(made.id) } })
    } catch (error) {
      // Another wish is another intention.
      key.current = ''
      setRefusals(refusalWords(error))
    } finally {
      setBusy(false)
    }
  }
  const giveUp = () => {
    void typed.forget()
    onClose()
  }
  return (
    <ModalFrame
      isOpen={isOpen}
      onClose={giveUp}
      onSubmit={() => void make()}
      title={t('title', { number: order.number })}
      closeLabel={t('close')}
      footer={
        <>
          <Button onClick={giveUp}>{t('cancel')}</Button>
          <Button type="submit" variant="filled" loading={isBusy} disabled={isWrong}>
            {t(`make.${mode}`)}
          </Button>
        </>
      }
    >
      <div className={classes.fields}>
        <Segmented
          label={t('what')}
          value={mode}
          options={COPY_MODES.map((value) => ({ value, label: t(`mode.${value}`) }))}
          onChange={setMode}
        />
        <p>{t(`means.${mode}`)}</p>
        <Segmented
          label={t('dates')}
          value={dates}
          options={DATES.map((value) => ({ value, label: t(`date.${value}`) }))}
          onChange={(next) => typed.change({ dates: next })}
        />
        {dates === 'keep' ? (
          <TextField
            label={t('shift')}
            hint={t('shiftMeans')}
            isNumeric
            inputMode="numeric"
            maxLength={5}
            value={days}
            error={isWrong ? fieldErrorText('invalid_value') : undefined}
            onChange={(event) => typed.change({ days: event.currentTarget.value })}
          />
        ) : null}
        {hasChanges ? <Notice tone="warn">{t('unsaved')}</Notice> : null}
        <RefusalsNotice refusals={refusals} />
      </div>
    </ModalFrame>
  )
}
