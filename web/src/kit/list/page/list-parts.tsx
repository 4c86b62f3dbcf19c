import { Button } from '@mantine/core'
import { PAGE_SIZES } from '@waybill/contract/kit/paging'
import { useEffect, useEffectEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState, Notice } from '../../../ui/notices/notice.tsx'
import { Pager } from '../../../ui/page/pager.tsx'
import { ApiError } from '../../api/api-error.ts'
import { useErrorText } from '../../i18n/error-text.ts'
import { useFormat } from '../../i18n/i18n.ts'
import classes from './list-page.module.css'
import { pageCountOf, pageRange } from './paging.ts'
import type { List } from './use-list.ts'

/** Above rows that stayed because newer ones did not come: why, and a way to try again. */
export function OldRows({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation(['list', 'list-page', 'errors'])
  const errorText = useErrorText()
  const requestId = error instanceof ApiError ? error.requestId : null
  return (
    <div className={classes.notice}>
      <Notice tone="warn" isUrgent>
        {t('showsOld')} {errorText(error)} {requestId === null ? null : t('errors:reference', { id: requestId })}{' '}
        <Button size="compact-sm" variant="subtle" onClick={onRetry}>
          {t('retry')}
        </Button>
      </Notice>
    </div>
  )
}

/** Empty lists teach: why, and what helps (spec §2, Lists; design §7). */
export function Nothing({ list, text, action }: { list: List<unknown>; text: ReactNode; action: ReactNode }) {
  const { t } = useTranslation(['list', 'list-page'])
  if (list.isNarrowed) {
    return (
      <EmptyState
        icon="search"
        title={t('nothingFound')}
        actions={
          <Button size="compact-sm" onClick={list.clear}>
            {t('clearFilters')}
          </Button>
        }
      >
        {list.view.q === '' ? t('nothingFoundText') : t('nothingFoundFor', { q: list.view.q })}
      </EmptyState>
    )
  }
  if (list.view.state === 'inactive') {
    return (
      <EmptyState icon="inbox" title={t('listIsEmpty')}>
        {t('noneInactiveText')}
      </EmptyState>
    )
  }
  return (
    <EmptyState icon="inbox" title={t('listIsEmpty')} actions={action}>
      {text}
    </EmptyState>
  )
}

/** Which page of the list is shown, and how many rows it has. */
export function ListPager({ list, isNarrow }: { list: List<unknown>; isNarrow: boolean }) {
  const { t } = useTranslation(['list', 'list-page'])
  const { number } = useFormat()
  const { shownView: view, rows, total, totalIsExact } = list
  const range = rows === null || rows.length === 0 ? null : pageRange(view, rows.length)
  const written = `${number(total)}${totalIsExact ? '' : '+'}`
  return (
    <Pager
      isNarrow={isNarrow}
      page={view.page}
      pageCount={rows === null ? null : pageCountOf({ total, totalIsExact, ...view })}
      hasNext={list.hasNext}
      // The page that did not come is in the address already.
      onPage={(page) => (page === list.view.page ? list.retry() : list.change({ page }))}
      perPage={view.perPage}
      sizes={PAGE_SIZES}
      onPerPage={(size) => list.change({ perPage: PAGE_SIZES.find((one) => one === size) ?? view.perPage })}
      range={
        rows === null
          ? null
          : range === null
            ? t('pager.none')
            : t('pager.range', { from: number(range.from), to: number(range.to), total: written })
      }
      labels={{
        nav: t('pager.label'),
        rows: t('pager.rows'),
        previous: t('pager.previous'),
        next: t('pager.next'),
        page: (page) => t('pager.page', { page }),
      }}
    />
  )
}

/** A page past the end, of an old link or after deletions, leads to the last one there is. */
export function useLastPage({ rows, isBusy, total, totalIsExact, view, change }: List<unknown>) {
  const isPastEnd = rows !== null && rows.length === 0 && !isBusy && total > 0 && view.page > 1
  const turnBack = useEffectEvent(() => change({ page: totalIsExact ? Math.ceil(total / view.perPage) : 1 }, true))
  useEffect(() => {
    if (isPastEnd) turnBack()
  }, [isPastEnd, view.page])
}
