import type { Caller } from './app.ts'
import { FILES, upload } from './upload.ts'

interface Papers {
  /** the last day of both, a local date */
  until?: string
  insuredCents?: number
}

/** Puts a licence and an insurance on a carrier's record, so that it is cleared for transports; gives their ids. */
export async function giveCarrierPapers(
  caller: Caller,
  carrierCompanyId: number,
  { until = '2099-12-31', insuredCents = 1_000_000_000 }: Papers = {},
): Promise<{ licenceId: number; insuranceId: number }> {
  const give = async (documentType: string, more: Record<string, number>) => {
    const { status, body } = await upload(caller, {
      fields: { carrierCompanyId, documentType, expiredAt: until, ...more },
      file: { name: `${documentType}.pdf`, bytes: FILES.pdf() },
    })
    if (status !== 201) throw new Error(`no ${documentType}: ${JSON.stringify(body)}`)
    return body.id as number
  }
  return {
    licenceId: await give('EU_LICENSE', {}),
    insuranceId: await give('INSURANCE_DOCUMENT', { insuredCents }),
  }
}
