import type { Document } from '@waybill/contract/document'
import type { Ctx } from '../../../kit/context/context.ts'
import { AppError, fieldError } from '../../../kit/context/errors.ts'
import type { StagedFile } from '../../../kit/files/files.ts'
import { isReadablePicture, kindOfUpload, stageCleanPicture, titleOf } from '../../document/index.ts'
import { scanUpload } from './look-through.ts'

/** A picture in the store that no row names yet. */
interface KeptPicture {
  title: string
  contentType: string
  sizeBytes: number
  sha256: string
  fileKey: string
  scan: Document['scan']
}

const notAllowed = () => new AppError('file_type_not_allowed', { fields: [{ path: 'file', code: 'upload_type' }] })

/**
 * Looks a picture through, scans it, and keeps it without what it says of place, time, device and person. Errors at
 * `file`, `file_type_not_allowed`, `file_infected`. The staged file stays the caller's.
 */
export async function keepPicture(ctx: Ctx, file: StagedFile & { name: string }): Promise<KeptPicture> {
  const { files } = ctx.ports
  const found = await kindOfUpload(file, 'OTHER_DOCUMENTS')
  const contentType = found?.contentType ?? null
  if (found === null || contentType === null) throw notAllowed()
  if (contentType === 'image/heic' || contentType === 'image/heif') throw fieldError('file', 'picture_heic')
  if (!isReadablePicture(contentType)) throw notAllowed()
  const scan = await scanUpload(ctx, file, {})
  const cleaned = await stageCleanPicture(ctx, file, contentType)
  const { sizeBytes, sha256 } = cleaned
  const fileKey = await files.keep(cleaned).finally(() => files.discard(cleaned))
  return { title: titleOf(file.name, found), contentType, sizeBytes, sha256, fileKey, scan }
}
