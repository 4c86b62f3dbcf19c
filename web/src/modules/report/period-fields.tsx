import { Select } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { departmentApi } from '@waybill/contract/department'
import { MOST_REPORT_MONTHS, shiftMonth } from '@waybill/contract/kit/months'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { localToday } from '../../kit/list/filter/filters.ts'
import { useReferences } from '../../kit/list/reference/references.ts'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { writeReport, type ReportView } from './report-address.ts'
import { useReportWords } from './report-words.ts'
import classes from './report.module.css'

/** Months that are offered, some of them ahead: something may be unloaded there already. */
const OFFERED = 48
const AHEAD = 3

const latest = (one: string, other: string): string => (one > other ? one : other)
const earliest = (one: string, other: string): string => (one < other ? one : other)

/** From which month to which, and of which department. */
export function PeriodFields({ view, go }: { view: ReportView; go: (change: Partial<ReportView>) => void }) {
  const { t } = useTranslation('report')
  const { monthOf } = useReportWords()
  const thisMonth = localToday().slice(0, 7)
  const departments = useReferences(departmentApi, '', true)
  const months = useMemo(
    () => Array.from({ length: OFFERED }, (_, index) => shiftMonth(thisMonth, AHEAD - index)),
    [thisMonth],
  )
  const options = [...new Set([...months, view.from, view.to])]
    .sort((one, other) => other.localeCompare(one))
    .map((month) => ({ value: month, label: monthOf(month) }))
  return (
    <>
      <div className={classes.period}>
        <div className={classes.month}>
          <Select
            size="xs"
            aria-label={t('from')}
            data={options}
            value={view.from}
            allowDeselect={false}
            onChange={(from) =>
              from !== null &&
              go({ from, to: earliest(latest(view.to, from), shiftMonth(from, MOST_REPORT_MONTHS - 1)) })
            }
          />
        </div>
        <span aria-hidden="true">–</span>
        <div className={classes.month}>
          <Select
            size="xs"
            aria-label={t('to')}
            data={options}
            value={view.to}
            allowDeselect={false}
            onChange={(to) =>
              to !== null && go({ to, from: latest(earliest(view.from, to), shiftMonth(to, 1 - MOST_REPORT_MONTHS)) })
            }
          />
        </div>
      </div>
      <div className={classes.department}>
        <Select
          size="xs"
          aria-label={t('group.department')}
          placeholder={t('allDepartments')}
          clearable
          data={departments.items.map(({ id, title }) => ({ value: String(id), label: title }))}
          value={view.departmentId === null ? null : String(view.departmentId)}
          onChange={(id) => go({ departmentId: id === null ? null : Number(id) })}
        />
      </div>
    </>
  )
}

const REPORTS = { margin: '/reports', emission: '/reports/emission' } as const

/** From one report to the other, with the same period. */
export function ReportSwitch({ current, view }: { current: keyof typeof REPORTS; view: ReportView }) {
  const { t } = useTranslation('report')
  const navigate = useNavigate()
  return (
    <Segmented
      label={t('report.label')}
      isSmall
      value={current}
      onChange={(next) => void navigate({ to: REPORTS[next] as string, search: writeReport(view) as never })}
      options={[
        { value: 'margin', label: t('report.margin') },
        { value: 'emission', label: t('report.emission') },
      ]}
    />
  )
}
