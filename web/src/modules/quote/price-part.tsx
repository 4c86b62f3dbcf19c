import { Button } from '@mantine/core'
import { marginBpOf, priceForMargin } from '@waybill/contract/quote/pricing'
import type { LaneCosts } from '@waybill/contract/quote/rate-card'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { MoneyText } from '../../ui/marks/marks.tsx'
import { FigureField, MoneyField } from './figure-field.tsx'
import classes from './quote.module.css'
import type { QuoteValues } from './quote-values.ts'

/** A figure that is there and can be read. */
export const known = (value: number | null): number | null => (value === null || Number.isNaN(value) ? null : value)

/** The price at which the margin that is aimed at remains; null while the cost is not known. */
export function proposedFor({ costCents, targetBp }: QuoteValues): number | null {
  const cost = known(costCents)
  return cost === null ? null : priceForMargin(cost, Math.min(known(targetBp) ?? 0, 9000))
}

interface PricePartProps {
  values: QuoteValues
  costs: LaneCosts | undefined
  customer: string
  isReadOnly: boolean
  onTarget: (bp: number | null) => void
  onPrice: (cents: number | null) => void
}

/** From the cost to the price; beside it what this customer took and refused. */
export function PricePart({ values, costs, customer, isReadOnly, onTarget, onPrice }: PricePartProps) {
  const { t } = useTranslation('quote')
  const format = useFormat()
  const cost = known(values.costCents)
  const price = known(values.priceCents)
  const proposed = proposedFor(values)
  const marginBp = cost === null || price === null ? null : marginBpOf(price, cost)
  const sell = costs?.sell ?? null
  const take = (label: string, cents: number | null) =>
    cents === null || cents === price || isReadOnly ? null : (
      <Button size="compact-sm" variant="default" aria-label={label} onClick={() => onPrice(cents)}>
        {t('price.take')}
      </Button>
    )
  return (
    <div className={classes.price}>
      <table className={classes.sum}>
        <tbody>
          <tr>
            <th scope="row">{t('price.cost')}</th>
            <td />
            <td>{cost === null ? '–' : format.money(cost)}</td>
          </tr>
          <tr>
            <th scope="row">{t('fields.targetBp')}</th>
            <td>
              <FigureField
                label={<span className={classes.hidden}>{t('fields.targetBp')}</span>}
                unit="%"
                scale={100}
                places={[0, 2]}
                readOnly={isReadOnly}
                value={values.targetBp}
                onChange={(bp) => onTarget(bp !== null && bp > 9000 ? Number.NaN : bp)}
              />
            </td>
            <td>{proposed === null || cost === null ? '–' : format.money(proposed - cost)}</td>
          </tr>
          <tr>
            <th scope="row">{t('price.proposed')}</th>
            <td>{take(t('price.takeProposed'), proposed)}</td>
            <td>{proposed === null ? '–' : format.money(proposed)}</td>
          </tr>
          {sell === null ? null : (
            <tr>
              <th scope="row">
                {t('price.byCard')} <span className={classes.dim}>{sell.title}</span>
              </th>
              <td>{take(t('price.takeCard'), sell.totalCents)}</td>
              <td>{format.money(sell.totalCents)}</td>
            </tr>
          )}
          <tr data-sum>
            <th scope="row">{t('fields.priceCents')}</th>
            <td>
              {marginBp === null || cost === null || price === null ? null : (
                <MoneyText tone={marginBp < 0 ? 'negative' : 'positive'} isStrong>
                  {format.euro(price - cost)} · {format.percent(marginBp)}
                </MoneyText>
              )}
            </td>
            <td>
              <MoneyField
                label={<span className={classes.hidden}>{t('fields.priceCents')}</span>}
                readOnly={isReadOnly}
                value={values.priceCents}
                onChange={onPrice}
              />
            </td>
          </tr>
        </tbody>
      </table>
      <div className={classes.ladder}>
        <p className={classes.dim}>{t('ladder.title', { customer })}</p>
        {costs === undefined || costs.answered.length === 0 ? (
          <p className={classes.dim}>{t('ladder.nothing')}</p>
        ) : (
          <Ladder costs={costs} cost={cost} price={price} />
        )}
      </div>
    </div>
  )
}

/** Cost, our price, and answers of the customer on one scale. */
function Ladder({ costs, cost, price }: { costs: LaneCosts; cost: number | null; price: number | null }) {
  const { t } = useTranslation('quote')
  const format = useFormat()
  const all = [...costs.answered.map(({ priceCents }) => priceCents), cost, price].filter((one) => one !== null)
  const [least, most] = [Math.min(...all), Math.max(...all)]
  // A tenth on either side, so that no mark lies on the edge.
  const room = Math.max(1000, Math.round((most - least) * 0.1))
  const at = (amount: number) => ({ left: `${((amount - least + room) * 100) / (most - least + 2 * room)}%` })
  const listed = (isAccepted: boolean) =>
    format.list(
      costs.answered.filter((one) => one.isAccepted === isAccepted).map((one) => format.money(one.priceCents)),
    )
  const said = [
    cost === null ? '' : `${t('ladder.cost')} ${format.money(cost)}`,
    price === null ? '' : `${t('ladder.price')} ${format.money(price)}`,
    `${t('ladder.accepted')} ${listed(true) || '–'}`,
    `${t('ladder.refused')} ${listed(false) || '–'}`,
  ]
  return (
    <>
      <div className={classes.scale} role="img" aria-label={said.filter(Boolean).join('; ')}>
        {costs.answered.map(({ id, priceCents, isAccepted, number }) => (
          <span
            key={id}
            className={classes.answered}
            data-good={isAccepted || undefined}
            style={at(priceCents)}
            title={`${number}: ${format.money(priceCents)}`}
          >
            <Icon name={isAccepted ? 'check' : 'close'} size={13} />
          </span>
        ))}
        {cost === null ? null : (
          <span className={classes.line} style={at(cost)}>
            <u>{t('ladder.cost')}</u>
          </span>
        )}
        {price === null ? null : (
          <span className={classes.line} data-price style={at(price)}>
            <u>{format.money(price)}</u>
          </span>
        )}
      </div>
      <p className={classes.dim}>
        {t('ladder.accepted')} {listed(true) || '–'} · {t('ladder.refused')} {listed(false) || '–'}
      </p>
    </>
  )
}
