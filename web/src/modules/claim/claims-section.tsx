import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { KeyHint } from '../../ui/marks/marks.tsx'
import { lateWindow } from '../../ui/windows/late-window.tsx'

const ClaimsWindow = lateWindow(() => import('./claims-window.tsx').then((file) => file.ClaimsWindow))

/** Opens the claims of late payment, those of the customers that are looked for. */
export function ClaimsButton({ q }: { q: string }) {
  const { t } = useTranslation('open-items')
  const [isOpen, setOpen] = useState(false)
  useShortcut({ key: 'c', label: t('claims'), run: () => setOpen(true) }, !isOpen)
  return (
    <>
      <Button rightSection={<KeyHint>C</KeyHint>} onClick={() => setOpen(true)}>
        {t('claims')}
      </Button>
      {isOpen ? <ClaimsWindow q={q} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
