import {
  DOCUMENT_TYPE_ACCESS,
  DOCUMENT_TYPES_OF,
  EXPIRING_DOCUMENT_TYPES,
  getDocumentFile,
  removeDocument,
  type Document,
  type DocumentOwner,
  type DocumentType,
} from '@waybill/contract/document'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, callFile } from '../../kit/api/call-api.ts'
import { saveFile } from '../../kit/api/files.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { fileSize } from '../../kit/i18n/file-size.ts'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { loadTexts, useFormat } from '../../kit/i18n/i18n.ts'
import { hasAccess } from '../../kit/session/session.ts'
import { ConfirmModal } from '../../ui/windows/confirm-modal.tsx'
import { Icon } from '../../ui/marks/icon.tsx'
import { IconButton } from '../../ui/marks/icon-button.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { useFileDrop } from '../../ui/fields/use-file-drop.ts'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { lateWindow } from '../../ui/windows/late-window.tsx'
import { AcceptanceMark } from './acceptance-mark.tsx'
import { useDocuments } from './document-list-section.ts'
import classes from './document-section.module.css'
import { ExpiryField } from './expiry-field.tsx'
import { InsuredField } from './insured-field.tsx'
import { ExpiryMark } from './expiry-mark.tsx'
import { PodLine } from './pod-line.tsx'
import { placesProven, stopsToChoose, type Proofs } from './proofs-section.ts'
import { usePodChecks } from './use-pod-checks.ts'
import { useUploads, type Upload } from './use-uploads.ts'

const DocumentPreview = lateWindow(() => import('./document-preview.tsx').then((file) => file.DocumentPreview))
const ProofStopsModal = lateWindow(() => import('./proof-stops-modal.tsx').then((file) => file.ProofStopsModal))
const RefusePodModal = lateWindow(() => import('./refuse-pod-modal.tsx').then((file) => file.RefusePodModal))
const EInvoiceWindow = lateWindow(async () => {
  const [file] = await Promise.all([import('./e-invoice-window.tsx'), loadTexts('e-invoice')])
  return file.EInvoiceWindow
})
const DocumentEdit = lateWindow(() => import('./document-edit.tsx').then((file) => file.DocumentEdit))

interface DocumentsProps {
  ownerKind: DocumentOwner
  /** `orderId` and the like; null while the record is not saved */
  owner: Readonly<Record<string, number>> | null
  /** Chosen at first */
  usualType: DocumentType
  isReadOnly?: boolean
  /** What its proofs of delivery may prove; left out where the record has none */
  proofs?: Proofs
  /** What is said below a file that Waybill made of the record, or sent */
  state?: (documentId: number) => ReactNode
  /** A file came, changed or went */
  onChange?: () => void
}

const NO_PROOFS: Proofs = { stops: [], choiceOf: () => ({ ids: [], isAsked: false }) }

type SentWhat = Parameters<ReturnType<typeof useUploads>['send']>[1]

/** The files of a record, and a place to drop new ones. */
export function DocumentsSection({ owner, ...rest }: DocumentsProps) {
  const { t } = useTranslation('document')
  if (owner !== null) return <Documents owner={owner} {...rest} />
  return (
    <div className={classes.unsaved}>
      <Notice icon="upload">{t('saveFirst')}</Notice>
    </div>
  )
}

function Documents({
  ownerKind,
  owner,
  usualType,
  isReadOnly = false,
  proofs = NO_PROOFS,
  state,
  onChange,
}: DocumentsProps & { owner: Readonly<Record<string, number>> }) {
  const { t } = useTranslation('document')
  const queries = useQueryClient()
  const errorText = useErrorText()
  const { data, error, refetch } = useDocuments(owner)
  const [shown, setShown] = useState<{ document: Document; isOpen: boolean } | null>(null)
  const [invoice, setInvoice] = useState<{ document: Document; isOpen: boolean } | null>(null)
  const [editedId, setEditedId] = useState<number | null>(null)
  const [refusedId, setRefusedId] = useState<number | null>(null)
  const [acceptedId, setAcceptedId] = useState<number | null>(null)
  const [dropped, setDropped] = useState<{ files: readonly File[]; what: SentWhat } | null>(null)
  const [removing, setRemoving] = useState<{ document: Document; isOpen: boolean } | null>(null)
  const types = DOCUMENT_TYPES_OF[ownerKind].filter((type) => hasAccess(DOCUMENT_TYPE_ACCESS[type] ?? 'signedIn'))
  const changed = () => {
    void queries.invalidateQueries({ queryKey: ['documents', owner] })
    void queries.invalidateQueries({ queryKey: ['audit-entries', owner] })
    onChange?.()
  }
  const { uploads, send, again, stop } = useUploads(owner, changed)
  const checks = usePodChecks(changed)

  const upload = (files: readonly File[], what: SentWhat) => {
    if (what.documentType === 'PROOF_OF_DELIVERY' && proofs.choiceOf(null).isAsked) setDropped({ files, what })
    else send(files, what)
  }
  const accept = async (document: Document) => {
    if (document.locationIds === null && proofs.choiceOf(document.orderCarrier).isAsked) {
      setAcceptedId(document.id)
      return
    }
    const refusals = await checks.accept(document)
    if (refusals.length > 0)
      notify({ tone: 'danger', title: t('pod.notAccepted'), detail: refusals.join(' '), closeLabel: t('close') })
  }

  const save = async (document: Document) => {
    try {
      const { blob, fileName } = await callFile(getDocumentFile, { params: { id: document.id } })
      saveFile(blob, fileName)
    } catch (failure) {
      notify({ tone: 'danger', title: t('notOpened'), detail: errorText(failure), closeLabel: t('close') })
    }
  }
  const remove = async ({ id }: Document) => {
    try {
      await callApi(removeDocument, { params: { id } })
      changed()
    } catch (failure) {
      notify({ tone: 'danger', title: t('notRemoved'), detail: errorText(failure), closeLabel: t('close') })
    }
    setRemoving((asked) => asked && { ...asked, isOpen: false })
  }
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={2} label={t('loading')} />
  const edited = data.items.find(({ id }) => id === editedId)
  const refused = data.items.find(({ id }) => id === refusedId)
  const accepted = data.items.find(({ id }) => id === acceptedId)
  return (
    <>
      {data.items.length === 0 ? null : (
        <ul className={classes.list}>
          {data.items.map((document) =>
            document.deletedAt !== null ? (
              <DeletedRow key={document.id} document={document} deletedAt={document.deletedAt} />
            ) : (
              <DocumentRow
                key={document.id}
                document={document}
                isReadOnly={isReadOnly}
                places={placesProven(proofs, document)}
                mayCheck={ownerKind === 'order' || ownerKind === 'carrierCompany'}
                state={state?.(document.id)}
                onAccept={() => void accept(document)}
                onRefuse={() => setRefusedId(document.id)}
                onOpen={() => {
                  if (isShownInPage(document)) setShown({ document, isOpen: true })
                  else if (document.eInvoice !== null) setInvoice({ document, isOpen: true })
                  else void save(document)
                }}
                onShow={() => setInvoice({ document, isOpen: true })}
                onSave={() => void save(document)}
                onEdit={() => setEditedId(document.id)}
                onRemove={() => setRemoving({ document, isOpen: true })}
              />
            ),
          )}
        </ul>
      )}
      <ul className={classes.uploads} aria-live="polite">
        {uploads.map((upload) => (
          <UploadRow
            key={upload.idempotencyKey}
            upload={upload}
            onAgain={() => again(upload)}
            onStop={() => stop(upload)}
          />
        ))}
      </ul>
      {isReadOnly ? null : <DropZone types={types} usualType={usualType} onFiles={upload} />}
      <Suspense>
        {shown === null ? null : (
          <DocumentPreview
            document={shown.document}
            isOpen={shown.isOpen}
            onClose={() => setShown({ ...shown, isOpen: false })}
          />
        )}
        {invoice === null ? null : (
          <EInvoiceWindow
            key={invoice.document.id}
            document={invoice.document}
            isOpen={invoice.isOpen}
            onClose={() => setInvoice({ ...invoice, isOpen: false })}
          />
        )}
        {edited === undefined ? null : (
          <DocumentEdit
            key={edited.id}
            document={edited}
            types={types}
            proofStops={stopsToChoose(proofs, edited.orderCarrier)}
            onClose={() => setEditedId(null)}
            onChanged={changed}
          />
        )}
        {refused === undefined ? null : (
          <RefusePodModal
            key={refused.id}
            document={refused}
            isProof={refused.documentType === 'PROOF_OF_DELIVERY'}
            onClose={() => setRefusedId(null)}
            onRefuse={(reason) => checks.refuse(refused, reason)}
          />
        )}
        {accepted === undefined ? null : (
          <ProofStopsModal
            key={accepted.id}
            files={[accepted.title]}
            stops={stopsToChoose(proofs, accepted.orderCarrier)}
            submitLabel={t('pod.accept')}
            onClose={() => setAcceptedId(null)}
            onSubmit={(locationIds) => checks.accept(accepted, locationIds)}
          />
        )}
        {dropped === null ? null : (
          <ProofStopsModal
            files={dropped.files.map(({ name }) => name)}
            stops={stopsToChoose(proofs, null)}
            submitLabel={t('pod.upload')}
            onClose={() => setDropped(null)}
            onSubmit={(locationIds) => {
              send(dropped.files, { ...dropped.what, locationIds })
              return Promise.resolve([])
            }}
          />
        )}
      </Suspense>
      <ConfirmModal
        isOpen={removing?.isOpen ?? false}
        title={t('removeTitle')}
        confirmLabel={t('remove')}
        cancelLabel={t('cancel')}
        closeLabel={t('close')}
        onCancel={() => setRemoving((asked) => asked && { ...asked, isOpen: false })}
        onConfirm={() => removing && void remove(removing.document)}
      >
        {t('removeText', { title: removing?.document.title ?? '' })}
      </ConfirmModal>
    </>
  )
}

// What a browser draws by itself; everything else is downloaded.
const isShownInPage = ({ contentType }: Document): boolean =>
  ['application/pdf', 'image/png', 'image/jpeg', 'image/webp'].includes(contentType)

interface RowProps {
  document: Document
  isReadOnly: boolean
  /** The towns that a proof of delivery speaks of, where it is not all */
  places: readonly string[]
  /** What came through a link is accepted and refused in this record */
  mayCheck: boolean
  state: ReactNode
  onAccept: () => void
  onRefuse: () => void
  onOpen: () => void
  /** Shows an electronic invoice in words and figures */
  onShow: () => void
  onSave: () => void
  onEdit: () => void
  onRemove: () => void
}

function DocumentRow({
  document,
  isReadOnly,
  places,
  mayCheck,
  state,
  onAccept,
  onRefuse,
  onOpen,
  onShow,
  onSave,
  onEdit,
  onRemove,
}: RowProps) {
  const { t } = useTranslation('document')
  const format = useFormat()
  const { title, documentType, expiredAt, createdAt, sizeBytes, scan, user, acceptance, orderCarrier, eInvoice } =
    document
  const { insuredCents } = document
  const isSent = acceptance !== null && (orderCarrier !== null || document.owner.kind === 'carrierCompany')
  return (
    <li className={classes.row}>
      <Icon name="file" className={classes.icon} />
      <span className={classes.what}>
        <button type="button" className={classes.title} title={title} onClick={onOpen}>
          {title}
        </button>
        <span className={classes.kind}>
          {t(`types.${documentType}`)}
          {insuredCents === null ? null : `, ${t('insuredUpTo', { sum: format.euro(insuredCents) })}`}
          {scan === 'unscanned' ? (
            <span className={classes.unscanned} title={t('unscannedWhy')}>
              <Icon name="alert" size={12} /> {t('unscanned')}
            </span>
          ) : null}
        </span>
        {eInvoice === null ? null : (
          <button type="button" className={classes.show} aria-label={t('eInvoice.showOne', { title })} onClick={onShow}>
            {t('eInvoice.show')}
          </button>
        )}
        {places.length === 0 ? null : (
          <span className={classes.kind} title={places.join(', ')}>
            {t('pod.ofPlaces', { places: places.join(', ') })}
          </span>
        )}
      </span>
      <span className={classes.expiry}>
        {mayCheck && acceptance !== null ? <AcceptanceMark acceptance={acceptance} /> : null}
        <ExpiryMark expiredAt={expiredAt} />
      </span>
      <span className={classes.facts} title={format.dateTime(createdAt)}>
        {format.dayTime(createdAt)}, {fileSize(sizeBytes, format.number)}
      </span>
      <span className={classes.user}>{user?.title ?? t(isSent ? 'pod.byCarrier' : 'generated')}</span>
      <span className={classes.buttons}>
        <IconButton icon="download" isSmall label={t('save', { title })} onClick={onSave} />
        {isReadOnly ? null : (
          <>
            {mayCheck && acceptance === 'accepted' ? (
              <IconButton icon="close" isSmall label={t('pod.refuseOne', { title })} onClick={onRefuse} />
            ) : null}
            <IconButton icon="edit" isSmall label={t('edit', { title })} onClick={onEdit} />
            <IconButton icon="trash" isSmall label={t('removeOne', { title })} onClick={onRemove} />
          </>
        )}
      </span>
      {mayCheck ? (
        <PodLine document={document} isReadOnly={isReadOnly} onAccept={onAccept} onRefuse={onRefuse} />
      ) : null}
      {state}
    </li>
  )
}

/** What is left of a file whose period is over. */
function DeletedRow({ document, deletedAt }: { document: Document; deletedAt: string }) {
  const { t } = useTranslation('document')
  const format = useFormat()
  return (
    <li className={classes.row}>
      <Icon name="file" className={classes.icon} />
      <span className={classes.deleted}>
        {t(`types.${document.documentType}`)}, {format.dayTime(document.createdAt)}.{' '}
        {t('deleted', { date: format.date(deletedAt.slice(0, 10)) })}
      </span>
    </li>
  )
}

function UploadRow({ upload, onAgain, onStop }: { upload: Upload; onAgain: () => void; onStop: () => void }) {
  const { t } = useTranslation('document')
  const { file, share, refusal, mayTryAgain } = upload
  const isFailed = refusal !== null
  return (
    <li data-failed={isFailed || undefined}>
      <Icon name={isFailed ? 'alert' : 'upload'} size={13} />
      <span className={classes.name}>{file.name}</span>
      {isFailed ? (
        <span className={classes.refusal}>{refusal}</span>
      ) : (
        <progress aria-label={t('travelling', { title: file.name })} max={1} value={share} />
      )}
      {mayTryAgain ? (
        <Button size="compact-sm" onClick={onAgain}>
          {t('again')}
        </Button>
      ) : null}
      <IconButton
        icon="close"
        isSmall
        label={t(isFailed ? 'dismiss' : 'breakOff', { title: file.name })}
        onClick={onStop}
      />
    </li>
  )
}

interface DropZoneProps {
  types: readonly DocumentType[]
  usualType: DocumentType
  onFiles: (files: readonly File[], what: SentWhat) => void
}

function DropZone({ types, usualType, onFiles }: DropZoneProps) {
  const { t } = useTranslation('document')
  const [documentType, setDocumentType] = useState<DocumentType>(usualType)
  const [expiry, setExpiry] = useState<{ day: string | null; isReadable: boolean; round: number }>({
    day: null,
    isReadable: true,
    round: 0,
  })
  const [insuredCents, setInsured] = useState<number | null>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const mayExpire = EXPIRING_DOCUMENT_TYPES.includes(documentType)
  const take = (list: FileList | null) => {
    const files = [...(list ?? [])]
    if (files.length === 0) return
    if (mayExpire && !expiry.isReadable) {
      notify({
        tone: 'warn',
        title: t('notUploaded', { title: files[0]!.name }),
        detail: t('expiryFirst'),
        closeLabel: t('close'),
      })
      return
    }
    const isInsured = documentType === 'INSURANCE_DOCUMENT'
    if (isInsured && Number.isNaN(insuredCents)) {
      notify({
        tone: 'warn',
        title: t('notUploaded', { title: files[0]!.name }),
        detail: t('sumFirst'),
        closeLabel: t('close'),
      })
      return
    }
    onFiles(files, {
      documentType,
      expiredAt: mayExpire ? expiry.day : null,
      insuredCents: isInsured ? insuredCents : null,
    })
    setInsured(null)
    // The next paper has an end of its own.
    setExpiry({ day: null, isReadable: true, round: expiry.round + 1 })
  }
  const drop = useFileDrop(take)
  return (
    <div className={classes.drop} {...drop}>
      <div className={classes.type}>
        <SelectField
          label={t('type')}
          data={types.map((type) => ({ value: type, label: t(`types.${type}`) }))}
          value={documentType}
          allowDeselect={false}
          onChange={(value) => setDocumentType(types.find((type) => type === value) ?? usualType)}
        />
      </div>
      {mayExpire ? (
        <div className={classes.until}>
          <ExpiryField
            key={expiry.round}
            value={expiry.day}
            onChange={(day, isReadable) => setExpiry({ ...expiry, day, isReadable })}
          />
        </div>
      ) : null}
      {documentType === 'INSURANCE_DOCUMENT' ? (
        <div className={classes.until}>
          <InsuredField key={expiry.round} value={insuredCents} onChange={setInsured} />
        </div>
      ) : null}
      <div className={classes.choose}>
        <span className={classes.dropText}>
          <Icon name="upload" size={13} /> {t('dropHere')}
        </span>
        <input
          ref={chooser}
          type="file"
          multiple
          hidden
          aria-label={t('choose')}
          onChange={(event) => {
            take(event.currentTarget.files)
            event.currentTarget.value = ''
          }}
        />
        <Button size="compact-sm" onClick={() => chooser.current?.click()}>
          {t('choose')}
        </Button>
        <span className={classes.limit}>{t('limit')}</span>
      </div>
    </div>
  )
}
