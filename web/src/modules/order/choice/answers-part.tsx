import { Button } from '@mantine/core'
import type { CarrierChoices } from '@waybill/contract/order/choice/carrier-choice'
import { stillHolds, type PriceAnswer, type PriceRound } from '@waybill/contract/order/choice/price-round'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { CheckField } from '../../../ui/fields/check-field.tsx'
import { MoneyText } from '../../../ui/marks/marks.tsx'
import classes from './choice.module.css'
import { marginOf, perKmOf } from './money-of.ts'

interface AnswersPartProps {
  choices: CarrierChoices
  round: PriceRound | null
  /** by which prices hold or not: a local date */
  today: string
  currentId: number | null
  tellsOthers: boolean
  isReadOnly: boolean
  onCurrent: (id: number) => void
  onTellOthers: (tells: boolean) => void
  onClose: () => void
}

/** What carriers answered, beside each other: prices first, the cheapest above; then who is still out. */
export function AnswersPart(props: AnswersPartProps) {
  const { choices, round, today, currentId, tellsOthers, isReadOnly, onCurrent, onTellOthers, onClose } = props
  const { t } = useTranslation('carrier-choice')
  const format = useFormat()
  const [now] = useState(() => Date.now())
  if (round === null) return <p className={classes.none}>{t('answers.none')}</p>
  const isOpen = round.closedAt === null
  const answers = round.answers.toSorted((a, b) => heightOf(a) - heightOf(b))
  const priced = answers.filter(({ state }) => state === 'priced').length
  const isOver = Date.parse(round.deadline) <= now
  const standing =
    round.closeReason !== null && round.closedAt !== null
      ? t(`answers.closed.${round.closeReason}`, { when: format.dayTime(round.closedAt) })
      : isOver
        ? t('answers.over')
        : t('answers.open', { when: format.dayTime(round.deadline) })
  return (
    <>
      <div className={classes.head}>
        <p>
          <b>{t('answers.summary', { priced, count: answers.length })}</b>,{' '}
          {t('answers.asked', { when: format.dayTime(round.askedAt) })}, {standing}
          {round.limitCents === null ? null : `, ${t('answers.limit', { limit: format.euro(round.limitCents) })}`}
        </p>
        {isOpen ? (
          <Button size="compact-sm" disabled={isReadOnly} onClick={onClose}>
            {t('answers.close')}
          </Button>
        ) : null}
      </div>
      <div className={classes.scroll}>
        <table className={`${classes.table} ${classes.answers}`} aria-label={t('tabs.answers')}>
          <thead>
            <tr>
              <th>{t('columns.carrier')}</th>
              <th data-end>{t('answers.price')}</th>
              <th data-end>{t('answers.perKm')}</th>
              <th data-end>{t('columns.margin')}</th>
              <th data-end>{t('answers.toLast')}</th>
              <th>{t('answers.holds')}</th>
              <th>{t('answers.says')}</th>
            </tr>
          </thead>
          <tbody>
            {answers.map((one) => (
              <AnswerRow
                key={one.id}
                choices={choices}
                answer={one}
                limitCents={round.limitCents}
                isOver={!stillHolds(one, today)}
                isTaken={one.id === round.takenAnswerId}
                isCurrent={isOpen && one.id === currentId}
                isOpen={isOpen}
                onCurrent={onCurrent}
              />
            ))}
          </tbody>
        </table>
      </div>
      {isOpen && priced > 0 ? (
        <>
          <CheckField
            label={t('answers.tellOthers')}
            checked={tellsOthers}
            disabled={isReadOnly}
            onChange={(event) => onTellOthers(event.currentTarget.checked)}
          />
          <p className={classes.sentence}>{t('answers.means')}</p>
        </>
      ) : null}
    </>
  )
}

const LAST = Number.MAX_SAFE_INTEGER

/** The cheapest above, then who has not answered, then who declined. */
const heightOf = ({ state, priceCents }: PriceAnswer): number =>
  state === 'priced' ? (priceCents ?? 0) : state === 'asked' ? LAST - 1 : LAST

interface AnswerRowProps {
  choices: CarrierChoices
  answer: PriceAnswer
  limitCents: number | null
  /** its price holds no longer */
  isOver: boolean
  isTaken: boolean
  isCurrent: boolean
  isOpen: boolean
  onCurrent: (id: number) => void
}

function AnswerRow(props: AnswerRowProps) {
  const { choices, answer, limitCents, isOver, isTaken, isCurrent, isOpen, onCurrent } = props
  const { t } = useTranslation('carrier-choice')
  const format = useFormat()
  const { id, carrierCompany, priceCents, state, answeredAt, holdsUntil, remark } = answer
  const name = (
    <>
      <b className={classes.name}>{carrierCompany.title}</b>
      <span className={classes.dim}>
        {answeredAt === null ? answer.email : t('answers.answered', { when: format.dayTime(answeredAt) })}
      </span>
    </>
  )
  if (priceCents === null)
    return (
      <tr data-quiet>
        <td>{name}</td>
        <td colSpan={5}>{t(state === 'declined' ? 'answers.declined' : 'answers.waiting')}</td>
        <td>{remark}</td>
      </tr>
    )
  const { incomeCents, marginBp, tone } = marginOf(choices, priceCents)
  const last = choices.items.find((one) => one.id === carrierCompany.id)?.prices[0]?.priceCents ?? null
  const perKm = perKmOf(priceCents, choices.distanceKm)
  const difference = last === null ? null : priceCents - last
  return (
    <tr
      data-current={isCurrent || isTaken || undefined}
      onClick={() => (isOpen && !isOver ? onCurrent(id) : undefined)}
    >
      <td>
        <label className={classes.pick}>
          {isOpen ? (
            <input
              type="radio"
              name="answer"
              checked={isCurrent}
              disabled={isOver}
              aria-label={carrierCompany.title}
              onChange={() => onCurrent(id)}
            />
          ) : null}
          <span>{name}</span>
        </label>
      </td>
      <td data-end>
        <b>{format.money(priceCents)}</b>
        {limitCents !== null && priceCents > limitCents ? (
          <span className={classes.above}>{t('answers.aboveLimit')}</span>
        ) : null}
      </td>
      <td data-end>{perKm === null ? '–' : format.money(perKm)}</td>
      <td data-end>
        {incomeCents === null ? (
          '–'
        ) : (
          <>
            <MoneyText tone={tone} isStrong>
              {format.money(incomeCents)}
            </MoneyText>
            <span className={classes.dim}>
              {marginBp === null ? '' : format.percent(Math.round(marginBp / 10) * 10)}
            </span>
          </>
        )}
      </td>
      <td data-end>{difference === null ? '–' : `${difference > 0 ? '+' : ''}${format.money(difference)}`}</td>
      <td>
        {holdsUntil === null ? '–' : format.date(holdsUntil)}
        {isOver ? <span className={classes.above}>{t('answers.holdsNoLonger')}</span> : null}
      </td>
      <td>{remark}</td>
    </tr>
  )
}
