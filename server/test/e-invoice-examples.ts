import { AFRelationship, PDFDocument } from '@cantoo/pdf-lib'
import type { WrittenInvoice } from '../seeds/demo/bills/e-invoices.ts'

export { ciiOf, ksefOf, sumsOf, ublOf } from '../seeds/demo/bills/e-invoices.ts'

/** An invoice as a carrier might send it. */
export const exampleInvoice = (more: Partial<WrittenInvoice> = {}): WrittenInvoice => ({
  number: 'RE-2026-0815',
  issueDate: '2026-11-03',
  dueDate: '2026-12-03',
  currency: 'EUR',
  kind: 'invoice',
  iban: 'DE89370400440532013000',
  lines: [{ text: 'Fracht Hamburg – Łódź', netCents: 123_456, vatBp: 1900, category: 'S' }],
  servicePeriod: { from: '2026-10-28', to: '2026-10-30' },
  seller: { name: 'Müller & Söhne Spedition GmbH', vatNumber: 'DE136695976', countryCode: 'DE' },
  buyer: { name: 'Waybill Spedition GmbH', vatNumber: 'DE811569869', countryCode: 'DE' },
  orderReference: '26-00042',
  note: 'Vielen Dank für <Ihren> Auftrag',
  terms: '30 Tage netto',
  attachment: 'QUJD'.repeat(10_000),
  ...more,
})

/** A PDF with an XML in it, as ZUGFeRD and Factur-X have it. */
export async function hybridPdf(xml: string | Uint8Array | null, name = 'factur-x.xml'): Promise<Buffer> {
  const document = await PDFDocument.create()
  document.addPage([595, 842])
  if (xml !== null)
    await document.attach(Buffer.from(xml), name, {
      mimeType: 'text/xml',
      afRelationship: AFRelationship.Alternative,
    })
  return Buffer.from(await document.save())
}
