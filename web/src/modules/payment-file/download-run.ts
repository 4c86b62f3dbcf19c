import { getPaymentFileContent } from '@waybill/contract/payment-file/payment-file'
import { callFile } from '../../kit/api/call-api.ts'
import { saveFile } from '../../kit/api/files.ts'

/** Saves the file of a run as it was made. Throws ApiError. */
export async function downloadRun(id: number): Promise<void> {
  const { blob, fileName } = await callFile(getPaymentFileContent, { params: { id } })
  saveFile(blob, fileName)
}

/** The beginning and the end of a hash, as people compare it. */
export const shortHash = (sha256: string): string => `${sha256.slice(0, 4)} ${sha256.slice(4, 8)} … ${sha256.slice(-4)}`
