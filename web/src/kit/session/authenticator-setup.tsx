import type { TwoFactorSetup } from '@waybill/contract/session'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/marks/icon.tsx'
import classes from './authenticator-setup.module.css'
import { CopyButton } from './copy-button.tsx'

/** What an authenticator app needs: the picture to scan, or the secret to type; on the phone itself a link. */
export function AuthenticatorSetup({ setup }: { setup: TwoFactorSetup }) {
  const { t } = useTranslation('auth')
  return (
    <div className={classes.setup}>
      <p>{t('setUp.scan')}</p>
      {/* As a picture, not as markup: nothing in it can run. */}
      <img
        className={classes.picture}
        src={`data:image/svg+xml;utf8,${encodeURIComponent(setup.qrSvg)}`}
        width={176}
        height={176}
        alt={t('setUp.picture')}
      />
      <a className={classes.link} href={setup.otpauthUrl}>
        <Icon name="phone" />
        {t('setUp.open')}
      </a>
      <div className={classes.secret}>
        <span>{t('setUp.secret')}</span>
        <code>{inFours(setup.secret)}</code>
        <CopyButton text={setup.secret} label={t('setUp.copySecret')} isIcon />
      </div>
    </div>
  )
}

// Thirty-two letters in a row cannot be typed off.
const inFours = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ')
