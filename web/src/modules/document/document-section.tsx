import { DOCUMENT_TYPE_ACCESS, DOCUMENT_TYPES_OF, getDocumentFile, removeDocument, type Document, type DocumentOwner, type DocumentType } from '@waybill/contract/document'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState, type DragEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, callFile } from '../../kit/api/call-api.ts'
import { openFile, saveFile } from '../../kit/api/files.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { hasAccess } from '../../kit/session/session.ts'
import { ConfirmModal } from '../../ui/confirm-modal.tsx'
import { Icon } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { notify } from '../../ui/notify.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { useDocuments } from './document-list-section.ts'
import classes from './document-section.module.css'
import { fileSize, isTooLarge, sendFile, type Upload } from './upload-file.ts'

interface DocumentsProps {
  ownerKind: DocumentOwner
  owner: Readonly<Record<string, number>>
  /** Chosen at first */
  usualType: DocumentType
  isReadOnly?: boolean
  /** A file came or went */
  onChange?: () => void
}

/** The files of a record, and a place to drop new ones. */
export function DocumentsSection({ ownerKind, owner, usualType, isReadOnly = false, onChange }: DocumentsProps) {
  const { t } = useTranslation('document')
  const queries = useQueryClient()
  const errorText = useErrorText()
  const { data, error, refetch } = useDocuments(owner)
  const [documentType, setDocumentType] = useState<DocumentType>(usualType)
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const [isOver, setOver] = useState(false)
  const [removing, setRemoving] = useState<Document | null>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const chooserId = useId()
  const types = DOCUMENT_TYPES_OF[ownerKind].filter((type) => hasAccess(DOCUMENT_TYPE_ACCESS[type] ?? 'signedIn'))
  const changed = () => {
    void queries.invalidateQueries({ queryKey: ['documents', owner] })
    onChange?.()
  }
  const put = (upload: Upload) => setUploads((known) => [...known.filter(({ key }) => key !== upload.key), upload])
  const drop = (key: string) => setUploads((known) => known.filter((one) => one.key !== key))

  const send = async (files: readonly File[]) => {
    await Promise.all(
      files.map(async (file) => {
        const upload: Upload = { key: `${file.name} ${file.lastModified} ${file.size}`, name: file.name, isFailed: false, message: null }
        if (isTooLarge(file)) return put({ ...upload, isFailed: true, message: t('tooLarge') })
        put(upload)
        try {
          await sendFile(file, documentType, owner)
          drop(upload.key)
          changed()
        } catch (failure) {
          put({ ...upload, isFailed: true, message: errorText(failure) })
        }
      }),
    )
  }
  const dropFiles = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void send([...event.dataTransfer.files])
  }
  const open = async (document: Document, action: typeof openFile) => {
    try {
      const { blob, fileName } = await callFile(getDocumentFile, { params: { id: document.id } })
      action(blob, fileName)
    } catch (failure) {
      notify({ tone: 'danger', title: t('notOpened'), detail: errorText(failure), closeLabel: t('close') })
    }
  }
  const remove = async () => {
    if (removing === null) return
    try {
      await callApi(removeDocument, { params: { id: removing.id } })
      changed()
    } catch (failure) {
      notify({ tone: 'danger', title: t('notRemoved'), detail: errorText(failure), closeLabel: t('close') })
    }
    setRemoving(null)
  }
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={2} label={t('loading')} />
  return (
    <>
      {data.items.length === 0 ? null : (
        <ul className={classes.list}>
          {data.items.map((document) => (
            <DocumentRow key={document.id} document={document} isReadOnly={isReadOnly} onOpen={() => void open(document, openFile)} onSave={() => void open(document, saveFile)} onRemove={() => setRemoving(document)} />
          ))}
        </ul>
      )}
      <ul className={classes.uploads} aria-live="polite">
        {uploads.map((upload) => (
          <li key={upload.key} data-failed={upload.isFailed || undefined}>
            <Icon name={upload.isFailed ? 'alert' : 'upload'} size={13} />
            <span className={classes.name}>{upload.name}</span>
            <span>{upload.isFailed ? upload.message : t('travelling')}</span>
            {upload.isFailed ? <IconButton icon="close" isSmall label={t('dismiss')} onClick={() => drop(upload.key)} /> : <progress aria-label={t('travelling')} />}
          </li>
        ))}
      </ul>
      {isReadOnly ? null : (
        <div
          className={classes.drop}
          data-over={isOver || undefined}
          onDragOver={(event) => {
            event.preventDefault()
            setOver(true)
          }}
          onDragLeave={() => setOver(false)}
          onDrop={dropFiles}
        >
          <div className={classes.type}>
            <SelectField label={t('type')} data={types.map((type) => ({ value: type, label: t(`types.${type}`) }))} value={documentType} allowDeselect={false} onChange={(value) => setDocumentType(types.find((type) => type === value) ?? usualType)} />
          </div>
          <span className={classes.dropText}>
            <Icon name="upload" size={13} /> {t('dropHere')}
          </span>
          <input
            ref={chooser}
            id={chooserId}
            type="file"
            multiple
            className={classes.chooser}
            aria-label={t('choose')}
            tabIndex={-1}
            onChange={(event) => {
              void send([...(event.currentTarget.files ?? [])])
              event.currentTarget.value = ''
            }}
          />
          <Button size="compact-sm" onClick={() => chooser.current?.click()}>
            {t('choose')}
          </Button>
          <span className={classes.limit}>{t('limit')}</span>
        </div>
      )}
      <ConfirmModal isOpen={removing !== null} title={t('removeTitle')} confirmLabel={t('remove')} cancelLabel={t('cancel')} closeLabel={t('close')} onCancel={() => setRemoving(null)} onConfirm={() => void remove()}>
        {t('removeText', { title: removing?.title ?? '' })}
      </ConfirmModal>
    </>
  )
}

function DocumentRow({ document, isReadOnly, onOpen, onSave, onRemove }: { document: Document; isReadOnly: boolean; onOpen: () => void; onSave: () => void; onRemove: () => void }) {
  const { t } = useTranslation('document')
  const format = useFormat()
  return (
    <li className={classes.row}>
      <Icon name="file" className={classes.icon} />
      <button type="button" className={classes.title} onClick={onOpen}>
        {document.title}
      </button>
      <span className={classes.kind}>{t(`types.${document.documentType}`)}</span>
      <span className={classes.facts} title={format.dateTime(document.createdAt)}>
        {format.dayTime(document.createdAt)}, {fileSize(document.sizeBytes, format.number)}
      </span>
      <span className={classes.user}>{document.user?.title ?? t('generated')}</span>
      <IconButton icon="download" isSmall label={t('save', { title: document.title })} onClick={onSave} />
      <IconButton icon="trash" isSmall label={t('removeOne', { title: document.title })} disabled={isReadOnly} onClick={onRemove} />
    </li>
  )
}
