import { Button, Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { EXPORT_FORMATS, type ExportFormat } from '@waybill/contract/kit/paging'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../../ui/marks/icon.tsx'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import { saveFile } from '../../api/files.ts'
import { useErrorText } from '../../i18n/error-text.ts'

interface ExportMenuProps {
  /** Asks the server for the file */
  exportAs: (format: ExportFormat) => Promise<{ blob: Blob; fileName: string }>
  /** Where records come in from a file */
  importTo?: string
  /** For a part of the list: a button with these words, and why it cannot be taken out, if so */
  part?: { words: string; whyNot: string | undefined }
}

/** Takes rows out as a file: the whole list, narrowed and sorted as it is on the screen, or a part of it. */
export function ExportMenu({ exportAs, importTo, part }: ExportMenuProps) {
  const { t } = useTranslation(['list', 'list-page'])
  const errorText = useErrorText()
  const [isBusy, setBusy] = useState(false)
  const take = async (format: ExportFormat) => {
    setBusy(true)
    try {
      const { blob, fileName } = await exportAs(format)
      saveFile(blob, fileName)
      notify({ tone: 'ok', title: t('list-page:export.done', { fileName }), closeLabel: t('close') })
    } catch (error) {
      notify({ tone: 'danger', title: t('list-page:export.failed'), detail: errorText(error), closeLabel: t('close') })
    } finally {
      setBusy(false)
    }
  }
  const icon = isBusy ? 'spinner' : 'download'
  return (
    <Menu position={part === undefined ? 'bottom-end' : 'top-start'}>
      <Menu.Target>
        {part === undefined ? (
          <IconButton
            icon={icon}
            label={t(
              isBusy
                ? 'list-page:export.busy'
                : importTo === undefined
                  ? 'list-page:export.button'
                  : 'list-page:export.orImport',
            )}
            disabled={isBusy}
          />
        ) : (
          <Button
            size="compact-sm"
            leftSection={<Icon name={icon} />}
            disabled={isBusy || part.whyNot !== undefined}
            title={part.whyNot}
          >
            {part.words}
          </Button>
        )}
      </Menu.Target>
      <Menu.Dropdown>
        {EXPORT_FORMATS.map((format) => (
          <Menu.Item key={format} onClick={() => void take(format)}>
            {t(`list-page:export.${format}`)}
          </Menu.Item>
        ))}
        {importTo === undefined ? null : (
          <Menu.Item component={Link} to={importTo}>
            {t('list-page:export.import')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
