import { Button } from '@mantine/core'
import type { Changes } from '@waybill/contract/operations/changes'
import { useTranslation } from 'react-i18next'
import { ModalFrame } from '../../../ui/windows/confirm-modal.tsx'
import classes from './account-menu.module.css'

interface WhatsNewProps {
  changes: Changes
  isOpen: boolean
  onClose: () => void
}

/** What each version has brought, in the words of its changelog, which is in English. */
export function WhatsNew({ changes: { version, releases }, isOpen, onClose }: WhatsNewProps) {
  const { t } = useTranslation('shell')
  const { t: tCommon } = useTranslation()
  return (
    <ModalFrame
      isOpen={isOpen}
      onClose={onClose}
      title={t('news.title')}
      closeLabel={tCommon('close')}
      onSubmit={onClose}
      isWide
      footer={
        <Button type="submit" data-autofocus>
          {tCommon('close')}
        </Button>
      }
    >
      <p>{t('news.version', { version })}</p>
      {releases.length === 0 ? <p>{t('news.none')}</p> : null}
      <div lang="en" className={classes.news}>
        {releases.map((release) => (
          <section key={release.version} aria-label={release.version}>
            <h3>{release.version}</h3>
            <ul>
              {release.notes.map(({ title, text }) => (
                <li key={`${title} ${text}`}>
                  {title === '' ? null : <b>{title}</b>} {text}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </ModalFrame>
  )
}
