import type { Answer, Caller } from './app.ts'

interface Upload {
  fields: Record<string, string | number>
  file?: { name: string; bytes: Uint8Array<ArrayBuffer> }
  /** fields stand before the file, as the web sends them, or behind it */
  fileFirst?: boolean
  headers?: Record<string, string>
}

/** A form with a file, as a browser encodes it. */
export async function encodeForm({
  fields,
  file,
  fileFirst = false,
}: Upload): Promise<{ body: Buffer; contentType: string }> {
  const form = new FormData()
  const addFile = () => file && form.append('file', new Blob([file.bytes]), file.name)
  if (fileFirst) addFile()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  if (!fileFirst) addFile()
  const encoded = new Response(form)
  return { contentType: encoded.headers.get('content-type')!, body: Buffer.from(await encoded.arrayBuffer()) }
}

/** POST upload. */
export async function upload(caller: Caller, given: Upload): Promise<Answer> {
  const { body, contentType } = await encodeForm(given)
  return caller.post('upload', body, { headers: { 'content-type': contentType, ...given.headers } })
}

const bytes = (text: string, size = text.length): Uint8Array<ArrayBuffer> => {
  const whole = new Uint8Array(size)
  whole.set(Buffer.from(text, 'latin1'))
  return whole
}

/** Files by what their first bytes say they are. */
export const FILES = {
  pdf: (size?: number) =>
    bytes('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n', size),
  png: () =>
    Uint8Array.from(
      Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      ),
    ),
  exe: () => bytes(`MZ\u0090\u0000\u0003\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u00ff\u00ff${'\u0000'.repeat(200)}`),
  html: () => bytes('<!doctype html><html><script>alert(1)</script></html>'),
  text: (text: string) => Uint8Array.from(Buffer.from(text)),
}
