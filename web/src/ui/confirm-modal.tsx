import { Button, Modal } from '@mantine/core'
import { type ReactNode, type SubmitEvent } from 'react'
import { Icon, type IconName } from './icon.tsx'
import classes from './confirm-modal.module.css'

interface ModalFrameProps {
  isOpen: boolean
  onClose: () => void
  title: ReactNode
  closeLabel: string
  children?: ReactNode
  /** Buttons, the primary one last */
  footer: ReactNode
  /** Enter in a field, or the button of type submit */
  onSubmit?: () => void
  icon?: { name: IconName; tone: 'info' | 'warn' | 'danger' }
  /** 460 px for the system's own messages, else 448 (spec §9) */
  isSystem?: boolean
}

/** The frame of every modal: Escape and a click outside close it, Enter submits. */
export function ModalFrame({ isOpen, onClose, title, closeLabel, children, footer, onSubmit, icon, isSystem = false }: ModalFrameProps) {
  const submit = (event: SubmitEvent) => {
    // A modal's form may lie inside the page's form in React's tree.
    event.preventDefault()
    event.stopPropagation()
    onSubmit?.()
  }
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      size={isSystem ? 'var(--wb-modal-system)' : 'var(--wb-modal)'}
      closeButtonProps={{ 'aria-label': closeLabel, icon: <Icon name="close" /> }}
      title={
        <>
          {icon === undefined ? null : (
            <span className={classes.icon} data-tone={icon.tone}>
              <Icon name={icon.name} />
            </span>
          )}
          {title}
        </>
      }
    >
      <form onSubmit={submit}>
        {children}
        <footer className={classes.footer}>{footer}</footer>
      </form>
    </Modal>
  )
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
export function ConfirmModal({ isOpen, title, children, confirmLabel, cancelLabel, closeLabel, onConfirm, onCancel, tone = 'danger', withInfoIcon = false, isBusy = false, extra }: ConfirmModalProps) {
  return (
    <ModalFrame
      isOpen={isOpen}
      onClose={onCancel}
      title={title}
      closeLabel={closeLabel}
      onSubmit={extra === undefined ? onConfirm : extra.onClick}
      icon={withInfoIcon ? (tone === 'danger' ? { name: 'alert', tone: 'warn' } : { name: 'info', tone: 'info' }) : undefined}
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
