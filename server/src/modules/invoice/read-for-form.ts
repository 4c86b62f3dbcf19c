import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { z } from 'zod'
import { MAX_FILE_BYTES } from '@waybill/contract/document'
import { headerOf, type readEInvoice as endpoint } from '@waybill/contract/e-invoice/e-invoice'
import type { Reference } from '@waybill/contract/kit/fields'
import type { Ctx } from '../../kit/context/context.ts'
import { sentFile } from '../../kit/http/sent-file.ts'
import { readEInvoice } from '../e-invoice/index.ts'

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
  const { bytes } = await sentFile(request, MAX_FILE_BYTES)
  const eInvoice = await readEInvoice(bytes)
  return {
    eInvoice,
    values: headerOf(eInvoice),
    carrierCompany: await carrierWith(ctx, eInvoice.seller.vatNumber),
  }
}
