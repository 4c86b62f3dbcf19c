import { useQuery } from '@tanstack/react-query'
import { previewTemplate, type RenderedMail } from '@waybill/contract/email/template'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { useErrorText } from '../../../kit/i18n/error-text.ts'
import { previewOf } from '../editor/template-values.ts'
import type { TemplateForm, TemplateView } from '../editor/use-template-form.ts'
import type { Catalogue } from '../text/catalogue.ts'
import { useRested } from './use-rested.ts'

export interface Preview {
  /** The last picture there was; null before the first */
  mail: RenderedMail | null
  isLoading: boolean
  /** Why there is no new picture */
  error: string | null
  /** Draws it again after a failure */
  retry: () => void
}

/** The mail that a text makes of an order; the old picture stays until the new one is there. */
export function usePreview(
  form: TemplateForm,
  { id, key }: TemplateView,
  catalogue: Catalogue,
  orderId: number | null,
): Preview {
  const { t } = useTranslation('mail-template')
  const errorText = useErrorText()
  const text = useRested(form)
  const shown = previewOf(text, catalogue.isKnown, t('preview.unknown'))
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['mail-preview', id, key, orderId, JSON.stringify(shown)],
    queryFn: ({ signal }) => callApi(previewTemplate, { params: { id, key }, body: { text: shown!, orderId }, signal }),
    enabled: shown !== null,
    placeholderData: (before) => before,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return {
    mail: data ?? null,
    isLoading: isFetching,
    error: error === null ? null : errorText(error),
    retry: () => void refetch(),
  }
}
