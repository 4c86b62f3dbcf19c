import { useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './early-typing.module.css'

/** What was typed, and whether Enter followed it. */
export interface Typed {
  text: string
  isEntered: boolean
}

/**
 * Takes what is typed while the palette's code is on its way: no letter is lost, and none
 * is a key of the screen behind.
 */
export function EarlyTyping({ onType }: { onType: (typed: Typed) => void }) {
  const { t } = useTranslation('shell')
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => input.current?.focus(), [])
  return (
    <input
      ref={input}
      className={classes.hidden}
      aria-label={t('palette.title')}
      onChange={(event) => onType({ text: event.currentTarget.value, isEntered: false })}
      onKeyDown={(event) => event.key === 'Enter' && onType({ text: event.currentTarget.value, isEntered: true })}
    />
  )
}
