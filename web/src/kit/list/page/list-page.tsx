import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useDensity } from '../../../ui/page/density.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { KeyHint } from '../../../ui/marks/marks.tsx'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { Segmented } from '../../../ui/fields/segmented.tsx'
import { LoadError } from '../../api/load-error.tsx'
import { useShortcut } from '../../shortcuts/shortcuts.ts'
import { BulkBar } from './bulk-bar.tsx'
import { useChosenColumns } from '../columns/chosen-columns.ts'
import { useSavedViews, useStandardView } from '../columns/saved-views.ts'
import { ColumnMenu } from '../columns/column-menu.tsx'
import { ExportMenu } from './export-menu.tsx'
import { FilterBar } from '../filter/filter-bar.tsx'
import classes from './list-page.module.css'
import { ListPager, Nothing, OldRows, useLastPage } from './list-parts.tsx'
import { ListTable, type ListColumn } from './list-table.tsx'
import { useRowInHand, type RowInHand } from './row-in-hand.ts'
import { useRowSelection, type RowSelection } from './row-selection.ts'
import type { List } from './use-list.ts'

interface ListPageProps<Item extends { id: number }> {
  list: List<Item>
  title: string
  /** Beside the title */
  note?: ReactNode
  /** Where a record is made; also by the key N */
  create?: CreateLink | null
  /** Where records are taken in from a table */
  importTo?: string
  /** Views side by side, each a set of filters */
  tabs?: ReactNode
  /** Filters that the view in force stands for */
  implied?: readonly string[]
  columns: readonly ListColumn<Item>[]
  /** What the record is called, for the ear */
  rowName: (item: Item) => string
  /** Where a record is opened */
  pathOf: (id: number) => string
  /** Where not everybody may open the record's page: what happens instead */
  onOpen?: ((item: Item) => void) | undefined
  /** Why the list can be empty and what to do about it */
  emptyText?: ReactNode
  /** What is shown of a record beside the list, without leaving it */
  peek?: (id: number, hand: RowInHand) => ReactNode
  /** What a key of this screen does with the row in hand */
  rowKey?: RowKey<Item>
  /**
   * What can be done with several records at once, beside the pager. With it rows can be chosen, and
   * `phoneGrid` has an area `select`.
   */
  bulk?: (selection: RowSelection<Item>, list: List<Item>) => ReactNode
  phoneGrid: string
  minWidth?: number
  /** What the page asks in a dialog */
  children?: ReactNode
}

interface RowKey<Item> {
  key: string
  label: string
  run: (item: Item) => void
}

interface CreateLink {
  to: string
  label: string
}

/** The page of a list: head, views, filters, rows, pager. Only the rows scroll; nothing moves while others load. */
export function ListPage<Item extends { id: number }>({
  list,
  title,
  note,
  create = null,
  importTo,
  tabs,
  implied,
  columns,
  rowName,
  pathOf,
  onOpen,
  emptyText,
  peek,
  rowKey,
  bulk,
  phoneGrid,
  minWidth,
  children,
}: ListPageProps<Item>) {
  const { t } = useTranslation(['list', 'list-page'])
  const navigate = useNavigate()
  const [density, setDensity] = useDensity()
  useShortcut(
    { key: 'n', label: create?.label ?? '', run: () => void (create === null ? null : navigate({ to: create.to })) },
    create !== null,
  )
  const { view, rows } = list
  const choice = useChosenColumns(list.path, columns)
  const hand = useRowInHand(rows, peek !== undefined)
  const selection = useRowSelection(rows, hand.id, bulk !== undefined)
  const inHand = rows?.find(({ id }) => id === hand.id)
  useShortcut(
    { key: rowKey?.key ?? '', label: rowKey?.label ?? '', run: () => rowKey!.run(inHand!) },
    rowKey !== undefined && inHand !== undefined,
  )
  useLastPage(list)
  useStandardView(useSavedViews(list as List<unknown>))
  const isFailed = list.error !== null && rows === null
  return (
    <div className={classes.page}>
      <PageHead
        title={title}
        note={note}
        actions={
          <>
            <div className={classes.desk}>
              <Segmented
                isSmall
                label={t('list-page:density.label')}
                value={density}
                onChange={setDensity}
                options={[
                  { value: 'compact', label: <Icon name="rows" />, title: t('list-page:density.compact') },
                  { value: 'normal', label: <Icon name="menu" />, title: t('list-page:density.normal') },
                ]}
              />
            </div>
            <div className={classes.desk}>
              <ColumnMenu
                columns={choice.offered}
                choice={choice.choice}
                onChange={choice.choose}
                widths={choice.widths}
                onWidths={choice.setWidths}
              />
            </div>
            {list.hasExport ? (
              <ExportMenu
                exportAs={(format) => list.exportAs(format)}
                {...(importTo === undefined ? {} : { importTo })}
              />
            ) : null}
            {create === null ? null : <CreateButton {...create} hasKey />}
          </>
        }
      />
      {tabs}
      <FilterBar list={list as List<unknown>} {...(implied === undefined ? {} : { implied })} />
      {list.error !== null && rows !== null ? <OldRows error={list.error} onRetry={list.retry} /> : null}
      <div className={classes.body}>
        <NewerChip newer={list.newer} />
        <div className={classes.progress} data-on={list.isBusy || undefined} aria-hidden />
        {isFailed ? (
          <div className={classes.failed}>
            <LoadError error={list.error} onRetry={list.retry} />
          </div>
        ) : (
          <ListTable
            label={title}
            columns={choice.columns}
            pinnedCount={choice.pinnedCount}
            rows={rows}
            rowName={rowName}
            {...(bulk === undefined
              ? {}
              : {
                  selection: {
                    keys: selection.keys,
                    onChange: selection.choose,
                    pageLabel: t('list-page:selection.page'),
                    rowLabel: (name) => t('list-page:selection.row', { name }),
                  },
                })}
            onResize={(key, width) => choice.setWidths({ ...choice.widths, [key]: width })}
            sort={view.sort}
            onSort={(sort) => list.change({ sort })}
            currentId={hand.id}
            onOpen={onOpen ?? (({ id }) => void navigate({ to: pathOf(id) }))}
            isBusy={list.isBusy}
            {...(list.newer === null ? {} : { paleKeys: list.newer.gone })}
            skeletonRows={Math.min(view.perPage, SKELETON_ROWS)}
            empty={
              <Nothing
                list={list as List<unknown>}
                text={emptyText}
                action={create === null ? null : <CreateButton {...create} />}
              />
            }
            tail={
              rows === null || list.hasNext || list.isBusy ? null : <p className={classes.tail}>{t('entireList')}</p>
            }
            phoneGrid={phoneGrid}
            {...(minWidth === undefined ? {} : { minWidth })}
          />
        )}
        {hand.peekId === null ? null : peek?.(hand.peekId, hand)}
      </div>
      <footer className={classes.foot}>
        {bulk === undefined || selection.rows.length === 0 ? null : (
          <BulkBar selection={selection} list={list}>
            {bulk(selection, list)}
          </BulkBar>
        )}
        <ListPager list={list as List<unknown>} isNarrow={bulk !== undefined && selection.rows.length > 0} />
      </footer>
      {children}
    </div>
  )
}

function CreateButton({ to, label, hasKey = false }: CreateLink & { hasKey?: boolean }) {
  return (
    <Button
      size="compact-sm"
      variant="filled"
      leftSection={<Icon name="plus" />}
      className={classes.create}
      renderRoot={(props) => <Link to={to} {...props} />}
    >
      {label}
      {hasKey ? (
        <span className={classes.key} aria-hidden>
          <KeyHint>N</KeyHint>
        </span>
      ) : null}
    </Button>
  )
}

// As many as a laptop's screen shows.
const SKELETON_ROWS = 20

/** Says that there are newer rows, over the first ones; nothing moves until it is pressed. Heard as it comes. */
function NewerChip({ newer }: { newer: List<unknown>['newer'] }) {
  const { t } = useTranslation(['list', 'list-page'])
  return (
    <div className={classes.newer} role="status">
      {newer === null ? null : (
        <button type="button" onClick={newer.show}>
          <Icon name="refresh" size={13} />
          {newer.added > 0
            ? t('list-page:newer.added', { count: newer.added })
            : t('list-page:newer.gone', { count: newer.gone.size })}
        </button>
      )}
    </div>
  )
}
