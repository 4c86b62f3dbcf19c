import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { KnownOrder } from '@waybill/contract/order/intake/mail-draft'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../kit/api/api-error.ts'
import type { ValueStore } from '../../../kit/form/state/value-store.ts'
import { useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { Notice } from '../../../ui/notices/notice.tsx'
import type { OrderValues } from '../values/draft.ts'
import { orderPath } from '../values/paths.ts'
import type { useFiling } from './change-list.tsx'
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
}: {
  again: Known
  isChosen: boolean
  onSecond: () => void
  filing: ReturnType<typeof useFiling>
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
    </Notice>
  )
}
