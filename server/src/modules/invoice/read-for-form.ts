import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { z } from 'zod'
import { MAX_FILE_BYTES } from '@waybill/contract/document'
import { headerOf, type readEInvoice as endpoint } from '@waybill/contract/e-invoice/e-invoice'
import type { Reference } from '@waybill/contract/kit/fields'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { readEInvoice } from '../e-invoice/index.ts'

async function sentFile(request: FastifyRequest): Promise<Buffer> {
  let bytes: Buffer | null = null
  try {
    if (!request.isMultipart()) throw new AppError('unsupported_media_type')
    for await (const part of request.parts({ limits: { fileSize: MAX_FILE_BYTES } })) {
      if (part.fieldname !== 'file' || part.type !== 'file') throw fieldError(part.fieldname, 'unknown_field')
      if (bytes !== null) throw fieldError('file', 'duplicate_key')
      bytes = await part.toBuffer()
    }
  } catch (error) {
    // What the caller still sends is read and dropped, so that it can read the answer.
    request.raw.unpipe()
    request.raw.resume()
    if ((error as { code?: string }).code === 'FST_REQ_FILE_TOO_LARGE') throw new AppError('file_too_large')
    throw error instanceof AppError || 'statusCode' in (error as object) ? error : new AppError('malformed')
  }
  if (bytes === null) throw fieldError('file', 'required')
  return bytes
}

/** The carrier that is in use and has this VAT number, if it is one alone. */
async function carrierWith(ctx: Ctx, vatNumber: string | null): Promise<Reference | null> {
  if (vatNumber === null) return null
  const { rows } = await sql<Reference>`
    select id, title from carrier_company
    where vat_number_key("vatNumber") = vat_number_key(${vatNumber}) and state = 'active' order by id limit 2
  `.execute(ctx.db)
  return rows.length === 1 ? rows[0]! : null
}

/**
 * What an electronic invoice says for the form of a carrier's invoice; nothing is kept. Errors: `file_too_large`, and
 * those of the endpoint.
 */
export async function readForForm(ctx: Ctx, request: FastifyRequest): Promise<z.input<(typeof endpoint)['reply']>> {
  const eInvoice = await readEInvoice(await sentFile(request))
  return {
    eInvoice,
    values: headerOf(eInvoice),
    carrierCompany: await carrierWith(ctx, eInvoice.seller.vatNumber),
  }
}
