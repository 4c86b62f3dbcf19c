import burner from '@kenjiuno/msgreader/lib/Burner.js'
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'

/** A mail as it is sent, RFC 5322, with attachments by name. */
export function emlOf(
  header: Record<string, string>,
  text: string,
  attachments: Record<string, Uint8Array | string> = {},
): Buffer {
  const lines = Object.entries(header).map(([name, value]) => `${name}: ${value}`)
  const parts = Object.entries(attachments).map(
    ([name, bytes]) =>
      `Content-Type: application/octet-stream; name="${name}"\nContent-Disposition: attachment; filename="${name}"\n` +
      `Content-Transfer-Encoding: base64\n\n${Buffer.from(bytes as string)
        .toString('base64')
        .replace(/.{76}/g, '$&\n')}`,
  )
  const body = [`Content-Type: text/plain; charset=utf-8\n\n${text}`, ...parts]
  return Buffer.from(
    [...lines, 'MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary="cut"', ''].join('\n') +
      `\n${body.map((part) => `--cut\n${part}\n`).join('')}--cut--\n`,
  )
}

// Names of streams: property and type, PtypString (MS-OXMSG 2.4; MS-OXPROPS).
const STREAMS = { subject: '0037001F', body: '1000001F', senderName: '0C1A001F', senderAddress: '5D01001F' } as const

/** A message of Outlook. */
export function msgOf(values: Record<keyof typeof STREAMS, string>): Buffer {
  const documents = Object.entries(STREAMS).map(([name, stream]) => {
    const bytes = Buffer.from(values[name as keyof typeof STREAMS], 'utf16le')
    return { name: `__substg1.0_${stream}`, type: 2, binaryProvider: () => [...bytes], length: bytes.length }
  })
  const properties = Buffer.alloc(32)
  const head = { name: '__properties_version1.0', type: 2, binaryProvider: () => [...properties], length: 32 }
  const root = {
    name: 'Root Entry',
    type: 5,
    length: 0,
    children: [head, ...documents].map((_one, index) => index + 1),
  }
  return Buffer.from(burner.burn([root, head, ...documents]))
}

/** A PDF with these lines, cells of a line apart from each other; without lines a page without text. */
export async function pdfOf(lines: readonly (readonly string[])[]): Promise<Buffer> {
  const pdf = await PDFDocument.create()
  const page = pdf.addPage()
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  for (const [row, cells] of lines.entries())
    for (const [column, text] of cells.entries())
      page.drawText(text, { x: 50 + column * 150, y: 750 - row * 14, size: 10, font })
  return Buffer.from(await pdf.save())
}
