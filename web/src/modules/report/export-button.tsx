import { Button, Menu } from '@mantine/core'
import { EXPORT_FORMATS, type ExportFormat } from '@waybill/contract/kit/paging'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { saveFile } from '../../kit/api/files.ts'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { KeyHint } from '../../ui/marks/marks.tsx'
import { notify } from '../../ui/notices/notify.tsx'

type Take = (format: ExportFormat, timeZone: string) => Promise<{ blob: Blob; fileName: string }>

/** Takes a report along as a file. */
export function ExportButton({ load }: { load: Take }) {
  const { t } = useTranslation(['report', 'list-page', 'list'])
  const errorText = useErrorText()
  const [isBusy, setBusy] = useState(false)
  const take = async (format: ExportFormat) => {
    setBusy(true)
    try {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
      const { blob, fileName } = await load(format, timeZone)
      saveFile(blob, fileName)
      notify({ tone: 'ok', title: t('list-page:export.done', { fileName }), closeLabel: t('list:close') })
    } catch (error) {
      notify({
        tone: 'danger',
        title: t('list-page:export.failed'),
        detail: errorText(error),
        closeLabel: t('list:close'),
      })
    } finally {
      setBusy(false)
    }
  }
  useShortcut({ key: 'e', label: t('exportXlsx'), run: () => void take('xlsx') }, !isBusy)
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="filled"
          size="compact-sm"
          disabled={isBusy}
          leftSection={<Icon name={isBusy ? 'spinner' : 'download'} size={13} />}
          rightSection={<KeyHint>E</KeyHint>}
        >
          {t('export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {EXPORT_FORMATS.map((format) => (
          <Menu.Item key={format} onClick={() => void take(format)}>
            {t(`list-page:export.${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
