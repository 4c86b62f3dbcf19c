import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { keysOf, useActiveShortcuts } from '../../kit/shortcuts/shortcuts.ts'
import { ModalFrame } from '../../ui/confirm-modal.tsx'
import { KeyHint } from '../../ui/marks.tsx'
import classes from './shortcut-list.module.css'

/** The keys that work on the screen behind. */
export function ShortcutList({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('shell')
  const { t: tCommon } = useTranslation()
  const shortcuts = useActiveShortcuts()
  return (
    <ModalFrame
      isOpen={isOpen}
      onClose={onClose}
      title={t('shortcuts.title')}
      closeLabel={tCommon('close')}
      onSubmit={onClose}
      footer={
        <Button type="submit" data-autofocus>
          {tCommon('close')}
        </Button>
      }
    >
      <ul>
        {shortcuts.map((shortcut) => (
          <li key={`${shortcut.key} ${shortcut.label}`} className={classes.row}>
            <span>{shortcut.label}</span>
            {keysOf(shortcut).map((key) => (
              <KeyHint key={key}>{key}</KeyHint>
            ))}
          </li>
        ))}
      </ul>
    </ModalFrame>
  )
}
