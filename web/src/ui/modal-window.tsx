import { Modal } from '@mantine/core'
import type { ReactNode, SubmitEvent } from 'react'
import { Icon, type IconName } from './icon.tsx'
import classes from './modal-window.module.css'

export interface ModalFrameProps {
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

/** The window of `ModalFrame`, fetched when the first one is wanted. */
export function ModalWindow({ isOpen, onClose, title, closeLabel, children, footer, onSubmit, icon, isSystem = false }: ModalFrameProps) {
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
      returnFocus={false}
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
