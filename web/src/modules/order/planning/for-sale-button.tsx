import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { exportForSale } from '@waybill/contract/order/planning/board'
import { useTranslation } from 'react-i18next'
import { callFile } from '../../../kit/api/call-api.ts'
import { saveFile } from '../../../kit/api/files.ts'
import { useErrorText } from '../../../kit/i18n/error-text.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { notify } from '../../../ui/notices/notify.tsx'

/** Takes the list of what is for sale along as a file for exchanges of freight. */
export function ForSaleButton({ departmentId }: { departmentId: number | null }) {
  const { t } = useTranslation('planning')
  const errorText = useErrorText()
  const file = useMutation({
    mutationFn: () => {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
      const query = { format: 'csv' as const, timeZone, ...(departmentId !== null && { departmentId: [departmentId] }) }
      return callFile(exportForSale, { query })
    },
    onSuccess: ({ blob, fileName }) => {
      saveFile(blob, fileName)
      notify({ tone: 'ok', title: t('forSale.done', { fileName }), closeLabel: t('close') })
    },
    onError: (error) =>
      notify({ tone: 'danger', title: t('forSale.failed'), detail: errorText(error), closeLabel: t('close') }),
  })
  return (
    <Button
      size="compact-sm"
      leftSection={<Icon name="download" size={13} />}
      title={t('forSale.means')}
      loading={file.isPending}
      onClick={() => file.mutate()}
    >
      {t('forSale.button')}
    </Button>
  )
}
