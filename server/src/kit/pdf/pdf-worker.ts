// The process behind pdf.ts: node pdf-worker.ts <native | webassembly | any> <template folder> <font file>…
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { openTypesetter } from './typesetter.ts'
import type { PdfAttachment, TypesetterBuild } from './typesetting.ts'

export interface PdfTask {
  id: number
  template: string
  /** JSON text */
  data: string
  language: string
  title: string
  attachments: PdfAttachment[]
  pictures: readonly Uint8Array[]
  createdAtSeconds: number
}

/** `isSpent`: this process must get no further document. */
export type PdfAnswer = { id: number; isSpent: boolean } & ({ pdf: Uint8Array } | { error: string })

// Title and language are the document's own, and so is the date where the typesetter cannot be told one; the fallback
// is off so that a page looks the same on every machine.
const MAIN_SOURCE = `
#set document(
  title: sys.inputs.title,
  date: if "date" in sys.inputs { datetime(..json(bytes(sys.inputs.date))) } else { auto },
)
#set text(font: "Inter", fallback: false, lang: sys.inputs.language)
#for (index, file) in json(bytes(sys.inputs.attachments)).enumerate() {
  pdf.attach(
    file.filename,
    read("/attachments/" + str(index), encoding: none),
    relationship: file.relationship,
    mime-type: file.contentType,
    description: file.description,
  )
}
#include sys.inputs.template
`

const [build, templateDir, ...fontFiles] = process.argv.slice(2)
if (!templateDir || !fontFiles[0])
  throw new Error('usage: pdf-worker.ts <native | webassembly | any> <template folder> <font file>…')

const fonts = fontFiles.map((file) => readFileSync(file))
const hasGlyph = glyphsOf(fonts[0]!)
const typesetter = await openTypesetter(fonts, build === 'any' ? undefined : (build as TypesetterBuild))
typesetter.addFile('main.typ', Buffer.from(MAIN_SOURCE))
for (const name of readdirSync(templateDir)) {
  const content = readFileSync(join(templateDir, name))
  // A package would be fetched from the network.
  if (name.endsWith('.typ') && /(import|include)\s*\(?\s*"@/.test(content.toString()))
    throw new Error(`${name}: templates import no packages`)
  typesetter.addFile(name, content)
}

/** Which code points a TrueType font can draw: its `cmap` table, format 12 or 4 (ISO/IEC 14496-22, 5.2.1). */
function glyphsOf(font: Buffer): (codePoint: number) => boolean {
  let cmap = 0
  for (let table = 0; table < font.readUInt16BE(4); table++) {
    const entry = 12 + table * 16
    if (font.toString('latin1', entry, entry + 4) === 'cmap') cmap = font.readUInt32BE(entry + 8)
  }
  const has = new Uint8Array(0x110000)
  for (let index = 0; index < font.readUInt16BE(cmap + 2); index++) {
    const subtable = cmap + font.readUInt32BE(cmap + 4 + index * 8 + 4)
    const format = font.readUInt16BE(subtable)
    if (format === 12) {
      for (let group = 0; group < font.readUInt32BE(subtable + 12); group++) {
        const at = subtable + 16 + group * 12
        has.fill(1, font.readUInt32BE(at), font.readUInt32BE(at + 4) + 1)
      }
    } else if (format === 4) {
      const segments = font.readUInt16BE(subtable + 6) / 2
      for (let segment = 0; segment < segments; segment++) {
        const to = font.readUInt16BE(subtable + 14 + segment * 2)
        const from = font.readUInt16BE(subtable + 16 + segments * 2 + segment * 2)
        if (from !== 0xffff) has.fill(1, from, to + 1)
      }
    }
  }
  if (!has[0x41]) throw new Error('the font has no character map that is understood')
  return (codePoint) => has[codePoint] === 1
}

/**
 * PDF/A refuses a whole document for one character without a glyph, and nobody's emoji may stop a bill:
 * what the font cannot draw becomes a visible box, what is invisible anyway is left out.
 */
function drawable(text: string): string {
  let result = ''
  for (const character of text.normalize('NFC').replace(/\r\n?/g, '\n')) {
    if (character === '\n' || character === '\t') result += character
    else if (/\p{Cc}/u.test(character)) continue
    else if (hasGlyph(character.codePointAt(0)!)) result += character
    else if (!/\p{Default_Ignorable_Code_Point}/u.test(character)) result += '□'
  }
  return result
}

const drawableJson = (json: string): string =>
  JSON.stringify(JSON.parse(json, (_key, value: unknown) => (typeof value === 'string' ? drawable(value) : value)))

async function render(task: PdfTask): Promise<Uint8Array> {
  const { template, data, language, title, attachments, pictures, createdAtSeconds } = task
  attachments.forEach(({ content }, index) => typesetter.addFile(`attachments/${index}`, content))
  pictures.forEach((content, index) => typesetter.addFile(`pictures/${index}`, content))
  try {
    return await typesetter.typeset({
      inputs: {
        template: `/${basename(template)}.typ`,
        data: drawableJson(data),
        language,
        title: drawable(title),
        attachments: JSON.stringify(
          attachments.map(({ filename, contentType, relationship, description }) => ({
            filename,
            contentType,
            relationship,
            description: drawable(description),
          })),
        ),
      },
      attachments,
      createdAtSeconds,
    })
  } finally {
    attachments.forEach((_, index) => typesetter.removeFile(`attachments/${index}`))
    pictures.forEach((_, index) => typesetter.removeFile(`pictures/${index}`))
  }
}

// After a trap WebAssembly's memory may be in any state: the process ends, and the next document gets a new one.
const isTrap = (error: unknown) => error instanceof Error && ['RuntimeError', 'RangeError'].includes(error.name)

process.on('message', async (task: PdfTask) => {
  let answer: PdfAnswer
  try {
    const pdf = await render(task)
    answer = { id: task.id, isSpent: typesetter.isSpent(), pdf }
  } catch (error) {
    if (isTrap(error)) throw error
    const reason = error instanceof Error ? error.message : String(error)
    answer = { id: task.id, isSpent: typesetter.isSpent(), error: `template "${task.template}": ${reason}` }
  }
  process.send!(answer)
})

// Ctrl-C reaches the whole process group; the end of a document in hand is the parent's decision, the end of the
// parent is ours.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('disconnect', () => process.exit(0))
