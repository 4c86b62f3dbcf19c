import { Button, Combobox } from '@mantine/core'
import type { CompactRow } from '@waybill/contract/kit/paging'
import { useId, type ReactNode, type UIEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { MAKE } from '../../../ui/fields/take-on-tab.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { useErrorText } from '../../i18n/error-text.ts'
import classes from './reference-options.module.css'
import type { useReferences } from './references.ts'

// How near the end one scrolls before the next page is asked for, px.
const NEAR_END = 120

const NONE: readonly CompactRow[] = []

interface ReferenceOptionsProps {
  list: ReturnType<typeof useReferences>
  /** Names the listbox */
  label: string
  isChosen: (id: number) => boolean
  /** Records that stand first: chosen ones, inactive ones of an old record */
  first?: readonly CompactRow[]
  /** A name that a record can be made of */
  makes?: string | undefined
  /** In place of the words for no hit */
  nothing?: ReactNode
}

/** What a picker offers below its field: waiting, failed, nothing found, or the records, loaded on as one scrolls. */
export function ReferenceOptions({ list, label, isChosen, first = NONE, nothing, makes }: ReferenceOptionsProps) {
  const { t } = useTranslation('list')
  const errorText = useErrorText()
  const detailId = useId()
  const loadOn = (event: UIEvent<HTMLElement>) => {
    const { scrollHeight, scrollTop, clientHeight } = event.currentTarget
    if (scrollHeight - scrollTop - clientHeight < NEAR_END) list.loadOn()
  }
  const firstIds = new Set(first.map((one) => one.id))
  const offered = [...first, ...list.items.filter((one) => !firstIds.has(one.id))]
  return (
    <div className={classes.scroll} onScroll={loadOn}>
      <Combobox.Options aria-label={label} aria-busy={!list.isFresh}>
        {offered.map((one) => (
          <Combobox.Option
            key={one.id}
            value={String(one.id)}
            active={isChosen(one.id)}
            aria-selected={isChosen(one.id)}
            aria-label={one.title}
            aria-describedby={one.detail || one.warning ? `${detailId}-${one.id}` : undefined}
            className={classes.option}
          >
            <span className={classes.title} title={one.title}>
              {one.title}
              {one.detail || one.warning ? (
                <small className={classes.detail} id={`${detailId}-${one.id}`}>
                  {one.detail}
                  {one.warning ? (
                    <b data-warning={one.warning}>
                      {t(one.warning === 'expired' ? 'papersExpired' : 'papersExpiring')}
                    </b>
                  ) : null}
                </small>
              ) : null}
            </span>
            {isChosen(one.id) ? <Icon name="check" size={13} className={classes.chosen} /> : null}
          </Combobox.Option>
        ))}
        {makes === undefined ? null : (
          <Combobox.Option value={MAKE} className={classes.option}>
            <Icon name="plus" size={13} />
            <span className={classes.title}>{t('createTyped', { typed: makes })}</span>
          </Combobox.Option>
        )}
      </Combobox.Options>
      {list.isLoading ? <SkeletonLines lines={3} label={t('loading')} /> : null}
      {list.error === null ? null : (
        <div className={classes.note} role="alert">
          {errorText(list.error)}
          <Button
            size="compact-sm"
            variant="subtle"
            onMouseDown={(event) => event.preventDefault()}
            onClick={list.retry}
          >
            {t('retry')}
          </Button>
        </div>
      )}
      {list.isFresh && offered.length === 0 ? (
        // A link in it can be pressed: the field keeps the focus, and with it the list stays open.
        <div className={classes.note} role="status" onMouseDown={(event) => event.preventDefault()}>
          {nothing ?? t('nothingFound')}
        </div>
      ) : null}
      {list.isEntire ? <div className={classes.note}>{t('entireList')}</div> : null}
    </div>
  )
}
