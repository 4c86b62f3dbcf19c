import type { Document, DocumentType } from '@waybill/contract/document'
import type { EInvoice } from '@waybill/contract/e-invoice/e-invoice'
import { takesAway } from '@waybill/contract/public/upload-read'
import type { Ctx } from '../../../kit/context/context.ts'
import { AppError, fieldError } from '../../../kit/context/errors.ts'
import { createTurns } from '../../../kit/context/turns.ts'
import type { StagedFile } from '../../../kit/files/files.ts'
import { eInvoiceOf, isReadablePicture, kindOfUpload, stageCleanPicture, titleOf } from '../../document/index.ts'
import { pdfFault } from './pdf-actions.ts'

// A file is looked through by so many at once. The others wait with their bytes on disk.
const looking = createTurns({ atOnce: 2, waiting: 200 })

const notAllowed = () => new AppError('file_type_not_allowed', { fields: [{ path: 'file', code: 'upload_type' }] })

interface Looked {
  title: string
  contentType: string
  /** what the invoice says, where it is an electronic one */
  eInvoice: EInvoice | null
  /** its bytes are cleaned before they are kept */
  isPicture: boolean
}

/** What a file is, by its bytes. Errors at `file`, and `file_type_not_allowed`. */
async function look(file: StagedFile & { name: string }, documentType: DocumentType): Promise<Looked> {
  const { path, name } = file
  const found = await kindOfUpload(file, documentType)
  const contentType = found?.contentType ?? null
  if (found === null || contentType === null) throw notAllowed()
  const title = titleOf(name, found)
  if (contentType === 'application/pdf') {
    const fault = await pdfFault(path)
    if (fault !== null) throw fieldError('file', fault)
  }
  if (contentType === 'application/pdf' || contentType === 'application/xml') {
    const eInvoice = await eInvoiceOf(file, documentType, { contentType })
    if (eInvoice && takesAway(eInvoice)) throw fieldError('file', 'upload_credit_note')
    return { title, contentType, eInvoice, isPicture: false }
  }
  if (contentType === 'image/heic' || contentType === 'image/heif') throw fieldError('file', 'picture_heic')
  if (!isReadablePicture(contentType)) throw notAllowed()
  return { title, contentType, eInvoice: null, isPicture: true }
}

/**
 * Looks through a staged file that somebody sends without signing in. `kept` is what may be kept of it: the file
 * itself, or a picture without what it says of place and person, staged anew for the caller to keep or to discard.
 * Errors at `file`, and `file_type_not_allowed`.
 */
export const lookThrough = (
  ctx: Ctx,
  file: StagedFile & { name: string },
  documentType: DocumentType,
): Promise<Omit<Looked, 'isPicture'> & { kept: StagedFile }> =>
  looking.take(async () => {
    const { isPicture, ...looked } = await look(file, documentType)
    return { ...looked, kept: isPicture ? await stageCleanPicture(ctx, file, looked.contentType) : file }
  })

/** Asks the virus scanner, where one is set; `about` is what the log names. Error: `file_infected`. */
export async function scanUpload(ctx: Ctx, { path }: StagedFile, about: object): Promise<Document['scan']> {
  const verdict = await ctx.ports.scanner?.scan(path)
  if (verdict?.kind === 'infected') {
    ctx.log.warn({ virus: verdict.virus, ...about }, 'a file with a virus was refused')
    throw new AppError('file_infected')
  }
  if (verdict?.kind === 'unscanned') ctx.log.error({ why: verdict.why }, 'a file was not scanned')
  return verdict?.kind ?? null
}
