import { Button } from '@mantine/core'
import type { MailBlock } from '@waybill/contract/mail-blocks'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { focusPath } from '../../../kit/form/state/focus-path.ts'
import { newKey } from '../../../kit/form/state/values.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { useEditorTools } from '../editor/editor-tools.ts'
import { nameIn } from '../text/catalogue.ts'
import classes from './blocks.module.css'
import { FieldSelect } from './field-select.tsx'
import { moved } from './moved.ts'
import { SortableList, SortableRow } from './sortable.tsx'

type Facts = Extract<MailBlock, { kind: 'facts' }>

interface FactRowsProps {
  block: Facts
  path: string
  onChange: (block: Facts) => void
}

const MOST_ROWS = 40

/** Words and the field beside them, one a row. */
export function FactRows({ block, path, onChange }: FactRowsProps) {
  const { t } = useTranslation('mail-template')
  const { catalogue, language, say } = useEditorTools()
  const { rows } = block
  // Rows have no names of their own: these hold as long as they are in hand, so that a moved row stays the same one.
  const [names, setNames] = useState(() => rows.map(() => newKey()))
  const known = useRef(rows.length)
  if (known.current !== rows.length && names.length !== rows.length) {
    known.current = rows.length
    setNames(rows.map((_, index) => names[index] ?? newKey()))
  }
  const put = (nextRows: Facts['rows'], nextNames: string[]) => {
    known.current = nextRows.length
    setNames(nextNames)
    onChange({ ...block, rows: nextRows })
  }
  const labelOf = (index: number) => rows[index]?.label || t('row', { place: index + 1 })
  const add = () => {
    const taken = new Set(rows.map(({ variable }) => variable))
    const key = (catalogue.fields.find((field) => !taken.has(field.key)) ?? catalogue.fields[0]!).key
    put([...rows, { label: nameIn(key, language), variable: key }], [...names, newKey()])
    focusPath(`${path}.rows.${rows.length}.label`)
  }
  return (
    <>
      <SortableList
        ids={names}
        nameOf={(name) => labelOf(names.indexOf(name))}
        say={say}
        onMove={(from, to) => put(moved(rows, from, to), moved(names, from, to))}
      >
        <ol className={classes.rows}>
          {rows.map((row, index) => {
            const at = `${path}.rows.${index}`
            return (
              <SortableRow
                key={names[index] ?? index}
                id={names[index] ?? String(index)}
                label={t('move.handle', { name: labelOf(index) })}
                className={classes.row}
              >
                <input
                  className={classes.input}
                  name={`${at}.label`}
                  aria-label={t('rowLabel', { place: index + 1 })}
                  value={row.label}
                  maxLength={80}
                  autoComplete="off"
                  onChange={(event) =>
                    onChange({ ...block, rows: rows.with(index, { ...row, label: event.currentTarget.value }) })
                  }
                />
                <FieldSelect
                  label={t('rowField', { place: index + 1 })}
                  path={`${at}.variable`}
                  value={row.variable}
                  onChange={(variable) => {
                    // Words that only named the field before follow it.
                    const isNamed = row.label === '' || row.label === nameIn(row.variable, language)
                    const label = isNamed ? nameIn(variable, language) : row.label
                    onChange({ ...block, rows: rows.with(index, { label, variable }) })
                  }}
                />
                <IconButton
                  icon="trash"
                  isSmall
                  label={t('removeRow', { name: labelOf(index) })}
                  disabled={rows.length === 1}
                  onClick={() => put(rows.toSpliced(index, 1), names.toSpliced(index, 1))}
                />
              </SortableRow>
            )
          })}
        </ol>
      </SortableList>
      <div className={classes.auto}>
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<Icon name="plus" size={13} />}
          disabled={rows.length >= MOST_ROWS}
          onClick={add}
        >
          {t('addRow')}
        </Button>
        <span className={classes.pale}>{t('rowsMean')}</span>
      </div>
    </>
  )
}
