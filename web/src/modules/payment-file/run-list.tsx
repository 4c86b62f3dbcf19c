import { useQueryClient } from '@tanstack/react-query'
import { carrierCompanyApi } from '@waybill/contract/carrier-company'
import { companyApi } from '@waybill/contract/company'
import { PAYMENT_FILE_STATUSES, paymentFileApi, type PaymentFileRow } from '@waybill/contract/payment-file/payment-file'
import { userApi } from '@waybill/contract/user'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { FilterBar } from '../../kit/list/filter/filter-bar.tsx'
import type { ListFilter } from '../../kit/list/filter/filters.ts'
import { ExportMenu } from '../../kit/list/page/export-menu.tsx'
import { ListPager, Nothing, OldRows, useLastPage } from '../../kit/list/page/list-parts.tsx'
import { useList, type List } from '../../kit/list/page/use-list.ts'
import { useLiveChanges } from '../../kit/live/use-live-changes.ts'
import { useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { Avatar, KeyHint } from '../../ui/marks/marks.tsx'
import { DataTable, type Column } from '../../ui/page/data-table.tsx'
import classes from './payment-file.module.css'
import { RunBadge } from './run-badge.tsx'
import { RunPanel } from './run-panel.tsx'

const PHONE_GRID = '"number total" 22px "payOn state" 24px / minmax(0, 1fr) auto'

interface RunListProps {
  /** The run that the address names */
  openId: number | null
  onOpen: (id: number) => void
}

/** What of the address says which side of the page is shown. */
const KEPT = ['view']
const NO_FILTERS: readonly ListFilter[] = []

function useRunFilters(): readonly ListFilter[] {
  const { t } = useTranslation('payment-file')
  return useMemo(
    () => [
      {
        kind: 'choices',
        name: 'status',
        label: t('filter.status'),
        choices: PAYMENT_FILE_STATUSES.map((value) => ({ value, label: t(`status.${value}`) })),
      },
      { kind: 'flag', name: 'returned', label: t('filter.returned') },
      { kind: 'records', name: 'companyId', label: t('filter.company'), api: companyApi },
      { kind: 'records', name: 'carrierCompanyId', label: t('filter.carrier'), api: carrierCompanyApi },
      { kind: 'records', name: 'createdById', label: t('filter.createdBy'), api: userApi },
      { kind: 'days', name: 'executionDate', label: t('filter.payOn') },
      { kind: 'days', name: 'createdAt', label: t('filter.createdAt') },
    ],
    [t],
  )
}

/** Takes the runs out as a file, as they are narrowed in the address. */
export function RunExport() {
  const list = useList(paymentFileApi, { filters: NO_FILTERS })
  return <ExportMenu exportAs={(format) => list.exportAs(format)} />
}

/** The runs, the newest first, with the one in hand beside them. What narrows them stands in the address. */
export function RunList({ openId, onOpen }: RunListProps) {
  const { t } = useTranslation(['payment-file', 'list'])
  const client = useQueryClient()
  const list = useList(paymentFileApi, { filters: useRunFilters(), keeps: KEPT })
  useLastPage(list as List<unknown>)
  useLiveChanges('paymentFile', () => void client.invalidateQueries({ queryKey: ['payment-files'] }))
  const { rows } = list
  const current = openId ?? rows?.[0]?.id ?? null
  const step = (by: 1 | -1) => {
    const next = rows?.[rows.findIndex(({ id }) => id === current) + by]
    if (next !== undefined) onOpen(next.id)
  }
  useShortcut({ key: 'j', label: t('payment-file:list.next'), run: () => step(1) })
  useShortcut({ key: 'k', label: t('payment-file:list.previous'), run: () => step(-1) })
  const columns = useColumns(onOpen)
  return (
    <>
      <FilterBar list={list as List<unknown>} hasViews={false} />
      {list.error !== null && rows !== null ? <OldRows error={list.error} onRetry={list.retry} /> : null}
      {list.error !== null && rows === null ? (
        <div className={classes.failed}>
          <LoadError error={list.error} onRetry={list.retry} />
        </div>
      ) : (
        <div className={classes.columns} data-wide>
          <DataTable<PaymentFileRow>
            label={t('payment-file:list.title')}
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            rowName={({ number }) => number}
            currentKey={current}
            onRowClick={({ id }) => onOpen(id)}
            isBusy={list.isBusy}
            empty={<Nothing list={list as List<unknown>} text={t('payment-file:list.emptyMeans')} action={null} />}
            phoneGrid={PHONE_GRID}
            minWidth={560}
          />
          {current === null ? null : <RunPanel key={current} id={current} onStep={step} />}
        </div>
      )}
      <footer className={classes.foot}>
        <span className={classes.keys}>
          <KeyHint>J</KeyHint> <KeyHint>K</KeyHint> {t('payment-file:list.keys')}
        </span>
        <span className={classes.grow} />
        <ListPager list={list as List<unknown>} isNarrow={false} />
      </footer>
    </>
  )
}

function useColumns(onOpen: (id: number) => void): readonly Column<PaymentFileRow>[] {
  const { t } = useTranslation('payment-file')
  const format = useFormat()
  return useMemo(
    (): readonly Column<PaymentFileRow>[] => [
      {
        key: 'number',
        head: t('column.run'),
        width: 92,
        cell: ({ id, number }) => (
          <button type="button" className={classes.open} onClick={() => onOpen(id)}>
            {number}
          </button>
        ),
      },
      { key: 'payOn', head: t('column.payOn'), width: 108, cell: ({ executionDate }) => format.date(executionDate) },
      {
        key: 'by',
        head: t('column.by'),
        width: 44,
        isHiddenOnPhone: true,
        cell: ({ createdBy }) => (createdBy === null ? null : <Avatar name={createdBy.title} size={20} />),
      },
      { key: 'company', head: t('column.account'), isHiddenOnPhone: true, cell: ({ company }) => company.title },
      {
        key: 'invoices',
        head: t('column.invoices'),
        width: 84,
        align: 'end',
        isHiddenOnPhone: true,
        cell: ({ invoiceCount }) => format.number(invoiceCount),
      },
      {
        key: 'total',
        head: t('column.total'),
        width: 108,
        align: 'end',
        cell: ({ totalCents }) => format.money(totalCents),
      },
      { key: 'state', head: t('column.state'), width: 186, cell: (run) => <RunBadge run={run} /> },
    ],
    [t, format, onOpen],
  )
}
