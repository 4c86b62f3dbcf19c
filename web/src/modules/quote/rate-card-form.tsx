import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import {
  changeRateCard,
  createRateCard,
  RateCard as RateCardShape,
  removeRateCard,
  type CardKind,
  type RateCard,
} from '@waybill/contract/quote/rate-card'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../kit/api/api-error.ts'
import { callApi } from '../../kit/api/call-api.ts'
import { useIntention } from '../../kit/api/use-intention.ts'
import { UnsavedNotice } from '../../kit/form/page/unsaved-notice.tsx'
import type { Draft, DraftKey } from '../../kit/form/state/draft-store.ts'
import { draftKeyOf } from '../../kit/form/state/use-form-record.ts'
import { useKeptTyping, useUnsaved } from '../../kit/form/state/use-kept-typing.ts'
import { useRefusalWords } from '../../kit/i18n/error-text.ts'
import { localToday } from '../../kit/list/filter/filters.ts'
import { keysOf, useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { IconButton } from '../../ui/marks/icon-button.tsx'
import { Icon } from '../../ui/marks/icon.tsx'
import { KeyHint } from '../../ui/marks/marks.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { ConfirmModal } from '../../ui/windows/confirm-modal.tsx'
import { CarrierCompanySelect } from '../carrier-company/carrier-company-select.tsx'
import { CustomerSelect } from '../customer/customer-select.tsx'
import { OptionalDayField } from '../typed-day/day-select.tsx'
import { FigureField, MoneyField } from './figure-field.tsx'
import classes from './quote.module.css'
import {
  cardBody,
  cardValues,
  emptyCard,
  missingOfCard,
  rowKey,
  withOwnKeys,
  type CardValues,
} from './rate-card-values.ts'
import { RateLines } from './rate-lines.tsx'
import { TryCard } from './try-card.tsx'

interface RateCardFormProps {
  /** null: a new one */
  card: RateCard | null
  /** the kinds that this person keeps */
  kinds: readonly CardKind[]
  onSaved: (card: RateCard) => void
  onRemoved: () => void
  onClose: () => void
}

/** One rate card: whose, since when, its lines, diesel by month, surcharges; and a line to try it. */
export function RateCardForm(props: RateCardFormProps) {
  const draftKey = draftKeyOf({ path: 'rate-cards' }, props.card?.id ?? 'new')
  const unsaved = useUnsaved<CardValues>(draftKey)
  return unsaved === undefined ? null : <CardForm {...props} draftKey={draftKey} unsaved={unsaved} />
}

interface CardFormProps extends RateCardFormProps {
  draftKey: DraftKey
  /** What was typed before on this device, and not saved */
  unsaved: Draft<CardValues> | null
}

function CardForm({ card, kinds, onSaved, onRemoved, onClose, draftKey, unsaved }: CardFormProps) {
  const { t } = useTranslation('rate-card')
  const refusalWords = useRefusalWords()
  const today = localToday()
  const [base, setBase] = useState(card)
  const [saved, setSaved] = useState<CardValues>(() => (card === null ? emptyCard(kinds[0]!, today) : cardValues(card)))
  const [values, setValues] = useState<CardValues>(() => (unsaved === null ? saved : withOwnKeys(unsaved.values)))
  const [restoredFrom, setRestoredFrom] = useState(unsaved?.keptAt ?? null)
  // Typed upon an older version it is refused before it writes over what others have saved.
  const [version, setVersion] = useState(unsaved?.version ?? card?.version ?? null)
  const [isRemoving, setRemoving] = useState(false)
  const set = (part: Partial<CardValues>) => setValues((before) => ({ ...before, ...part }))
  const missing = missingOfCard(values)
  const isTyped = JSON.stringify(cardBody(values)) !== JSON.stringify(cardBody(saved))
  const isChanged = base === null || isTyped
  const kept = useKeptTyping(draftKey, { values: isTyped ? values : null, base: saved, version })
  const adopt = (now: RateCard) => {
    setBase(now)
    setSaved(cardValues(now))
    setValues(cardValues(now))
    setVersion(now.version)
    setRestoredFrom(null)
  }
  const discard = () => {
    setValues(saved)
    setVersion(base?.version ?? null)
    setRestoredFrom(null)
  }
  const keyOf = useIntention()
  const save = useMutation({
    mutationFn: () => {
      const body = cardBody(values)
      if (base !== null) return callApi(changeRateCard, { params: { id: base.id }, version: version!, body })
      return callApi(createRateCard, { body, idempotencyKey: keyOf(body) })
    },
    onSuccess: (now) => {
      // A new one goes on under its own address.
      if (base === null) void kept.forget()
      adopt(now)
      onSaved(now)
    },
  })
  const remove = useMutation({
    mutationFn: () => callApi(removeRateCard, { params: { id: base!.id }, version: base!.version }),
    onSuccess: () => {
      void kept.forget()
      onRemoved()
    },
    onError: () => setRemoving(false),
  })
  const saveNow = () => {
    if (missing === null && isChanged && !save.isPending) save.mutate()
  }
  useShortcut({ key: 's', mod: true, label: t('save'), run: saveNow })
  const refused = save.error ?? remove.error
  const current = hasCode(refused, 'stale_version') ? RateCardShape.safeParse(refused.extra.current).data : undefined
  return (
    <section className={classes.detail} aria-label={base?.title ?? t('new')}>
      <header className={classes.head}>
        <span className={classes.back}>
          <IconButton icon="chevronLeft" label={t('backToList')} onClick={onClose} />
        </span>
        <h2 className={classes.grow}>{base?.title ?? t('new')}</h2>
        {base === null ? null : (
          <Button size="compact-sm" variant="subtle" color="red" onClick={() => setRemoving(true)}>
            {t('remove')}
          </Button>
        )}
        <Button
          size="compact-md"
          variant="filled"
          loading={save.isPending}
          disabled={missing !== null || !isChanged}
          title={missing === null ? undefined : t(`need.${missing}`)}
          rightSection={
            missing === null && isChanged ? <KeyHint>{keysOf({ key: 's', mod: true }).join(' ')}</KeyHint> : undefined
          }
          onClick={saveNow}
        >
          {t('save')}
        </Button>
      </header>
      <div className={classes.cardBody}>
        {refused === null ? null : current === undefined ? (
          <Notice tone="danger" isUrgent>
            {[...new Set(refusalWords(refused))].join('. ')}
          </Notice>
        ) : (
          <Notice tone="warn" isUrgent>
            {t('stale')}{' '}
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => {
                save.reset()
                remove.reset()
                adopt(current)
                onSaved(current)
              }}
            >
              {t('takeOver')}
            </Button>
          </Notice>
        )}
        {restoredFrom === null ? null : <UnsavedNotice keptAt={restoredFrom} onDiscard={discard} />}
        {kinds.length > 1 ? (
          <div className={classes.kinds}>
            <Segmented
              isSmall
              label={t('kind')}
              value={values.kind}
              onChange={(kind) => set({ kind, customerId: null, carrierCompanyId: null })}
              options={kinds.map((kind) => ({ value: kind, label: t(`kinds.${kind}`) }))}
            />
          </div>
        ) : null}
        <div className={classes.four}>
          <TextField
            label={t('fields.title')}
            isRequired
            maxLength={150}
            autoComplete="off"
            value={values.title}
            onChange={(event) => set({ title: event.currentTarget.value })}
          />
          {values.kind === 'sell' ? (
            <CustomerSelect
              label={t('fields.customerId')}
              placeholder={t('allCustomers')}
              value={values.customerId}
              current={base?.customer ?? null}
              onChange={(customerId) => set({ customerId })}
            />
          ) : (
            <CarrierCompanySelect
              label={t('fields.carrierCompanyId')}
              placeholder={t('allCarriers')}
              value={values.carrierCompanyId}
              current={base?.carrierCompany ?? null}
              onChange={(carrierCompanyId) => set({ carrierCompanyId })}
            />
          )}
          <OptionalDayField
            label={t('fields.validFrom')}
            isRequired
            year="near"
            value={values.validFrom}
            onChange={(day) => day !== null && set({ validFrom: day })}
            isKept
          />
          <OptionalDayField
            label={t('fields.validTo')}
            value={values.validTo}
            onChange={(validTo) => set({ validTo })}
            isKept
          />
        </div>
        <h3>{t('lines')}</h3>
        <RateLines lines={values.lines} onChange={(lines) => set({ lines })} />
        <div className={classes.pairs}>
          <MonthList fuel={values.fuel} today={today} onChange={(fuel) => set({ fuel })} />
          <SurchargeList surcharges={values.surcharges} onChange={(surcharges) => set({ surcharges })} />
        </div>
        <TryCard key={base?.id ?? 'new'} values={values} today={today} />
      </div>
      <ConfirmModal
        isOpen={isRemoving}
        title={t('removing.title', { title: base?.title })}
        confirmLabel={t('remove')}
        cancelLabel={t('cancel')}
        closeLabel={t('close')}
        isBusy={remove.isPending}
        onCancel={() => setRemoving(false)}
        onConfirm={() => remove.mutate()}
      >
        {t('removing.text')}
      </ConfirmModal>
    </section>
  )
}

const nextMonth = (month: string): string => {
  const [year, of] = month.split('-').map(Number) as [number, number]
  return of === 12 ? `${year + 1}-01` : `${year}-${String(of + 1).padStart(2, '0')}`
}

/** Diesel on top by month; a month counts until the next one that is named. */
function MonthList({
  fuel,
  today,
  onChange,
}: {
  fuel: CardValues['fuel']
  today: string
  onChange: (fuel: CardValues['fuel']) => void
}) {
  const { t } = useTranslation('rate-card')
  const last = fuel
    .map(({ month }) => month)
    .toSorted()
    .at(-1)
  return (
    <fieldset className={classes.small}>
      <legend>{t('fuel')}</legend>
      {fuel.map((one, place) => (
        <div key={one.key} className={classes.smallRow}>
          <TextField
            label={<span className={classes.hidden}>{t('month', { row: place + 1 })}</span>}
            placeholder="2026-11"
            maxLength={7}
            autoComplete="off"
            value={one.month}
            onChange={(event) => onChange(fuel.with(place, { ...one, month: event.currentTarget.value }))}
          />
          <FigureField
            label={<span className={classes.hidden}>{t('fuelOf', { row: place + 1 })}</span>}
            unit="%"
            scale={100}
            places={[1, 2]}
            value={one.bp}
            onChange={(bp) => onChange(fuel.with(place, { ...one, bp }))}
          />
          <IconButton
            icon="close"
            isSmall
            label={t('removeMonth', { row: place + 1 })}
            onClick={() => onChange(fuel.toSpliced(place, 1))}
          />
        </div>
      ))}
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<Icon name="plus" />}
        onClick={() =>
          onChange([
            ...fuel,
            { key: rowKey(), month: last === undefined ? today.slice(0, 7) : nextMonth(last), bp: null },
          ])
        }
      >
        {t('addMonth')}
      </Button>
    </fieldset>
  )
}

/** Amounts on top of each transport, without diesel. */
function SurchargeList({
  surcharges,
  onChange,
}: {
  surcharges: CardValues['surcharges']
  onChange: (surcharges: CardValues['surcharges']) => void
}) {
  const { t } = useTranslation('rate-card')
  return (
    <fieldset className={classes.small}>
      <legend>{t('surcharges')}</legend>
      {surcharges.map((one, place) => (
        <div key={one.key} className={classes.smallRow}>
          <TextField
            label={<span className={classes.hidden}>{t('surcharge', { row: place + 1 })}</span>}
            placeholder={t('surchargeLike')}
            maxLength={60}
            autoComplete="off"
            value={one.title}
            onChange={(event) => onChange(surcharges.with(place, { ...one, title: event.currentTarget.value }))}
          />
          <MoneyField
            label={<span className={classes.hidden}>{t('surchargeOf', { row: place + 1 })}</span>}
            value={one.cents}
            onChange={(cents) => onChange(surcharges.with(place, { ...one, cents }))}
          />
          <IconButton
            icon="close"
            isSmall
            label={t('removeSurcharge', { row: place + 1 })}
            onClick={() => onChange(surcharges.toSpliced(place, 1))}
          />
        </div>
      ))}
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<Icon name="plus" />}
        disabled={surcharges.length >= 10}
        onClick={() => onChange([...surcharges, { key: rowKey(), title: '', cents: null }])}
      >
        {t('addSurcharge')}
      </Button>
    </fieldset>
  )
}
