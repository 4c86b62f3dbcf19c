import { Button, Checkbox, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useEffectEvent, useRef, useState, type SubmitEvent, type UIEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/icon.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { useErrorText } from '../i18n/error-text.ts'
import classes from './filter-editor.module.css'
import { DAY_SPANS, daysOf, localToday, type DayRange, type ListFilter } from './filters.ts'
import { useReferences, useTitles, type CompactApi } from './references.ts'

const TYPING_MS = 150
const NEAR_END = 120

type EditableFilter = Exclude<ListFilter, { kind: 'flag' }>

interface FilterEditorProps {
  filter: EditableFilter
  value: unknown
  /** Undefined takes the filter away */
  onApply: (value: unknown) => void
  /** Hears every draft that could be applied as it stands, and null once there is none */
  onDraft: (draft: { value: unknown } | null) => void
}

/** A filter's value, drafted until it is applied: by Enter, by the button, or by whoever holds the last draft. */
export function FilterEditor({ filter, value, onApply, onDraft }: FilterEditorProps) {
  const { t } = useTranslation('list')
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState(value)
  // What the person chose to get here is gone from the screen, and the focus with it.
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const forget = useEffectEvent(() => onDraft(null))
  useEffect(() => () => forget(), [])
  const change = (next: unknown) => {
    setDraft(next)
    onDraft(filter.kind === 'days' && isTurnedAround(next as DayRange) ? null : { value: next })
  }
  const isTurned = filter.kind === 'days' && isTurnedAround(draft as DayRange | undefined)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (!isTurned) onApply(draft)
  }
  return (
    <form className={classes.editor} onSubmit={submit} ref={form}>
      {filter.kind === 'choices' ? (
        <Choices label={filter.label} choices={filter.choices} value={(draft as string[] | undefined) ?? []} onChange={change} />
      ) : filter.kind === 'records' ? (
        <Records label={filter.label} api={filter.api} value={(draft as number[] | undefined) ?? []} onChange={change} />
      ) : (
        <Days value={(draft as DayRange | undefined) ?? {}} onChange={change} onSpan={onApply} isTurned={isTurned} />
      )}
      <footer className={classes.footer}>
        <Button type="submit" size="compact-sm" disabled={isTurned}>
          {t('apply')}
        </Button>
      </footer>
    </form>
  )
}

const isTurnedAround = (range: DayRange | undefined): boolean => range?.from !== undefined && range.to !== undefined && range.to < range.from

const toggled = <Value,>(values: readonly Value[], one: Value): Value[] => (values.includes(one) ? values.filter((value) => value !== one) : [...values, one])

interface ChoicesProps {
  label: string
  choices: readonly { value: string; label: string }[]
  value: readonly string[]
  onChange: (value: string[]) => void
}

function Choices({ label, choices, value, onChange }: ChoicesProps) {
  return (
    <div className={classes.choices} role="group" aria-label={label}>
      {choices.map((choice) => (
        <Checkbox key={choice.value} className={classes.choice} label={choice.label} checked={value.includes(choice.value)} onChange={() => onChange(toggled(value, choice.value))} />
      ))}
    </div>
  )
}

interface RecordsProps {
  label: string
  api: CompactApi
  value: readonly number[]
  onChange: (value: number[]) => void
}

function Records({ label, api, value, onChange }: RecordsProps) {
  const { t } = useTranslation('list')
  const errorText = useErrorText()
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed.trim(), TYPING_MS)
  const list = useReferences(api, q, true)
  // Those chosen before stand first, so that they can be seen and taken back; inactive ones too.
  const [before] = useState(value)
  const titles = useTitles(api, before)
  const offered = [...(q === '' ? before.map((id) => ({ id, title: titles.get(id) ?? '…' })) : []), ...list.items.filter((one) => q !== '' || !before.includes(one.id))]
  const loadOn = (event: UIEvent<HTMLElement>) => {
    const { scrollHeight, scrollTop, clientHeight } = event.currentTarget
    if (scrollHeight - scrollTop - clientHeight < NEAR_END) list.loadOn()
  }
  return (
    <>
      <TextInput aria-label={`${label}: ${t('findChoice')}`} placeholder={t('findChoice')} leftSection={<Icon name="search" />} value={typed} maxLength={100} autoComplete="off" spellCheck={false} onChange={(event) => setTyped(event.currentTarget.value)} />
      <div className={classes.choices} role="group" aria-label={label} aria-busy={!list.isFresh} onScroll={loadOn}>
        {offered.map((one) => (
          <Checkbox key={one.id} className={classes.choice} label={one.title} checked={value.includes(one.id)} onChange={() => onChange(toggled(value, one.id))} />
        ))}
        {list.isLoading ? <SkeletonLines lines={4} label={t('loading')} /> : null}
        {list.error === null ? null : (
          <div className={classes.note} role="alert">
            {errorText(list.error)}
            <Button size="compact-sm" variant="subtle" onClick={list.retry}>
              {t('retry')}
            </Button>
          </div>
        )}
        {list.isFresh && offered.length === 0 ? (
          <div className={classes.note} role="status">
            {t('nothingFound')}
          </div>
        ) : null}
        {list.isEntire ? <div className={classes.note}>{t('entireList')}</div> : null}
      </div>
    </>
  )
}

interface DaysProps {
  value: DayRange
  onChange: (value: DayRange) => void
  /** A span is whole at once: it is applied with the click */
  onSpan: (value: DayRange) => void
  isTurned: boolean
}

function Days({ value, onChange, onSpan, isTurned }: DaysProps) {
  const { t } = useTranslation('list')
  const change = (part: 'from' | 'to', day: string) => onChange({ ...value, [part]: day === '' ? undefined : day })
  return (
    <>
      <div className={classes.days}>
        <TextInput type="date" label={t('from')} value={value.from ?? ''} max="2999-12-31" onChange={(event) => change('from', event.currentTarget.value)} />
        <TextInput type="date" label={t('to')} value={value.to ?? ''} max="2999-12-31" error={isTurned ? t('rangeTurned') : undefined} onChange={(event) => change('to', event.currentTarget.value)} />
      </div>
      <div className={classes.spans} role="group" aria-label={t('spans')}>
        {DAY_SPANS.map((span) => (
          <Button key={span} size="compact-sm" onClick={() => onSpan(daysOf(span, localToday()))}>
            {t(`span.${span}`)}
          </Button>
        ))}
      </div>
    </>
  )
}
