import { Link, useSearch } from '@tanstack/react-router'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, hasCode } from '../../kit/api/api-error.ts'
import { useSignInErrorText } from '../../kit/session/use-sign-in-error-text.ts'
import { Notice } from '../../ui/notices/notice.tsx'
import classes from './auth-card.module.css'

interface AuthCardProps {
  title: ReactNode
  /** What was refused, said above the fields */
  failure?: unknown
  children: ReactNode
}

/** The one card of the pages that need no sign-in. */
export function AuthCard({ title, failure = null, children }: AuthCardProps) {
  return (
    <section className={classes.card}>
      <h1 className={classes.title}>{title}</h1>
      {failure === null ? null : (
        <Notice tone="danger" isUrgent>
          <Failure error={failure} />
        </Notice>
      )}
      {children}
    </section>
  )
}

function Failure({ error }: { error: unknown }) {
  const { t } = useTranslation('auth')
  const errorText = useSignInErrorText()
  if (hasCode(error, 'bad_credentials')) return t('badCredentials')
  if (error instanceof ApiError && error.code === 'rate_limited' && error.retryAfter !== null) {
    const { retryAfter } = error
    return retryAfter < 60
      ? t('rateLimitedSeconds', { count: retryAfter })
      : t('rateLimited', { count: Math.ceil(retryAfter / 60) })
  }
  return errorText(error)
}

/** The way back to the sign-in; where the person wanted to go is kept. */
export function BackToLogin({
  isPrimary = false,
  wanted,
  onLeave,
}: {
  isPrimary?: boolean
  /** Where the person wanted to go, if the address does not say it */
  wanted?: unknown
  onLeave?: () => void
}) {
  const { t } = useTranslation('auth')
  const { redirect = wanted ?? undefined } = useSearch({ strict: false }) as { redirect?: unknown }
  return (
    <Button
      variant={isPrimary ? 'filled' : 'subtle'}
      fullWidth
      onClick={onLeave}
      renderRoot={(props) => (
        <Link to="/auth/login" search={(redirect === undefined ? {} : { redirect }) as never} {...props} />
      )}
    >
      {isPrimary ? t('signIn') : t('back')}
    </Button>
  )
}
