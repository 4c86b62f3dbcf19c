import { describe, expect, it } from 'vitest'
import { pdfName } from './pdf-name.ts'

describe('the file name of a paper', () => {
  it('is kind, number and receiver', () => {
    expect(pdfName('Rechnung', 'WB-2026-0001', 'Kröger & Söhne GmbH')).toBe(
      'Rechnung_WB-2026-0001_Kröger & Söhne GmbH.pdf',
    )
    expect(pdfName('CMR', '26-00012-1', null)).toBe('CMR_26-00012-1.pdf')
    expect(pdfName('Transport order', '7-1', ' \n')).toBe('Transport order_7-1.pdf')
  })

  it('holds no sign that a file system refuses, none unseen, and one dot before its ending', () => {
    expect(pdfName('Faktura', 'FV/001/26', '..\\"<Dringend>": a|b?* Sp. j.')).toBe(
      'Faktura_FV-001-26_..-Dringend- a-b- Sp. j.pdf',
    )
    expect(pdfName('Rechnung', '1', 'Öz\r\nBcc: x\u0000\u202Efdp.\u200Bexe\uD800')).toBe(
      'Rechnung_1_Öz Bcc- xfdp.exe\uFFFD.pdf',
    )
  })

  it('fits into what a file system takes, and keeps kind and number whole', () => {
    for (const title of ['x'.repeat(300), 'Ł'.repeat(300), '🚚'.repeat(300), '👩‍🚒'.repeat(300)]) {
      const name = pdfName('Gelangensbestätigung', 'WB-2026-00017', title)
      expect(name).toMatch(/^Gelangensbestätigung_WB-2026-00017_.+\.pdf$/u)
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200)
      expect(name.isWellFormed()).toBe(true)
    }
  })
})
