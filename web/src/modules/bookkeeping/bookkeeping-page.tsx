import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { listBookkeepingCompanies } from '@waybill/contract/bookkeeping/bookkeeping'
import { monthAfter } from '@waybill/contract/bookkeeping/month'
import { can } from '@waybill/contract/permissions'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { BackLink } from '../../kit/form/page/back-link.tsx'
import { localToday } from '../../kit/list/filter/filters.ts'
import { hasAccess } from '../../kit/session/session.ts'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { EmptyState } from '../../ui/notices/notice.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { InvoiceTabs } from '../invoice/invoice-tabs-section.tsx'
import { BatchList } from './batch-list.tsx'
import classes from './bookkeeping.module.css'
import { MonthProposal } from './month-proposal.tsx'

// Two years are looked back on; what is older is long with the tax adviser.
const MONTHS = 24

/** What of a month is to be booked, and the batches that were made. Company and month stand in the address. */
export function BookkeepingPage() {
  const { t, i18n } = useTranslation('bookkeeping')
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as { company?: unknown; month?: unknown }
  const companies = useQuery({
    queryKey: ['bookkeeping', 'companies'],
    queryFn: ({ signal }) => callApi(listBookkeepingCompanies, { signal }),
  })
  const thisMonth = localToday().slice(0, 7)
  const months = Array.from({ length: MONTHS }, (_none, index) => monthAfter(thisMonth, -index))
  const ours = companies.data?.items ?? []
  const company = ours.find(({ id }) => id === Number(search.company)) ?? ours[0]
  // The month before is what is closed now.
  const month = months.find((one) => one === search.month) ?? months[1]!
  const monthName = new Intl.DateTimeFormat(i18n.language, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const go = (next: { company?: number; month?: string }) =>
    void navigate({
      to: '/invoices/bookkeeping' as string,
      search: { ...search, ...next } as never,
      replace: true,
      resetScroll: false,
    })
  return (
    <div className={classes.page}>
      <PageHead
        title={t('title')}
        lead={<BackLink to="/invoices/month-end" label={t('back')} />}
        {...(company !== undefined && hasAccess(can('SETTINGS_ACCESS'))
          ? {
              actions: (
                <Button
                  renderRoot={(props) => (
                    <Link to={`/companies/${company.id}/edit` as string} hash="bookkeeping" {...props} />
                  )}
                >
                  {t('accounts')}
                </Button>
              ),
            }
          : {})}
      />
      <InvoiceTabs current="monthEnd" />
      <div className={classes.choice}>
        <SelectField
          label={t('company')}
          className={classes.company}
          allowDeselect={false}
          data={ours.map(({ id, title }) => ({ value: String(id), label: title }))}
          value={company === undefined ? null : String(company.id)}
          onChange={(value) => go({ company: Number(value) })}
        />
        <SelectField
          label={t('month')}
          className={classes.month}
          allowDeselect={false}
          data={months.map((one) => ({ value: one, label: monthName.format(new Date(`${one}-01T00:00:00Z`)) }))}
          value={month}
          onChange={(value) => go({ month: value! })}
        />
      </div>
      {companies.error ? <LoadError error={companies.error} onRetry={() => void companies.refetch()} /> : null}
      {companies.data === undefined ? (
        companies.error ? null : (
          <SkeletonLines lines={8} label={t('title')} />
        )
      ) : company === undefined ? (
        <EmptyState icon="inbox" title={t('noCompany')} />
      ) : (
        <div className={classes.body}>
          <MonthProposal
            key={`${company.id} ${month}`}
            company={company}
            month={month}
            monthName={monthName.format(new Date(`${month}-01T00:00:00Z`))}
          />
          <BatchList company={company} />
        </div>
      )}
    </div>
  )
}
