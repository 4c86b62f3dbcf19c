import { useQuery, useQueryClient } from '@tanstack/react-query'
import { listPaymentFiles, type PaymentFileRow } from '@waybill/contract/payment-file/payment-file'
import { PAGE_SIZES, type PageSize } from '@waybill/contract/kit/paging'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { useLiveChanges } from '../../kit/live/use-live-changes.ts'
import { useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { Avatar, KeyHint } from '../../ui/marks/marks.tsx'
import { EmptyState } from '../../ui/notices/notice.tsx'
import { DataTable, type Column } from '../../ui/page/data-table.tsx'
import { Pager } from '../../ui/page/pager.tsx'
import { TextField } from '../../ui/fields/field.tsx'
import classes from './payment-file.module.css'
import { RunBadge } from './run-badge.tsx'
import { RunPanel } from './run-panel.tsx'

const PHONE_GRID = '"number total" 22px "payOn state" 24px / minmax(0, 1fr) auto'

interface RunListProps {
  /** The run that the address names */
  openId: number | null
  onOpen: (id: number) => void
}

/** The runs, the newest first, with the one in hand beside them. */
export function RunList({ openId, onOpen }: RunListProps) {
  const { t } = useTranslation(['payment-file', 'list'])
  const client = useQueryClient()
  const [page, setPage] = useState(1)
  const [perPage, setPerPage] = useState<PageSize>(25)
  const [typed, setTyped] = useState('')
  const q = typed.trim()
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['payment-files', 'list', page, perPage, q],
    queryFn: ({ signal }) => callApi(listPaymentFiles, { query: { page, perPage, ...(q !== '' && { q }) }, signal }),
    placeholderData: (before) => before,
  })
  useLiveChanges('paymentFile', () => void client.invalidateQueries({ queryKey: ['payment-files'] }))
  const rows = data?.items ?? []
  const current = rows.some(({ id }) => id === openId) ? openId : (openId ?? rows[0]?.id ?? null)
  const step = (by: 1 | -1) => {
    const next = rows[rows.findIndex(({ id }) => id === current) + by]
    if (next !== undefined) onOpen(next.id)
  }
  useShortcut({ key: 'j', label: t('payment-file:list.next'), run: () => step(1) })
  useShortcut({ key: 'k', label: t('payment-file:list.previous'), run: () => step(-1) })
  const columns = useColumns(onOpen)
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  const first = (page - 1) * perPage + 1
  return (
    <>
      <div className={classes.choice}>
        <TextField
          type="search"
          label={t('payment-file:list.search')}
          className={classes.bank}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            setPage(1)
          }}
        />
      </div>
      <div className={classes.columns} data-wide>
        <DataTable<PaymentFileRow>
          label={t('payment-file:list.title')}
          columns={columns}
          rows={data ? rows : null}
          rowKey={({ id }) => id}
          rowName={({ number }) => number}
          currentKey={current}
          onRowClick={({ id }) => onOpen(id)}
          isBusy={isPlaceholderData}
          empty={
            <EmptyState icon="inbox" title={t('payment-file:list.empty')}>
              {t('payment-file:list.emptyMeans')}
            </EmptyState>
          }
          phoneGrid={PHONE_GRID}
          minWidth={560}
        />
        {current === null ? null : <RunPanel key={current} id={current} onStep={step} />}
      </div>
      <footer className={classes.foot}>
        <span className={classes.keys}>
          <KeyHint>J</KeyHint> <KeyHint>K</KeyHint> {t('payment-file:list.keys')}
        </span>
        <span className={classes.grow} />
        <Pager
          page={page}
          pageCount={data ? Math.max(1, Math.ceil(data.total / perPage)) : null}
          hasNext={data !== undefined && data.nextCursor !== null}
          onPage={setPage}
          perPage={perPage}
          sizes={PAGE_SIZES}
          onPerPage={(size) => {
            setPerPage(size as PageSize)
            setPage(1)
          }}
          range={
            rows.length === 0
              ? ''
              : t('payment-file:list.range', { first, last: first + rows.length - 1, total: data!.total })
          }
          labels={{
            nav: t('list:pager.label'),
            rows: t('list:pager.rows'),
            previous: t('list:pager.previous'),
            next: t('list:pager.next'),
            page: (wanted) => t('list:pager.page', { page: wanted }),
          }}
        />
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
