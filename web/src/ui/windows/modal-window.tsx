import { Modal } from '@mantine/core'
import type { FocusEvent, KeyboardEvent, ReactNode, SubmitEvent } from 'react'
import { Icon, type IconName } from '../marks/icon.tsx'
import { releaseKeys } from './held-keys.ts'
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
  /** As wide as a table needs it */
  isWide?: boolean
}

/** Mantine puts the focus in twice, a moment apart: who has gone on to the next field by then stays there. */
function stayWhereOneIs({ currentTarget, target }: FocusEvent<HTMLElement>): void {
  if (!currentTarget.contains(target)) return
  for (const one of currentTarget.querySelectorAll('[data-autofocus]')) one.removeAttribute('data-autofocus')
  target.setAttribute('data-autofocus', 'true')
}

// Where no field asks for the focus: the first one, of choices side by side the one in force; else what Enter does
// anyway, so that no other button is pressed by it; else the button that leaves all as it is.
const ASKS = '[data-autofocus]'
const FIELDS = 'input:enabled:not([type=hidden]), select:enabled, textarea:enabled, [aria-pressed=true]:enabled'
const FIRST = [ASKS, FIELDS, 'button[type=submit]:enabled', 'footer button:enabled']

const firstOf = (form: HTMLElement, selectors: readonly string[]) =>
  selectors.map((selector) => form.querySelector<HTMLElement>(selector)).find((one) => one !== null) ?? null

/**
 * Takes the focus in as soon as the window stands there: Mantine waits a moment, and a key pressed
 * meanwhile would go to the page below. What the window fetches comes later: its first field takes the focus over from
 * a button, as long as nobody has gone on from there.
 */
function takeFocusIn(form: HTMLFormElement): () => void {
  // Before it is focused: what has the focus asks for it from then on.
  const isAsked = form.querySelector(ASKS) !== null
  const first = firstOf(form, FIRST)
  first?.focus({ preventScroll: true })
  releaseKeys(form)
  const later = new MutationObserver(() => {
    const field = form.querySelector<HTMLElement>(FIELDS)
    const isOnTheirOwn = document.activeElement !== first && document.activeElement !== document.body
    if (field === null && !isOnTheirOwn) return
    later.disconnect()
    if (!isOnTheirOwn) field?.focus({ preventScroll: true })
  })
  if (!isAsked && !first?.matches(FIELDS)) later.observe(form, { childList: true, subtree: true })
  return () => later.disconnect()
}

/** The window of `ModalFrame`, fetched when the first one is wanted. */
export function ModalWindow({
  isOpen,
  onClose,
  title,
  closeLabel,
  children,
  footer,
  onSubmit,
  icon,
  isSystem = false,
  isWide = false,
  onGone,
}: ModalFrameProps & { onGone: () => void }) {
  const submit = (event: SubmitEvent) => {
    // A modal's form may lie inside the page's form in React's tree.
    event.preventDefault()
    event.stopPropagation()
    onSubmit?.()
  }
  // In a text of several lines Enter is a new line; with Ctrl it is the window's, not the page's below. A choice that
  // is in force already has nothing else to do with it.
  const press = (event: KeyboardEvent<HTMLFormElement>) => {
    const isInForce = event.target instanceof HTMLElement && event.target.getAttribute('aria-pressed') === 'true'
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey || isInForce)) return
    event.preventDefault()
    event.currentTarget.requestSubmit()
  }
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      onExitTransitionEnd={onGone}
      returnFocus={false}
      size={isWide ? 'var(--wb-modal-wide)' : isSystem ? 'var(--wb-modal-system)' : 'var(--wb-modal)'}
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
      {/* Nothing goes into a window that leaves: the moment for which Mantine waits may end after it was closed. */}
      <form ref={takeFocusIn} inert={!isOpen} onSubmit={submit} onKeyDown={press} onFocus={stayWhereOneIs}>
        {children}
        <footer className={classes.footer}>{footer}</footer>
      </form>
    </Modal>
  )
}
