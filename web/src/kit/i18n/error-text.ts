import { fill, type FormErrorCode } from '@waybill/contract/errors'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/api-error.ts'
import { isMissingPart } from '../api/missing-part.ts'

/** What went wrong, as a sentence in the person's language. */
export function useErrorText(): (error: unknown) => string {
  const { t } = useTranslation('errors')
  return (error) => {
    if (isMissingPart(error)) return t('missingPart')
    if (!(error instanceof ApiError)) return t('unexpected')
    if (error.code === 'offline') return t('offline.text')
    return error.detail === '' ? t('unexpected') : error.detail
  }
}

/** The contract's words for a wrong field, filled with the item's params. */
export function useFieldErrorText(): (code: FormErrorCode, params?: Readonly<Record<string, unknown>>) => string {
  const { t } = useTranslation('field-errors')
  return (code, params) => fill(t(code), params)
}

/** A refused call in sentences: what is wrong with each field where the server says so, else the whole. */
export function useRefusalWords(): (error: unknown) => string[] {
  const errorText = useErrorText()
  return (error) =>
    error instanceof ApiError && error.errors.length > 0
      ? error.errors.map(({ message }) => message)
      : [errorText(error)]
}
