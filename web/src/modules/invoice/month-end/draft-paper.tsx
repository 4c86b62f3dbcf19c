import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { openFile } from '../../../kit/api/files.ts'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { Segmented } from '../../../ui/fields/segmented.tsx'
import { Icon } from '../../../ui/marks/icon.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { EmptyState } from '../../../ui/notices/notice.tsx'
import classes from './month-end.module.css'
import { paperQuery, type Asked } from './use-month-end.ts'

interface DraftPaperProps {
  asked: Asked
  customerId: number
  without: readonly number[]
  /** how many invoices the customer gets */
  count: number
}

/** The invoice as it would look; nothing is written by looking at it. */
export function DraftPaper({ asked, customerId, without, count }: DraftPaperProps) {
  const { t } = useTranslation('month-end')
  const [chosen, setPart] = useState(0)
  const part = Math.min(chosen, Math.max(count - 1, 0))
  const { data, error, refetch } = useQuery({ ...paperQuery(asked, customerId, without, part), enabled: count > 0 })
  if (count === 0) return <p className={classes.none}>{t('noneReady')}</p>
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  return (
    <div className={classes.paper}>
      {count === 1 ? null : (
        <Segmented
          isSmall
          label={t('view.paper')}
          value={String(part)}
          onChange={(next) => setPart(Number(next))}
          options={Array.from({ length: count }, (_, index) => ({ value: String(index), label: String(index + 1) }))}
        />
      )}
      {data === undefined ? (
        <SkeletonLines lines={14} label={t('loading')} />
      ) : (
        <Sheet key={data.fileName} blob={data.blob} fileName={data.fileName} />
      )}
    </div>
  )
}

function Sheet({ blob, fileName }: { blob: Blob; fileName: string }) {
  const { t } = useTranslation('month-end')
  // The blob has an address while it is shown.
  const draw = useCallback(
    (element: HTMLObjectElement | null) => {
      if (element === null) return undefined
      const address = URL.createObjectURL(blob)
      element.data = `${address}#navpanes=0&view=FitH`
      return () => URL.revokeObjectURL(address)
    },
    [blob],
  )
  // Most phones show a PDF in a window of its own alone.
  if (!navigator.pdfViewerEnabled)
    return (
      <EmptyState
        icon="file"
        title={fileName}
        actions={
          <Button size="compact-sm" leftSection={<Icon name="eye" />} onClick={() => openFile(blob, fileName)}>
            {t('openPaper')}
          </Button>
        }
      />
    )
  return <object ref={draw} className={classes.pdf} type="application/pdf" aria-label={fileName} />
}
