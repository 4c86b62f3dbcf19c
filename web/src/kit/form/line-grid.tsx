import { Button } from '@mantine/core'
import { memo, useCallback, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useFormContext, useFormValue, type Problem } from './form-context.ts'
import { focusCell, moveInGrid } from './grid-keys.ts'
import classes from './line-grid.module.css'
import { isSame, newKey, sameChild } from './values.ts'

/** A child of a record while it is typed: `id` once it is stored, `key` before. */
export type Line<Key extends string> = Record<Key, string | null> & { id?: number; key?: string }

export interface LineColumn<Key extends string> {
  key: Key
  label: string
  isRequired?: boolean
  maxLength: number
  /** The keyboard that a phone offers */
  inputMode?: 'tel' | 'email'
}

interface LineGridProps<Key extends string> {
  /** The path of the list in the form */
  name: string
  label: string
  columns: readonly LineColumn<Key>[]
  addLabel: string
  /** What a line is called where it is taken out */
  removeLabel: (line: number) => string
  emptyText: string
  /** Behind the cells of a line; keep the function the same */
  extra?: (line: Line<Key>) => ReactNode
  extraLabel?: string
}

/** The children of a record as a grid of plain inputs: Tab and arrows walk, Ctrl+Enter adds a line. A key redraws the line that it is typed in, no other. */
export function LineGrid<Key extends string>({ name, label, columns, addLabel, removeLabel, emptyText, extra, extraLabel }: LineGridProps<Key>) {
  const { t } = useTranslation('form')
  const form = useFormContext()
  const lines = useFormValue<Line<Key>[]>(name)
  const grid = useRef<HTMLTableElement>(null)
  const base = (form.base as Record<string, Line<Key>[]> | null)?.[name] ?? null
  const { get, set } = form
  const read = useCallback(() => get(name) as Line<Key>[], [get, name])
  const change = useCallback((index: number, key: Key, text: string) => set(`${name}.${index}`, { ...read()[index], [key]: text === '' ? null : text }), [set, read, name])
  const remove = useCallback((index: number) => set(name, read().toSpliced(index, 1)), [set, read, name])
  const add = (after: number) => {
    set(name, read().toSpliced(after + 1, 0, { ...Object.fromEntries(columns.map(({ key }) => [key, null])), key: newKey() } as Line<Key>))
    focusCell(grid, after + 1, 0)
  }
  const press = (event: KeyboardEvent<HTMLTableElement>) => {
    if (form.isReadOnly) return
    const at = moveInGrid(grid, event)
    if (at !== null && event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      add(at.row)
    }
  }
  return (
    <>
      {lines.length === 0 ? (
        <p className={classes.empty}>{emptyText}</p>
      ) : (
        <table ref={grid} className={classes.grid} aria-label={label} onKeyDown={press}>
          <thead>
            <tr>
              {columns.map(({ key, label: head, isRequired }) => (
                <th key={key} scope="col">
                  {head}
                  {isRequired ? <span aria-hidden> *</span> : null}
                </th>
              ))}
              {extra === undefined ? null : <th scope="col">{extraLabel}</th>}
              <th scope="col" className={classes.tools}>
                <span className={classes.hidden}>{t('takeOut')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line, index) => (
              <LineRow
                key={line.key ?? line.id}
                name={name}
                line={line}
                base={base === null ? line : sameChild(base, line)}
                index={index}
                columns={columns as readonly LineColumn<string>[]}
                problems={problemsOf(form.problems, `${name}.${index}.`)}
                isReadOnly={form.isReadOnly}
                removeLabel={removeLabel(index + 1)}
                extra={extra as ((line: Line<string>) => ReactNode) | undefined}
                onChange={change as (index: number, key: string, text: string) => void}
                onRemove={remove}
              />
            ))}
          </tbody>
        </table>
      )}
      {form.isReadOnly ? null : (
        <div className={classes.foot}>
          <Button size="compact-sm" variant="subtle" leftSection={<Icon name="plus" size={13} />} onClick={() => add(lines.length - 1)}>
            {addLabel}
          </Button>
          {lines.length === 0 ? null : <span className={classes.hint}>{t('gridKeys')}</span>}
        </div>
      )}
    </>
  )
}

const NO_PROBLEMS: readonly Problem[] = []
const problemsOf = (problems: readonly Problem[], prefix: string): readonly Problem[] => {
  const own = problems.filter(({ path }) => path.startsWith(prefix))
  return own.length === 0 ? NO_PROBLEMS : own
}

interface LineRowProps {
  name: string
  line: Line<string>
  base: Line<string> | undefined
  index: number
  columns: readonly LineColumn<string>[]
  problems: readonly Problem[]
  isReadOnly: boolean
  removeLabel: string
  extra: ((line: Line<string>) => ReactNode) | undefined
  onChange: (index: number, key: string, text: string) => void
  onRemove: (index: number) => void
}

const LineRow = memo(function LineRow({ name, line, base, index, columns, problems, isReadOnly, removeLabel, extra, onChange, onRemove }: LineRowProps) {
  return (
    <tr>
      {columns.map(({ key, label, isRequired, maxLength, inputMode }) => {
        const problem = problems.find(({ path }) => path === `${name}.${index}.${key}`)
        return (
          <td key={key} data-label={label} data-changed={!isSame(line[key], base?.[key]) || undefined} data-wrong={problem !== undefined || undefined}>
            <input
              data-cell
              className={classes.input}
              name={`${name}.${index}.${key}`}
              aria-label={`${label}, ${index + 1}`}
              aria-invalid={problem !== undefined || undefined}
              aria-required={isRequired || undefined}
              title={problem?.message}
              inputMode={inputMode}
              autoComplete="off"
              maxLength={maxLength}
              readOnly={isReadOnly}
              value={line[key] ?? ''}
              onChange={(event) => onChange(index, key, event.currentTarget.value)}
            />
          </td>
        )
      })}
      {extra === undefined ? null : <td className={classes.extra}>{extra(line)}</td>}
      <td className={classes.tools}>{isReadOnly ? null : <IconButton isSmall icon="trash" label={removeLabel} onClick={() => onRemove(index)} />}</td>
    </tr>
  )
})
