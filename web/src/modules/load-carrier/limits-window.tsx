import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { HolderKind, Movements } from '@waybill/contract/load-carrier/account'
import { saveLimits } from '@waybill/contract/load-carrier/limit'
import type { NamedLoadCarrierType } from '@waybill/contract/load-carrier/type'
import { MOST_PIECES } from '@waybill/contract/pieces/pieces'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { useKept } from '../../kit/form/state/use-kept-typing.ts'
import { useRefusalWords } from '../../kit/i18n/error-text.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { ModalFrame } from '../../ui/windows/confirm-modal.tsx'
import classes from './load-carrier.module.css'

interface LimitsWindowProps {
  holder: { kind: HolderKind; id: number; title: string }
  types: readonly NamedLoadCarrierType[]
  limits: Movements['limits']
  /** also where somebody else saved them meanwhile: they are read again */
  onSaved: () => void
  onClose: () => void
}

/** How many of ours a holder may keep, by type; an empty field is no limit. */
export function LimitsWindow({ holder, types, limits, onSaved, onClose }: LimitsWindowProps) {
  const { t } = useTranslation('load-carrier')
  const refusalWords = useRefusalWords()
  const kept = useKept<Readonly<Record<number, string>>>(`load-carriers/${holder.kind}/limits`, holder.id, {})
  const textOf = (id: number) =>
    kept.values[id] ?? String(limits.items.find(({ typeId }) => typeId === id)?.pieces ?? '')
  const save = useMutation({
    mutationFn: () =>
      callApi(saveLimits, {
        version: limits.version,
        body: {
          holder: { kind: holder.kind, id: holder.id },
          items: types.flatMap(({ id }) =>
            textOf(id) === '' ? [] : [{ typeId: id, pieces: Math.min(MOST_PIECES, Number(textOf(id))) }],
          ),
        },
      }),
    onSuccess: async () => {
      await kept.forget()
      onSaved()
      onClose()
    },
    // Somebody else saved meanwhile: what is typed stays, what is saved is read.
    onError: onSaved,
  })
  const close = () => {
    void kept.forget()
    onClose()
  }
  return (
    <ModalFrame
      isOpen
      onClose={close}
      title={t('limits.title', { title: holder.title })}
      closeLabel={t('close')}
      onSubmit={() => {
        if (!save.isPending) save.mutate()
      }}
      footer={
        <>
          <Button variant="default" onClick={close}>
            {t('cancel')}
          </Button>
          <Button type="submit" variant="filled" loading={save.isPending}>
            {t('limits.save')}
          </Button>
        </>
      }
    >
      {save.error === null ? null : (
        <Notice tone="danger" isUrgent>
          {[...new Set(refusalWords(save.error))].join('. ')}
        </Notice>
      )}
      <div className={classes.stack}>
        <p className={classes.dim}>{t('limits.means')}</p>
        <div className={classes.fields}>
          {types.map(({ id, title }, index) => (
            <TextField
              key={id}
              {...(index === 0 ? { 'data-autofocus': true } : {})}
              label={title}
              isNumeric
              inputMode="numeric"
              autoComplete="off"
              maxLength={6}
              placeholder={t('limits.none')}
              value={textOf(id)}
              onChange={(event) => kept.change({ [id]: event.currentTarget.value.replace(/\D/g, '') })}
            />
          ))}
        </div>
      </div>
    </ModalFrame>
  )
}
