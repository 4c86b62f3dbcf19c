import { Button } from '@mantine/core'
import type { FormErrorCode, Language } from '@waybill/contract/errors'
import { lineNetCents } from '@waybill/contract/invoice/totals'
import { readNumber } from '@waybill/contract/kit/number-text'
import {
  changeExtra,
  createExtra,
  EXTRA_KINDS,
  EXTRA_OF_CANCELED,
  EXTRA_UNITS,
  type Extra,
  type ExtraKind,
  type ExtraUnit,
  type ExtraWrite,
} from '@waybill/contract/order/extra'
import type { Order } from '@waybill/contract/order/order'
import { isCanceled } from '@waybill/contract/order/status'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../kit/api/api-error.ts'
import { callApi } from '../../../kit/api/call-api.ts'
import { useIntention } from '../../../kit/api/use-intention.ts'
import { useKept } from '../../../kit/form/state/use-kept-typing.ts'
import { useFieldErrorText, useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { TextField } from '../../../ui/fields/field.tsx'
import { SelectField } from '../../../ui/fields/select-field.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import sections from '../grid/section.module.css'
import classes from './extras.module.css'
import type { AskedExtra } from './asked-extra.ts'
import { useRefreshExtras } from './use-extras.ts'

/** What is usually counted in which unit. */
const UNIT_OF: Partial<Record<ExtraKind, ExtraUnit>> = {
  waiting_time: 'hour',
  storage: 'day',
  pallets: 'piece',
  additional_stop: 'piece',
}

type Figures = Record<'quantity' | 'priceCents' | 'costCents', string>
interface TypedExtra extends Figures {
  version: number
  kind: ExtraKind
  unit: ExtraUnit
  text: string
  note: string
  routeId: number | null
  sourceOrderId: number | null
}
type Faults = Readonly<Partial<Record<string, string>>>

interface ExtraEditorProps {
  order: Order
  /** null: a new one */
  extra: Extra | null
  /** what a new one is filled with */
  asked?: AskedExtra | null
  onClose: (isSaved: boolean) => void
}

/** One extra as it is entered or changed: Enter saves, Esc leaves it. */
export function ExtraEditor({ order, extra, asked = null, onClose }: ExtraEditorProps) {
  const { t, i18n } = useTranslation(['order-extras', 'history'])
  const format = useFormat()
  const fieldErrorText = useFieldErrorText()
  const refusalWords = useRefusalWords()
  const refresh = useRefreshExtras(order.id)
  const language = i18n.language as Language
  const kinds: readonly ExtraKind[] = isCanceled(order.status) ? [EXTRA_OF_CANCELED] : EXTRA_KINDS
  const carried = order.routes.filter(({ assignment }) => assignment?.carrierCompanyId != null)
  const money = (cents: number | null | undefined) => (cents == null ? '' : format.number(cents / 100, 2, 2))
  const keyOf = useIntention()
  const first = kinds.find((one) => one === asked?.kind) ?? kinds[0]!
  // What was typed for one that a mail asks for is not shown for another.
  const name = asked !== null ? `asked/${asked.kind}/${asked.priceCents}` : extra === null ? 'new' : 'change'
  // Figures stand as this language writes them.
  const typed = useKept<TypedExtra>(`extras/${name}/${language}`, extra?.id ?? order.id, {
    // Typed upon an older one it is refused before it writes over what others have saved.
    version: extra?.version ?? 0,
    kind: extra?.kind ?? first,
    // What is asked for is a sum.
    unit: extra?.unit ?? (asked === null ? UNIT_OF[first] : null) ?? 'flat',
    text: extra?.text ?? '',
    note: extra?.note ?? '',
    routeId: extra?.routeId ?? null,
    sourceOrderId: extra?.sourceOrderId ?? null,
    quantity: format.number(extra?.quantity ?? 1, 0, 3),
    priceCents: money(extra?.priceCents ?? asked?.priceCents),
    costCents: money(extra?.costCents),
  })
  const { version, kind, unit, text, note, routeId, sourceOrderId, ...figures } = typed.values
  const close = () => {
    void typed.forget()
    onClose(false)
  }
  const [faults, setFaults] = useState<Faults>({})
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('input')?.focus()
  }, [])

  const read = (field: keyof Figures) => readNumber(figures[field], language)
  const centsOf = (field: 'priceCents' | 'costCents') => {
    const euros = read(field)
    return euros === null ? null : Math.round(euros * 100)
  }
  const body: ExtraWrite = {
    kind,
    text: text.trim() === '' ? null : text,
    quantity: read('quantity') ?? Number.NaN,
    unit,
    priceCents: centsOf('priceCents'),
    costCents: centsOf('costCents'),
    routeId,
    sourceOrderId,
    note: note.trim() === '' ? null : note,
  }
  const netOf = (unitPriceCents: number | null) =>
    unitPriceCents === null || !Number.isSafeInteger(unitPriceCents) || !Number.isFinite(body.quantity)
      ? null
      : lineNetCents({ quantity: body.quantity, unitPriceCents })

  const wrong = (): Faults => {
    const found: Record<string, FormErrorCode> = {}
    if (!(body.quantity >= 0)) found.quantity = 'invalid_value'
    for (const field of ['priceCents', 'costCents'] as const)
      if (Number.isNaN(body[field])) found[field] = 'invalid_value'
    if (body.priceCents === null && body.costCents === null) found.priceCents = 'price_or_cost_missing'
    return Object.fromEntries(Object.entries(found).map(([field, code]) => [field, fieldErrorText(code)]))
  }
  const save = async () => {
    const before = wrong()
    setFaults(before)
    if (Object.keys(before).length > 0 || isBusy) return
    setBusy(true)
    try {
      const params = { id: order.id }
      if (extra === null) await callApi(createExtra, { params, body, idempotencyKey: keyOf(body) })
      else await callApi(changeExtra, { params: { ...params, extraId: extra.id }, body, version })
      await typed.forget()
      await refresh()
      onClose(true)
    } catch (error) {
      const told = error instanceof ApiError ? error.errors.filter(({ path }) => path !== '') : []
      setFaults(Object.fromEntries(told.map(({ path, message }) => [path, message])))
      if (told.length === 0 || told.some(({ path }) => !(path in body)))
        notify({
          tone: 'danger',
          title: t('notSaved'),
          detail: refusalWords(error).join(' '),
          closeLabel: t('close'),
        })
    } finally {
      setBusy(false)
    }
  }
  const figure = (field: keyof Figures) => (
    <TextField
      label={t(`fields.${field}`)}
      name={`extra-${field}`}
      isNumeric
      inputMode="decimal"
      autoComplete="off"
      maxLength={20}
      value={figures[field]}
      error={faults[field]}
      rightSection={field === 'quantity' ? undefined : '€'}
      rightSectionPointerEvents="none"
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => typed.change({ [field]: event.currentTarget.value })}
    />
  )
  const choose = <Value extends string>(
    label: string,
    name: string,
    value: Value,
    all: readonly Value[],
    word: (one: Value) => string,
    set: (one: Value) => void,
  ) => (
    <SelectField
      label={label}
      name={name}
      data={all.map((one) => ({ value: one, label: word(one) }))}
      value={value}
      error={faults[name.replace('extra-', '')]}
      allowDeselect={false}
      onChange={(chosen) => chosen !== null && set(chosen as Value)}
    />
  )
  const [netPrice, netCost] = [netOf(body.priceCents), netOf(body.costCents)]
  return (
    <form
      ref={form}
      className={classes.editor}
      aria-label={extra === null ? t('add') : t('editTitle')}
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        void save()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.stopPropagation()
        close()
      }}
    >
      <div className={`${sections.fields} ${classes.fields}`}>
        {choose(
          t('fields.kind'),
          'extra-kind',
          kind,
          kinds,
          (one) => t(`history:extra.kind.${one}`),
          (one) => {
            typed.change({ kind: one, ...(extra === null && { unit: UNIT_OF[one] ?? 'flat' }) })
          },
        )}
        <div className={classes.twins}>
          {figure('quantity')}
          {choose(
            t('fields.unit'),
            'extra-unit',
            unit,
            EXTRA_UNITS,
            (one) => t(`history:extra.unit.${one}`),
            (one) => typed.change({ unit: one }),
          )}
        </div>
        {figure('priceCents')}
        {figure('costCents')}
        <div className={sections.wide}>
          <TextField
            label={t('fields.text')}
            name="extra-text"
            placeholder={t(`history:extra.kind.${kind}`)}
            maxLength={500}
            value={text}
            error={faults.text}
            onChange={(event) => typed.change({ text: event.currentTarget.value })}
          />
        </div>
        <div className={sections.wide}>
          <TextField
            label={t('fields.note')}
            name="extra-note"
            maxLength={2000}
            value={note}
            error={faults.note}
            onChange={(event) => typed.change({ note: event.currentTarget.value })}
          />
        </div>
        {carried.length < 2 && routeId === null ? null : (
          <SelectField
            label={t('fields.routeId')}
            name="extra-route"
            data={order.routes.map(({ id, number, assignment }) => ({
              value: String(id),
              label: [number, assignment?.carrierCompany?.title].filter(Boolean).join(' · '),
            }))}
            value={routeId === null ? null : String(routeId)}
            error={faults.routeId}
            clearable
            onChange={(chosen) => typed.change({ routeId: chosen === null ? null : Number(chosen) })}
          />
        )}
        {order.sources.length === 0 && sourceOrderId === null ? null : (
          <SelectField
            label={t('fields.sourceOrderId')}
            name="extra-source"
            data={order.sources.map(({ id, title, customer }) => ({
              value: String(id),
              label: `${title} · ${customer.title}`,
            }))}
            value={sourceOrderId === null ? null : String(sourceOrderId)}
            error={faults.sourceOrderId}
            clearable
            onChange={(chosen) => typed.change({ sourceOrderId: chosen === null ? null : Number(chosen) })}
          />
        )}
      </div>
      <div className={classes.foot}>
        <span role="status">
          {[
            netPrice === null ? null : t('netPrice', { amount: format.euro(netPrice) }),
            netCost === null ? null : t('netCost', { amount: format.euro(netCost) }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
        <Button size="compact-sm" onClick={close}>
          {t('cancel')}
        </Button>
        <Button size="compact-sm" type="submit" variant="filled" loading={isBusy}>
          {t('save')}
        </Button>
      </div>
    </form>
  )
}
