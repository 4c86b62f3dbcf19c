import { Button } from '@mantine/core'
import { changeDocument, EXPIRING_DOCUMENT_TYPES, type Document, type DocumentType } from '@waybill/contract/document'
import type { ProofStop } from '@waybill/contract/order/papers/proof-stops'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../kit/api/api-error.ts'
import { callApi } from '../../kit/api/call-api.ts'
import { useKept } from '../../kit/form/state/use-kept-typing.ts'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { ModalFrame } from '../../ui/windows/confirm-modal.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import classes from './document-edit.module.css'
import { ExpiryField } from './expiry-field.tsx'
import { InsuredField } from './insured-field.tsx'
import { ProofStops } from './proof-stops.tsx'

interface DocumentEditProps {
  document: Document
  types: readonly DocumentType[]
  /** The drop-offs that a proof of delivery may prove */
  proofStops: readonly ProofStop[]
  onClose: () => void
  onChanged: () => void
}

interface TypedDocument extends Pick<Document, 'documentType' | 'expiredAt' | 'insuredCents'> {
  /** drop-offs, by their id */
  proven: readonly number[]
  /** of the document that it is typed upon; null: of what stands there */
  version: number | null
}

/** What a file is, and how long it is valid. */
export function DocumentEdit({ document, types, proofStops, onClose, onChanged }: DocumentEditProps) {
  const { t } = useTranslation('document')
  const errorText = useErrorText()
  const known = proofStops.map(({ id }) => id)
  const before = document.locationIds === null ? known : known.filter((id) => document.locationIds?.includes(id))
  const typed = useKept<TypedDocument>('documents/change', document.id, {
    documentType: document.documentType,
    expiredAt: document.expiredAt,
    insuredCents: document.insuredCents,
    proven: document.acceptance === null ? [] : before,
    version: document.version,
  })
  const { documentType, expiredAt, insuredCents, proven } = typed.values
  const [isTried, setTried] = useState(false)
  const [isReadable, setReadable] = useState(true)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  // Of one drop-off alone there is nothing to choose.
  const isChosen = documentType === 'PROOF_OF_DELIVERY' && proofStops.length > 1
  const isOtherProof = isChosen && (document.acceptance === null || proven.join() !== before.join())
  const save = async () => {
    setTried(true)
    const isInsured = documentType === 'INSURANCE_DOCUMENT'
    if (!isReadable || (isInsured && Number.isNaN(insuredCents)) || (isChosen && proven.length === 0)) return
    setBusy(true)
    try {
      await callApi(changeDocument, {
        params: { id: document.id },
        body: {
          documentType,
          expiredAt,
          ...(isInsured && { insuredCents }),
          ...(isOtherProof && { locationIds: [...proven] }),
        },
        version: typed.values.version ?? document.version,
      })
      await typed.forget()
      onChanged()
      onClose()
    } catch (error) {
      setRefusal(errorText(error))
      // The list behind shows what another person made of it; what is typed here stays to be read.
      if (hasCode(error, 'stale_version', 'not_found')) {
        // Now that it was said, the next press is meant for what stands there.
        typed.change({ version: null })
        onChanged()
      }
    } finally {
      setBusy(false)
    }
  }
  const giveUp = () => {
    void typed.forget()
    onClose()
  }
  return (
    <ModalFrame
      isOpen
      onClose={giveUp}
      title={document.title}
      closeLabel={t('close')}
      onSubmit={() => void save()}
      footer={
        <>
          <Button onClick={giveUp}>{t('cancel')}</Button>
          <Button type="submit" variant="filled" loading={isBusy}>
            {t('apply')}
          </Button>
        </>
      }
    >
      <div className={classes.fields}>
        {refusal === null ? null : (
          <Notice tone="danger" isUrgent>
            {refusal}
          </Notice>
        )}
        <SelectField
          label={t('type')}
          data={types.map((type) => ({ value: type, label: t(`types.${type}`) }))}
          value={documentType}
          allowDeselect={false}
          onChange={(value) => typed.change({ documentType: types.find((type) => type === value) ?? documentType })}
        />
        {isChosen ? (
          <ProofStops
            stops={proofStops}
            value={proven}
            isMissing={isTried && proven.length === 0}
            onChange={(next) => typed.change({ proven: next })}
          />
        ) : null}
        {EXPIRING_DOCUMENT_TYPES.includes(documentType) || document.expiredAt !== null ? (
          <ExpiryField
            value={expiredAt}
            onChange={(day, canBeRead) => {
              typed.change({ expiredAt: day })
              setReadable(canBeRead)
            }}
          />
        ) : null}
        {documentType === 'INSURANCE_DOCUMENT' ? (
          <InsuredField value={insuredCents} onChange={(cents) => typed.change({ insuredCents: cents })} />
        ) : null}
      </div>
    </ModalFrame>
  )
}
