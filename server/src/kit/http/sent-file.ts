import type { FastifyRequest } from 'fastify'
import { AppError, fieldError } from '../context/errors.ts'

/** A file that a form brings, and as what it is called. */
export interface SentFile {
  name: string
  bytes: Buffer
}

/** The one file of a form, at `file`. Errors: `unsupported_media_type`, `file_too_large`, `required` at `file`. */
export async function sentFile(request: FastifyRequest, maxBytes: number): Promise<SentFile> {
  let file: SentFile | null = null
  try {
    if (!request.isMultipart()) throw new AppError('unsupported_media_type')
    for await (const part of request.parts({ limits: { fileSize: maxBytes } })) {
      if (part.fieldname !== 'file' || part.type !== 'file') throw fieldError(part.fieldname, 'unknown_field')
      if (file !== null) throw fieldError('file', 'duplicate_key')
      file = { name: part.filename ?? '', bytes: await part.toBuffer() }
    }
  } catch (error) {
    // What the caller still sends is read and dropped, so that it can read the answer.
    request.raw.unpipe()
    request.raw.resume()
    if ((error as { code?: string }).code === 'FST_REQ_FILE_TOO_LARGE') throw new AppError('file_too_large')
    throw error instanceof AppError || 'statusCode' in (error as object) ? error : new AppError('malformed')
  }
  if (file === null) throw fieldError('file', 'required')
  return file
}
