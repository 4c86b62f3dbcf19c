import type { FailedJob, Operations } from '@waybill/contract/operations/overview'
import { Button } from '@mantine/core'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { DataTable, type Column } from '../../ui/page/data-table.tsx'
import { Count } from '../../ui/marks/marks.tsx'
import classes from './operations-page.module.css'

type Job = NonNullable<Operations['jobs']>[number]
type Numbered<Row> = Row & { place: number }

const numbered = <Row,>(rows: readonly Row[]): Numbered<Row>[] => rows.map((row, place) => ({ ...row, place }))

/** What a job does, in words; those that a newer version has brought are called as it calls them. */
export function useJobName(): (name: string) => string {
  const { t } = useTranslation('operations')
  return useCallback((name) => t(`job.${name}`, { defaultValue: name }), [t])
}

interface FailedActs {
  isBusy: boolean
  onRetry: (job: FailedJob) => void
  onRemove: (job: FailedJob) => void
}

/** Those that are tried no more. */
export function FailedJobs({ jobs, isBusy, onRetry, onRemove }: FailedActs & { jobs: readonly FailedJob[] | null }) {
  const { t } = useTranslation('operations')
  const jobName = useJobName()
  const rows = useMemo(() => numbered(jobs ?? []), [jobs])
  const columns = useFailedColumns({ isBusy, onRetry, onRemove })
  if (jobs === null) return <p className={classes.none}>{t('unknown')}</p>
  if (rows.length === 0) return <p className={classes.none}>{t('jobs.noneFailed')}</p>
  return (
    <DataTable
      label={t('jobs.failed')}
      columns={columns}
      rows={rows}
      rowKey={({ place }) => place}
      rowName={({ name }) => jobName(name)}
      phoneGrid='"job" auto "time" auto "acts" auto / minmax(0, 1fr)'
      minWidth={640}
    />
  )
}

/** All kinds of jobs: those with work first. */
export function Jobs({ jobs }: { jobs: readonly Job[] | null }) {
  const { t } = useTranslation('operations')
  const jobName = useJobName()
  const rows = useMemo(
    () => numbered([...(jobs ?? [])].sort((a, b) => b.waiting + b.active + b.failed - a.waiting - a.active - a.failed)),
    [jobs],
  )
  const columns = useJobColumns()
  if (jobs === null) return <p className={classes.none}>{t('unknown')}</p>
  return (
    <DataTable
      label={t('jobs.title')}
      columns={columns}
      rows={rows}
      rowKey={({ place }) => place}
      rowName={({ name }) => jobName(name)}
      phoneGrid='"job job job" auto "waiting active failed" auto / minmax(0, 1fr) minmax(0, 1fr) minmax(0, 1fr)'
      minWidth={640}
    />
  )
}

function useFailedColumns({ isBusy, onRetry, onRemove }: FailedActs): Column<Numbered<FailedJob>>[] {
  const { t } = useTranslation('operations')
  const format = useFormat()
  const jobName = useJobName()
  return useMemo(
    (): Column<Numbered<FailedJob>>[] => [
      {
        key: 'job',
        head: t('jobs.job'),
        cell: ({ name, id }) => (
          <span className={classes.words} title={t('jobs.logId', { id })}>
            {jobName(name)} <span className={classes.dim}>{id.slice(0, 8)}</span>
          </span>
        ),
      },
      { key: 'time', head: t('jobs.failedAt'), width: 170, cell: ({ failedAt }) => format.dateTime(failedAt) },
      {
        key: 'tries',
        head: t('jobs.tries'),
        width: 80,
        align: 'end',
        isHiddenOnPhone: true,
        cell: ({ tries }) => format.number(tries),
      },
      {
        key: 'acts',
        head: '',
        width: 260,
        cell: (job) => (
          <span className={classes.acts}>
            <Button
              size="compact-xs"
              variant="default"
              disabled={isBusy}
              aria-label={t('jobs.retryOf', { job: jobName(job.name) })}
              onClick={() => onRetry(job)}
            >
              {t('jobs.retry')}
            </Button>
            <Button
              size="compact-xs"
              variant="subtle"
              disabled={isBusy}
              aria-label={t('jobs.removeOf', { job: jobName(job.name) })}
              onClick={() => onRemove(job)}
            >
              {t('jobs.remove')}
            </Button>
          </span>
        ),
      },
    ],
    [t, format, jobName, isBusy, onRetry, onRemove],
  )
}

function useJobColumns(): Column<Numbered<Job>>[] {
  const { t } = useTranslation('operations')
  const format = useFormat()
  const jobName = useJobName()
  return useMemo(
    (): Column<Numbered<Job>>[] => [
      { key: 'job', head: t('jobs.job'), cell: ({ name }) => <span className={classes.words}>{jobName(name)}</span> },
      ...(['waiting', 'active', 'failed'] as const).map(
        (key): Column<Numbered<Job>> => ({
          key,
          head: t(`jobs.${key === 'failed' ? 'failedCount' : key}`),
          width: 110,
          align: 'end',
          cell: (job) => (
            <span className={job[key] === 0 ? classes.dim : undefined}>
              <span className={classes.phoneHead}>{t(`jobs.${key === 'failed' ? 'failedCount' : key}`)} </span>
              {key === 'failed' && job.failed > 0 ? (
                <Count tone="danger">{format.number(job.failed)}</Count>
              ) : (
                format.number(job[key])
              )}
            </span>
          ),
        }),
      ),
      {
        key: 'oldest',
        head: t('jobs.oldest'),
        width: 150,
        align: 'end',
        isHiddenOnPhone: true,
        cell: ({ waiting, oldestSeconds }) =>
          waiting === 0 ? '' : t('jobs.minutes', { count: Math.floor(oldestSeconds / 60) }),
      },
    ],
    [t, format, jobName],
  )
}
