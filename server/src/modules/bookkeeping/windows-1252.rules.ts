// Windows-1252 is Latin 1 but for these, which stand where Latin 1 has control characters. Source: WHATWG Encoding.
const SIGNS = new Map(
  [...'€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'].map((sign, index) => [sign, 0x80 + index] as const),
)
// Letters that are no others with marks.
const LETTERS: Readonly<Record<string, string>> = { ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ı: 'i', ħ: 'h', Ħ: 'H' }
const MARKS = /\p{Mn}/gu
const UNKNOWN = '?'

function byteOf(sign: string): number | undefined {
  const code = sign.codePointAt(0)!
  if (SIGNS.has(sign)) return SIGNS.get(sign)
  return code < 0x80 || (code >= 0xa0 && code <= 0xff) ? code : undefined
}

/**
 * Text in Windows-1252. A letter that it has not is written without its marks (Łódź becomes Lódz); what nobody can
 * write so becomes a question mark.
 */
export function windows1252(text: string): Buffer {
  const bytes: number[] = []
  for (const sign of text.normalize('NFC')) {
    const own = byteOf(sign)
    if (own !== undefined) bytes.push(own)
    else
      for (const part of LETTERS[sign] ?? sign.normalize('NFKD').replace(MARKS, '') ?? '')
        bytes.push(byteOf(LETTERS[part] ?? part) ?? UNKNOWN.charCodeAt(0))
  }
  return Buffer.from(bytes)
}
