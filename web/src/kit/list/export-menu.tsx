import { Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { EXPORT_FORMATS, type ExportFormat } from '@waybill/contract/kit/paging'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../ui/icon-button.tsx'
import { notify } from '../../ui/notify.tsx'
import { saveFile } from '../api/files.ts'
import { useErrorText } from '../i18n/error-text.ts'
import type { List } from './use-list.ts'

/** Takes the whole list out as a file, narrowed and sorted as it is on the screen; `importTo` leads to where records come in from one. */
export function ExportMenu({ list, importTo }: { list: List<unknown>; importTo?: string }) {
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
        <IconButton icon={isBusy ? 'spinner' : 'download'} label={t(isBusy ? 'export.busy' : importTo === undefined ? 'export.button' : 'export.orImport')} disabled={isBusy} />
      </Menu.Target>
      <Menu.Dropdown>
        {EXPORT_FORMATS.map((format) => (
          <Menu.Item key={format} onClick={() => void take(format)}>
            {t(`export.${format}`)}
          </Menu.Item>
        ))}
        {importTo === undefined ? null : (
          <Menu.Item component={Link} to={importTo}>
            {t('export.import')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
