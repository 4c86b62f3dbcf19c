import type { LaneCosts } from '@waybill/contract/quote/rate-card'
import type { CostSource } from '@waybill/contract/quote/quote'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { KeyHint } from '../../ui/marks/marks.tsx'
import { FigureField, MoneyField } from './figure-field.tsx'
import classes from './quote.module.css'
import type { QuoteValues } from './quote-values.ts'

type Shown = Exclude<CostSource, 'typed'>
const SHOWN: readonly Shown[] = ['history', 'card', 'asked']

/** What a source says the transport costs; null where it says nothing. */
function centsOf(costs: LaneCosts | undefined, source: Shown): number | null {
  if (costs === undefined) return null
  if (source === 'history') return costs.history?.middleCents ?? null
  return source === 'card' ? (costs.buy?.totalCents ?? null) : (costs.asked?.lowestCents ?? null)
}

interface CostPartProps {
  values: QuoteValues
  costs: LaneCosts | undefined
  isReadOnly: boolean
  onChoose: (source: CostSource, cents: number | null) => void
  onDistance: (km: number | null) => void
}

/** What it will cost us: three sources beside each other, one of them counts; or what somebody types. */
export function CostPart({ values, costs, isReadOnly, onChoose, onDistance }: CostPartProps) {
  const { t } = useTranslation('quote')
  const format = useFormat()
  const words = (source: Shown): string => {
    if (source === 'history' && costs?.history) {
      const { tripCount, lowestCents, highestCents } = costs.history
      const range =
        tripCount === 1 || lowestCents === null || highestCents === null
          ? ''
          : t('cost.between', { low: format.money(lowestCents), high: format.money(highestCents) })
      return [t('cost.trips', { count: tripCount }), range].filter(Boolean).join(' · ')
    }
    if (source === 'card' && costs?.buy) {
      const { title, owner, fuelBp } = costs.buy
      return [title, owner?.title ?? '', fuelBp > 0 ? t('cost.fuel', { percent: format.percent(fuelBp) }) : '']
        .filter(Boolean)
        .join(' · ')
    }
    if (source === 'asked' && costs?.asked) {
      const { answerCount, carrier, heldUntil } = costs.asked
      const held = heldUntil === null ? '' : t('cost.heldUntil', { day: format.day(heldUntil) })
      return [t('cost.answers', { count: answerCount }), carrier, held].filter(Boolean).join(' · ')
    }
    return t(`cost.none.${source}`)
  }
  return (
    <>
      <div className={classes.sources}>
        {SHOWN.map((source, index) => {
          const cents = centsOf(costs, source)
          const key = String(index + 1)
          return (
            <SourceButton
              key={source}
              label={t(`cost.${source}`)}
              keyName={key}
              value={cents === null ? '–' : format.euro(cents)}
              words={words(source)}
              isOld={source === 'asked' && costs?.asked?.heldUntil != null}
              isChosen={values.costSource === source}
              isOff={isReadOnly || cents === null}
              onChoose={() => onChoose(source, cents)}
            />
          )
        })}
      </div>
      <div className={classes.four}>
        <MoneyField
          label={t('fields.costCents')}
          note={values.costSource === null ? undefined : t(`cost.${values.costSource}`)}
          readOnly={isReadOnly}
          value={values.costCents}
          onChange={(cents) => onChoose('typed', cents)}
        />
        <FigureField
          label={t('fields.distanceKm')}
          unit="km"
          places={[0, 1]}
          readOnly={isReadOnly}
          value={values.distanceKm}
          onChange={onDistance}
        />
      </div>
    </>
  )
}

function SourceButton({
  label,
  keyName,
  value,
  words,
  isOld,
  isChosen,
  isOff,
  onChoose,
}: {
  label: string
  keyName: string
  value: string
  words: string
  /** a price that holds no longer */
  isOld: boolean
  isChosen: boolean
  isOff: boolean
  onChoose: () => void
}) {
  useShortcut({ key: keyName, label, run: onChoose }, !isOff)
  return (
    <button type="button" className={classes.source} aria-pressed={isChosen} disabled={isOff} onClick={onChoose}>
      <span className={classes.sourceHead}>
        <span className={classes.dot} data-on={isChosen || undefined} aria-hidden />
        <b>{label}</b>
        <KeyHint>{keyName}</KeyHint>
      </span>
      <span className={classes.sourceValue} data-old={isOld || undefined}>
        {value}
      </span>
      <span className={classes.dim}>{words}</span>
    </button>
  )
}
