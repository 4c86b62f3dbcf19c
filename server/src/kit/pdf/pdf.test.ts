import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPdfRenderer, type PdfRenderer } from './pdf.ts'
import { openTypesetter } from './typesetter.ts'
import type { TypesetterBuild } from './typesetting.ts'

const PLAIN = `#let data = json(bytes(sys.inputs.data))
#set page(width: 210mm, height: 297mm)
#data.text`
// Far beyond the time limit, and inside native code, where only the end of the process helps.
const ENDLESS = `#for outer in range(20000) { for inner in range(20000) { let power = calc.pow(outer, 2) } }`

// A call without an end, which Typst refuses.
const DEEP = `#let deeper(level) = deeper(level + 1)
#deeper(0)`

let folder: string
let templates: string
let pdf: PdfRenderer

function textOf(document: Buffer): string {
  const file = join(folder, 'document.pdf')
  writeFileSync(file, document)
  return execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' })
}

const plain = (text: string, renderer = pdf) =>
  renderer.renderPdf({ template: 'plain', data: { text }, language: 'en', title: 'Plain' })

// Linux has both builds; what only WebAssembly has (Mac, Windows, ARM) must do the same.
describe.each<TypesetterBuild>(['native', 'webassembly'])('the %s build', (build) => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pdf-'))
    templates = mkdtempSync(join(folder, 'templates-'))
    writeFileSync(join(folder, 'outside.txt'), 'outside')
    writeFileSync(join(templates, 'plain.typ'), PLAIN)
    writeFileSync(join(templates, 'endless.typ'), ENDLESS)
    writeFileSync(join(templates, 'broken.typ'), '#nowhere')
    writeFileSync(join(templates, 'deep.typ'), DEEP)
    writeFileSync(join(templates, 'reads-relative.typ'), '#read("../outside.txt")')
    writeFileSync(join(templates, 'reads-absolute.typ'), `#read("${join(folder, 'outside.txt')}")`)
    pdf = createPdfRenderer({ build, templateDir: templates })
  })

  afterAll(() => {
    pdf.close()
    rmSync(folder, { recursive: true })
  })

  describe('what is refused', () => {
    it('names what is wrong in a template', async () => {
      await expect(pdf.renderPdf({ template: 'broken', data: {}, language: 'en', title: 'x' })).rejects.toMatchObject({
        kind: 'template',
        message: expect.stringContaining('unknown variable: nowhere'),
      })
    })

    it('refuses a call without an end, and goes on with the next document', async () => {
      await expect(pdf.renderPdf({ template: 'deep', data: {}, language: 'en', title: 'x' })).rejects.toMatchObject({
        kind: 'template',
        message: expect.stringContaining('maximum function call depth exceeded'),
      })
      expect(textOf(await plain('still here'))).toContain('still here')
    })

    it('knows no template outside its folder', async () => {
      await expect(
        pdf.renderPdf({ template: '../outside', data: {}, language: 'en', title: 'x' }),
      ).rejects.toMatchObject({ kind: 'template' })
    })

    it.each(['reads-relative', 'reads-absolute'])('lets no template read a file: %s', async (template) => {
      await expect(pdf.renderPdf({ template, data: {}, language: 'en', title: 'x' })).rejects.toMatchObject({
        kind: 'template',
      })
    })

    it('does not start with a template that imports a package', { tags: 'long' }, async () => {
      const withPackage = mkdtempSync(join(folder, 'package-'))
      writeFileSync(join(withPackage, 'plain.typ'), '#import "@preview/cetz:0.3.0"')
      const renderer = createPdfRenderer({ build, templateDir: withPackage })
      await expect(plain('x', renderer)).rejects.toMatchObject({
        kind: 'crashed',
        message: expect.stringContaining('templates import no packages'),
      })
      renderer.close()
    })

    it('stops a document at the time limit and goes on with the next', { tags: 'long' }, async () => {
      // Starting counts too, and WebAssembly starts slowly on a busy machine.
      const timeLimitMs = build === 'native' ? 3000 : 9000
      const hasty = createPdfRenderer({ build, templateDir: templates, timeLimitMs })
      const endless = hasty.renderPdf({ template: 'endless', data: {}, language: 'en', title: 'x' })
      const following = plain('still here', hasty)
      await expect(endless).rejects.toMatchObject({
        kind: 'timeout',
        message: expect.stringContaining(`${timeLimitMs} ms`),
      })
      expect(textOf(await following)).toContain('still here')
      hasty.close()
    })

    it('rejects what waits when it is closed, and everything after', async () => {
      const renderer = createPdfRenderer({ build, templateDir: templates })
      const waiting = [plain('one', renderer), plain('two', renderer)].map((document) =>
        expect(document).rejects.toMatchObject({ kind: 'closed' }),
      )
      renderer.close()
      await Promise.all(waiting)
      await expect(plain('three', renderer)).rejects.toMatchObject({ kind: 'closed' })
    })
  })

  describe('a document', () => {
    it('shows every text literally, markup included', async () => {
      const text =
        'SZG-„Ostsee“/26 & Co <dringend> #typst $math$ *x* _y_ `z` ' +
        '\\ // /* */ @ref = [a] {b} "c" ~ Größe Łódź ąęśćżźń €'
      expect(textOf(await plain(text)).replace(/\s+/g, ' ')).toContain(text)
    })

    it('puts a box for what the font cannot draw, instead of failing', async () => {
      expect(textOf(await plain('emoji 🚚 北京 end\u0001\u200b!'))).toMatch(/emoji □ □□ end\u200b?!/)
    })

    it('is PDF/A-3b with whole metadata and no font left out', async () => {
      const document = await pdf.renderPdf({
        template: 'plain',
        data: { text: 'Grüße' },
        language: 'de',
        title: 'Ein „Titel“',
        createdAt: new Date('2026-11-30T10:00:00Z'),
      })
      const source = document.toString('latin1')
      expect(source).toMatch(/pdfaid:part>3</)
      expect(source).toMatch(/pdfaid:conformance>B</)
      const file = join(folder, 'info.pdf')
      writeFileSync(file, document)
      const info = execFileSync('pdfinfo', ['-isodates', file], { encoding: 'utf8' })
      expect(info).toMatch(/Title:\s+Ein „Titel“/)
      expect(info).toContain('2026-11-30T10:00:00')
      expect(execFileSync('pdffonts', [file], { encoding: 'utf8' })).toMatch(
        /Inter-Regular\s+CID TrueType\s+Identity-H\s+yes/,
      )
    })

    it('carries its own attachments and not those of the document before', async () => {
      const withFile = (content: string) =>
        pdf.renderPdf({
          template: 'plain',
          data: { text: 'x' },
          language: 'en',
          title: 'x',
          attachments: [
            {
              filename: 'data.xml',
              content: Buffer.from(content),
              contentType: 'text/xml',
              relationship: 'alternative',
              description: 'The same as data',
            },
          ],
        })
      for (const content of ['<first/>', '<second/>']) {
        const file = join(folder, 'attached.pdf')
        writeFileSync(file, await withFile(content))
        execFileSync('pdfdetach', ['-saveall', '-o', folder, file])
        expect(execFileSync('cat', [join(folder, 'data.xml')], { encoding: 'utf8' })).toBe(content)
      }
      writeFileSync(join(folder, 'plain.pdf'), await plain('x'))
      expect(execFileSync('pdfdetach', ['-list', join(folder, 'plain.pdf')], { encoding: 'utf8' })).toContain(
        '0 embedded files',
      )
    })

    it('comes out for each of many requests at once', { tags: 'long' }, async () => {
      const documents = await Promise.all(Array.from({ length: 30 }, (_, index) => plain(`number ${index};`)))
      documents.forEach((document, index) => expect(textOf(document)).toContain(`number ${index};`))
    })

    it('comes out after the worker was given up for want of work', { tags: 'long' }, async () => {
      const brief = createPdfRenderer({ build, templateDir: templates, idleMs: 0 })
      for (const text of ['first', 'second', 'third']) {
        expect(textOf(await plain(text, brief))).toContain(text)
        // Two turns of the event loop: the timer has had its.
        for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
      }
      brief.close()
    })
  })
})

describe('the build, if none is asked for', () => {
  const fonts = [
    readFileSync(fileURLToPath(import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'))),
  ]

  it('is the native one where it loads', async () => {
    const choices = ([undefined, 'native', 'webassembly'] as const).map(async (build) => {
      const typesetter = await openTypesetter(fonts, build)
      typesetter.addFile('main.typ', Buffer.from('x'))
      const document = await typesetter.typeset({ inputs: {}, attachments: [], createdAtSeconds: 1_780_000_000 })
      return Buffer.from(document).toString('latin1')
    })
    const [any, native, webAssembly] = await Promise.all(choices)
    expect(any).toBe(native)
    expect(webAssembly).not.toBe(native)
  })
})
