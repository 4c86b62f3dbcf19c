import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import {
  changeMovement,
  createMovement,
  Movement as MovementShape,
  removeMovement,
  type HolderKind,
  type Movement,
} from '@waybill/contract/load-carrier/account'
import type { NamedLoadCarrierType } from '@waybill/contract/load-carrier/type'
import { isDamagedAmong, isMoved } from '@waybill/contract/pieces/pieces'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../kit/api/api-error.ts'
import { callApi } from '../../kit/api/call-api.ts'
import { useIntention } from '../../kit/api/use-intention.ts'
import { useKept } from '../../kit/form/state/use-kept-typing.ts'
import { useRefusalWords } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { localToday } from '../../kit/list/filter/filters.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { ModalFrame } from '../../ui/windows/confirm-modal.tsx'
import { CarrierCompanySelect } from '../carrier-company/carrier-company-select.tsx'
import { CustomerSelect } from '../customer/customer-select.tsx'
import { DayField } from '../typed-day/day-select.tsx'
import { ownKinds } from './accounts-address.ts'
import classes from './load-carrier.module.css'
import { PiecesField } from './pieces-field.tsx'
import { LoadCarrierPlaceSelect } from './place-select.tsx'

const SELECTS = { customer: CustomerSelect, carrier: CarrierCompanySelect, place: LoadCarrierPlaceSelect } as const

interface MovementWindowProps {
  /** null: a new one */
  movement: Movement | null
  holder: { kind: HolderKind; id: number | null; title?: string }
  types: readonly NamedLoadCarrierType[]
  onSaved: () => void
  onClose: () => void
}

interface TypedMovement {
  kind: HolderKind
  holderId: number | null
  version: number
  movedOn: string
  typeId: number | null
  given: number
  received: number
  damaged: number
  noteNumber: string
  note: string
}

/** A movement that is entered by hand, corrected, or taken out of its account. */
export function MovementWindow({ movement, holder, types, onSaved, onClose }: MovementWindowProps) {
  const { t } = useTranslation('load-carrier')
  const format = useFormat()
  const refusalWords = useRefusalWords()
  const [isTakingOut, setTakingOut] = useState(false)
  // A new one belongs to the account beside which it is entered.
  const kept = useKept<TypedMovement>(
    movement === null ? `load-carriers/movement/${holder.kind}/${holder.id ?? ''}` : 'load-carriers/movement',
    movement?.id ?? 'new',
    {
      kind: holder.kind,
      holderId: holder.id,
      // Typed upon an older one it is refused before it writes over what others have saved.
      version: movement?.version ?? 0,
      movedOn: movement?.movedOn ?? localToday(),
      typeId: movement?.type.id ?? types[0]?.id ?? null,
      given: movement?.given ?? 0,
      received: movement?.received ?? 0,
      damaged: movement?.damaged ?? 0,
      noteNumber: movement?.noteNumber ?? '',
      note: movement?.note ?? '',
    },
  )
  const { kind, holderId, version, ...typed } = kept.values
  const set = kept.change
  const close = () => {
    void kept.forget()
    onClose()
  }
  const keyOf = useIntention()
  const save = useMutation({
    mutationFn: async () => {
      const body = {
        ...typed,
        holder: { kind, id: holderId! },
        typeId: typed.typeId!,
        noteNumber: typed.noteNumber.trim() || null,
        note: typed.note.trim() || null,
      }
      if (movement !== null) return callApi(changeMovement, { params: { id: movement.id }, version, body })
      return callApi(createMovement, { body, idempotencyKey: keyOf(body) })
    },
    onSuccess: () => {
      onSaved()
      close()
    },
  })
  const takeOut = useMutation({
    mutationFn: () => callApi(removeMovement, { params: { id: movement!.id }, version }),
    onSuccess: () => {
      onSaved()
      close()
    },
  })
  const refused = save.error ?? takeOut.error
  const current = hasCode(refused, 'stale_version') ? MovementShape.safeParse(refused.extra.current).data : undefined
  const why =
    holderId === null
      ? t('need.holder')
      : typed.typeId === null
        ? t('need.type')
        : !isMoved(typed)
          ? t('need.pieces')
          : !isDamagedAmong(typed)
            ? t('need.damaged')
            : null
  const takeOver = (now: Movement) => {
    set({
      version: now.version,
      movedOn: now.movedOn,
      typeId: now.type.id,
      given: now.given,
      received: now.received,
      damaged: now.damaged,
      noteNumber: now.noteNumber ?? '',
      note: now.note ?? '',
    })
    save.reset()
    takeOut.reset()
    onSaved()
  }
  const Select = SELECTS[kind]
  const isBusy = save.isPending || takeOut.isPending
  const title = types.find(({ id }) => id === typed.typeId)?.title ?? ''
  const net = typed.given - typed.received
  return (
    <ModalFrame
      isOpen
      onClose={close}
      title={t(movement === null ? 'movement.new' : 'movement.change')}
      closeLabel={t('close')}
      onSubmit={() => {
        if (isTakingOut) takeOut.mutate()
        else if (why === null && !isBusy) save.mutate()
      }}
      footer={
        isTakingOut ? (
          <>
            <Button variant="default" onClick={() => setTakingOut(false)}>
              {t('cancel')}
            </Button>
            <Button type="submit" variant="filled" color="red" loading={takeOut.isPending} data-autofocus>
              {t('movement.takeOut')}
            </Button>
          </>
        ) : (
          <>
            {movement === null ? null : (
              <Button variant="subtle" color="red" disabled={isBusy} onClick={() => setTakingOut(true)}>
                {t('movement.takeOut')}
              </Button>
            )}
            <Button variant="default" onClick={close}>
              {t('cancel')}
            </Button>
            <Button
              type="submit"
              variant="filled"
              loading={save.isPending}
              disabled={why !== null}
              title={why ?? undefined}
            >
              {t(movement === null ? 'movement.enter' : 'movement.save')}
            </Button>
          </>
        )
      }
    >
      {refused === null ? null : current === undefined ? (
        <Notice tone="danger" isUrgent>
          {[...new Set(refusalWords(refused))].join('. ')}
        </Notice>
      ) : (
        <Notice tone="warn" isUrgent>
          {t('stale', {
            day: format.date(current.movedOn),
            type: current.type.title,
            given: current.given,
            received: current.received,
          })}{' '}
          <Button size="compact-sm" variant="default" onClick={() => takeOver(current)}>
            {t('takeOver')}
          </Button>
        </Notice>
      )}
      {isTakingOut ? (
        <p>{t('movement.takeOutText', { day: format.date(typed.movedOn), type: title })}</p>
      ) : (
        <>
          <div className={classes.fields}>
            <div data-whole>
              <Segmented
                isSmall
                label={t('account')}
                value={kind}
                onChange={(next) => {
                  set({ kind: next, holderId: next === holder.kind ? holder.id : null })
                }}
                options={ownKinds().map((one) => ({ value: one, label: t(`holder.${one}`) }))}
              />
            </div>
            <div data-whole>
              <Select
                key={kind}
                label={t(`holder.${kind}`)}
                isRequired
                value={holderId}
                current={
                  kind === holder.kind && holder.id !== null && holder.title !== undefined
                    ? { id: holder.id, title: holder.title }
                    : null
                }
                onChange={(id) => set({ holderId: id })}
              />
            </div>
            <DayField label={t('columns.date')} value={typed.movedOn} onChange={(movedOn) => set({ movedOn })} isKept />
            <SelectField
              label={t('columns.type')}
              allowDeselect={false}
              data={types.map((one) => ({ value: String(one.id), label: one.title }))}
              value={typed.typeId === null ? null : String(typed.typeId)}
              onChange={(value) => set({ typeId: value === null ? null : Number(value) })}
            />
            <PiecesField
              data-autofocus
              label={t('columns.given')}
              hint={t('hints.given')}
              value={typed.given}
              onChange={(given) => set({ given })}
            />
            <PiecesField
              label={t('columns.received')}
              hint={t('hints.received')}
              value={typed.received}
              onChange={(received) => set({ received })}
            />
            <PiecesField
              label={t('columns.damaged')}
              hint={t('hints.damaged')}
              value={typed.damaged}
              onChange={(damaged) => set({ damaged })}
            />
            <TextField
              label={t('columns.noteNumber')}
              maxLength={50}
              autoComplete="off"
              value={typed.noteNumber}
              onChange={(event) => set({ noteNumber: event.currentTarget.value })}
            />
            <div data-whole>
              <TextField
                label={t('columns.note')}
                maxLength={500}
                autoComplete="off"
                value={typed.note}
                onChange={(event) => set({ note: event.currentTarget.value })}
              />
            </div>
          </div>
          <p className={classes.said}>
            {t(net > 0 ? 'net.theirs' : net < 0 ? 'net.ours' : 'net.even', { count: Math.abs(net), type: title })}
          </p>
        </>
      )}
    </ModalFrame>
  )
}
