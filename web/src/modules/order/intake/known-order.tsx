import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { IntakeMail } from '@waybill/contract/intake/intake'
import type { Draft, KnownOrder } from '@waybill/contract/order/intake/mail-draft'
import { isReadOnlyOrder } from '@waybill/contract/order/status'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../kit/api/api-error.ts'
import type { ValueStore } from '../../../kit/form/state/value-store.ts'
import { useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { Notice } from '../../../ui/notices/notice.tsx'
import type { OrderValues } from '../values/draft.ts'
import { useOrderLabels } from '../values/labels.ts'
import { orderPath } from '../values/paths.ts'
import { useOrderWords } from '../values/value-words.ts'
import { useOpenWith, type useFiling } from './changes/change-list.tsx'
import { DifferenceRows } from './changes/difference-rows.tsx'
import classes from './intake.module.css'

/** An order that is there under a number of one of these customers; null: one that the person may not see. */
interface Known extends Pick<OrderValues, 'customerOrderNumber' | 'customerIds'> {
  is: KnownOrder | null
}

/** For which number a person has said that it is another order of it; a save asks when it runs. */
interface SecondOrder {
  chosen: () => string | null
  /** takes the number as it is typed by now */
  choose: () => string | null
  /** says where the number as it is typed by now is read */
  readFrom: (now: () => string | null) => void
  /** whether it was said of the number that is typed by now */
  isSecond: () => boolean
}

export function secondOrder(): SecondOrder {
  let chosen: string | null = null
  let now: () => string | null = () => null
  return {
    chosen: () => chosen,
    choose: () => (chosen = now()),
    readFrom: (read) => {
      now = read
    },
    isSecond: () => chosen !== null && chosen === now(),
  }
}

/**
 * Whether the order that is typed is there already: as the draft says, or as a save has found out, for whom the
 * customer or the number was put in by hand. Another number or another customer is none of it.
 */
export function useKnownOrder(
  {
    again,
    values,
  }: { again: KnownOrder | null; values: { customerId: number | null; customerOrderNumber: string | null } },
  second: SecondOrder,
) {
  const [known, setKnown] = useState<Known | null>(() =>
    again === null || values.customerId === null
      ? null
      : { customerOrderNumber: values.customerOrderNumber, customerIds: [values.customerId], is: again },
  )
  const [chosen, setChosen] = useState(second.chosen)
  return {
    /** Looks whether a save was refused for this. */
    look: (error: unknown, { customerOrderNumber, customerIds }: OrderValues) => {
      if (!(error instanceof ApiError) || !error.errors.some(({ code }) => code === 'order_known')) return
      setKnown({ customerOrderNumber, customerIds, is: (error.extra.current ?? null) as KnownOrder | null })
    },
    known,
    chosen,
    choose: () => {
      setChosen(second.choose())
    },
  }
}
type KnownState = ReturnType<typeof useKnownOrder>

/** What of it holds for the values as they are typed by now. */
export function useMustChoose(
  { known, chosen }: KnownState,
  store: ValueStore,
  second: SecondOrder,
): { again: Known | null; isChosen: boolean } {
  const number = useSyncExternalStore(store.subscribe, () => store.at('customerOrderNumber')) as string | null
  const customerIds = useSyncExternalStore(store.subscribe, () => store.at('customerIds')) as number[]
  useEffect(() => {
    second.readFrom(() => store.at('customerOrderNumber') as string | null)
  }, [second, store])
  const isIt =
    known !== null && known.customerOrderNumber === number && known.customerIds.some((id) => customerIds.includes(id))
  return { again: isIt ? known : null, isChosen: chosen !== null && chosen === number }
}

/** Says that the order is there, and asks what the mail is. */
export function KnownOrderNotice({
  again: { customerOrderNumber, is },
  isChosen,
  onSecond,
  filing,
  mail,
  draft,
}: {
  again: Known
  isChosen: boolean
  onSecond: () => void
  filing: ReturnType<typeof useFiling>
  mail: IntakeMail
  draft: Draft
}) {
  const { t } = useTranslation('intake')
  const format = useFormat()
  const navigate = useNavigate()
  const refusalWords = useRefusalWords()
  return (
    <Notice tone="warn">
      <b>{t('again.title', { number: customerOrderNumber })}</b>{' '}
      {is === null ? t('again.isOthers') : t('again.is', { order: is.order.title, day: format.day(is.createdAt) })}
      <div className={classes.choices}>
        <Button size="compact-sm" disabled={isChosen} onClick={onSecond}>
          {t('again.second')}
        </Button>
        {is === null ? null : (
          <>
            <Button size="compact-sm" loading={filing.isPending} onClick={() => filing.mutate(is.order.id)}>
              {t('fileWith', { order: is.order.title })}
            </Button>
            <Button
              size="compact-sm"
              variant="subtle"
              onClick={() => void navigate({ to: orderPath(is.order.id) as string })}
            >
              {t('openOrder', { order: is.order.title })}
            </Button>
          </>
        )}
      </div>
      {filing.error === null ? null : refusalWords(filing.error).join('. ')}
      {/* Of an order that only the save has found, nothing was compared. */}
      {is === null || draft.again?.order.id !== is.order.id ? null : (
        <WhatDiffers mail={mail} position={draft.position} again={draft.again} />
      )}
    </Notice>
  )
}

/** What the mail says otherwise than the order of the same number, to be taken over into it. */
function WhatDiffers({
  mail,
  position,
  again: { about, differences },
}: {
  mail: IntakeMail
  position: number
  again: NonNullable<Draft['again']>
}) {
  const { t } = useTranslation(['intake', 'order-list'])
  const labelOf = useOrderLabels()
  const wordsOf = useOrderWords(null)
  const openWith = useOpenWith(mail, position)
  const mayChange = !isReadOnlyOrder(about.status)
  const [ticked, setTicked] = useState<ReadonlySet<string>>(
    () => new Set(differences.flatMap(({ path, isTakeable, isSure }) => (isTakeable && isSure ? path : []))),
  )
  const chosen = differences.flatMap(({ path, after }) => (ticked.has(path) ? { path, value: after } : []))
  if (differences.length === 0) return <p>{t('intake:again.nothingDiffers', { order: about.title })}</p>
  return (
    <>
      <DifferenceRows
        onTick={
          mayChange
            ? (id, isTicked) =>
                setTicked((before) => new Set(isTicked ? [...before, id] : [...before].filter((one) => one !== id)))
            : null
        }
        rows={differences.map(({ path, isTakeable, now, after, isSure }) => ({
          id: path,
          label: labelOf(path),
          now: wordsOf(path, now),
          after: wordsOf(path, after),
          isSure,
          isTicked: isTakeable ? ticked.has(path) : null,
        }))}
      />
      <p>{t('intake:again.restIsSame')}</p>
      {mayChange ? (
        <Button size="compact-sm" disabled={chosen.length === 0} onClick={() => openWith(about, chosen)}>
          {t('intake:change.takeOver', { order: about.title, count: chosen.length })}
        </Button>
      ) : (
        <p>{t('intake:again.closed', { order: about.title, status: t(`order-list:status.${about.status}`) })}</p>
      )}
    </>
  )
}
