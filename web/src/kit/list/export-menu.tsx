import { Menu } from '@mantine/core'
import { EXPORT_FORMATS, type ExportFormat } from '@waybill/contract/kit/paging'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../ui/icon-button.tsx'
import { notify } from '../../ui/notify.tsx'
import { saveFile } from '../api/files.ts'
import { useErrorText } from '../i18n/error-text.ts'
import type { List } from './use-list.ts'

/** Takes the whole list out as a file, narrowed and sorted as it is on the screen. */
export function ExportMenu({ list }: { list: List<unknown> }) {
  const { t } = useTranslation('list')
  const errorText = useErrorText()
  const [isBusy, setBusy] = useState(false)
  const take = async (format: ExportFormat) => {
    setBusy(true)
    try {
      const { blob, fileName } = await list.exportAs(format)
      saveFile(blob, fileName)
      notify({ tone: 'ok', title: t('export.done', { fileName }), closeLabel: t('close') })
    } catch (error) {
      notify({ tone: 'danger', title: t('export.failed'), detail: errorText(error), closeLabel: t('close') })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton icon={isBusy ? 'spinner' : 'download'} label={t(isBusy ? 'export.busy' : 'export.button')} disabled={isBusy} />
      </Menu.Target>
      <Menu.Dropdown>
        {EXPORT_FORMATS.map((format) => (
          <Menu.Item key={format} onClick={() => void take(format)}>
            {t(`export.${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
