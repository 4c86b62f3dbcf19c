import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { useFormat } from '../../i18n/i18n.ts'
import classes from './bulk-bar.module.css'
import type { RowSelection } from './row-selection.ts'

/** How many rows are chosen and what can be done with them: in the footer, so that nothing jumps when it comes. */
export function BulkBar({ selection, children }: { selection: RowSelection<unknown>; children: ReactNode }) {
  const { t } = useTranslation('list')
  const { number } = useFormat()
  const count = selection.rows.length
  const words = t('selection.count', { count, number: number(count) })
  return (
    <div className={classes.bar} role="region" aria-label={words}>
      <IconButton icon="close" isSmall label={t('selection.clear')} onClick={selection.clear} />
      <b className={classes.count} role="status">
        {words}
      </b>
      {children}
    </div>
  )
}
