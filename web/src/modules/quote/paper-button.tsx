import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { getQuotePaper, type Quote } from '@waybill/contract/quote/quote'
import { useTranslation } from 'react-i18next'
import { callFile } from '../../kit/api/call-api.ts'
import { openFile } from '../../kit/api/files.ts'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { notify } from '../../ui/notices/notify.tsx'

/** Shows a quote as PDF: what was sent, or a draft as it would be. */
export function PaperButton({ quote, isSmall = false }: { quote: Pick<Quote, 'id'>; isSmall?: boolean }) {
  const { t } = useTranslation('quote')
  const errorText = useErrorText()
  const paper = useMutation({
    mutationFn: () => callFile(getQuotePaper, { params: { id: quote.id } }),
    onSuccess: ({ blob, fileName }) => openFile(blob, fileName),
    onError: (fault) =>
      notify({ tone: 'danger', title: t('paper.failed'), detail: errorText(fault), closeLabel: t('close') }),
  })
  return (
    <Button
      {...(isSmall && { size: 'compact-sm' })}
      variant="default"
      leftSection={<Icon name="file" />}
      loading={paper.isPending}
      onClick={() => paper.mutate()}
    >
      {t('paper.show')}
    </Button>
  )
}
