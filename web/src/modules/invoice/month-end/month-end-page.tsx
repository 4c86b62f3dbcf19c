import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { isRunOver } from '@waybill/contract/invoice/month-end/month-end'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { localToday } from '../../../kit/list/filter/filters.ts'
import { useLiveChanges } from '../../../kit/live/use-live-changes.ts'
import { readGroupFilter } from '../../../kit/session/token-store.ts'
import { CheckField } from '../../../ui/fields/check-field.tsx'
import { SelectField } from '../../../ui/fields/select-field.tsx'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { DayField } from '../../typed-day/day-select.tsx'
import { InvoiceTabs } from '../invoice-tabs-section.tsx'
import classes from './month-end.module.css'
import { Proposal } from './proposal.tsx'
import { Run } from './run.tsx'
import { useChoice } from './use-choice.ts'
import { companiesQuery, monthEndQuery, usualUntil, type Asked } from './use-month-end.ts'

interface Address {
  company?: unknown
  until?: unknown
  all?: unknown
  customer?: unknown
  view?: unknown
  run?: unknown
}

const idOf = (value: unknown): number | null =>
  Number.isSafeInteger(Number(value)) && Number(value) > 0 ? Number(value) : null

/** What the customers of a period's end are billed, and the run that sends it. All of it stands in the address. */
export function MonthEndPage() {
  const { t } = useTranslation('month-end')
  const format = useFormat()
  const navigate = useNavigate()
  const client = useQueryClient()
  const search = useSearch({ strict: false }) as Address
  const companies = useQuery(companiesQuery)
  const ours = (companies.data?.items ?? []).filter(({ id }) => [0, id].includes(readGroupFilter()))
  // The oldest of our companies is the main one.
  const main = ours.toSorted((a, b) => a.id - b.id)[0]
  const companyId = ours.find(({ id }) => id === idOf(search.company))?.id ?? main?.id ?? null
  const until =
    typeof search.until === 'string' && /^\d{4}-\d\d-\d\d$/.test(search.until) ? search.until : usualUntil(localToday())
  const asked: Asked | null =
    companyId === null ? null : { companyId, until, all: search.all === 1 || search.all === '1' }
  const monthEnd = useQuery(monthEndQuery(asked))
  const choice = useChoice()

  const last = monthEnd.data?.run ?? null
  // A run that is being sent is what there is to see, wherever one comes from.
  const runId = idOf(search.run) ?? (last !== null && !isRunOver(last.status) ? last.id : null)
  // While a run is shown, what is proposed is read anew when one goes back to it.
  const readAnew = () =>
    void client.invalidateQueries({ queryKey: runId === null ? ['month-end'] : ['month-end', 'run'] })
  useLiveChanges('invoiceRun', readAnew)
  useLiveChanges(runId === null ? 'order' : null, readAnew)
  const go = (next: Partial<Record<keyof Address, string | number | undefined>>, replace = true) =>
    void navigate({
      to: '/invoices/month-end' as string,
      search: { ...search, ...next } as never,
      replace,
      resetScroll: false,
    })
  const startedRun = (id: number) => go({ run: id, customer: undefined, view: undefined }, false)
  const error = companies.error ?? monthEnd.error
  return (
    <div className={classes.page} data-chosen={idOf(search.customer) !== null || undefined}>
      <PageHead
        title={t('title')}
        note={
          runId === null && last !== null ? (
            <button type="button" className={classes.link} onClick={() => go({ run: last.id, customer: undefined })}>
              {t('lastRun', { date: format.dayTime(last.createdAt) })}
            </button>
          ) : null
        }
        actions={
          <Button renderRoot={(props) => <Link to={'/invoices/bookkeeping' as string} {...props} />}>
            {t('bookkeeping')}
          </Button>
        }
      />
      <InvoiceTabs current="monthEnd" />
      <div className={classes.choice}>
        <DayField label={t('until')} value={until} onChange={(day) => go({ until: day })} />
        <SelectField
          label={t('company')}
          className={classes.company}
          allowDeselect={false}
          data={ours.map(({ id, title }) => ({ value: String(id), label: title }))}
          value={companyId === null ? null : String(companyId)}
          onChange={(value) => go({ company: Number(value), customer: undefined, run: undefined })}
        />
        <CheckField
          className={classes.all}
          label={t('all')}
          checked={asked?.all ?? false}
          onChange={(event) => go({ all: event.currentTarget.checked ? 1 : undefined, customer: undefined })}
        />
      </div>
      {error ? (
        <LoadError error={error} onRetry={() => void (companies.error ? companies : monthEnd).refetch()} />
      ) : runId !== null ? (
        <Run
          key={runId}
          id={runId}
          itemId={idOf(search.customer)}
          onItem={(id) => go({ customer: id ?? undefined })}
          onLeave={(again) => {
            if (again.length > 0) choice.onlyThese(monthEnd.data?.items.map(({ customer }) => customer.id) ?? [], again)
            go({ run: undefined, customer: again[0] })
            void client.invalidateQueries({ queryKey: ['month-end'] })
          }}
          onStarted={startedRun}
        />
      ) : (
        <Proposal
          asked={asked}
          monthEnd={monthEnd.data}
          isBusy={monthEnd.isPlaceholderData}
          choice={choice}
          customerId={idOf(search.customer)}
          isPaper={search.view === 'paper'}
          onCustomer={(id) => go({ customer: id ?? undefined })}
          onPaper={(isPaper) => go({ view: isPaper ? 'paper' : undefined })}
          onCompany={(id) => go({ company: id, customer: undefined })}
          onStarted={startedRun}
        />
      )}
    </div>
  )
}
