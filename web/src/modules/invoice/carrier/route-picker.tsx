import { useDebouncedValue } from '@mantine/hooks'
import type { CarrierRoute } from '@waybill/contract/invoice/invoice'
import { useEffect, useId, useRef, useState, type KeyboardEvent, type UIEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { CheckField } from '../../../ui/fields/check-field.tsx'
import { TextField } from '../../../ui/fields/field.tsx'
import { Icon } from '../../../ui/marks/icon.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { useOpenRoutes } from './carrier-routes.ts'
import { LaneText } from './lane-text.tsx'
import classes from './route-shares.module.css'

const TYPING_MS = 150
// How near the end one scrolls before the next page is asked for, px.
const NEAR_END = 160

interface RoutePickerProps {
  carrierCompanyId: number
  chosen: readonly number[]
  onToggle: (route: CarrierRoute) => void
  /** A button has opened it: one types on here */
  isAtOnce: boolean
}

/**
 * A carrier's routes that are not invoiced yet, to take several: arrows mark, Enter takes the marked one or puts it
 * back, and the field keeps the focus for the next.
 */
export function RoutePicker({ carrierCompanyId, chosen, onToggle, isAtOnce }: RoutePickerProps) {
  const { t } = useTranslation('invoice')
  const format = useFormat()
  const listId = useId()
  const search = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isAtOnce) search.current?.focus()
  }, [isAtOnce])
  const [typed, setTyped] = useState('')
  const [withInvoiced, setWithInvoiced] = useState(false)
  const [marked, setMarked] = useState(0)
  const [q] = useDebouncedValue(typed.trim(), TYPING_MS)
  const { routes, total, error, refetch, isPending, isPlaceholderData, hasNextPage, isFetching, fetchNextPage } =
    useOpenRoutes(carrierCompanyId, q, withInvoiced)
  const isAnswered = !isPlaceholderData && !isPending && q === typed.trim()
  const current = Math.min(marked, routes.length - 1)
  const loadOn = () => {
    if (hasNextPage && !isFetching) void fetchNextPage()
  }
  const mark = (index: number) => {
    const next = Math.max(0, Math.min(index, routes.length - 1))
    setMarked(next)
    if (next >= routes.length - 2) loadOn()
    document.getElementById(`${listId}-${routes[next]?.id}`)?.scrollIntoView({ block: 'nearest' })
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key]
    if (step !== undefined) mark(current + step)
    else if (event.key === 'Enter') {
      // Before the answer Enter would take what was found for other letters.
      const route = isAnswered ? routes[current] : undefined
      if (route !== undefined) onToggle(route)
    } else if (event.key === 'Escape' && typed !== '') {
      event.stopPropagation()
      setTyped('')
    } else return
    event.preventDefault()
  }
  const scroll = ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }: UIEvent<HTMLElement>) => {
    if (scrollHeight - scrollTop - clientHeight < NEAR_END) loadOn()
  }
  return (
    <div className={classes.picker}>
      <TextField
        label={t('routes.find')}
        note={isAnswered && total > 0 && !withInvoiced ? t('routes.open', { total: format.number(total) }) : undefined}
        hint={t('routes.keys')}
        leftSection={<Icon name="search" size={13} />}
        role="combobox"
        aria-expanded={routes.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={routes[current] === undefined ? undefined : `${listId}-${routes[current].id}`}
        autoComplete="off"
        ref={search}
        maxLength={100}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setMarked(0)
        }}
        onKeyDown={press}
      />
      <CheckField
        label={t('routes.withInvoiced')}
        checked={withInvoiced}
        onChange={(event) => setWithInvoiced(event.currentTarget.checked)}
      />
      {error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : isPending ? (
        <SkeletonLines lines={3} label={t('routes.loading')} />
      ) : routes.length === 0 ? (
        <p className={classes.none}>{t(q === '' ? 'routes.none' : 'routes.noneFound')}</p>
      ) : (
        <div
          id={listId}
          role="listbox"
          aria-label={t('routes.list')}
          aria-multiselectable
          tabIndex={-1}
          aria-busy={!isAnswered}
          className={classes.options}
          onScroll={scroll}
        >
          {routes.map((route, index) => (
            <button
              key={route.id}
              type="button"
              tabIndex={-1}
              id={`${listId}-${route.id}`}
              role="option"
              aria-selected={chosen.includes(route.id)}
              data-marked={index === current || undefined}
              className={classes.option}
              // The search keeps the focus: the next route is typed at once.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => {
                setMarked(index)
                onToggle(route)
              }}
            >
              <span className={classes.tick}>{chosen.includes(route.id) ? <Icon name="check" size={13} /> : null}</span>
              <b>{route.title}</b>
              <span className={classes.lane}>
                <LaneText route={route} />
              </span>
              <span className={classes.day}>{route.day === null ? '–' : format.date(route.day)}</span>
              <span className={classes.money} data-billed={route.invoicedCents !== 0 || undefined}>
                {route.invoicedCents !== 0 ? <Icon name="file" size={13} label={t('routes.billed')} /> : null}{' '}
                {route.agreedCents === null ? t('routes.notAgreed') : format.euro(route.agreedCents)}
              </span>
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
