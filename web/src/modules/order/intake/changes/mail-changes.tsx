import { Link, useNavigate } from '@tanstack/react-router'
import type { Order } from '@waybill/contract/order/order'
import { useEffect, useImperativeHandle, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { newKey } from '../../../../kit/form/state/values.ts'
import { useRefusalWords } from '../../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../../kit/i18n/i18n.ts'
import { Notice } from '../../../../ui/notices/notice.tsx'
import type { AskedExtra } from '../../extras/asked-extra.ts'
import { withUsualActions, type OrderValues } from '../../values/draft.ts'
import { useOrderLabels } from '../../values/labels.ts'
import type { OrderForm } from '../../values/order-form.ts'
import { mailPath } from '../mail-words.ts'
import { cargoOf, stopOf } from '../draft-values.ts'
import { putValue } from './put-value.ts'
import { useMailChanges, type MailChanges, type TakenChange } from './use-mail-changes.ts'

/** Where a row of the saved order stands in the form: what was typed before may have moved it, or taken it out. */
function pathInForm(path: string, order: Order, values: OrderValues): string | null {
  const [list, place, ...rest] = path.split('.')
  if (list !== 'cargo' && list !== 'locations') return path
  const id = order[list][Number(place)]?.id
  const now = values[list].findIndex((row) => row.id === id)
  return now === -1 ? null : [list, now, ...rest].join('.')
}

/** Adds a stop or a line that a mail asks for: a place to load behind the others of its kind, all else at the end. */
function add(form: OrderForm, { stop, line }: TakenChange): void {
  const { cargo, locations } = form.values()
  // Taken over before, and still unsaved.
  const isThere = <Row extends { id?: number | undefined }>(rows: readonly Row[], row: object, fields: (keyof Row)[]) =>
    rows.some((one) => one.id === undefined && fields.every((field) => one[field] === (row as Row)[field]))
  if (stop && !isThere(locations, stop, ['kind', 'companyTitle', 'address', 'postal', 'city'])) {
    const lastLoading = locations.findLastIndex(({ kind }) => kind === 'loading')
    const at = stop.kind === 'loading' ? lastLoading + 1 : locations.length
    form.set('locations', locations.toSpliced(at, 0, stopOf(stop, newKey())))
  }
  if (line && !isThere(cargo, line, ['title', 'unitTypeId', 'quantity', 'weightKg'])) {
    const more = cargoOf(line, newKey())
    form.set('cargo', [...cargo, more])
    form.set('locations', withUsualActions(locations, more))
  }
}

const isAdded = ({ stop, line, extra }: TakenChange): boolean => Boolean(stop ?? line ?? extra)

/** What the order's form tells its notice. */
export interface FromMail {
  saved: () => void
  moved: () => void
}

interface MailChangesNoticeProps {
  ref: React.Ref<FromMail>
  /** of the address: which changes the form was opened with */
  name: unknown
  form: OrderForm
  order: Order
  /** opens extras that the mail asks for, filled in */
  onExtras: (extras: readonly AskedExtra[], isAll: boolean) => void
}

/** Takes what a mail changes into the order's form, fetched only where the address names such changes. */
export function MailChangesNotice({ ref, name, form, order, onExtras }: MailChangesNoticeProps) {
  const from = useMailChanges(order, name)
  const { given, fileOnce } = from
  useImperativeHandle(ref, () => ({
    saved: fileOnce,
    // Of a mail that cancels the move is all that it asks for.
    moved: () => {
      if (given?.changes.length === 0) fileOnce()
    },
  }))
  return given === null ? null : <Taken form={form} order={order} from={from} given={given} onExtras={onExtras} />
}

/** Says what an open order took over from a mail, what becomes of the mail, and the way back to it. */
function Taken({
  form,
  order,
  from: { isOutdated, filing },
  given,
  onExtras,
}: Pick<MailChangesNoticeProps, 'form' | 'order' | 'onExtras'> & {
  from: ReturnType<typeof useMailChanges>
  given: MailChanges
}) {
  const { t } = useTranslation('intake')
  const format = useFormat()
  const labelOf = useOrderLabels()
  const refusalWords = useRefusalWords()
  const navigate = useNavigate()
  const [taken] = useState(() =>
    given.changes.flatMap((change) => {
      const at = isOutdated ? null : isAdded(change) ? change.path : pathInForm(change.path, order, form.values())
      return at === null ? [] : { ...change, path: at }
    }),
  )
  const isDone = useRef(false)
  useEffect(() => {
    if (isDone.current) return
    isDone.current = true
    for (const change of taken) if (!isAdded(change)) putValue(form, change.path, change.value)
    // Last, since rows that come in between move those behind them.
    for (const change of taken) add(form, change)
    const extras = taken.flatMap(({ extra, value }) =>
      extra ? { key: newKey(), kind: extra, priceCents: value as number } : [],
    )
    if (extras.length > 0) onExtras(extras, extras.length === taken.length)
    // Who loads the page anew has the values in what was typed.
    void navigate({
      to: '.',
      search: ((before: object) => ({ ...before, changes: undefined })) as never,
      replace: true,
    })
  }, [form, taken, navigate, onExtras])
  const lost = isOutdated ? 0 : given.changes.length - taken.length
  const subject = given.mail.subject ?? t('noSubject')
  const wordOf = ({ path, stop, line, extra }: TakenChange) =>
    stop
      ? t('change.fields.stop_added')
      : line
        ? t('change.fields.cargo_added')
        : extra
          ? t('change.fields.price_surcharge')
          : labelOf(path)
  return (
    <Notice tone={isOutdated || lost > 0 || filing.isError ? 'warn' : filing.isSuccess ? 'ok' : 'info'}>
      {isOutdated
        ? t('change.outdated', { subject })
        : filing.isSuccess
          ? t('change.filed', { subject })
          : given.changes.length === 0
            ? t('change.toDo', { subject })
            : t('change.taken', { subject, fields: format.list(taken.map(wordOf)) })}{' '}
      {lost > 0 ? `${t('change.lost', { count: lost })} ` : null}
      {filing.isError ? `${t('change.notFiled')} ${refusalWords(filing.error).join('. ')} ` : null}
      <Link to={mailPath(given.mail.id) as string}>{t('change.toMail')}</Link>
    </Notice>
  )
}
