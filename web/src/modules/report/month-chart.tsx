import type { MarginReport } from '@waybill/contract/report/report'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../ui/marks/icon-button.tsx'
import { Section } from '../../ui/page/section.tsx'
import { scaleOf } from './chart-scale.ts'
import { useReportWords } from './report-words.ts'
import classes from './report.module.css'

const WIDTH = 316
const HEIGHT = 176
const LEFT = 34
const TOP = 10
const BOTTOM = 156

type Months = MarginReport['months']

/** Margin month by month beside the year before, as bars or as a table. */
export function MonthChart({ months, years }: { months: Months; years: { now: string; before: string } }) {
  const { t } = useTranslation('report')
  const [isTable, setTable] = useState(false)
  return (
    <Section
      headingLevel={2}
      title={t('chart.title')}
      actions={
        <IconButton
          icon={isTable ? 'chart' : 'list'}
          label={t(isTable ? 'chart.asChart' : 'chart.asTable')}
          onClick={() => setTable(!isTable)}
        />
      }
      isFlush
    >
      {isTable ? <MonthTable months={months} years={years} /> : <Bars months={months} years={years} />}
    </Section>
  )
}

function Bars({ months, years }: { months: Months; years: { now: string; before: string } }) {
  const { t } = useTranslation('report')
  const { monthLetter, monthOf, euros } = useReportWords()
  const { least, most, lines, unit } = scaleOf(
    months.flatMap(({ incomeCents, beforeCents }) => [incomeCents, beforeCents]),
  )
  const y = (cents: number) => BOTTOM - ((cents - least) * (BOTTOM - TOP)) / (most - least)
  const room = (WIDTH - LEFT) / months.length
  const thick = Math.min(11, room * 0.42)
  const bar = (cents: number) => ({ y: Math.min(y(cents), y(0)), height: Math.max(0, Math.abs(y(cents) - y(0))) })
  const every = Math.ceil(months.length / 12)
  return (
    <div className={classes.chart}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={t('chart.described', years)}>
        {lines.map((cents) => (
          <g key={cents}>
            <line x1={LEFT - 4} x2={WIDTH} y1={y(cents)} y2={y(cents)} />
            <text x={LEFT - 8} y={y(cents) + 4} textAnchor="end">
              {cents / 100 / unit}
            </text>
          </g>
        ))}
        {months.map(({ month, incomeCents, beforeCents }, place) => {
          const middle = LEFT + room * (place + 0.5)
          return (
            <g key={month}>
              <title>{`${monthOf(month)}: ${euros(incomeCents)} € (${years.before}: ${euros(beforeCents)} €)`}</title>
              <rect data-before x={middle - thick} width={thick} {...bar(beforeCents)} />
              <rect data-now x={middle} width={thick} {...bar(incomeCents)} />
              {place % every === 0 ? (
                <text x={middle} y={HEIGHT - 4} textAnchor="middle">
                  {monthLetter(month)}
                </text>
              ) : null}
            </g>
          )
        })}
      </svg>
      <p className={classes.legend}>
        <span data-now>{years.now}</span>
        <span data-before>{years.before}</span>
        <span className={classes.unit}>{t(unit === 1000 ? 'chart.thousands' : 'chart.euros')}</span>
      </p>
    </div>
  )
}

function MonthTable({ months, years }: { months: Months; years: { now: string; before: string } }) {
  const { t } = useTranslation('report')
  const { monthOf, euros } = useReportWords()
  return (
    <table className={classes.small}>
      <thead>
        <tr>
          <th scope="col">{t('group.month')}</th>
          <th scope="col">{years.now} €</th>
          <th scope="col">{years.before} €</th>
        </tr>
      </thead>
      <tbody>
        {months.map(({ month, incomeCents, beforeCents }) => (
          <tr key={month}>
            <th scope="row">{monthOf(month)}</th>
            <td>{euros(incomeCents)}</td>
            <td>{euros(beforeCents)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
