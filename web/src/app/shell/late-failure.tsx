import { Button } from '@mantine/core'
import { useRef, type SyntheticEvent } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../kit/api/load-error.tsx'
import type { LateFailureProps } from '../../ui/windows/late-window.tsx'
import classes from './late-failure.module.css'

/** A part that did not come: what and a way to try again, in a window of its own where a window was wanted. */
export function PartFailed({ error, onRetry, onClose }: LateFailureProps) {
  return onClose === undefined ? (
    <LoadError error={error} onRetry={onRetry} />
  ) : (
    <FailedWindow error={error} onRetry={onRetry} onClose={onClose} />
  )
}

// What happens in it is not for the page below, to which it belongs in React's tree.
const keep = (event: SyntheticEvent) => event.stopPropagation()

// The browser's own window: that of the program may be just what did not come.
function FailedWindow({ error, onRetry, onClose }: LateFailureProps) {
  const { t } = useTranslation()
  const dialog = useRef<HTMLDialogElement>(null)
  const open = (element: HTMLDialogElement | null) => {
    dialog.current = element
    if (element?.open === false) element.showModal()
  }
  return createPortal(
    <dialog ref={open} className={classes.window} onClose={onClose} onKeyDown={keep} onClick={keep}>
      <LoadError error={error} onRetry={onRetry} />
      <footer className={classes.footer}>
        <Button onClick={() => dialog.current?.close()}>{t('close')}</Button>
      </footer>
    </dialog>,
    document.body,
  )
}
