import { useQuery } from '@tanstack/react-query'
import { listBankStatements, type BankStatementRow } from '@waybill/contract/bank-statement/bank-statement'
import { PAGE_SIZES, type PageSize } from '@waybill/contract/kit/paging'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { Light } from '../../ui/marks/light.tsx'
import { Avatar, CountryCode, KeyHint } from '../../ui/marks/marks.tsx'
import { EmptyState } from '../../ui/notices/notice.tsx'
import { DataTable, type Column } from '../../ui/page/data-table.tsx'
import { Pager } from '../../ui/page/pager.tsx'
import classes from './bank-statement.module.css'

const PHONE_GRID = '"period open" 24px "account entries" 22px / minmax(0, 1fr) auto'

/** The statements that were read in, the newest first. */
export function StatementList({ onOpen }: { onOpen: (id: number) => void }) {
  const { t } = useTranslation(['bank-statement', 'list'])
  const format = useFormat()
  const [page, setPage] = useState(1)
  const [perPage, setPerPage] = useState<PageSize>(25)
  const [current, setCurrent] = useState<number | null>(null)
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['bank-statements', 'list', page, perPage],
    queryFn: ({ signal }) => callApi(listBankStatements, { query: { page, perPage }, signal }),
    placeholderData: (before) => before,
  })
  const rows = data?.items ?? []
  const step = (by: 1 | -1) => {
    const at = rows.findIndex(({ id }) => id === current)
    const next = rows[at < 0 ? 0 : at + by]
    if (next !== undefined) setCurrent(next.id)
  }
  useShortcut({ key: 'j', label: t('bank-statement:list.next'), run: () => step(1) })
  useShortcut({ key: 'k', label: t('bank-statement:list.previous'), run: () => step(-1) })
  const columns = useColumns(onOpen)
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  const first = (page - 1) * perPage + 1
  return (
    <>
      <div className={classes.list}>
        <DataTable<BankStatementRow>
          label={t('bank-statement:list.title')}
          columns={columns}
          rows={data ? rows : null}
          rowKey={({ id }) => id}
          rowName={({ fileName, createdAt }) => fileName || format.day(createdAt)}
          currentKey={current}
          onRowClick={({ id }) => onOpen(id)}
          isBusy={isPlaceholderData}
          empty={
            <EmptyState icon="inbox" title={t('bank-statement:list.empty')}>
              {t('bank-statement:list.emptyMeans')}
            </EmptyState>
          }
          phoneGrid={PHONE_GRID}
          minWidth={760}
        />
      </div>
      <footer className={classes.foot}>
        <span className={classes.keys}>
          <KeyHint>J</KeyHint> <KeyHint>K</KeyHint> {t('bank-statement:list.keys')}
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
              : t('bank-statement:list.range', { first, last: first + rows.length - 1, total: data!.total })
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

function useColumns(onOpen: (id: number) => void): readonly Column<BankStatementRow>[] {
  const { t } = useTranslation('bank-statement')
  const format = useFormat()
  return useMemo((): readonly Column<BankStatementRow>[] => {
    const period = ({ fromDate, toDate, createdAt }: BankStatementRow) =>
      fromDate === null || toDate === null
        ? format.day(createdAt)
        : fromDate === toDate
          ? format.date(toDate)
          : `${format.date(fromDate)} – ${format.date(toDate)}`
    return [
      {
        key: 'period',
        head: t('column.period'),
        width: 190,
        cell: (row) => (
          <button type="button" className={classes.open} onClick={() => onOpen(row.id)}>
            {period(row)}
          </button>
        ),
      },
      {
        key: 'account',
        head: t('column.account'),
        cell: ({ company, countryCode, ibanTail }) => (
          <>
            {company.title}{' '}
            <span className={classes.dim}>
              <CountryCode code={countryCode} /> … {ibanTail}
            </span>
          </>
        ),
      },
      {
        key: 'number',
        head: t('column.number'),
        width: 96,
        isHiddenOnPhone: true,
        cell: ({ number }) => number ?? '–',
      },
      {
        key: 'by',
        head: t('column.by'),
        width: 44,
        isHiddenOnPhone: true,
        cell: ({ createdBy }) => (createdBy === null ? null : <Avatar name={createdBy.title} size={20} />),
      },
      {
        key: 'entries',
        head: t('column.entries'),
        width: 84,
        align: 'end',
        cell: ({ entryCount, knownCount }) => format.number(entryCount - knownCount),
      },
      {
        key: 'closing',
        head: t('column.closing'),
        width: 130,
        align: 'end',
        isHiddenOnPhone: true,
        cell: ({ closingCents }) => (closingCents === null ? '–' : format.money(closingCents)),
      },
      {
        key: 'open',
        head: t('column.state'),
        width: 150,
        cell: ({ openCount }) => (
          <span className={classes.state}>
            <Light level={openCount === 0 ? 'ok' : 'open'} label={t(openCount === 0 ? 'state.done' : 'state.open')} />
            {openCount === 0 ? t('state.done') : t('state.openCount', { count: openCount })}
          </span>
        ),
      },
    ]
  }, [t, format, onOpen])
}
