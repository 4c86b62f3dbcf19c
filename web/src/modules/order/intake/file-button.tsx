import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { getIntakeAttachment, getIntakeFile } from '@waybill/contract/intake/intake'
import { useTranslation } from 'react-i18next'
import { callFile } from '../../../kit/api/call-api.ts'
import { openFile } from '../../../kit/api/files.ts'
import { useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { Icon } from '../../../ui/marks/icon.tsx'

/** The file that the mail came as, or one of its attachments: what they hold beside the text is looked at there. */
export function FileButton({ id, attachment }: { id: number; attachment?: { place: number; label: string } }) {
  const { t } = useTranslation('intake')
  const refusalWords = useRefusalWords()
  const file = useMutation({
    mutationFn: () =>
      attachment === undefined
        ? callFile(getIntakeFile, { params: { id } })
        : callFile(getIntakeAttachment, { params: { id, place: attachment.place } }),
    onSuccess: ({ blob, fileName }) => openFile(blob, fileName),
  })
  return (
    <>
      <Button
        size="compact-sm"
        leftSection={<Icon name="file" size={13} />}
        loading={file.isPending}
        onClick={() => file.mutate()}
      >
        {attachment?.label ?? t('mail.openFile')}
      </Button>
      {file.error === null ? null : <span role="alert">{refusalWords(file.error).join('. ')}</span>}
    </>
  )
}
