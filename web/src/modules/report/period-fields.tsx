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

interface Fields {
  view: ReportView
  go: (change: Partial<ReportView>) => void
}

/** From which month to which, and of which department. */
export function PeriodFields({ view, go }: Fields) {
  const { t } = useTranslation('report')
  const { monthOf } = useReportWords()
  const thisMonth = localToday().slice(0, 7)
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
      <DepartmentField view={view} go={go} />
    </>
  )
}

/** Of which department. */
export function DepartmentField({ view, go }: Fields) {
  const { t } = useTranslation('report')
  const departments = useReferences(departmentApi, '', true)
  return (
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
  )
}

/** Where each report stands. */
export const REPORTS = {
  margin: '/reports',
  losses: '/reports/losses',
  punctuality: '/reports/punctuality',
  pods: '/reports/open-pods',
  times: '/reports/times',
  emission: '/reports/emission',
} as const
export type ReportName = keyof typeof REPORTS

/** From one report to the other, with the same period; each is grouped by what it is mostly asked for. */
export function ReportSwitch({ current, view }: { current: ReportName; view: ReportView }) {
  const { t } = useTranslation('report')
  const navigate = useNavigate()
  const { by: _by, ...search } = writeReport(view)
  return (
    <div className={classes.groups}>
      <Segmented
        label={t('report.label')}
        isSmall
        value={current}
        onChange={(next) => void navigate({ to: REPORTS[next] as string, search: search as never })}
        options={(Object.keys(REPORTS) as ReportName[]).map((value) => ({ value, label: t(`report.${value}`) }))}
      />
    </div>
  )
}
