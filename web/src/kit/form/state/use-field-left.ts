import { useEffect, useEffectEvent } from 'react'

/** Calls `onLeft` with the name of a text field that somebody leaves. */
export function useFieldLeft(onLeft: (name: string) => void): void {
  const left = useEffectEvent(onLeft)
  useEffect(() => {
    let isPressed = false
    const press = () => {
      isPressed = true
    }
    const release = () => {
      isPressed = false
    }
    const leave = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return
      // Words that appear push on what is being clicked: once the click is done.
      if (isPressed) document.addEventListener('pointerup', () => setTimeout(() => left(target.name)), { once: true })
      else left(target.name)
    }
    document.addEventListener('pointerdown', press, true)
    document.addEventListener('pointerup', release)
    document.addEventListener('focusout', leave)
    return () => {
      document.removeEventListener('pointerdown', press, true)
      document.removeEventListener('pointerup', release)
      document.removeEventListener('focusout', leave)
    }
  }, [])
}
