import { open } from 'node:fs/promises'

// UBL, its credit note, UN/CEFACT's CII, and Poland's FA.
const ROOTS = new Set(['Invoice', 'CreditNote', 'CrossIndustryInvoice', 'Faktura'])
const HEAD_BYTES = 65_536

// What may stand before the root: declaration and instructions, comments, white space. A document type may not.
const BEFORE_ROOT = /^\uFEFF?(?:\s+|<\?[^>]*\?>|<!--(?:(?!-->)[^])*-->)*/

/** True where a file is XML whose root is that of an electronic invoice; nothing else in it is looked at. */
export async function isInvoiceXml(path: string): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const head = Buffer.alloc(HEAD_BYTES)
    const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0)
    const bytes = head.subarray(0, bytesRead)
    const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8'
    const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes)
    if (text.includes('<!DOCTYPE')) return false
    const root = /^<(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)[\s/>]/.exec(text.replace(BEFORE_ROOT, ''))
    return root !== null && ROOTS.has(root[1]!)
  } finally {
    await file.close()
  }
}
