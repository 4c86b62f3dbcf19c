import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getVersion } from '@waybill/contract/operations'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
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
      {isOpen ? <Version /> : null}
    </ModalFrame>
  )
}

/** Asked for by those who help on the telephone. */
function Version() {
  const { data } = useQuery({ queryKey: ['version'], queryFn: ({ signal }) => callApi(getVersion, { signal }) })
  if (data === undefined) return null
  return (
    <p className={classes.version}>
      Waybill {data.version} {data.commit === null ? null : <code>{data.commit.slice(0, 8)}</code>}
    </p>
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
