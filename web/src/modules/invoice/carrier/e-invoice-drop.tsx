import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { MAX_FILE_BYTES, uploadDocument } from '@waybill/contract/document'
import { readEInvoice, type EInvoice } from '@waybill/contract/e-invoice/e-invoice'
import { isCreditNote } from '@waybill/contract/invoice/carrier-terms'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../../kit/api/api-error.ts'
import { callApi, newIdempotencyKey } from '../../../kit/api/call-api.ts'
import { useFormContext, useFormValue } from '../../../kit/form/state/form-context.ts'
import { isSame } from '../../../kit/form/state/values.ts'
import { useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { useFileDrop } from '../../../ui/fields/use-file-drop.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import { putShared, sharedIn } from './put-shares.ts'
import { NamedRoutes } from './named-routes.tsx'
import { afterAmount } from './route-shares.ts'
import { compareRead, valuesRead, type ReadInvoice, type TakenField } from './e-invoice-values.ts'
import classes from './e-invoice-drop.module.css'
import { useInvoiceLabels, useInvoiceWords } from '../invoice-words.ts'

/** A file that is kept with the invoice once there is one. */
export interface HeldFile {
  file: File
  /** One for the file: a second try cannot leave a second one */
  idempotencyKey: string
}

interface Shown {
  file: File
  /** null while it is read, and of a PDF without an invoice in it */
  read: (ReadInvoice & { eInvoice: EInvoice }) | null
  isReading: boolean
  /** Values went into empty fields */
  hasFilled: boolean
}

const isUnknown = (error: unknown): boolean =>
  hasCode(error, 'validation') && error.errors.some(({ code }) => code === 'e_invoice_unknown')

/** Takes an electronic invoice of a carrier, fills what is empty, and tells what differs from what was typed. */
export function EInvoiceDrop({ onHold }: { onHold: (held: HeldFile | null) => void }) {
  const { t } = useTranslation('invoice')
  const form = useFormContext()
  const refusalWords = useRefusalWords()
  const [shown, setShown] = useState<Shown | null>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const current = useRef<File | null>(null)
  // What the file has put into the form, over what stood there.
  const filledIn = useRef<ReadonlyMap<string, { before: unknown; value: unknown }>>(new Map())

  const shareAmount = () => putShared(form, afterAmount(sharedIn(form), form.get('amountCents') as number | null))
  const fill = (values: Record<string, unknown>) => {
    filledIn.current = new Map(
      Object.entries(values).map(([name, value]) => [name, { before: form.get(name), value }] as const),
    )
    for (const [name, value] of Object.entries(values)) form.set(name, value)
    // Routes that stand already share the amount that was read.
    shareAmount()
  }
  /** What a file has filled in goes with it, but for what somebody has typed over it since. */
  const takeBack = () => {
    for (const [name, { before, value }] of filledIn.current) if (isSame(form.get(name), value)) form.set(name, before)
    if (filledIn.current.size > 0) shareAmount()
    filledIn.current = new Map()
  }
  const forget = () => {
    takeBack()
    current.current = null
    onHold(null)
    setShown(null)
  }
  const take = async (list: FileList | null) => {
    const file = list?.[0]
    if (file === undefined) return
    takeBack()
    current.current = file
    onHold(null)
    setShown({ file, read: null, isReading: true, hasFilled: false })
    try {
      if (file.size > MAX_FILE_BYTES) throw new RangeError('too large')
      const body = new FormData()
      body.set('file', file, file.name)
      const read = await callApi(readEInvoice, { form: body })
      // Another file may have been dropped meanwhile.
      if (current.current !== file) return
      const typed = Object.fromEntries(FIELDS.map((name) => [name, form.get(name)]))
      const { filled } = compareRead(typed as never, valuesRead(read))
      fill({ ...filled, currency: read.eInvoice.currency })
      onHold({ file, idempotencyKey: newIdempotencyKey() })
      setShown({ file, read, isReading: false, hasFilled: Object.keys(filled).length > 0 })
    } catch (error) {
      if (current.current !== file) return
      // A scan is a paper like any other: it is kept, and typed from.
      if (isUnknown(error) && file.type === 'application/pdf') {
        onHold({ file, idempotencyKey: newIdempotencyKey() })
        setShown({ file, read: null, isReading: false, hasFilled: false })
        return
      }
      forget()
      notify({
        tone: 'danger',
        title: t('eInvoice.notRead', { title: file.name }),
        detail: error instanceof RangeError ? t('eInvoice.tooLarge') : refusalWords(error).join(' '),
        closeLabel: t('close'),
      })
    }
  }
  const drop = useFileDrop((files) => void take(files))
  return (
    <div className={classes.place}>
      <div className={classes.drop} {...drop}>
        <span className={classes.text}>
          <Icon name="upload" size={13} /> {t('eInvoice.drop')}
        </span>
        <input
          ref={chooser}
          type="file"
          hidden
          accept=".xml,.pdf,application/xml,text/xml,application/pdf"
          aria-label={t('eInvoice.chooseFile')}
          onChange={(event) => {
            void take(event.currentTarget.files)
            event.currentTarget.value = ''
          }}
        />
        <Button size="compact-sm" onClick={() => chooser.current?.click()}>
          {t('eInvoice.choose')}
        </Button>
        <span className={classes.what}>{t('eInvoice.what')}</span>
      </div>
      <div aria-live="polite">{shown === null ? null : <Told shown={shown} onPut={forget} />}</div>
    </div>
  )
}

const FIELDS: readonly TakenField[] = [
  'number',
  'amountCents',
  'vatBp',
  'totalCents',
  'iban',
  'documentCreationDate',
  'dueDate',
  'servicePeriodFrom',
  'servicePeriodTo',
  'carrierCompanyId',
]

function Told({ shown, onPut }: { shown: Shown; onPut: () => void }) {
  const { t } = useTranslation('invoice')
  const { file, read, isReading, hasFilled } = shown
  const title = file.name
  if (isReading) return <Notice icon="file">{t('eInvoice.reading', { title })}</Notice>
  return (
    <>
      <Notice tone={read === null ? 'info' : 'ok'} icon="file">
        <div className={classes.told}>
          <span>
            {t(read === null ? 'eInvoice.noPdf' : hasFilled ? 'eInvoice.filled' : 'eInvoice.nothingFilled', { title })}
          </span>
          <Button size="compact-sm" onClick={onPut}>
            {t('eInvoice.put')}
          </Button>
        </div>
      </Notice>
      {read === null ? null : <Left read={read} />}
      {read === null ? null : <NamedRoutes key={file.lastModified} reference={read.eInvoice.orderReference} />}
      {read === null ? null : <Differences read={read} />}
    </>
  )
}

/** What could not be filled in, and why. */
function Left({ read: { eInvoice, values } }: { read: NonNullable<Shown['read']> }) {
  const { t } = useTranslation('invoice')
  const carrierCompanyId = useFormValue<number | null>('carrierCompanyId')
  const left = [
    eInvoice.currency === 'EUR' ? null : t('eInvoice.currency', { currency: eInvoice.currency }),
    isCreditNote(values) ? t('eInvoice.creditNote') : null,
    values.amountCents !== null && values.vatBp === null && eInvoice.vatGroups.length > 1 ? t('eInvoice.rates') : null,
    carrierCompanyId === null ? t('eInvoice.carrier', { name: eInvoice.seller.name ?? '–' }) : null,
  ].filter((words) => words !== null)
  return left.map((words) => (
    <Notice key={words} tone="warn">
      {words}
    </Notice>
  ))
}

function Differences({ read }: { read: ReadInvoice }) {
  const { t } = useTranslation('invoice')
  const form = useFormContext()
  const labelOf = useInvoiceLabels()
  const wordsOf = useInvoiceWords({ orders: [] })
  // Asked one by one: each is told as long as it differs.
  const typed = {
    number: useFormValue<string | null>('number'),
    amountCents: useFormValue<number | null>('amountCents'),
    vatBp: useFormValue<number | null>('vatBp'),
    totalCents: useFormValue<number | null>('totalCents'),
    iban: useFormValue<string | null>('iban'),
    documentCreationDate: useFormValue<string | null>('documentCreationDate'),
    dueDate: useFormValue<string | null>('dueDate'),
    servicePeriodFrom: useFormValue<string | null>('servicePeriodFrom'),
    servicePeriodTo: useFormValue<string | null>('servicePeriodTo'),
    carrierCompanyId: useFormValue<number | null>('carrierCompanyId'),
  }
  const said = valuesRead(read)
  const { differing } = compareRead(typed, said)
  if (differing.length === 0) return null
  const takeOver = (fields: readonly TakenField[]) => {
    for (const field of fields) form.set(field, said[field])
    putShared(form, afterAmount(sharedIn(form), form.get('amountCents') as number | null))
  }
  const spoken = (field: TakenField, value: unknown) => {
    if (field === 'carrierCompanyId')
      return value === read.carrierCompany?.id ? read.carrierCompany?.title : t('eInvoice.another')
    return wordsOf(field, value)
  }
  return (
    <Notice tone="warn">
      <p className={classes.lead}>{t('eInvoice.differs')}</p>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('eInvoice.field')}</th>
            <th scope="col">{t('eInvoice.typed')}</th>
            <th scope="col">{t('eInvoice.read')}</th>
            <th aria-hidden="true" />
          </tr>
        </thead>
        <tbody>
          {differing.map((field) => (
            <tr key={field}>
              <th scope="row">{labelOf(field)}</th>
              <td>{spoken(field, typed[field])}</td>
              <td>{spoken(field, said[field])}</td>
              <td>
                <Button
                  size="compact-sm"
                  aria-label={t('eInvoice.takeOne', { field: labelOf(field) })}
                  onClick={() => takeOver([field])}
                >
                  {t('eInvoice.take')}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {differing.length > 1 ? (
        <Button size="compact-sm" onClick={() => takeOver(differing)}>
          {t('eInvoice.takeAll')}
        </Button>
      ) : null}
    </Notice>
  )
}

/** Keeps the file with the invoice that was made; says so where that fails. */
export function useHeldFile(): (held: HeldFile, invoiceId: number) => Promise<void> {
  const { t } = useTranslation('invoice')
  const queries = useQueryClient()
  const refusalWords = useRefusalWords()
  return async ({ file, idempotencyKey }, invoiceId) => {
    const body = new FormData()
    body.set('documentType', 'CARRIER_INVOICE')
    body.set('invoiceId', String(invoiceId))
    body.set('file', file, file.name)
    try {
      await callApi(uploadDocument, { form: body, idempotencyKey } as Parameters<
        typeof callApi<typeof uploadDocument>
      >[1])
      await queries.invalidateQueries({ queryKey: ['documents', { invoiceId }] })
      await queries.invalidateQueries({ queryKey: ['audit-entries', { invoiceId }] })
    } catch (error) {
      notify({
        tone: 'danger',
        title: t('eInvoice.notKept'),
        detail: t('eInvoice.notKeptDetail', { why: refusalWords(error).join(' '), title: file.name }),
        closeLabel: t('close'),
      })
    }
  }
}
