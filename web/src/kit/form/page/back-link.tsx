import { Link } from '@tanstack/react-router'
import { Icon } from '../../../ui/marks/icon.tsx'
import classes from './back-link.module.css'

/** Before a record's name: the way back to where it was opened from. Phones have their own. */
export function BackLink({ to, search, label }: { to: string; search?: never; label: string }) {
  return (
    <Link
      to={to}
      {...(search === undefined ? {} : { search })}
      className={classes.back}
      aria-label={label}
      title={label}
    >
      <Icon name="chevronLeft" />
    </Link>
  )
}
