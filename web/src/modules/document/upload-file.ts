import { MAX_FILE_BYTES, type Document, type DocumentType, uploadDocument } from '@waybill/contract/document'
import { callApi } from '../../kit/api/call-api.ts'

/** Refused before it travels: the server would refuse it on the way (spec §5). */
export const isTooLarge = (file: Pick<File, 'size'>): boolean => file.size > MAX_FILE_BYTES

export interface SentFile {
  file: File
  documentType: DocumentType
  /** local date */
  expiredAt: string | null
  /** Of an insurance, in cents */
  insuredCents?: number | null
  /** Of a proof of delivery: the drop-offs that it proves, where that was asked */
  locationIds?: readonly number[]
  /** One for each intention: a second try cannot leave a second file */
  idempotencyKey: string
}

/** Sends a file to the record that is to own it. */
export function sendFile(
  { file, documentType, expiredAt, insuredCents = null, locationIds, idempotencyKey }: SentFile,
  owner: Readonly<Record<string, number>>,
  on: { onProgress: (share: number) => void; signal: AbortSignal },
): Promise<Document> {
  const form = new FormData()
  // The fields come first: the server decides by them while the file still streams.
  form.set('documentType', documentType)
  if (expiredAt !== null) form.set('expiredAt', expiredAt)
  if (insuredCents !== null) form.set('insuredCents', String(insuredCents))
  if (locationIds !== undefined) form.set('locationIds', locationIds.join(','))
  for (const [name, id] of Object.entries(owner)) form.set(name, String(id))
  form.set('file', file, file.name)
  return callApi(uploadDocument, { form, idempotencyKey, ...on } as Parameters<
    typeof callApi<typeof uploadDocument>
  >[1])
}
