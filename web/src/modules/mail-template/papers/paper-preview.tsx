import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { previewPaper, type DrawnPaper, type PaperWrite } from '@waybill/contract/email/paper-template'
import { isBlankPaper } from '@waybill/contract/kit/rich-text'
import { useCallback, useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { bytesOf, openFile } from '../../../kit/api/files.ts'
import { useErrorText } from '../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { EmptyState, Notice } from '../../../ui/notices/notice.tsx'
import previewClasses from '../preview/preview.module.css'
import type { Catalogue } from '../text/catalogue.ts'
import { useRested } from '../preview/use-rested.ts'
import { shownPaper } from './paper-doc.ts'
import classes from './papers.module.css'
import type { PaperForm, PaperView } from './use-paper-form.ts'

interface Preview {
  drawn: DrawnPaper | null
  isLoading: boolean
  error: string | null
  retry: () => void
}

/** The document that a text makes of an order, once the hand has rested; the old one stays until then. */
export function usePaperPreview(
  form: PaperForm,
  { id, key }: PaperView,
  catalogue: Catalogue,
  orderId: number | null,
): Preview {
  const { t } = useTranslation('mail-template')
  const errorText = useErrorText()
  const rested = useRested(form)
  const body = shownPaper(rested.body, catalogue.isKnown, `[${t('preview.unknown')}]`)
  const text: PaperWrite | null =
    body === null ? null : isBlankPaper(body) ? { mode: 'standard', body: [] } : { mode: rested.mode, body }
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['paper-preview', id, key, orderId, JSON.stringify(text)],
    queryFn: ({ signal }) => callApi(previewPaper, { params: { id, key }, body: { text: text!, orderId }, signal }),
    enabled: text !== null,
    placeholderData: (before) => before,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return {
    drawn: data ?? null,
    isLoading: isFetching,
    error: error === null ? null : errorText(error),
    retry: () => void refetch(),
  }
}

const blobOf = (base64: string): Blob => new Blob([bytesOf(base64)], { type: 'application/pdf' })

interface PaperPreviewProps {
  preview: Preview
  title: string
  /** What a field is called */
  labelOf: (key: string) => string
  picker: ReactNode
  /** On a phone: the way back to the text */
  back: ReactNode
}

/** The document as it is made, with the chosen order. */
export function PaperPreview({ preview, title, labelOf, picker, back }: PaperPreviewProps) {
  const { t } = useTranslation('paper-template')
  const mail = useTranslation('mail-template').t
  const format = useFormat()
  const { drawn, error, isLoading, retry } = preview
  const pdf = drawn?.pdf
  const blob = useMemo(() => (pdf === undefined ? null : blobOf(pdf)), [pdf])
  return (
    <section className={previewClasses.column} aria-label={t('preview.title')}>
      <div className={previewClasses.head}>
        {back}
        {picker}
        <Button
          size="compact-sm"
          leftSection={<Icon name="eye" />}
          disabled={blob === null}
          onClick={() => blob && openFile(blob, `${title}.pdf`)}
        >
          {t('preview.open')}
        </Button>
      </div>
      <div className={previewClasses.desk} tabIndex={0} data-loading={isLoading || undefined}>
        {error === null ? null : (
          <Notice tone="warn">
            {error}{' '}
            <Button size="compact-sm" onClick={retry}>
              {mail('preview.again')}
            </Button>
          </Notice>
        )}
        {blob === null ? (
          error === null ? (
            <SkeletonLines lines={12} label={mail('preview.loading')} />
          ) : null
        ) : (
          <Sheet blob={blob} title={t('preview.title')} />
        )}
        {drawn === null ? null : (
          <div className={previewClasses.remarks} data-drawn={!isLoading || undefined}>
            {drawn.order === null ? <p>{mail('preview.example')}</p> : null}
            {drawn.holes.length === 0 ? null : (
              <p>
                {t('preview.holes')} <b>{format.list(drawn.holes.map(labelOf))}</b>
              </p>
            )}
          </div>
        )}
      </div>
    </section>
  )
}

/** Two frames take turns: the one that is seen stays until the next one is drawn. */
function Sheet({ blob, title }: { blob: Blob; title: string }) {
  const { t } = useTranslation('paper-template')
  const [shown, setShown] = useState(blob)
  if (!navigator.pdfViewerEnabled)
    return (
      <EmptyState icon="file" title={t('preview.noViewer')}>
        {t('preview.noViewerText')}
      </EmptyState>
    )
  return (
    <div className={classes.sheet}>
      {(shown === blob ? [blob] : [shown, blob]).map((one) => (
        <Frame key={idOf(one)} blob={one} title={title} isNext={one !== shown} onDrawn={() => setShown(one)} />
      ))}
    </div>
  )
}

const ids = new WeakMap<Blob, number>()
let last = 0
function idOf(blob: Blob): number {
  if (!ids.has(blob)) ids.set(blob, (last += 1))
  return ids.get(blob)!
}

interface FrameProps {
  blob: Blob
  title: string
  isNext: boolean
  onDrawn: () => void
}

function Frame({ blob, title, isNext, onDrawn }: FrameProps) {
  // The blob has an address while it is shown.
  const draw = useCallback(
    (element: HTMLObjectElement | null) => {
      if (element === null) return undefined
      const address = URL.createObjectURL(blob)
      element.data = `${address}#navpanes=0&toolbar=0&view=FitH`
      return () => URL.revokeObjectURL(address)
    },
    [blob],
  )
  return (
    <object
      ref={draw}
      className={classes.frame}
      type="application/pdf"
      aria-label={title}
      data-next={isNext || undefined}
      aria-hidden={isNext || undefined}
      onLoad={onDrawn}
    />
  )
}
