import type { PDFRawStream, PDFRef } from '@cantoo/pdf-lib'
import type { PdfAttachment } from '../../kit/pdf/typesetting.ts'

const URI = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#'
const FILE_NAME = 'factur-x.xml'

/** The XML as a file of the PDF: the invoice once more, in the form that programs read. */
export const facturXFile = (xml: Uint8Array): PdfAttachment => ({
  filename: FILE_NAME,
  content: xml,
  contentType: 'text/xml',
  relationship: 'alternative',
  description: 'Factur-X / ZUGFeRD',
})

const VALUES = {
  DocumentType: ['INVOICE', 'INVOICE'],
  DocumentFileName: [FILE_NAME, 'name of the embedded XML file'],
  Version: ['1.0', 'version of the Factur-X XML schema'],
  ConformanceLevel: ['EN 16931', 'profile of the embedded XML file'],
} as const satisfies Record<string, readonly [value: string, meaning: string]>

const resource = (fields: string): string => `<rdf:li rdf:parseType="Resource">${fields}</rdf:li>`

// PDF/A knows only what its metadata explain (ISO 19005-3, 6.6.2.3).
const SCHEMA = resource(
  '<pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>' +
    `<pdfaSchema:namespaceURI>${URI}</pdfaSchema:namespaceURI><pdfaSchema:prefix>fx</pdfaSchema:prefix>` +
    `<pdfaSchema:property><rdf:Seq>${Object.entries(VALUES)
      .map(([name, [, meaning]]) =>
        resource(
          '<pdfaProperty:category>external</pdfaProperty:category>' +
            `<pdfaProperty:description>${meaning}</pdfaProperty:description>` +
            `<pdfaProperty:name>${name}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType>`,
        ),
      )
      .join('')}</rdf:Seq></pdfaSchema:property>`,
)

const DESCRIPTION = `<rdf:Description rdf:about="" xmlns:fx="${URI}">${Object.entries(VALUES)
  .map(([name, [value]]) => `<fx:${name}>${value}</fx:${name}>`)
  .join('')}</rdf:Description>`

const SCHEMAS_END = '</rdf:Bag></pdfaExtension:schemas>'
const ALL_END = '</rdf:RDF>'

/**
 * A PDF/A-3b with `facturXFile` in it says in its metadata that it is a Factur-X of the profile EN 16931 (ZUGFeRD 2.x,
 * 6.2.2). Everything else stays as it was set. Rejects if the metadata are not as Typst writes them.
 */
export async function withFacturXMetadata(pdf: Uint8Array): Promise<Buffer> {
  // 350 files, which a server that has yet to send its first invoice need not hold.
  const { PDFDocument, PDFName, PDFRawStream } = await import('@cantoo/pdf-lib')
  const document = await PDFDocument.load(pdf, { updateMetadata: false })
  const { catalog, context } = document
  const reference = catalog.get(PDFName.of('Metadata')) as PDFRef
  const metadata = context.lookup(reference) as PDFRawStream
  const xmp = Buffer.from(metadata.getContents()).toString()
  if (!xmp.includes(SCHEMAS_END) || !xmp.includes(ALL_END))
    throw new Error('the metadata of the PDF are not those of a PDF/A of ours')
  const said = xmp.replace(SCHEMAS_END, SCHEMA + SCHEMAS_END).replace(ALL_END, DESCRIPTION + ALL_END)
  context.assign(reference, PDFRawStream.of(metadata.dict, Buffer.from(said)))
  const bytes = await document.save({ useObjectStreams: false, addDefaultPage: false, updateFieldAppearances: false })
  return Buffer.from(bytes)
}
