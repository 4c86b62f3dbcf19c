import { open, readFile } from 'node:fs/promises'
import type { DocumentType } from '@waybill/contract/document'
import type { EInvoice } from '@waybill/contract/e-invoice/e-invoice'
import { AppError } from '../../kit/context/errors.ts'
import type { StagedFile } from '../../kit/files/files.ts'
import { beginsLikeXml } from '../../kit/xml/xml-text.ts'
import { readEInvoice } from '../e-invoice/index.ts'
import { E_INVOICE_XML, fileKindOf } from './document.rules.ts'

const HEAD_BYTES = 1024

async function headOf(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** What an uploaded file is; XML only among the invoices of carriers, where `eInvoiceOf` reads it before it is kept. */
export async function kindOfUpload(
  file: StagedFile & { name: string },
  documentType: DocumentType,
): ReturnType<typeof fileKindOf> {
  if (documentType === 'CARRIER_INVOICE' && beginsLikeXml(await headOf(file.path))) return E_INVOICE_XML
  return fileKindOf(file.path, file.name)
}

// A file inside a PDF has a dictionary that is never packed (ISO 32000-1, 7.5.7): one of these stands in it, as PDF/A-3
// demands (7.11.4, ISO 19005-3, 6.8). A scan of paper has neither, and is not taken apart.
const MARKS = ['/EmbeddedFile', 'text#2Fxml', 'text#2fxml', 'application#2Fxml', 'application#2fxml']

/**
 * What an invoice of a carrier says, where it is an electronic one; null of others. Errors: those of `readEInvoice` for
 * XML, which is kept as an invoice or not at all; a PDF with something else in it is an ordinary PDF.
 */
export async function eInvoiceOf(
  { path }: StagedFile,
  documentType: DocumentType,
  { contentType }: { contentType: string },
): Promise<EInvoice | null> {
  if (documentType !== 'CARRIER_INVOICE') return null
  if (contentType === E_INVOICE_XML.contentType) return readEInvoice(await readFile(path))
  if (contentType !== 'application/pdf') return null
  const bytes = await readFile(path)
  if (!MARKS.some((mark) => bytes.includes(mark))) return null
  try {
    return await readEInvoice(bytes)
  } catch (error) {
    if (error instanceof AppError && error.code === 'validation') return null
    throw error
  }
}
