import { Icon } from '../../ui/marks/icon.tsx'
import classes from './payment-file.module.css'

/** How an item stands, by shape first: a cross in a square stops, a triangle wants a look, a ring is open. */
export function Light({ look }: { look: 'stop' | 'look' | 'open' | 'fits' }) {
  if (look === 'open') return <span className={classes.ring} aria-hidden />
  const icon = look === 'fits' ? 'check' : look === 'stop' ? 'close' : 'alert'
  return (
    <span className={classes.light} data-look={look} aria-hidden>
      <Icon name={icon} size={look === 'look' ? 14 : 11} />
    </span>
  )
}
