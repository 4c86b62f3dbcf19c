import { Button } from '@mantine/core'
import type { RouteDriverLink } from '@waybill/contract/public/driver-link'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { CopyButton } from '../../../kit/session/copy-button.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import { ConfirmModal } from '../../../ui/windows/confirm-modal.tsx'
import classes from './driver-window.module.css'

interface DriverLinkPartProps {
  link: RouteDriverLink['link']
  /** what is said where there is none */
  none: string
  mayMake: boolean
  /** with the link that is seen here; null for none */
  onRenew: (linkId: number | null) => Promise<unknown>
  onRevoke: () => Promise<unknown>
  /** after each try, also one that was refused */
  onChanged: () => void
}

/** A driver's link of a route or a truck: make, copy, renew, revoke. */
export function DriverLinkPart({ link, none, mayMake, onRenew, onRevoke, onChanged }: DriverLinkPartProps) {
  const { t } = useTranslation(['driver-link', 'form'])
  const format = useFormat()
  const errorText = useErrorText()
  const [question, setQuestion] = useState<'renew' | 'revoke' | null>(null)
  const [isBusy, setBusy] = useState(false)
  const change = async (work: () => Promise<unknown>) => {
    setBusy(true)
    try {
      await work()
    } catch (failure) {
      notify({ tone: 'danger', title: t('notChanged'), detail: errorText(failure), closeLabel: t('form:close') })
    }
    setBusy(false)
    setQuestion(null)
    onChanged()
  }
  const renew = () => change(() => onRenew(link?.id ?? null))
  const revoke = () => change(onRevoke)
  return (
    <section className={classes.link} aria-label={t('title')}>
      {link === null ? (
        <>
          <p>{none}</p>
          <Button size="compact-sm" loading={isBusy} disabled={!mayMake} onClick={() => void renew()}>
            {t('make')}
          </Button>
        </>
      ) : (
        <>
          <p>
            <a href={link.url} target="_blank" rel="noopener noreferrer">
              {link.url.replace(/^https?:\/\//, '')}
            </a>
            <small>{t('until', { day: format.day(link.endsAt) })}</small>
          </p>
          <CopyButton text={link.url} label={t('copy')} />
          <Button size="compact-sm" onClick={() => setQuestion('renew')}>
            {t('renew')}
          </Button>
          <Button size="compact-sm" variant="subtle" onClick={() => setQuestion('revoke')}>
            {t('revoke')}
          </Button>
        </>
      )}
      <ConfirmModal
        isOpen={question !== null}
        title={t(`ask.${question ?? 'renew'}.title`)}
        confirmLabel={t(`ask.${question ?? 'renew'}.confirm`)}
        cancelLabel={t('form:cancel')}
        closeLabel={t('form:close')}
        tone={question === 'renew' ? 'primary' : 'danger'}
        isBusy={isBusy}
        onCancel={() => setQuestion(null)}
        onConfirm={() => void (question === 'renew' ? renew() : revoke())}
      >
        {t(`ask.${question ?? 'renew'}.text`)}
      </ConfirmModal>
    </section>
  )
}
