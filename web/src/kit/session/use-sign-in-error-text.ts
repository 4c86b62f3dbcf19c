import { useTranslation } from 'react-i18next'
import { useErrorText } from '../i18n/error-text.ts'
import { PasskeyError } from './passkey.ts'

/** Words for what was refused by the server, or by the browser that was asked for a passkey. */
export function useSignInErrorText(): (error: unknown) => string {
  const { t } = useTranslation('auth')
  const errorText = useErrorText()
  return (error) => (error instanceof PasskeyError ? t(`passkey.${error.reason}`) : errorText(error))
}
