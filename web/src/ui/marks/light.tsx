import { Icon, type IconName } from './icon.tsx'
import classes from './light.module.css'

/** The same five everywhere, told apart by shape: fits, look, stop, not known, at work. */
export type LightLevel = 'ok' | 'look' | 'stop' | 'open' | 'running'

const ICONS: Partial<Record<LightLevel, { name: IconName; size: number }>> = {
  ok: { name: 'check', size: 11 },
  look: { name: 'alert', size: 16 },
  stop: { name: 'close', size: 11 },
  running: { name: 'refresh', size: 15 },
}

/** A light: a tick in a disc, a triangle, a cross in a square, a ring, or a turning arrow; the word for the ear. */
export function Light({ level, label }: { level: LightLevel; label: string }) {
  const icon = ICONS[level]
  return (
    <span className={classes.light} data-level={level} role="img" aria-label={label} title={label}>
      {icon === undefined ? null : <Icon name={icon.name} size={icon.size} />}
    </span>
  )
}
