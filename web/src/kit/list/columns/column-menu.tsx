import { Popover } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { useFetchOnTouch } from '../../../ui/windows/fetch-on-touch.ts'
import { latePanel } from '../../../ui/windows/late-window.tsx'
import type { ColumnChoicesProps } from './column-choices.tsx'
import classes from './column-menu.module.css'

const ColumnChoices = latePanel(() => import('./column-choices.tsx').then((file) => file.ColumnChoices))

/** Which columns a list shows, in which order, and which stay at the left while the others scroll sideways. */
export function ColumnMenu(choices: ColumnChoicesProps) {
  const { t } = useTranslation(['list', 'list-page'])
  const [isOpen, setOpen] = useState(false)
  useFetchOnTouch(ColumnChoices.fetch)
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      width={372}
      trapFocus
      returnFocus
      withRoles={false}
    >
      <Popover.Target>
        <IconButton
          icon="columns"
          className={classes.target!}
          label={t('list-page:columns.label')}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
      </Popover.Target>
      {/* It takes the focus itself while what it holds is on its way. */}
      <Popover.Dropdown role="dialog" tabIndex={-1} aria-label={t('list-page:columns.label')}>
        <ColumnChoices {...choices} />
      </Popover.Dropdown>
    </Popover>
  )
}
