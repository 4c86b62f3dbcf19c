import { LANGUAGES } from '@waybill/contract/errors'
import { Outlet } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { changeLanguage, currentLanguage } from '../../kit/i18n/i18n.ts'
import { LANGUAGE_NAMES } from '../../kit/i18n/languages.ts'
import { Logo, StopMark } from '../../ui/marks/marks.tsx'
import { Segmented } from '../../ui/fields/segmented.tsx'
import classes from './auth-layout.module.css'

/** The frame of what needs no sign-in: name, language, one card. */
export function AuthLayout() {
  const { t } = useTranslation('auth')
  return (
    <div className={classes.page}>
      <header className={classes.bar}>
        <Logo />
        <b>Waybill</b>
        <span className={classes.gap} />
        <Segmented
          isSmall
          label={t('language')}
          value={currentLanguage()}
          onChange={(language) => void changeLanguage(language)}
          options={LANGUAGES.map((language) => ({
            value: language,
            label: language.toUpperCase(),
            title: LANGUAGE_NAMES[language],
          }))}
        />
      </header>
      <main className={classes.middle} id="content" tabIndex={-1}>
        <Outlet />
      </main>
      <div className={classes.lane} aria-hidden>
        <StopMark position={1} size={16} />
        <i />
        <StopMark position={2} size={16} />
        <i />
        <StopMark position={3} size={16} />
      </div>
    </div>
  )
}
