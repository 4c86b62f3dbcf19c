import { RefusedXml } from './refused-xml.ts'

// What senders of files declare (XML 1.0, 4.3.3), as `TextDecoder` calls it. Everything else is refused: an encoding
// that reads the same bytes as other signs could hide what is not to be read.
const ENCODINGS: Readonly<Record<string, string>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'utf-8',
  'utf-16': 'utf-16le',
  'utf-16le': 'utf-16le',
  'utf-16be': 'utf-16be',
  'iso-8859-1': 'windows-1252',
  'iso-8859-2': 'iso-8859-2',
  'iso-8859-15': 'iso-8859-15',
  'windows-1250': 'windows-1250',
  'windows-1252': 'windows-1252',
}

const HEAD_BYTES = 400
const PIECE_BYTES = 65_536

/** The encoding by mark or declaration (XML 1.0, appendix F). Throws `broken` for one that is not taken. */
function encodingOf(bytes: Uint8Array): string {
  const [a, b, c, d] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if ((a === 0xff && b === 0xfe && (c !== 0 || d !== 0)) || (a === 0x3c && b === 0 && c !== 0)) return 'utf-16le'
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c)) return 'utf-16be'
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1')
  const declared = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']/.exec(head)?.[1]?.toLowerCase()
  if (declared === undefined) return 'utf-8'
  const known = ENCODINGS[declared]
  // Two bytes a sign are seen above: what declares them and has one is lying.
  if (known === undefined || known.startsWith('utf-16')) throw new RefusedXml('broken')
  return known
}

/** The text of an XML file, piece by piece. Throws `broken` where bytes are none of its encoding. */
export function* textPieces(bytes: Uint8Array): Generator<string> {
  const decoder = new TextDecoder(encodingOf(bytes), { fatal: true })
  try {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES)
      yield decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: true })
    yield decoder.decode()
  } catch (error) {
    throw error instanceof TypeError ? new RefusedXml('broken') : error
  }
}

/** True of bytes that begin as XML does, in any encoding that is taken. */
export function beginsLikeXml(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 100)).toString('latin1').replaceAll('\u0000', '')
  return /^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)?\s*<[?!A-Za-z_]/.test(head)
}
