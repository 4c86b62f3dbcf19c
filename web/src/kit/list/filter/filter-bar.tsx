import { Button, Popover } from '@mantine/core'
import { useRef, useState, type KeyboardEvent, type ReactElement, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AddChip, Chip } from '../../../ui/marks/chip.tsx'
import { Icon } from '../../../ui/marks/icon.tsx'
import { Segmented } from '../../../ui/fields/segmented.tsx'
import { useFetchOnTouch } from '../../../ui/windows/fetch-on-touch.ts'
import { latePanel } from '../../../ui/windows/late-window.tsx'
import { useFormat } from '../../i18n/i18n.ts'
import classes from './filter-bar.module.css'
import type { DayRange, ListFilter } from './filters.ts'
import { SearchField } from './search-field.tsx'
import { isEmpty } from '../page/list-address.ts'
import { useTitles } from '../reference/references.ts'
import type { List } from '../page/use-list.ts'
import { ViewMenu } from '../columns/view-menu.tsx'

const FilterEditor = latePanel(() => import('./filter-editor.tsx').then((file) => file.FilterEditor))

const NONE: readonly string[] = []

interface FilterBarProps {
  list: List<unknown>
  /** Filters that the view in force stands for: they need no chip */
  implied?: readonly string[]
  /** Filters and search are kept under names, too */
  hasViews?: boolean
}

/** What narrows the list: search, one chip for each filter in force, the way to more, and active or inactive. */
export function FilterBar({ list, implied = NONE, hasViews = true }: FilterBarProps) {
  const { t } = useTranslation(['list', 'list-page'])
  const { filters, view, change } = list
  useFetchOnTouch(FilterEditor.fetch)
  const shown = filters.filter((filter) => !isEmpty(view.filters[filter.name]) && !implied.includes(filter.name))
  const offered = filters.filter((filter) => !shown.includes(filter))
  const set = (name: string, value: unknown) => change({ filters: { [name]: value } })
  return (
    <div className={classes.bar}>
      <SearchField
        q={view.q}
        onFind={(q) => change({ q }, true)}
        className={classes.search}
        inputClassName={classes.searchInput}
      />
      <div className={classes.rest}>
        <div className={classes.chips} role="group" aria-label={t('filters')}>
          {shown.map((filter) => (
            <FilterChip
              key={filter.name}
              filter={filter}
              value={view.filters[filter.name]}
              onChange={(value) => set(filter.name, value)}
            />
          ))}
          {offered.length === 0 ? null : <FilterMenu offered={offered} values={view.filters} onChange={set} />}
        </div>
        <span className={classes.gap} />
        {shown.length > 0 || view.q !== '' ? (
          <Button
            size="compact-sm"
            variant="subtle"
            className={classes.clear}
            onClick={() =>
              change({ q: '', filters: Object.fromEntries(shown.map((filter) => [filter.name, undefined])) })
            }
          >
            {t('clearFilters')}
          </Button>
        ) : null}
        {hasViews ? <ViewMenu list={list} /> : null}
        {list.hasStates ? (
          <Segmented
            isSmall
            label={t('state.label')}
            value={view.state}
            onChange={(state) => change({ state })}
            options={[
              { value: 'active', label: t('state.active') },
              { value: 'inactive', label: t('state.inactive') },
            ]}
          />
        ) : null}
      </div>
    </div>
  )
}

interface FilterChipProps {
  filter: ListFilter
  value: unknown
  onChange: (value: unknown) => void
}

function FilterChip({ filter, value, onChange }: FilterChipProps) {
  const { t } = useTranslation(['list', 'list-page'])
  const [isOpen, setOpen] = useState(false)
  const words = useFilterWords(filter, value)
  const apply = (next: unknown) => {
    setOpen(false)
    onChange(next)
  }
  return (
    <FilterPopover
      label={filter.label}
      isOpen={isOpen}
      onClose={() => setOpen(false)}
      onApply={apply}
      target={
        <span className={classes.chip}>
          <Chip
            label={filter.label}
            value={words}
            removeLabel={t('removeFilter', { name: filter.label })}
            onRemove={() => onChange(undefined)}
            {...(filter.kind === 'flag' ? {} : { onClick: () => setOpen(!isOpen) })}
          />
        </span>
      }
    >
      {(onDraft) =>
        filter.kind === 'flag' ? null : <FilterEditor filter={filter} value={value} onApply={apply} onDraft={onDraft} />
      }
    </FilterPopover>
  )
}

interface FilterPopoverProps {
  label: string
  isOpen: boolean
  onClose: () => void
  /** With what was drafted */
  onApply: (value: unknown) => void
  target: ReactElement
  children: (onDraft: (draft: { value: unknown } | null) => void) => ReactNode
}

/** What floats below a chip. A click beside it takes what was drafted, Escape leaves everything as it was. */
function FilterPopover({ label, isOpen, onClose, onApply, target, children }: FilterPopoverProps) {
  const draft = useRef<{ value: unknown } | null>(null)
  const leave = () => {
    const { current } = draft
    draft.current = null
    if (current === null) onClose()
    else onApply(current.value)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    draft.current = null
    onClose()
  }
  return (
    <Popover
      opened={isOpen}
      onChange={(next) => (next ? undefined : leave())}
      closeOnEscape={false}
      position="bottom-start"
      trapFocus
      returnFocus
      withRoles={false}
      middlewares={{ shift: true, flip: true }}
      classNames={{ dropdown: classes.panel }}
    >
      <Popover.Target>{target}</Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={label} onKeyDown={press}>
        {children((next) => {
          draft.current = next
        })}
      </Popover.Dropdown>
    </Popover>
  )
}

interface FilterMenuProps {
  offered: readonly ListFilter[]
  values: Readonly<Record<string, unknown>>
  onChange: (name: string, value: unknown) => void
}

/** First which filter, then its value, in one place; nothing moves until it is applied. */
function FilterMenu({ offered, values, onChange }: FilterMenuProps) {
  const { t } = useTranslation(['list', 'list-page'])
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<string | null>(null)
  const filter = offered.find((one) => one.name === chosen)
  const apply = (name: string, value: unknown) => {
    setOpen(false)
    onChange(name, value)
  }
  const toggle = () => {
    setOpen(!isOpen)
    setChosen(null)
  }
  return (
    <FilterPopover
      label={filter?.label ?? t('filters')}
      isOpen={isOpen}
      onClose={() => setOpen(false)}
      onApply={(value) => (filter === undefined ? setOpen(false) : apply(filter.name, value))}
      target={
        <AddChip onClick={toggle} aria-haspopup="dialog" aria-expanded={isOpen}>
          {t('addFilter')}
        </AddChip>
      }
    >
      {(onDraft) =>
        filter === undefined || filter.kind === 'flag' ? (
          <ul className={classes.menu}>
            {offered.map((one) => (
              <li key={one.name}>
                <button
                  type="button"
                  className={classes.item}
                  onClick={() => (one.kind === 'flag' ? apply(one.name, true) : setChosen(one.name))}
                >
                  {one.label}
                  {one.kind === 'flag' ? null : <Icon name="chevronRight" size={13} />}
                </button>
              </li>
            ))}
          </ul>
        ) : (
          <>
            <button
              type="button"
              className={classes.back}
              onClick={() => setChosen(null)}
              aria-label={`${filter.label}: ${t('back')}`}
            >
              <Icon name="chevronLeft" size={13} />
              {filter.label}
            </button>
            <FilterEditor
              key={filter.name}
              filter={filter}
              value={values[filter.name]}
              onApply={(value) => apply(filter.name, value)}
              onDraft={onDraft}
            />
          </>
        )
      }
    </FilterPopover>
  )
}

/** What a filter narrows to, in words. */
function useFilterWords(filter: ListFilter, value: unknown): string {
  const { t } = useTranslation(['list', 'list-page'])
  const { dayShort } = useFormat()
  const date = (day: string) => dayShort(`${day}T12:00:00Z`, 'UTC')
  const ids = filter.kind === 'records' ? (value as number[]) : []
  const titles = useTitles(filter.kind === 'records' ? filter.api : NO_API, ids)
  switch (filter.kind) {
    case 'records':
      return ids.map((id) => titles.get(id) ?? '…').join(', ')
    case 'choices':
      return (value as string[])
        .map((one) => filter.choices.find((choice) => choice.value === one)?.label ?? one)
        .join(', ')
    case 'days': {
      const { from, to } = value as DayRange
      if (from !== undefined && to !== undefined)
        return from === to ? date(from) : t('rangeBetween', { from: date(from), to: date(to) })
      return from === undefined ? t('rangeTo', { to: date(to!) }) : t('rangeFrom', { from: date(from) })
    }
    case 'text':
      return value as string
    case 'flag':
      return ''
  }
}

// Never asked: only filters over records have ids.
const NO_API = { path: '' } as Parameters<typeof useTitles>[0]
