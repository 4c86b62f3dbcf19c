import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { InvoiceCheck } from '@waybill/contract/invoice/checking'
import { lazy, Suspense, useCallback, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { openFile, saveFile } from '../../../kit/api/files.ts'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { Icon } from '../../../ui/marks/icon.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { EmptyState } from '../../../ui/notices/notice.tsx'
import { TabBar } from '../../../ui/page/tab-bar.tsx'
import { AcceptanceMark, EInvoiceSheet } from '../../document/paper-section.ts'
import classes from './check.module.css'
import { MarkedText } from './marked/marked-text.tsx'
import { paperQuery, sheetQuery } from './use-check.ts'

const DrawnPdf = lazy(() => import('./marked/drawn-pdf.tsx').then((file) => ({ default: file.DrawnPdf })))

export type PaperTab = 'invoice' | 'pod' | 'transportOrder'
type Pod = InvoiceCheck['pods'][number]

interface CheckPaperProps {
  check: InvoiceCheck
  tab: PaperTab
  onTab: (tab: PaperTab) => void
  onAccept: (pod: Pod) => void
  onRefuse: (pod: Pod) => void
  /** on a phone the paper lies over the checks */
  onClose?: () => void
}

const NOTHING = {
  invoice: ['paper.noInvoice', 'paper.noInvoiceText'],
  pod: ['paper.noPod', 'paper.noPodText'],
  transportOrder: ['paper.noTransportOrder', 'paper.noTransportOrderText'],
} as const

/** The invoice or the proof of delivery as it came, or what was ordered. */
export function CheckPaper({ check, tab, onTab, onAccept, onRefuse, onClose }: CheckPaperProps) {
  const { t } = useTranslation('invoice-check')
  const files = { invoice: check.papers, pod: check.pods, transportOrder: check.transportOrders }[tab]
  const [chosen, setChosen] = useState<number | null>(null)
  const index = Math.max(
    0,
    files.findIndex(({ documentId }) => documentId === chosen),
  )
  const file = files[index]
  const [nothing, nothingText] = NOTHING[tab]
  const { data } = useQuery({ ...paperQuery(file?.documentId ?? 0), enabled: file !== undefined })
  return (
    <section className={classes.paper} aria-label={t('paper.label')}>
      <div className={classes.paperHead}>
        <TabBar
          label={t('paper.label')}
          tabs={[
            { key: 'invoice', label: t('paper.invoice') },
            { key: 'pod', label: t('paper.pod'), ...(check.pods.length > 0 && { count: check.pods.length }) },
            { key: 'transportOrder', label: t('paper.transportOrder') },
          ]}
          current={tab}
          onSelect={onTab}
        />
        <span className={classes.paperTools}>
          {files.length > 1 ? (
            <>
              <IconButton
                icon="chevronLeft"
                isSmall
                label={t('paper.previous')}
                disabled={index === 0}
                onClick={() => setChosen(files[index - 1]!.documentId)}
              />
              <span className={classes.paperCount}>{t('paper.of', { number: index + 1, count: files.length })}</span>
              <IconButton
                icon="chevronRight"
                isSmall
                label={t('paper.next')}
                disabled={index === files.length - 1}
                onClick={() => setChosen(files[index + 1]!.documentId)}
              />
            </>
          ) : null}
          {data === undefined ? null : (
            <>
              <IconButton
                icon="eye"
                isSmall
                label={t('paper.open')}
                onClick={() => openFile(data.blob, data.fileName)}
              />
              <IconButton
                icon="download"
                isSmall
                label={t('paper.download')}
                onClick={() => saveFile(data.blob, data.fileName)}
              />
            </>
          )}
          {onClose === undefined ? null : <IconButton icon="close" label={t('close')} onClick={onClose} />}
        </span>
      </div>
      {file === undefined ? (
        <div className={classes.paperDesk}>
          <EmptyState icon="file" title={t(nothing)}>
            {t(nothingText)}
          </EmptyState>
        </div>
      ) : (
        <>
          {tab === 'pod' ? <PodBar pod={check.pods[index]!} onAccept={onAccept} onRefuse={onRefuse} /> : null}
          <Sheet
            key={file.documentId}
            id={file.documentId}
            title={file.title}
            isXml={/xml/.test(file.contentType)}
            check={tab === 'invoice' ? check : null}
          />
        </>
      )}
    </section>
  )
}

function PodBar({ pod, onAccept, onRefuse }: { pod: Pod } & Pick<CheckPaperProps, 'onAccept' | 'onRefuse'>) {
  const { t } = useTranslation('invoice-check')
  return (
    <div className={classes.podBar}>
      <span className={classes.podName} title={pod.title}>
        {pod.title}
      </span>
      {pod.acceptance === null ? null : <AcceptanceMark acceptance={pod.acceptance} />}
      {pod.acceptance === 'refused' ? <span className={classes.podWhy}>{pod.refusalReason}</span> : null}
      {pod.acceptance === 'toCheck' ? (
        <span className={classes.podActions}>
          <Button size="compact-sm" onClick={() => onRefuse(pod)}>
            {t('pod.refuse')}
          </Button>
          <Button size="compact-sm" variant="filled" onClick={() => onAccept(pod)}>
            {t('pod.accept')}
          </Button>
        </span>
      ) : null}
    </div>
  )
}

interface SheetProps {
  id: number
  title: string
  isXml: boolean
  /** whose values are marked in it */
  check: InvoiceCheck | null
}

function Sheet({ id, title, isXml, check }: SheetProps) {
  const paper = useQuery({ ...paperQuery(id), enabled: !isXml })
  const sheet = useQuery({ ...sheetQuery(id), enabled: isXml })
  const { error, refetch } = isXml ? sheet : paper
  if (error) return <Desk>{<LoadError error={error} onRetry={() => void refetch()} />}</Desk>
  if (isXml && sheet.data !== undefined)
    return (
      <Desk>
        <MarkedText check={check}>
          <EInvoiceSheet invoice={sheet.data} />
        </MarkedText>
      </Desk>
    )
  if (paper.data === undefined) return <Waiting />
  return <Picture title={title} blob={paper.data.blob} fileName={paper.data.fileName} check={check} />
}

function Waiting() {
  const { t } = useTranslation('invoice-check')
  return (
    <Desk>
      <SkeletonLines lines={12} label={t('loading')} />
    </Desk>
  )
}

const Desk = ({ children }: { children: ReactNode }) => <div className={classes.paperDesk}>{children}</div>

interface PictureProps extends Pick<SheetProps, 'title' | 'check'> {
  blob: Blob
  fileName: string
}

function Picture({ title, blob, fileName, check }: PictureProps) {
  const { t } = useTranslation('invoice-check')
  const [isPlain, setPlain] = useState(false)
  // The blob has an address while it is shown.
  const draw = useCallback(
    (element: HTMLImageElement | HTMLObjectElement | null) => {
      if (element === null) return undefined
      const address = URL.createObjectURL(blob)
      if (element instanceof HTMLImageElement) element.src = address
      else element.data = `${address}#navpanes=0&view=FitH`
      return () => URL.revokeObjectURL(address)
    },
    [blob],
  )
  if (blob.type.startsWith('image/'))
    return (
      <Desk>
        <img ref={draw} alt={title} className={classes.picture} />
      </Desk>
    )
  // What is compared is marked; and most phones show no PDF beside other things by themselves.
  if (!isPlain && (check !== null || !navigator.pdfViewerEnabled))
    return (
      <Suspense fallback={<Waiting />}>
        <DrawnPdf
          blob={blob}
          title={title}
          check={check}
          hasViewer={navigator.pdfViewerEnabled}
          onPlain={() => setPlain(true)}
        />
      </Suspense>
    )
  if (!navigator.pdfViewerEnabled)
    return (
      <Desk>
        <EmptyState
          icon="file"
          title={title}
          actions={
            <Button size="compact-sm" leftSection={<Icon name="eye" />} onClick={() => openFile(blob, fileName)}>
              {t('paper.open')}
            </Button>
          }
        >
          {t('paper.noViewer')}
        </EmptyState>
      </Desk>
    )
  return <object ref={draw} className={classes.pdf} type="application/pdf" aria-label={title} />
}
