import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { keysOf, useActiveKeys, type KeyHint as Key } from '../../kit/shortcuts/shortcuts.ts'
import { ModalFrame } from '../../ui/windows/confirm-modal.tsx'
import { KeyHint } from '../../ui/marks/marks.tsx'
import classes from './shortcut-list.module.css'

/** The keys that work on the screen behind, its own before those of the frame. */
export function ShortcutList({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('shell')
  const { t: tCommon } = useTranslation()
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
      <AllKeys />
    </ModalFrame>
  )
}

function AllKeys() {
  const { t } = useTranslation('shell')
  const { ofScreen, ofFrame } = useActiveKeys()
  return (
    <>
      <Keys title={t('shortcuts.ofScreen')} keys={ofScreen} />
      <Keys title={t('shortcuts.ofFrame')} keys={ofFrame} />
    </>
  )
}

function Keys({ title, keys }: { title: string; keys: readonly Key[] }) {
  if (keys.length === 0) return null
  return (
    <section aria-label={title}>
      <h3 className={classes.heading}>{title}</h3>
      <ul>
        {keys.map((key) => (
          <li key={`${keysOf(key).join(' ')} ${key.label}`} className={classes.row}>
            <span>{key.label}</span>
            {keysOf(key).map((one) => (
              <KeyHint key={one}>{one}</KeyHint>
            ))}
          </li>
        ))}
      </ul>
    </section>
  )
}
