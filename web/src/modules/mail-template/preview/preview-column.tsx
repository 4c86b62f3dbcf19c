import { Button } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import type { RenderedMail } from '@waybill/contract/email/template'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { Segmented } from '../../../ui/fields/segmented.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { UNKNOWN } from '../editor/template-values.ts'
import { numbered } from '../numbered.ts'
import classes from './preview.module.css'
import type { Preview } from './use-preview.ts'

const LOOKS = ['desktop', 'phone', 'text'] as const
type Look = (typeof LOOKS)[number]

interface PreviewColumnProps {
  preview: Preview
  /** What a field is called */
  labelOf: (key: string) => string
  /** What a block is called */
  blockName: (id: string) => string
  picker: ReactNode
  /** On a phone: the way back to the text */
  back?: ReactNode
}

/** The mail as it arrives, with the chosen order. */
export function PreviewColumn({ preview, labelOf, blockName, picker, back }: PreviewColumnProps) {
  const { t } = useTranslation('mail-template')
  const [look, setLook] = useState<Look>(() => (matchMedia('(max-width: 760px)').matches ? 'phone' : 'desktop'))
  const { mail, isLoading, error, retry } = preview
  return (
    <section className={classes.column} aria-label={t('preview.title')}>
      <div className={classes.head}>
        {back}
        {picker}
        <Segmented
          isSmall
          label={t('preview.look')}
          value={look}
          onChange={setLook}
          options={LOOKS.map((value) => ({ value, label: t(`preview.${value}`) }))}
        />
      </div>
      <div className={classes.desk} tabIndex={0} data-loading={isLoading || undefined}>
        {error === null ? null : (
          <Notice tone="warn">
            {error}{' '}
            <Button size="compact-sm" onClick={retry}>
              {t('preview.again')}
            </Button>
          </Notice>
        )}
        {mail === null ? (
          error === null ? (
            <div className={classes.mail}>
              <SkeletonLines lines={12} label={t('preview.loading')} />
            </div>
          ) : null
        ) : (
          <>
            <div className={classes.mail} data-look={look}>
              <dl className={classes.facts}>
                <dt>{t('preview.from')}</dt>
                <dd>{mail.from}</dd>
                <dt>{t('preview.to')}</dt>
                <dd>{mail.to ?? t('preview.nobody')}</dd>
                <dt>{t('preview.subject')}</dt>
                <dd className={classes.subject}>
                  <Marked text={mail.subject} />
                </dd>
              </dl>
              {look === 'text' ? (
                <pre className={classes.text}>
                  <Marked text={mail.text} />
                </pre>
              ) : (
                <Paper html={mail.html} title={t('preview.title')} isWide={look === 'desktop'} />
              )}
            </div>
            <Remarks mail={mail} labelOf={labelOf} blockName={blockName} />
          </>
        )}
      </div>
    </section>
  )
}

/** What is missing here, and what the order leaves out. */
function Remarks({
  mail,
  labelOf,
  blockName,
}: Pick<PreviewColumnProps, 'labelOf' | 'blockName'> & { mail: RenderedMail }) {
  const { t } = useTranslation('mail-template')
  const format = useFormat()
  return (
    <div className={classes.remarks}>
      {mail.order === null ? <p>{t('preview.example')}</p> : null}
      {mail.holes.length === 0 ? null : (
        <p>
          {t('preview.holes')} <b>{format.list(mail.holes.map(labelOf))}</b>
        </p>
      )}
      {mail.leftOut.length === 0 ? null : (
        <p>
          {t('preview.leftOut')} <b>{format.list(mail.leftOut.map(blockName))}</b>
        </p>
      )}
    </div>
  )
}

/** Words in which a field stands that there is not. */
function Marked({ text }: { text: string }) {
  const parts = text.split(new RegExp(`${UNKNOWN.begin}(.*?)${UNKNOWN.end}`))
  return numbered(parts).map(({ key, item, place }) =>
    place % 2 === 0 ? (
      item
    ) : (
      <mark key={key} className={classes.unknown}>
        {item}
      </mark>
    ),
  )
}

const withMarks = (html: string): string =>
  html
    .replaceAll(UNKNOWN.begin, '<mark style="background:#f9c9c5;color:#14212a;padding:0 4px;border-radius:3px">')
    .replaceAll(UNKNOWN.end, '</mark>')

/** As wide as a mail is drawn on a desktop, px; where there is less room it is shown smaller. */
const MAIL_WIDTH = 600

/**
 * The mail in a frame of its own, where it can neither run a script nor reach the page. Two frames take turns: the
 * one that is seen stays until the next one is drawn.
 */
function Paper({ html, title, isWide }: { html: string; title: string; isWide: boolean }) {
  const { ref, width, height } = useElementSize<HTMLDivElement>()
  const scale = isWide && width > 0 ? Math.min(1, width / MAIL_WIDTH) : 1
  const [{ shown, next }, setFrames] = useState<{ shown: string; next: string | null }>({ shown: html, next: null })
  const wanted = useRef(html)
  useEffect(() => {
    if (wanted.current === html) return
    wanted.current = html
    setFrames((frames) => ({ ...frames, next: html }))
  }, [html])
  return (
    <div ref={ref} className={classes.paper}>
      {(next === null || next === shown ? [shown] : [shown, next]).map((source) => (
        <iframe
          key={source}
          className={classes.frame}
          sandbox=""
          srcDoc={withMarks(source)}
          title={title}
          style={scale === 1 ? undefined : { width: MAIL_WIDTH, height: height / scale, transform: `scale(${scale})` }}
          data-next={source !== shown || undefined}
          aria-hidden={source !== shown || undefined}
          tabIndex={source === shown ? 0 : -1}
          onLoad={() => {
            if (source === next) setFrames({ shown: source, next: null })
          }}
        />
      ))}
    </div>
  )
}
