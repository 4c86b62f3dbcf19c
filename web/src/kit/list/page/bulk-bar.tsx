import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { useErrorText } from '../../i18n/error-text.ts'
import { useFormat } from '../../i18n/i18n.ts'
import { notify } from '../../../ui/notices/notify.tsx'
import classes from './bulk-bar.module.css'
import type { RowSelection } from './row-selection.ts'
import type { List } from './use-list.ts'

// More would be that many saves one after the other.
const MOST_CHOSEN = 1000

interface BulkBarProps<Item> {
  selection: RowSelection<Item>
  list: Pick<List<Item>, 'total' | 'readAll'>
  children: ReactNode
}

/** How many rows are chosen and what can be done with them: in the footer, so that nothing jumps when it comes. */
export function BulkBar<Item>({ selection, list, children }: BulkBarProps<Item>) {
  const { t } = useTranslation(['list', 'list-page'])
  const { number } = useFormat()
  const errorText = useErrorText()
  const [isBusy, setBusy] = useState(false)
  const count = selection.rows.length
  const words = t('list-page:selection.count', { count, number: number(count) })
  const all = Math.min(list.total, MOST_CHOSEN)
  const addAll = async () => {
    setBusy(true)
    try {
      selection.add(await list.readAll(MOST_CHOSEN))
    } catch (error) {
      notify({
        tone: 'danger',
        title: t('list-page:selection.failed'),
        detail: errorText(error),
        closeLabel: t('close'),
      })
    }
    setBusy(false)
  }
  return (
    <div className={classes.bar} role="region" aria-label={words}>
      <IconButton icon="close" isSmall label={t('list-page:selection.clear')} onClick={selection.clear} />
      <b className={classes.count} role="status">
        {words}
      </b>
      {count >= all ? null : (
        <Button size="compact-sm" variant="subtle" loading={isBusy} onClick={() => void addAll()}>
          {t(list.total > MOST_CHOSEN ? 'list-page:selection.first' : 'list-page:selection.all', {
            number: number(all),
          })}
        </Button>
      )}
      {children}
    </div>
  )
}
