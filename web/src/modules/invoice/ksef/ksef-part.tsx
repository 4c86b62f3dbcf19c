import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Invoice, invoiceApi } from '@waybill/contract/invoice/invoice'
import { isCanceledInvoice } from '@waybill/contract/invoice/status'
import {
  issueKsefOffline,
  sendWithoutKsef,
  submitToKsefAgain,
  typeKsefNumber,
  type InvoiceKsef,
} from '@waybill/contract/invoice/ksef/ksef'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../../kit/api/call-api.ts'
import { ReasonWindow } from '../../../kit/form/page/reason-window.tsx'
import type { EntityForm } from '../../../kit/form/state/entity-form.ts'
import { useKept } from '../../../kit/form/state/use-kept-typing.ts'
import { useFieldErrorText, useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { TextField } from '../../../ui/fields/field.tsx'
import { Light } from '../../../ui/marks/light.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import { ConfirmModal } from '../../../ui/windows/confirm-modal.tsx'
import type { InvoiceValues } from '../invoice-values.ts'
import classes from './ksef-part.module.css'
import { MissingRate } from './missing-rate.tsx'

interface KsefPartProps {
  invoice: Invoice
  ksef: InvoiceKsef
  form: EntityForm<typeof invoiceApi, InvoiceValues>
}

const LEVELS = {
  awaited: 'look',
  without: 'look',
  queued: 'running',
  submitted: 'running',
  accepted: 'ok',
  rejected: 'stop',
  offline: 'look',
  offlineRejected: 'stop',
} as const

/** How an invoice stands in KSeF, and what is still to be done for it. */
export function KsefPart({ invoice, ksef, form }: KsefPartProps) {
  const { t } = useTranslation('ksef')
  const format = useFormat()
  const { state, decidedAt, reason, trouble, reservedNumber, waitsFor, offline, canGoOffline } = ksef
  const shown = offline === null || state === 'accepted' ? state : state === 'rejected' ? 'offlineRejected' : 'offline'
  return (
    <div className={classes.part}>
      {state === null ? null : (
        <div className={classes.state}>
          <Light level={offline?.isLate ? 'stop' : LEVELS[shown!]} label={t(`state.${shown!}`)} />
          <div>
            <b>{t(`state.${shown!}`)}</b>
            {offline === null ? null : <Offline offline={offline} isWaiting={shown === 'offline'} />}
            {decidedAt === null ? null : <p>{format.dateTime(decidedAt)}</p>}
            {reason === null ? null : <p>{reason}</p>}
            {shown === 'queued' || shown === 'submitted' ? <p>{t('undecidedMeans')}</p> : null}
            {shown === 'offlineRejected' ? <Again invoice={invoice} form={form} /> : null}
            {trouble === null ? null : (
              <p>{trouble === 'no_certificate' ? t('noCertificate') : t('trouble', { words: trouble })}</p>
            )}
            {canGoOffline === null ? null : <GoOffline invoice={invoice} can={canGoOffline} form={form} />}
            {reservedNumber === null ? null : (
              <p>{t(isCanceledInvoice(invoice.status) ? 'notIssued' : 'reserved', { number: reservedNumber })}</p>
            )}
          </div>
        </div>
      )}
      {waitsFor === null ? null : (
        <div className={classes.state}>
          <Light level="look" label={t('waits.title')} />
          <div>
            <b>{t('waits.title')}</b>
            <p>
              {t(waitsFor.id === invoice.correctionOf?.id ? 'waits.original' : 'waits.other', {
                number: waitsFor.title,
              })}
            </p>
            <Link to="/invoices/$id/edit" params={{ id: String(waitsFor.id) }}>
              {t('waits.open', { number: waitsFor.title })}
            </Link>
          </div>
        </div>
      )}
      {state === 'awaited' ? <Awaited invoice={invoice} form={form} /> : null}
      {ksef.rateMissing === null ? null : (
        <MissingRate key={ksef.rateMissing} day={ksef.rateMissing} queryKey={['invoices', invoice.id, 'e-invoice']} />
      )}
    </div>
  )
}

/** Given out while KSeF was away: until when KSeF must have it. */
function Offline({ offline: { at, submitBy, isLate }, isWaiting }: OfflineProps) {
  const { t } = useTranslation('ksef')
  const format = useFormat()
  if (!isWaiting) return <p>{t('offline.was', { date: format.dateTime(at) })}</p>
  return <p>{t(isLate ? 'offline.late' : 'offline.until', { date: format.date(submitBy) })}</p>
}

interface OfflineProps {
  offline: NonNullable<InvoiceKsef['offline']>
  isWaiting: boolean
}

/** One that was given out keeps its content, and may be handed over again. */
function Again({ invoice, form }: Pick<KsefPartProps, 'invoice' | 'form'>) {
  const { t } = useTranslation('ksef')
  const refusalWords = useRefusalWords()
  const [isBusy, setBusy] = useState(false)
  const go = async () => {
    setBusy(true)
    try {
      const after = await callApi(submitToKsefAgain, {
        params: { id: invoice.id },
        version: invoice.version,
        idempotencyKey: newIdempotencyKey(),
      })
      form.accept(after)
    } catch (error) {
      notify({ tone: 'danger', title: t('again.refused'), detail: refusalWords(error)[0], closeLabel: t('close') })
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <p>{t('again.means')}</p>
      <Button size="compact-sm" loading={isBusy} onClick={() => void go()}>
        {t('again.open')}
      </Button>
    </>
  )
}

/** While KSeF is away: the way to give the invoice out all the same, or why there is none. */
function GoOffline({
  invoice,
  can,
  form,
}: Pick<KsefPartProps, 'invoice' | 'form'> & { can: NonNullable<InvoiceKsef['canGoOffline']> }) {
  const { t } = useTranslation('ksef')
  const queries = useQueryClient()
  const refusalWords = useRefusalWords()
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const go = async () => {
    setBusy(true)
    try {
      const after = await callApi(issueKsefOffline, {
        params: { id: invoice.id },
        version: invoice.version,
        idempotencyKey: newIdempotencyKey(),
      })
      form.accept(after)
      // The mail that waited is on its way.
      await queries.invalidateQueries({ queryKey: ['emails'] })
      notify({ tone: 'ok', title: t('offline.done'), closeLabel: t('close') })
    } catch (error) {
      notify({ tone: 'danger', title: t('offline.refused'), detail: refusalWords(error)[0], closeLabel: t('close') })
    } finally {
      setBusy(false)
      setAsking(false)
    }
  }
  if (can === 'no_certificate') return <p>{t('offline.noCertificate')}</p>
  return (
    <>
      <p>{t('offline.offer')}</p>
      <Button size="compact-sm" onClick={() => setAsking(true)}>
        {t('offline.open')}
      </Button>
      <ConfirmModal
        isOpen={isAsking}
        tone="primary"
        title={t('offline.title')}
        confirmLabel={t('offline.confirm')}
        cancelLabel={t('cancel')}
        closeLabel={t('close')}
        isBusy={isBusy}
        onConfirm={() => void go()}
        onCancel={() => setAsking(false)}
      >
        {t('offline.means')}
      </ConfirmModal>
    </>
  )
}

/** Number, mode and VAT in złoty, as facts beside those of every electronic invoice. */
export function useKsefFacts(ksef: InvoiceKsef | null): readonly (readonly [name: string, words: ReactNode])[] {
  const { t } = useTranslation('ksef')
  const format = useFormat()
  if (ksef === null) return []
  const { number, mode, url, rates, vatGrosz } = ksef
  const part = (one: (typeof rates)[number]) =>
    t('vatAt', {
      amount: format.number(one.grosz / 100, 2, 2),
      rate: format.number(one.rateE4 / 10_000, 4, 4),
      table: one.tableNumber,
      date: format.date(one.day),
    })
  return [
    [t('fact.mode'), t(`mode.${mode}`)],
    ...(number === null ? [] : [[t('fact.number'), number] as const]),
    ...(url === null
      ? []
      : [
          [
            t('fact.url'),
            <a key="url" href={url} target="_blank" rel="noreferrer">
              {t('open')}
            </a>,
          ] as const,
        ]),
    ...(vatGrosz === null
      ? []
      : [
          [
            t('fact.vat'),
            rates.length === 1
              ? part(rates[0]!)
              : [t('vatSum', { amount: format.number(vatGrosz / 100, 2, 2) }), ...rates.map(part)].join('; '),
          ] as const,
        ]),
  ]
}

function Awaited({ invoice, form }: Pick<KsefPartProps, 'invoice' | 'form'>) {
  const { t } = useTranslation('ksef')
  const queries = useQueryClient()
  const fieldErrorText = useFieldErrorText()
  const refusalWords = useRefusalWords()
  const typed = useKept('invoices/ksef-number', invoice.id, '')
  const number = typed.values
  const [isTried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [refusals, setRefusals] = useState<readonly string[]>([])
  const [isLeaving, setLeaving] = useState(false)
  const settled = async (after: Invoice) => {
    void typed.forget()
    form.accept(after)
    // The mail that waited is on its way.
    await queries.invalidateQueries({ queryKey: ['emails'] })
    notify({ tone: 'ok', title: t(after.paper === 'made' ? 'settled' : 'settledNoPdf'), closeLabel: t('close') })
  }
  const save = async () => {
    setTried(true)
    if (number.trim() === '') return
    setBusy(true)
    setRefusals([])
    try {
      const after = await callApi(typeKsefNumber, {
        params: { id: invoice.id },
        version: invoice.version,
        idempotencyKey: newIdempotencyKey(),
        body: { number },
      })
      await settled(after)
    } catch (error) {
      setRefusals(refusalWords(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className={classes.ask}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <p>{t('awaitedMeans')}</p>
      <TextField
        label={t('fact.number')}
        name="ksefNumber"
        isRequired
        value={number}
        maxLength={40}
        autoComplete="off"
        spellCheck={false}
        placeholder={t('numberLike')}
        error={isTried && number.trim() === '' ? fieldErrorText('required') : refusals[0]}
        onChange={(event) => {
          typed.set(event.currentTarget.value)
          setRefusals([])
        }}
      />
      <div className={classes.buttons}>
        <Button type="submit" size="compact-sm" variant="filled" loading={isBusy}>
          {t('enter')}
        </Button>
        <Button size="compact-sm" onClick={() => setLeaving(true)}>
          {t('without.open')}
        </Button>
      </div>
      {isLeaving ? <Leaving invoice={invoice} onClose={() => setLeaving(false)} onLeft={settled} /> : null}
    </form>
  )
}

function Leaving({
  invoice,
  onClose,
  onLeft,
}: {
  invoice: Invoice
  onClose: () => void
  onLeft: (after: Invoice) => Promise<void>
}) {
  const { t } = useTranslation('ksef')
  return (
    <ReasonWindow
      of={{ path: 'invoices/without-ksef', id: invoice.id }}
      title={t('without.title')}
      doLabel={t('without.confirm')}
      tone="primary"
      isLong
      onGive={async (reason) => {
        const after = await callApi(sendWithoutKsef, {
          params: { id: invoice.id },
          version: invoice.version,
          idempotencyKey: newIdempotencyKey(),
          body: { reason },
        })
        await onLeft(after)
      }}
      onClose={onClose}
    >
      <p>{t('without.means')}</p>
    </ReasonWindow>
  )
}
