import { readFile } from 'node:fs/promises'

interface FileKind {
  contentType: string
  /** the first one is added to a name that has none of them */
  extensions: readonly [string, ...string[]]
  /** may be shown in the page; everything else is only ever downloaded (design §9, rule 9) */
  isInline: boolean
}

const kind = (contentType: string, extensions: FileKind['extensions'], isInline = false): FileKind => ({
  contentType,
  extensions,
  isInline,
})

// By the content type that is found in the bytes. What is not here is refused: pages, scripts, programs, archives.
const BY_CONTENT: Readonly<Record<string, FileKind>> = {
  'application/pdf': kind('application/pdf', ['pdf'], true),
  'image/png': kind('image/png', ['png'], true),
  'image/jpeg': kind('image/jpeg', ['jpg', 'jpeg', 'jpe', 'jfif'], true),
  'image/webp': kind('image/webp', ['webp'], true),
  'image/heic': kind('image/heic', ['heic', 'heif']),
  'image/heif': kind('image/heif', ['heif', 'heic']),
  'image/tiff': kind('image/tiff', ['tif', 'tiff']),
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': kind(
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ['docx'],
  ),
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': kind(
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ['xlsx'],
  ),
  'application/vnd.oasis.opendocument.text': kind('application/vnd.oasis.opendocument.text', ['odt']),
  'application/vnd.oasis.opendocument.spreadsheet': kind('application/vnd.oasis.opendocument.spreadsheet', ['ods']),
}

/** The only XML that is kept: an electronic invoice that could be read. It is downloaded, and shown in words. */
export const E_INVOICE_XML: FileKind = kind('application/xml', ['xml'])

// Plain text has no mark of its own: its bytes must be text, and its name says which.
const BY_NAME: Readonly<Record<string, FileKind>> = {
  txt: kind('text/plain; charset=utf-8', ['txt']),
  csv: kind('text/csv; charset=utf-8', ['csv']),
}

const extensionOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

async function isText(path: string): Promise<boolean> {
  const bytes = await readFile(path)
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  return !/[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(bytes.toString('latin1')) && isUtf8(bytes)
}

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/**
 * What a file is, read from its bytes and not from its name (api, Files); null where it is nothing that may be kept.
 */
export async function fileKindOf(path: string, name: string): Promise<FileKind | null> {
  const { fileTypeFromFile } = await import('file-type')
  // A damaged file may end in the middle of what its head announces.
  const found = await fileTypeFromFile(path).catch(() => undefined)
  if (found) return BY_CONTENT[found.mime] ?? null
  const named = BY_NAME[extensionOf(name)]
  return named && (await isText(path)) ? named : null
}

/** True where the browser may show it in place. */
const isInline = (contentType: string): boolean => BY_CONTENT[contentType]?.isInline ?? false

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/**
 * The name under which a file is kept: the last part of what was sent, on one line, with an extension that tells the
 * truth. At most 200 characters, so that a download's header stays short.
 */
export function titleOf(name: string, { extensions }: Pick<FileKind, 'extensions'>): string {
  const last = name.split(/[\\/]/).at(-1)!
  const clean = last.replace(UNSEEN, '').toWellFormed().trim() || 'file'
  const isHonest = (extensions as readonly string[]).includes(extensionOf(clean))
  const stem = isHonest ? clean.slice(0, clean.lastIndexOf('.')) : clean
  const extension = isHonest ? clean.slice(clean.lastIndexOf('.')) : `.${extensions[0]}`
  return `${[...stem].slice(0, 190).join('')}${extension}`
}

/** RFC 6266: an ASCII name for old programs, and the real one by RFC 5987. */
export function contentDisposition(title: string, contentType: string): string {
  const ascii =
    title
      .normalize('NFKD')
      .replace(/[^\x20-\x7e]/g, '')
      .replace(/["\\%;]/g, '_')
      .trim() || 'file'
  const encoded = encodeURIComponent(title).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${isInline(contentType) ? 'inline' : 'attachment'}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
