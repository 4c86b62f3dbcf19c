import { addDays } from '@waybill/contract/kit/local-time'
import { templateDayOf } from '@waybill/contract/order/recurring/pattern'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { CountryCode, StopMark } from '../../ui/marks/marks.tsx'
import type { Template } from './recurring-values.ts'
import { timesOf } from './recurring-words.ts'
import classes from './recurring.module.css'

const daysBetween = (first: string, second: string): number => {
  let days = 0
  for (let day = first; day < second; day = addDays(day, 1)) days += 1
  return days
}

/** What every order begins with: whose it is, its stops with their hours, its goods, price and carriers. */
export function TemplatePart({ template }: { template: Template }) {
  const { t } = useTranslation('recurring-order')
  const format = useFormat()
  const { customers, caseWorker, managers, stops, cargo, customerPriceCents, routes } = template
  const base = templateDayOf(stops)
  return (
    <dl className={classes.facts}>
      <dt>{t('template.customer')}</dt>
      <dd>{customers.map(({ title }) => title).join(', ')}</dd>
      <dt>{t('template.managers')}</dt>
      <dd>{[...new Set([caseWorker, ...managers].flatMap((person) => person?.title ?? []))].join(', ') || '–'}</dd>
      <dt>{t('template.stops')}</dt>
      <dd>
        <ol className={classes.stops}>
          {[...stops.entries()].map(([place, { countryCode, postal, city, companyTitle, termin }]) => {
            const offset = termin === null || base === null ? 0 : daysBetween(base, termin.dateFrom)
            return (
              // Stops of a template have no ids, and stand where they stand.
              <li key={place}>
                <StopMark position={place + 1} size={16} /> <CountryCode code={countryCode} />{' '}
                {[postal, city].filter(Boolean).join(' ')}
                <span className={classes.times}>
                  {[
                    offset === 0 ? '' : t('template.daysLater', { count: offset }),
                    termin === null ? '' : timesOf(termin),
                  ]
                    .filter(Boolean)
                    .join(', ')}
                </span>
                {companyTitle === null ? null : <span className={classes.firm}>{companyTitle}</span>}
              </li>
            )
          })}
        </ol>
      </dd>
      <dt>{t('template.cargo')}</dt>
      <dd>
        {cargo.length === 0
          ? '–'
          : cargo
              .map(({ title, quantity, unitType, weightKg, ldm }) =>
                [
                  `${format.number(quantity)} ${unitType ?? '×'} ${title ?? ''}`.trim(),
                  weightKg === null ? '' : `${format.number(weightKg)} kg`,
                  ldm === null ? '' : `${format.number(ldm)} ${t('template.ldm')}`,
                ]
                  .filter(Boolean)
                  .join(', '),
              )
              .join('; ')}
      </dd>
      <dt>{t('template.price')}</dt>
      <dd>{customerPriceCents === null ? '–' : format.euro(customerPriceCents)}</dd>
      <dt>{t('template.carrier')}</dt>
      <dd>
        {routes.length === 0
          ? t('template.noRoutes')
          : routes
              .map(({ carrierCompany, ownFleet, costCents }) =>
                [
                  ownFleet ? t('template.ownFleet') : (carrierCompany?.title ?? '–'),
                  costCents === null ? '' : format.euro(costCents),
                ]
                  .filter(Boolean)
                  .join(', '),
              )
              .join('; ')}
      </dd>
    </dl>
  )
}
