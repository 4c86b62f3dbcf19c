import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useFetchOnTouch } from './fetch-on-touch.ts'
import { useFocusBack } from './focus-back.ts'
import { lateWindow } from './late-window.tsx'
import type { ModalFrameProps } from './modal-window.tsx'

const ModalWindow = lateWindow(() => import('./modal-window.tsx').then((file) => file.ModalWindow))

/** The frame of every modal: Escape and a click outside close it, Enter submits, the focus goes in and comes back. */
export function ModalFrame(props: ModalFrameProps) {
  useFetchOnTouch(ModalWindow.fetch)
  const giveFocusBack = useFocusBack(props.isOpen)
  // Stays once it was open, so that it may leave as it came.
  const [wasOpen, setWasOpen] = useState(props.isOpen)
  if (props.isOpen && !wasOpen) setWasOpen(true)
  if (!wasOpen) return null
  return <ModalWindow {...props} onGone={giveFocusBack} />
}

interface ConfirmModalProps {
  isOpen: boolean
  title: ReactNode
  /** What happens to what */
  children?: ReactNode
  confirmLabel: ReactNode
  cancelLabel: ReactNode
  closeLabel: string
  onConfirm: () => void
  onCancel: () => void
  /** Red by default (spec §9) */
  tone?: 'danger' | 'primary'
  withInfoIcon?: boolean
  isBusy?: boolean
  /** A third way, primary: save and continue */
  extra?: { label: ReactNode; onClick: () => void }
}

/** Asks before something is done: cancel, confirm, and where there is one the better way. */
export function ConfirmModal({
  isOpen,
  title,
  children,
  confirmLabel,
  cancelLabel,
  closeLabel,
  onConfirm,
  onCancel,
  tone = 'danger',
  withInfoIcon = false,
  isBusy = false,
  extra,
}: ConfirmModalProps) {
  return (
    <ModalFrame
      isOpen={isOpen}
      onClose={onCancel}
      title={title}
      closeLabel={closeLabel}
      onSubmit={extra === undefined ? onConfirm : extra.onClick}
      icon={
        withInfoIcon
          ? tone === 'danger'
            ? { name: 'alert', tone: 'warn' }
            : { name: 'info', tone: 'info' }
          : undefined
      }
      footer={
        <>
          <Button variant={extra === undefined ? 'default' : 'subtle'} onClick={onCancel}>
            {cancelLabel}
          </Button>
          <Button
            type={extra === undefined ? 'submit' : 'button'}
            variant="filled"
            color={tone === 'danger' ? 'red' : 'petrol'}
            loading={isBusy}
            data-autofocus={extra === undefined || undefined}
            onClick={extra === undefined ? undefined : onConfirm}
          >
            {confirmLabel}
          </Button>
          {extra === undefined ? null : (
            <Button type="submit" variant="filled" loading={isBusy} data-autofocus>
              {extra.label}
            </Button>
          )}
        </>
      }
    >
      {children}
    </ModalFrame>
  )
}
