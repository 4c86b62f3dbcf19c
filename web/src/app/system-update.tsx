import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { STORED } from '../kit/session/token-store.ts'
import { ModalFrame } from '../ui/windows/confirm-modal.tsx'

// Spec §4 and spec §9: five seconds after a new version.
const DELAY_MS = 5_000

/** Tells once that a new version was deployed (spec §2, Modals). */
export function SystemUpdate() {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => {
      localStorage.setItem(STORED.reloadModalShown, '1')
      setOpen(true)
    }, DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <ModalFrame
      isOpen={isOpen}
      isSystem
      icon={{ name: 'refresh', tone: 'info' }}
      title={t('update.title')}
      closeLabel={t('close')}
      onClose={() => setOpen(false)}
      onSubmit={() => location.reload()}
      footer={
        <>
          <Button onClick={() => setOpen(false)}>{t('close')}</Button>
          <Button type="submit" variant="filled" data-autofocus>
            {t('update.refresh')}
          </Button>
        </>
      }
    >
      {t('update.text')}
    </ModalFrame>
  )
}
