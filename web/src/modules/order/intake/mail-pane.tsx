import { Link } from '@tanstack/react-router'
import type { IntakeMail } from '@waybill/contract/intake/intake'
import { useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { Notice } from '../../../ui/notices/notice.tsx'
import { orderPath } from '../values/paths.ts'
import { FileButton } from './file-button.tsx'
import classes from './intake.module.css'
import { mailPath } from './mail-words.ts'
import { blockOf } from './read-marks.ts'

/** A passage of the mail, and the field that it fills. */
export interface Passage {
  path: string
  from: number
  to: number
  /** the part of the order that it fills, where the path does not tell */
  block?: 1 | 2 | 3 | 4
}

interface Piece {
  from: number
  to: number
  path: string | null
  block?: Passage['block']
}

/** The text cut at the passages, in its order; of passages that lie upon each other the first one counts. */
function piecesOf(length: number, passages: readonly Passage[]): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const { path, from, to, block } of passages.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    if (from < at || to <= from || to > length) continue
    if (from > at) pieces.push({ from: at, to: from, path: null })
    pieces.push({ from, to, path, block })
    at = to
  }
  if (at < length) pieces.push({ from: at, to: length, path: null })
  return pieces
}

const BLOCKS = [1, 2, 3, 4] as const

/** The mail as it came, what was read in it coloured by the part of the order that it fills. */
export function MailPane({
  mail,
  passages,
  current,
  labelOf,
  onPick,
  body: given,
  children,
}: {
  mail: IntakeMail
  passages: readonly Passage[]
  /** the field in hand */
  current: string | null
  labelOf: (path: string) => string
  onPick: (path: string) => void
  /** the mail's text and nothing else */
  body?: React.RefObject<HTMLDivElement | null>
  children?: React.ReactNode
}) {
  const { t } = useTranslation('intake')
  const format = useFormat()
  const own = useRef<HTMLDivElement>(null)
  const body = given ?? own
  // Two may have one name: the place in the file tells them apart.
  const files = mail.attachments.map((file, place) => ({ ...file, place }))
  const pieces = useMemo(() => piecesOf(mail.text.length, passages), [mail.text, passages])
  useEffect(() => {
    if (current === null) return
    body.current?.querySelector(`[data-passage="${CSS.escape(current)}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [current, body])
  return (
    <aside className={classes.mail} aria-label={t('mail.label')}>
      <header className={classes.mailHead}>
        <b>{mail.subject ?? mail.fileName ?? t('noSubject')}</b>
        <span>
          <span className={classes.sender}>
            {mail.fromName} <span className={classes.dim}>{mail.fromAddress}</span>
          </span>
          <span className={classes.when}>{format.dayTime(mail.receivedAt)}</span>
        </span>
        {mail.fileName === null ? null : (
          <span>
            <FileButton id={mail.id} />
          </span>
        )}
        {mail.attachments.length === 0 ? null : (
          <ul className={classes.attachments} aria-label={t('mail.attachments')}>
            {files.map(({ name, isRead, place }) => (
              <li key={place}>
                <FileButton
                  id={mail.id}
                  attachment={{ place, label: isRead ? name : t('mail.notRead', { file: name }) }}
                />
              </li>
            ))}
          </ul>
        )}
        {mail.unread.length === 0 || mail.attachments.length > 0 ? null : (
          <span className={classes.dim}>{t('mail.unread', { files: mail.unread.join(', ') })}</span>
        )}
        {mail.text === '' ? <Notice tone="warn">{t('mail.byEye')}</Notice> : null}
        {mail.isCut ? <Notice tone="warn">{t('mail.isCut')}</Notice> : null}
        {mail.sameText === null ? null : (
          <Notice tone="warn">
            {t('mail.sameText')}{' '}
            <Link to={mailPath(mail.sameText.id) as string}>{format.dayTime(mail.sameText.receivedAt)}</Link>{' '}
            {mail.sameText.orders.map(({ id, title }) => (
              <Link key={id} to={orderPath(id) as string} className={classes.order}>
                {title}
              </Link>
            ))}
          </Notice>
        )}
      </header>
      <div ref={body} className={classes.mailText} tabIndex={0} role="region" aria-label={t('mail.text')}>
        {pieces.map(({ from, to, path, block }) =>
          path === null ? (
            mail.text.slice(from, to)
          ) : (
            // No button: that is a box, and words over two lines would stand beside what follows them.
            <span
              key={from}
              role="button"
              tabIndex={0}
              className={classes.passage}
              data-block={block ?? blockOf(path)}
              data-passage={path}
              data-current={path === current || undefined}
              title={labelOf(path)}
              onClick={() => onPick(path)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' && event.key !== ' ') return
                event.preventDefault()
                onPick(path)
              }}
            >
              {mail.text.slice(from, to)}
            </span>
          ),
        )}
      </div>
      {children}
      <footer className={classes.legend}>
        {BLOCKS.map((block) => (
          <span key={block}>
            <span className={classes.block} data-block={block}>
              {block}
            </span>
            {t(`block.${block}`)}
          </span>
        ))}
      </footer>
    </aside>
  )
}
