import { Icon, type IconName } from './icon.tsx'
import classes from './icon-button.module.css'

interface IconButtonProps extends Omit<React.ComponentProps<'button'>, 'children'> {
  icon: IconName
  /** Its name, for the ear and as tooltip */
  label: string
  /** 24 px instead of 30 */
  isSmall?: boolean
}

/** A button that is an icon. */
export function IconButton({ icon, label, isSmall = false, className = '', ...button }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...button}
      className={`${classes.button} ${className}`}
      data-small={isSmall || undefined}
    >
      <Icon name={icon} />
    </button>
  )
}
