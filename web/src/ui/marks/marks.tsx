import type { ReactNode } from 'react'
import classes from './marks.module.css'

/** A country's two letters, before a town. */
export function CountryCode({ code, title }: { code: string; title?: string }) {
  return (
    <abbr className={classes.country} title={title}>
      {code}
    </abbr>
  )
}

/** A stop's number; from the second on each has a colour, the same everywhere on the screen. */
export function StopMark({ position, size = 18 }: { /** from 1 */ position: number; size?: 16 | 18 }) {
  return (
    <span className={classes.stop} data-stop={stopColor(position)} style={{ width: size, height: size }}>
      {position}
    </span>
  )
}

/** The tokens `--stop-1` to `--stop-4` that a position wears; after the fourth the three colours come round again. */
export function stopColor(position: number): 1 | 2 | 3 | 4 {
  return position <= 1 ? 1 : ((((position - 2) % 3) + 2) as 2 | 3 | 4)
}

interface MarkProps {
  children: ReactNode
  /** The words that the short mark stands for */
  title?: string
  /** How loud: 2 amber, 3 red */
  level?: 1 | 2 | 3
}

/** A short mark such as `Cu 2`. */
export function Mark({ children, title, level = 1 }: MarkProps) {
  return (
    <span className={classes.mark} data-level={level} title={title}>
      {children}
    </span>
  )
}

/** A delay, `+1 d`; a day and more is red. */
export function DelayMark({ children, title, isLong }: { children: ReactNode; title?: string; isLong: boolean }) {
  return (
    <span className={classes.delay} data-long={isLong || undefined} title={title}>
      {children}
    </span>
  )
}

export type MoneyTone = 'plain' | 'positive' | 'low' | 'negative' | 'none'

/** An amount that is written already; the tone colours margins, the sign says it too. */
export function MoneyText({
  children,
  tone = 'plain',
  isStrong = false,
}: {
  children: ReactNode
  tone?: MoneyTone
  isStrong?: boolean
}) {
  return (
    <span className={classes.money} data-tone={tone} data-strong={isStrong || undefined}>
      {children}
    </span>
  )
}

/** The key that does the same. */
export function KeyHint({ children }: { children: ReactNode }) {
  return <kbd className={classes.key}>{children}</kbd>
}

/** How many, beside a tab's or a section's name. */
export function Count({ children, tone = 'plain' }: { children: ReactNode; tone?: 'plain' | 'warn' | 'danger' }) {
  return (
    <span className={classes.count} data-tone={tone}>
      {children}
    </span>
  )
}

interface AvatarProps {
  name: string
  size?: 20 | 24
  /** Where the name stands beside it */
  isDecoration?: boolean
}

/** A person's initials on a ground that stays the same for that name. */
export function Avatar({ name, size = 24, isDecoration = false }: AvatarProps) {
  return (
    <span
      className={classes.avatar}
      data-ground={groundOf(name)}
      data-size={size}
      {...(isDecoration ? { 'aria-hidden': true } : { role: 'img', 'aria-label': name, title: name })}
    >
      {initialsOf(name)}
    </span>
  )
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return letters
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toLocaleUpperCase()
}

const GROUNDS = 5
const groundOf = (name: string): number =>
  [...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 9973, 7) % GROUNDS

/** The sign of the house. */
export function Logo() {
  return (
    <svg viewBox="0 0 22 22" width="22" height="22" aria-hidden style={{ flex: 'none', display: 'block' }}>
      <rect x="1" y="1" width="20" height="20" rx="4" fill="var(--wb-accent)" />
      <path
        d="M5 6.5l2.6 9 3.4-7 3.4 7 2.6-9"
        fill="none"
        stroke="#fff"
        strokeWidth="1.9"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
