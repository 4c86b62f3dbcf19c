import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Notice } from '../../ui/notices/notice.tsx'
import { ModalFrame } from '../../ui/windows/confirm-modal.tsx'
import classes from './partner.module.css'
import type { useMaking } from './use-making.ts'

interface MakingWindowProps {
  title: string
  making: ReturnType<typeof useMaking>
  onCreate: () => void
  onClose: () => void
  children: ReactNode
}

/** The window around the fields of what is made in place; what the server refused stands below them. */
export function MakingWindow({ title, making, onCreate, onClose, children }: MakingWindowProps) {
  const { t } = useTranslation('partner')
  return (
    <ModalFrame
      isOpen
      onClose={onClose}
      onSubmit={onCreate}
      title={title}
      closeLabel={t('close')}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="filled" loading={making.isBusy}>
            {t('create')}
          </Button>
        </>
      }
    >
      <div className={classes.fields}>
        {children}
        {making.refused === null ? null : (
          <Notice tone="danger" isUrgent>
            {making.refused}
          </Notice>
        )}
      </div>
    </ModalFrame>
  )
}
