import { Button } from '@mantine/core'
import { changeNote, removeNote, type Note } from '@waybill/contract/order/note'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { useErrorText } from '../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { Avatar } from '../../../ui/marks/marks.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import { ConfirmModal } from '../../../ui/windows/confirm-modal.tsx'
import { partsOf } from './mentions.ts'
import { NoteComposer } from './note-composer.tsx'
import entries from '../../../ui/page/entries.module.css'
import classes from './rail.module.css'
import { useNotes, useRefreshNotes, useSeen } from './use-notes.ts'

/** The notes on an order, the newest first. */
export function Notes({ orderId }: { orderId: number }) {
  const { t } = useTranslation('order-rail')
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useNotes(orderId)
  const notes = data?.pages.flatMap(({ items }) => items) ?? []
  useSeen(orderId, notes)
  if (error && data === undefined) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={4} label={t('loading')} />
  if (notes.length === 0) return <p className={entries.end}>{t('none')}</p>
  return (
    <>
      <ol className={entries.entries} aria-label={t('tab.notes')}>
        {notes.map((note) => (
          <OneNote key={note.id} orderId={orderId} note={note} />
        ))}
      </ol>
      {hasNextPage ? (
        <Button
          size="compact-sm"
          variant="subtle"
          className={entries.more}
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {t('older')}
        </Button>
      ) : null}
    </>
  )
}

function OneNote({ orderId, note }: { orderId: number; note: Note }) {
  const { t } = useTranslation('order-rail')
  const format = useFormat()
  const errorText = useErrorText()
  const refresh = useRefreshNotes(orderId)
  const [isChanging, setChanging] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const params = { id: orderId, noteId: note.id }
  const remove = async () => {
    setAsking(false)
    try {
      await callApi(removeNote, { params })
    } catch (error) {
      notify({ tone: 'danger', title: t('notRemoved'), detail: errorText(error), closeLabel: t('close') })
    }
    refresh()
  }
  return (
    <li className={entries.entry}>
      <Avatar name={note.author.title} size={20} isDecoration />
      <div className={entries.body}>
        <div className={`${entries.head} ${classes.head}`}>
          <b>{note.author.title}</b>
          {note.mayChange && !isChanging ? (
            <span className={classes.tools}>
              <IconButton icon="edit" isSmall label={t('change')} onClick={() => setChanging(true)} />
              <IconButton icon="trash" isSmall label={t('remove')} onClick={() => setAsking(true)} />
            </span>
          ) : null}
          <time dateTime={note.createdAt} title={format.dateTime(note.createdAt)}>
            {format.ago(note.createdAt)}
          </time>
        </div>
        {isChanging ? (
          <NoteComposer
            orderId={orderId}
            note={note}
            submitLabel={t('save')}
            onCancel={() => setChanging(false)}
            submit={(body) => callApi(changeNote, { params, body, version: note.version })}
            onKept={() => {
              setChanging(false)
              refresh()
            }}
          />
        ) : (
          <p className={classes.text}>
            {partsOf(note.text, note.mentions).map((part) => (
              <span key={part.start} data-name={part.isName || undefined}>
                {part.text}
              </span>
            ))}
          </p>
        )}
        {note.changedAt === null ? null : (
          <p className={classes.changed}>{t('changed', { at: format.ago(note.changedAt) })}</p>
        )}
      </div>
      <ConfirmModal
        isOpen={isAsking}
        title={t('removeTitle')}
        confirmLabel={t('remove')}
        cancelLabel={t('cancel')}
        closeLabel={t('close')}
        onCancel={() => setAsking(false)}
        onConfirm={() => void remove()}
      >
        {t('removeText')}
      </ConfirmModal>
    </li>
  )
}
