import { Button, Checkbox, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { Language } from '@waybill/contract/errors'
import {
  lazy,
  Suspense,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type SubmitEvent,
  type UIEvent,
} from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../../ui/marks/icon.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { releaseKeys } from '../../../ui/windows/held-keys.ts'
import { dayTyped, readDay } from '../../i18n/day-text.ts'
import { useErrorText, useFieldErrorText } from '../../i18n/error-text.ts'
import classes from './filter-editor.module.css'
import { DAY_SPANS, daysOf, localToday, type DayRange, type ListFilter } from './filters.ts'
import { useReferences, useTitles, type CompactApi } from '../reference/references.ts'

// The fields are there at once and take the typing; the month comes behind.
const DayCalendar = lazy(() => import('./day-calendar.tsx').then((file) => ({ default: file.DayCalendar })))

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

/**
 * A filter's value, drafted until it is applied: by Enter, by the button, or by the part of the
 * screen that holds the last draft.
 */
export function FilterEditor({ filter, value, onApply, onDraft }: FilterEditorProps) {
  const { t } = useTranslation(['list', 'list-page'])
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState(value)
  const [isUnread, setUnread] = useState(false)
  // What the person chose to get here is gone from the screen, and the focus with it.
  useLayoutEffect(() => {
    form.current?.querySelector('input')?.focus()
    releaseKeys(form.current!)
  }, [])
  const forget = useEffectEvent(() => onDraft(null))
  useEffect(() => () => forget(), [])
  const change = (next: unknown, isRead = true) => {
    setDraft(next)
    setUnread(!isRead)
    onDraft(!isRead || (filter.kind === 'days' && isTurnedAround(next as DayRange)) ? null : { value: next })
  }
  const isTurned = filter.kind === 'days' && isTurnedAround(draft as DayRange | undefined)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (!isTurned && !isUnread) onApply(typeof draft === 'string' ? draft.trim() : draft)
  }
  return (
    <form className={classes.editor} onSubmit={submit} ref={form}>
      {filter.kind === 'choices' ? (
        <Choices
          label={filter.label}
          choices={filter.choices}
          value={(draft as string[] | undefined) ?? []}
          onChange={change}
        />
      ) : filter.kind === 'records' ? (
        <Records
          label={filter.label}
          api={filter.api}
          value={(draft as number[] | undefined) ?? []}
          onChange={change}
        />
      ) : filter.kind === 'text' ? (
        <TextInput
          aria-label={filter.label}
          value={(draft as string | undefined) ?? ''}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => change(event.currentTarget.value)}
        />
      ) : (
        <Days value={(draft as DayRange | undefined) ?? {}} onChange={change} onSpan={onApply} isTurned={isTurned} />
      )}
      <footer className={classes.footer}>
        <Button type="submit" size="compact-sm" disabled={isTurned || isUnread}>
          {t('apply')}
        </Button>
      </footer>
    </form>
  )
}

const isTurnedAround = (range: DayRange | undefined): boolean =>
  range?.from !== undefined && range.to !== undefined && range.to < range.from

const toggled = <Value,>(values: readonly Value[], one: Value): Value[] =>
  values.includes(one) ? values.filter((value) => value !== one) : [...values, one]

interface ChoicesProps {
  label: string
  choices: readonly { value: string; label: string }[]
  value: readonly string[]
  onChange: (value: string[]) => void
}

// More are found by typing.
const CHOICES_AT_A_GLANCE = 15

function Choices({ label, choices, value, onChange }: ChoicesProps) {
  const { t } = useTranslation(['list', 'list-page'])
  const [typed, setTyped] = useState('')
  const isLong = choices.length > CHOICES_AT_A_GLANCE
  const q = typed.trim().toLocaleLowerCase()
  // Those chosen before stand first in a long list, as among records.
  const [before] = useState(value)
  const isBefore = (choice: { value: string }) => isLong && before.includes(choice.value)
  const offered = [...choices.filter(isBefore), ...choices.filter((choice) => !isBefore(choice))].filter((choice) =>
    choice.label.toLocaleLowerCase().includes(q),
  )
  return (
    <>
      {isLong ? (
        <TextInput
          aria-label={`${label}: ${t('findChoice')}`}
          placeholder={t('findChoice')}
          leftSection={<Icon name="search" />}
          value={typed}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      ) : null}
      <div className={classes.choices} role="group" aria-label={label}>
        {offered.map((choice) => (
          <Checkbox
            key={choice.value}
            className={classes.choice}
            label={choice.label}
            checked={value.includes(choice.value)}
            onChange={() => onChange(toggled(value, choice.value))}
          />
        ))}
        {offered.length === 0 ? (
          <div className={classes.note} role="status">
            {t('nothingFound')}
          </div>
        ) : null}
      </div>
    </>
  )
}

interface RecordsProps {
  label: string
  api: CompactApi
  value: readonly number[]
  onChange: (value: number[]) => void
}

function Records({ label, api, value, onChange }: RecordsProps) {
  const { t } = useTranslation(['list', 'list-page'])
  const errorText = useErrorText()
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed.trim(), TYPING_MS)
  const list = useReferences(api, q, true)
  // Those chosen before stand first, so that they can be seen and taken back; inactive ones too.
  const [before] = useState(value)
  const titles = useTitles(api, before)
  const offered = [
    ...(q === '' ? before.map((id) => ({ id, title: titles.get(id) ?? '…' })) : []),
    ...list.items.filter((one) => q !== '' || !before.includes(one.id)),
  ]
  const loadOn = (event: UIEvent<HTMLElement>) => {
    const { scrollHeight, scrollTop, clientHeight } = event.currentTarget
    if (scrollHeight - scrollTop - clientHeight < NEAR_END) list.loadOn()
  }
  return (
    <>
      <TextInput
        aria-label={`${label}: ${t('findChoice')}`}
        placeholder={t('findChoice')}
        leftSection={<Icon name="search" />}
        value={typed}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <div className={classes.choices} role="group" aria-label={label} aria-busy={!list.isFresh} onScroll={loadOn}>
        {offered.map((one) => (
          <Checkbox
            key={one.id}
            className={classes.choice}
            label={one.title}
            checked={value.includes(one.id)}
            onChange={() => onChange(toggled(value, one.id))}
          />
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
  /** `isRead`: all that is typed is a day */
  onChange: (value: DayRange, isRead: boolean) => void
  /** A span is whole at once: it is applied with the click */
  onSpan: (value: DayRange) => void
  isTurned: boolean
}

const PARTS = ['from', 'to'] as const

function Days({ value, onChange, onSpan, isTurned }: DaysProps) {
  const { t, i18n } = useTranslation(['list', 'list-page'])
  const fieldErrorText = useFieldErrorText()
  const today = localToday()
  // What is being typed; a part that is not shows the day chosen.
  const [typed, setTyped] = useState<Readonly<Partial<Record<(typeof PARTS)[number], string>>>>({})
  const [isLeft, setLeft] = useState(false)
  const isUnread = (text: string | undefined) =>
    text !== undefined && text.trim() !== '' && readDay(text, today) === null
  const type = (part: 'from' | 'to', text: string) => {
    const next = { ...typed, [part]: text }
    setTyped(next)
    setLeft(false)
    onChange({ ...value, [part]: readDay(text, today) ?? undefined }, !PARTS.some((one) => isUnread(next[one])))
  }
  const pick = (range: DayRange) => {
    setTyped({})
    onChange(range, true)
  }
  // Once the field is left, the day stands there as it was understood.
  const leave = (part: 'from' | 'to') => {
    setLeft(true)
    if (isUnread(typed[part])) return
    const { [part]: _done, ...rest } = typed
    setTyped(rest)
  }
  const errorOf = (part: 'from' | 'to') =>
    isLeft && isUnread(typed[part])
      ? fieldErrorText('invalid_date')
      : part === 'to' && isTurned
        ? t('rangeTurned')
        : undefined
  return (
    <>
      <div className={classes.days}>
        {PARTS.map((part) => {
          const day = value[part]
          return (
            <TextInput
              key={part}
              label={t(part)}
              placeholder={t('dayShape')}
              value={typed[part] ?? (day === undefined ? '' : dayTyped(day, i18n.language as Language))}
              error={errorOf(part)}
              maxLength={20}
              autoComplete="off"
              inputMode="text"
              onFocus={(event) => event.currentTarget.select()}
              onChange={(event) => type(part, event.currentTarget.value)}
              onBlur={() => leave(part)}
            />
          )
        })}
      </div>
      <div className={classes.when}>
        <div className={classes.spans} role="group" aria-label={t('list-page:spans')}>
          {DAY_SPANS.map((span) => (
            <Button key={span} size="compact-sm" onClick={() => onSpan(daysOf(span, today))}>
              {t(`list-page:span.${span}`)}
            </Button>
          ))}
        </div>
        <div className={classes.calendar}>
          <Suspense>
            <DayCalendar value={isTurned ? {} : value} onChange={pick} today={today} />
          </Suspense>
        </div>
      </div>
    </>
  )
}
