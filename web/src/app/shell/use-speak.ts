import type { Language } from '@waybill/contract/errors'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { chooseLanguage } from '../../kit/session/session.ts'
import { notify } from '../../ui/notices/notify.tsx'

/** Changes the person's language, and says so where the server did not take it. */
export function useSpeak(): (language: Language) => void {
  const { t } = useTranslation()
  const errorText = useErrorText()
  return (language) => {
    chooseLanguage(language).catch((error: unknown) =>
      notify({ tone: 'danger', title: errorText(error), closeLabel: t('close') }),
    )
  }
}
