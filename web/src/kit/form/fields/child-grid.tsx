import { Button } from '@mantine/core'
import { memo, useCallback, useRef, type ChangeEvent, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../../ui/marks/icon.tsx'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import classes from './child-grid.module.css'
import { useFormContext, useFormValue, type Problem } from '../state/form-context.ts'
import { focusCell, moveInGrid } from './grid-keys.ts'
import { GridSelect } from './grid-select.tsx'
import { isSame, newKey, sameChild } from '../state/values.ts'

/** What every child in a form has: an id once it is stored, until then a key of its own. */
interface GridChild {
  id?: number
  key?: string
}

/** A column of the grid, as data. */
export interface ChildColumn {
  /** The child's field */
  field: string
  label: string
  /** px; without it the column takes what is left */
  width?: number
  maxLength?: number
  type?: 'email' | 'tel'
  isRequired?: boolean
  /** What stands there, pale, while the cell is empty: what the child's other cells say of it */
  proposed?: (child: Readonly<Record<string, unknown>>) => string | null
  /** One of a known list instead of text */
  choices?: readonly { value: string | number; label: string }[]
  /** Two of these stand side by side on phones */
  isHalf?: boolean
}

/** What stands behind a child's cells and is not typed: kept the same between renders, like the columns. */
export interface ChildMark<Child extends GridChild> {
  label: string
  /** px */
  width: number
  of: (child: Child) => ReactNode
}

interface ChildGridProps<Child extends GridChild> {
  /** The path of the list in the form */
  name: string
  /** Names the grid, for the ear */
  label: string
  /** Kept the same between renders: it decides whether rows are drawn again */
  columns: readonly ChildColumn[]
  /** A new child, without its key */
  empty: Omit<Child, 'id' | 'key'>
  addLabel: string
  /** `place` counts from 1. */
  removeLabel: (place: number) => string
  mark?: ChildMark<Child>
  /** Why there may be none, and what they are for */
  emptyText: ReactNode
  minWidth?: number
}

/** The children of a record, one a row: arrows walk, Ctrl+Enter adds one below. */
export function ChildGrid<Child extends GridChild>({
  name,
  label,
  columns,
  empty,
  addLabel,
  removeLabel,
  mark,
  emptyText,
  minWidth,
}: ChildGridProps<Child>) {
  const { t } = useTranslation('form')
  const form = useFormContext()
  const children = useFormValue<(Child & Record<string, unknown>)[]>(name)
  const grid = useRef<HTMLTableElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const { get, set } = form
  const read = useCallback(() => get(name) as Child[], [get, name])
  const change = useCallback(
    (index: number, field: string, value: unknown) => set(`${name}.${index}.${field}`, value),
    [set, name],
  )
  const remove = useCallback(
    (index: number) => {
      const left = read().toSpliced(index, 1)
      set(name, left)
      // The hand stays in the grid.
      if (left.length === 0) addButton.current?.focus()
      else focusCell(grid, Math.max(0, index - 1), 0)
    },
    [set, read, name],
  )
  const add = (after: number) => {
    set(name, read().toSpliced(after + 1, 0, { ...empty, key: newKey() } as Child))
    focusCell(grid, after + 1, 0)
  }
  const press = (event: KeyboardEvent<HTMLTableElement>) => {
    if (form.isReadOnly) return
    const at = moveInGrid(grid, event)
    if (at === null || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    add(at.row)
  }
  const base = form.base === null ? null : ((form.base as Record<string, unknown>)[name] as Child[])
  return (
    <>
      {children.length === 0 ? (
        <p className={classes.empty}>{emptyText}</p>
      ) : (
        <div className={classes.scroll}>
          <table ref={grid} className={classes.grid} style={{ minWidth }} aria-label={label} onKeyDown={press}>
            <colgroup>
              <col style={{ width: 34 }} />
              {columns.map(({ field, width }) => (
                <col key={field} style={{ width }} />
              ))}
              {mark === undefined ? null : <col style={{ width: mark.width }} />}
              <col style={{ width: 32 }} />
            </colgroup>
            <thead>
              <tr>
                <td />
                {columns.map((column) => (
                  <th key={column.field} scope="col" title={column.label}>
                    {column.label}
                    {column.isRequired ? (
                      <span className={classes.required} aria-hidden>
                        {' '}
                        *
                      </span>
                    ) : null}
                  </th>
                ))}
                {mark === undefined ? null : <th scope="col">{mark.label}</th>}
                <th scope="col">
                  <span className={classes.hidden}>{t('takeOut')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {children.map((child, index) => (
                <ChildRow
                  key={child.id ?? child.key}
                  name={name}
                  child={child}
                  base={
                    base === null
                      ? child
                      : ((base[index]?.id === child.id && child.id !== undefined
                          ? base[index]
                          : sameChild(base, child)) as Record<string, unknown> | undefined)
                  }
                  index={index}
                  columns={columns}
                  problems={form.problems}
                  removeLabel={removeLabel(index + 1)}
                  mark={mark as unknown as ChildMark<Record<string, unknown>> | undefined}
                  isReadOnly={form.isReadOnly}
                  onChange={change}
                  onRemove={remove}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {form.isReadOnly ? null : (
        <div className={classes.foot}>
          <Button
            ref={addButton}
            size="compact-sm"
            variant="subtle"
            leftSection={<Icon name="plus" size={13} />}
            onClick={() => add(read().length - 1)}
          >
            {addLabel}
          </Button>
          {children.length === 0 ? null : <span className={classes.hint}>{t('gridKeys')}</span>}
        </div>
      )}
    </>
  )
}

interface ChildRowProps {
  name: string
  child: Record<string, unknown>
  base: Record<string, unknown> | undefined
  index: number
  columns: readonly ChildColumn[]
  problems: readonly Problem[]
  removeLabel: string
  mark: ChildMark<Record<string, unknown>> | undefined
  isReadOnly: boolean
  onChange: (index: number, field: string, value: unknown) => void
  onRemove: (index: number) => void
}

const NO_CHOICE = { value: '', label: '' }

// Hundreds of rows: a key redraws the row it is typed in, no other.
const ChildRow = memo(function ChildRow({
  name,
  child,
  base,
  index,
  columns,
  problems,
  removeLabel,
  mark,
  isReadOnly,
  onChange,
  onRemove,
}: ChildRowProps) {
  const place = index + 1
  const own = problems.filter(({ path }) => path.startsWith(`${name}.${index}.`))
  return (
    <tr data-added={base === undefined || undefined} data-path={`${name}.${index}`}>
      <td className={classes.place}>{place}</td>
      {columns.map(({ field, label, maxLength, type, isRequired, proposed, choices, isHalf }) => {
        const problem = own.find(({ path }) => path === `${name}.${index}.${field}`)
        const errorId = `${name}-${index}-${field}-error`
        const shared = {
          className: classes.input,
          name: `${name}.${index}.${field}`,
          'data-cell': true,
          'aria-label': `${label} ${place}`,
          'aria-invalid': problem !== undefined || undefined,
          'aria-describedby': problem === undefined ? undefined : errorId,
        }
        const take = (event: ChangeEvent<HTMLInputElement>) => onChange(index, field, event.currentTarget.value || null)
        return (
          <td
            key={field}
            data-label={label}
            data-half={isHalf || undefined}
            data-wrong={problem !== undefined || undefined}
            data-changed={!isSame(child[field], base?.[field]) || undefined}
          >
            {choices === undefined ? (
              <input
                {...shared}
                type={type ?? 'text'}
                aria-required={isRequired || undefined}
                maxLength={maxLength}
                placeholder={proposed?.(child) ?? undefined}
                autoComplete="off"
                value={(child[field] as string | null) ?? ''}
                readOnly={isReadOnly}
                onChange={take}
              />
            ) : (
              <GridSelect
                {...shared}
                value={String(child[field] ?? '')}
                disabled={isReadOnly}
                choices={[NO_CHOICE, ...choices]}
                onChoose={(chosen) =>
                  onChange(index, field, choices.find(({ value }) => String(value) === chosen)?.value ?? null)
                }
              />
            )}
            {problem === undefined ? null : (
              <div className={classes.error} id={errorId}>
                {problem.message}
              </div>
            )}
          </td>
        )
      })}
      {mark === undefined ? null : (
        <td className={classes.mark} data-label={mark.label}>
          {mark.of(child)}
        </td>
      )}
      <td>
        {isReadOnly ? null : <IconButton icon="trash" isSmall label={removeLabel} onClick={() => onRemove(index)} />}
      </td>
    </tr>
  )
}, isSameRow)

// Children come as fresh copies: what they say is compared; all else by identity.
function isSameRow(before: ChildRowProps, after: ChildRowProps): boolean {
  const { child: childBefore, base: baseBefore, ...rest } = before
  return (
    (Object.keys(rest) as (keyof typeof rest)[]).every((key) => Object.is(rest[key], after[key])) &&
    isSame(childBefore, after.child) &&
    isSame(baseBefore, after.base)
  )
}
