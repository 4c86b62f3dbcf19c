import { Button, Checkbox, Popover } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../ui/icon-button.tsx'
import classes from './column-menu.module.css'

interface ColumnMenuProps {
  /** All columns in their standard order, the first one, which leads to the record, left out */
  columns: readonly { id: string; label: string }[]
  /** Those shown, in their order */
  shown: readonly string[]
  /** Null: the standard ones */
  onChange: (shown: readonly string[] | null) => void
}

/** Which columns a list shows, and in which order. */
export function ColumnMenu({ columns, shown, onChange }: ColumnMenuProps) {
  const { t } = useTranslation('list')
  const [isOpen, setOpen] = useState(false)
  const ordered = [...shown.flatMap((id) => columns.find((column) => column.id === id) ?? []), ...columns.filter((column) => !shown.includes(column.id))]
  const toggle = (id: string) => onChange(shown.includes(id) ? shown.filter((one) => one !== id) : [...shown, id])
  const move = (id: string, by: 1 | -1) => {
    const at = shown.indexOf(id)
    onChange(shown.toSpliced(at, 1).toSpliced(at + by, 0, id))
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={292} trapFocus returnFocus withRoles={false}>
      <Popover.Target>
        <IconButton icon="columns" className={classes.target!} label={t('columns.label')} aria-haspopup="dialog" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={t('columns.label')}>
        <ul className={classes.columns}>
          {ordered.map(({ id, label }) => {
            const place = shown.indexOf(id)
            return (
              <li key={id} className={classes.column}>
                <Checkbox className={classes.name} label={label} checked={place !== -1} onChange={() => toggle(id)} />
                <IconButton isSmall icon="arrowUp" label={t('columns.earlier', { name: label })} disabled={place < 1} onClick={() => move(id, -1)} />
                <IconButton isSmall icon="arrowDown" label={t('columns.later', { name: label })} disabled={place === -1 || place === shown.length - 1} onClick={() => move(id, 1)} />
              </li>
            )
          })}
        </ul>
        <footer className={classes.footer}>
          <Button size="compact-sm" variant="subtle" onClick={() => onChange(null)}>
            {t('columns.standard')}
          </Button>
        </footer>
      </Popover.Dropdown>
    </Popover>
  )
}
