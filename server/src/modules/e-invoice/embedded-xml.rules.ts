import { inflateSync } from 'node:zlib'
import { PDFArray, PDFDict, PDFDocument, PDFHexString, PDFName, PDFRawStream, PDFRef, PDFString } from '@cantoo/pdf-lib'
import { RefusedEInvoice } from './refusal.rules.ts'

// As ZUGFeRD and Factur-X call the file inside, in their order of preference; compared without upper case.
const NAMES = ['factur-x.xml', 'xrechnung.xml', 'zugferd-invoice.xml']

const MAX_FILES = 200
const MAX_LEVELS = 8
const MAX_XML_BYTES = 26_214_400

const nameOf = (file: PDFDict): string => {
  const name = file.lookup(PDFName.of('UF')) ?? file.lookup(PDFName.of('F'))
  return name instanceof PDFString || name instanceof PDFHexString ? name.decodeText().trim().toLowerCase() : ''
}

/** The files that stand in the catalog's tree of names, or are said to belong to the document (`AF`). */
function* filesOf({ catalog, context }: PDFDocument): Generator<PDFDict> {
  // What is no PDF behind its first bytes has none.
  if (!(catalog instanceof PDFDict)) return
  let left = MAX_FILES
  const seen = new Set<unknown>()
  const under = function* (node: unknown, level: number): Generator<PDFDict> {
    if (!(node instanceof PDFDict) || seen.has(node) || level > MAX_LEVELS) return
    seen.add(node)
    const names = node.lookup(PDFName.of('Names'))
    const kids = node.lookup(PDFName.of('Kids'))
    for (const entry of names instanceof PDFArray ? names.asArray() : []) {
      const file = entry instanceof PDFRef ? context.lookup(entry) : entry
      if (file instanceof PDFDict && left-- > 0) yield file
    }
    for (const kid of kids instanceof PDFArray ? kids.asArray() : []) yield* under(context.lookup(kid), level + 1)
  }
  const names = catalog.lookup(PDFName.of('Names'))
  if (names instanceof PDFDict) yield* under(names.lookup(PDFName.of('EmbeddedFiles')), 0)
  const related = catalog.lookup(PDFName.of('AF'))
  for (const entry of related instanceof PDFArray ? related.asArray() : []) {
    const file = context.lookup(entry)
    if (file instanceof PDFDict && left-- > 0) yield file
  }
}

/** The bytes of an embedded file, unpacked no further than to the limit of a file. */
function contentOf(file: PDFDict): Uint8Array | null {
  const streams = file.lookup(PDFName.of('EF'))
  const stream = streams instanceof PDFDict ? streams.lookup(PDFName.of('F')) : undefined
  if (!(stream instanceof PDFRawStream)) return null
  const given = stream.dict.lookup(PDFName.of('Filter'))
  const filters = given instanceof PDFArray ? given.asArray() : given === undefined ? [] : [given]
  const packed = stream.getContents()
  if (filters.length === 0) return packed
  if (filters.length > 1 || filters[0] !== PDFName.of('FlateDecode')) return null
  try {
    return inflateSync(packed, { maxOutputLength: MAX_XML_BYTES })
  } catch (error) {
    const isTooLarge = (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
    throw new RefusedEInvoice(isTooLarge ? 'e_invoice_too_heavy' : 'e_invoice_broken')
  }
}

/**
 * The invoice inside a PDF, as XML. Throws `RefusedEInvoice`: `e_invoice_unknown` where there is none, or the PDF is
 * encrypted.
 */
export async function embeddedXml(pdf: Uint8Array): Promise<Uint8Array> {
  const files = await PDFDocument.load(pdf, { updateMetadata: false, throwOnInvalidObject: false }).then(
    (document) => [...filesOf(document)],
    () => [],
  )
  for (const name of NAMES) {
    const file = files.find((one) => nameOf(one) === name)
    const xml = file === undefined ? null : contentOf(file)
    if (xml !== null) return xml
  }
  throw new RefusedEInvoice('e_invoice_unknown')
}
