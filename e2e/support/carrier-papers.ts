import type { Waybill } from './waybill.ts'

const PDF = Buffer.from('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n')

/** Puts a licence and an insurance on a carrier's record, so that it is cleared for transports. */
export async function giveCarrierPapers(waybill: Waybill, carrierCompanyId: number, until = '2099-12-31') {
  const give = (documentType: string, more: Record<string, string> = {}) =>
    waybill.upload(
      { carrierCompanyId: String(carrierCompanyId), documentType, expiredAt: until, ...more },
      {
        name: `${documentType}.pdf`,
        bytes: PDF,
      },
    )
  await give('EU_LICENSE')
  await give('INSURANCE_DOCUMENT', { insuredCents: '100000000' })
}
