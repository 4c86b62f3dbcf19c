import { useDraggable } from '@dnd-kit/core'
import { TextInput } from '@mantine/core'
import { localOf } from '@waybill/contract/kit/local-time'
import type { WaitingCard } from '@waybill/contract/order/planning/board'
import { memo, startTransition, useEffect, useState, type PointerEventHandler, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { CountryCode, KeyHint, Mark } from '../../../ui/marks/marks.tsx'
import { loadOf, placeName } from './board-words.ts'
import classes from './planning.module.css'

/** The orders that match what is typed: by number, customer or town. */
export function matching(cards: readonly WaitingCard[], typed: string): readonly WaitingCard[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return words.length === 0
    ? cards
    : cards.filter(({ number, customer, stops }) => {
        const text = [number, customer.title, ...stops.map(placeName)].join(' ').toLowerCase()
        return words.every((word) => text.includes(word))
      })
}

const dayOf = ({ stops }: WaitingCard): string | null => {
  const [first] = stops
  const at = first?.plannedAt ?? first?.startAt ?? null
  return at === null ? null : localOf(at, first!.timeZone).date
}

interface WaitingListProps {
  cards: readonly WaitingCard[]
  total: number
  typed: string
  finder: RefObject<HTMLInputElement | null>
  /** of the order that is in hand */
  carriedId: number | null
  /** of the order that it is over */
  targetId: number | null
  /** what is in hand would come back into the list */
  isTarget: boolean
  onType: (text: string) => void
}

/** More than fit on a screen: these are drawn with the board, the others behind it. */
const FIRST_CARDS = 40

/** Orders without a route, by the day of their first loading. */
export const WaitingList = memo(function WaitingList(props: WaitingListProps) {
  const { cards, total, typed, finder, carriedId, targetId, isTarget, onType } = props
  const { t } = useTranslation('planning')
  const format = useFormat()
  const [isWhole, setWhole] = useState(cards.length <= FIRST_CARDS)
  useEffect(() => startTransition(() => setWhole(true)), [])
  const counts = new Map([...Map.groupBy(cards, dayOf)].map(([day, ofDay]) => [day, ofDay.length]))
  const days = [...Map.groupBy(isWhole ? cards : cards.slice(0, FIRST_CARDS), dayOf)]
  return (
    <aside className={classes.list} aria-label={t('toPlan')} data-target={isTarget || undefined} data-list>
      <div className={classes.listHead}>
        <b>{t('toPlan')}</b>
        <span className={classes.count}>{format.number(total)}</span>
        <TextInput
          ref={finder}
          size="xs"
          type="search"
          aria-label={t('find')}
          placeholder={t('find')}
          rightSection={<KeyHint>/</KeyHint>}
          value={typed}
          onChange={(event) => onType(event.currentTarget.value)}
        />
      </div>
      <div className={classes.cards}>
        {cards.length === 0 ? (
          <p className={classes.empty}>{t(total === 0 ? 'nothingToPlan' : 'nothingFound')}</p>
        ) : null}
        {days.map(([day, ofDay]) => (
          <section key={day ?? ''}>
            <h3>
              <span>{day === null ? t('noDate') : format.shortWeekdayDate(day)}</span>
              <span>{format.number(counts.get(day)!)}</span>
            </h3>
            <ul>
              {ofDay.map((card) => (
                <li key={card.orderId}>
                  <Card
                    card={card}
                    isFirst={card === cards[0]}
                    isCarried={card.orderId === carriedId}
                    isTarget={card.orderId === targetId}
                  />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </aside>
  )
})

interface CardProps {
  card: WaitingCard
  isFirst: boolean
  isCarried: boolean
  isTarget: boolean
}

const Card = memo(function Card({ card, isFirst, isCarried, isTarget }: CardProps) {
  const { t } = useTranslation(['planning', 'order-list'])
  const format = useFormat()
  const { setNodeRef, listeners } = useDraggable({ id: `card ${card.orderId}`, data: { card } })
  const { onPointerDown } = (listeners ?? {}) as { onPointerDown?: PointerEventHandler }
  const [first, last] = [card.stops[0], card.stops.at(-1)]
  const time = (at: string | null) => (at === null ? '' : format.time(at, first?.timeZone))
  const from = time(first?.startAt ?? null)
  const until = time(first?.endAt ?? null)
  return (
    <button
      ref={setNodeRef}
      type="button"
      className={classes.card}
      title={card.customer.title}
      // Arrow keys go from card to card: of the list Tab reaches one.
      tabIndex={isFirst ? 0 : -1}
      data-card={card.orderId}
      data-carried={isCarried || undefined}
      data-target={isTarget || undefined}
      onPointerDown={onPointerDown}
    >
      <span className={classes.cardLine}>
        <span className={classes.cut}>
          {first === undefined ? card.customer.title : <CountryCode code={first.countryCode} />} {placeName(first)}{' '}
          <span aria-hidden="true">→</span> {last === undefined ? null : <CountryCode code={last.countryCode} />}{' '}
          {placeName(last)}
        </span>
        <span className={classes.money}>
          {card.customerPriceCents === null ? '–' : format.money(card.customerPriceCents)}
        </span>
      </span>
      <span className={classes.cardLine} data-second>
        <span className={classes.cardNumber}>{card.number}</span>
        <span className={classes.cut}>{from === until ? from : `${from}–${until}`}</span>
        {card.disposition === null ? null : (
          <Mark title={t(`order-list:disposition.${card.disposition}`)}>
            {t(`order-list:dispositionShort.${card.disposition}`)}
          </Mark>
        )}
        <span>{loadOf(card.stops, format)}</span>
      </span>
    </button>
  )
})
