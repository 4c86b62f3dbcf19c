import type { EmailRow } from '@waybill/contract/email'
import { Icon } from '../../ui/marks/icon.tsx'
import classes from './email-state-mark.module.css'
import { EMAIL_ICONS, useEmailWords } from './email-words.ts'

/** The state of a mail by light and word; why it has not left where the pointer rests. */
export function EmailStateMark({ email }: { email: EmailRow }) {
  const words = useEmailWords()
  return (
    <span className={classes.mark} data-status={email.status} title={words.why(email) ?? undefined}>
      <Icon name={EMAIL_ICONS[email.status]} size={13} />
      <span>{words.state(email)}</span>
    </span>
  )
}
