import { Button } from '@mantine/core'
import { getDocumentFile } from '@waybill/contract/document'
import type { InvoiceKsef } from '@waybill/contract/invoice/ksef/ksef'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callFile } from '../../../kit/api/call-api.ts'
import { saveFile } from '../../../kit/api/files.ts'
import { useErrorText } from '../../../kit/i18n/error-text.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { notify } from '../../../ui/notices/notify.tsx'

/** KSeF's confirmation that it has the invoice, as a file. */
export function SaveUpo({ upo: { documentId, title } }: { upo: NonNullable<InvoiceKsef['upo']> }) {
  const { t } = useTranslation('ksef')
  const errorText = useErrorText()
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const { blob } = await callFile(getDocumentFile, { params: { id: documentId } })
      saveFile(blob, title)
    } catch (error) {
      notify({ tone: 'danger', title: t('upo.notSaved'), detail: errorText(error), closeLabel: t('close') })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      size="compact-sm"
      loading={isBusy}
      leftSection={<Icon name="download" />}
      title={t('upo.means')}
      onClick={() => void save()}
    >
      {t('upo.save')}
    </Button>
  )
}
