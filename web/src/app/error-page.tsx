import { Button } from '@mantine/core'
import { Link, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../kit/api/load-error.tsx'
import { isMissingPart, reloadIfAnswered } from '../kit/api/missing-part.ts'
import { EmptyState } from '../ui/notices/notice.tsx'
import classes from './error-page.module.css'

/** A screen that failed; what it was and a way to try again. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = () => {
    // The part stays lost to a page that did not get it.
    if (isMissingPart(error)) return void reloadIfAnswered()
    reset()
    void router.invalidate()
  }
  return (
    <main className={classes.page} id="content" tabIndex={-1}>
      <LoadError error={error} onRetry={retry} />
    </main>
  )
}

/** Spec §8: a screen or a call that is not theirs. */
export function ForbiddenPage() {
  const { t } = useTranslation('errors')
  return <Refusal title={t('forbidden.title')} text={t('forbidden.text')} icon="lock" />
}

/** Spec §8: what does not exist. */
export function MissingPage() {
  const { t } = useTranslation('errors')
  return <Refusal title={t('missing.title')} text={t('missing.text')} icon="search" />
}

function Refusal({ title, text, icon }: { title: string; text: string; icon: 'lock' | 'search' }) {
  const { t } = useTranslation('errors')
  return (
    <div className={classes.page}>
      <EmptyState
        icon={icon}
        title={<h1 className={classes.title}>{title}</h1>}
        actions={
          <Button variant="filled" renderRoot={(props) => <Link to="/" {...props} />}>
            {t('toMainPage')}
          </Button>
        }
      >
        {text}
      </EmptyState>
    </div>
  )
}
