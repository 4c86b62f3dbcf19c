import { PDFArray, PDFDict, PDFDocument, PDFHexString, PDFName, PDFRawStream, PDFRef, PDFString } from '@cantoo/pdf-lib'
import type { PdfAttachment, Typesetting } from './typesetting.ts'

// sRGB v4, compressed: the profile that Typst itself embeds for colours (Compact-ICC-Profiles, CC0).
const SRGB = Buffer.from(
  'eJx9kL9LAnEYxj/XVZZYDTk0FBwlTQVRS1OBhk4R+CPUpvP8UaB23fdCmsuhqWiIRmsJotnGHPoDgqAhCqKt1aCGkouvDlpQz/J+' +
    'eHhe3pcHlOe8URDdGhSKthUO+bV4Iqm5XlDx0s8gY7ohzOVIMAog9JIwbCvPD73fo8h5N72uF9M7r9eryQWlujtRjgU/Vi74X+50' +
    'RhjAF+AzTMsGRQPGS7YpeQnwGut6GpQ4MGXFE0lQ9qSfa/GJ5FSLLyVb0XAAlBqg5To41cGF/La8KyW/92SKsQjQB4wiCBPC/0em' +
    't5kJEGAGZF+/exDZudnWlmcRep4c520SXIfQOHKcz1PHaZyB+gi1rfb+ZgXm66AetL3UMVztw8hD2/NVYKgM1RtTt/SmpQJd2Q2o' +
    'n8NAAoZvwb32DePiX7E=',
  'base64',
)

const namespace = (prefix: string, name: string, host = 'ns.adobe.com') => `xmlns:${prefix}="http://${host}/${name}"`

const PDFA_NAMESPACES = [
  namespace('pdfaid', 'pdfa/ns/id/', 'www.aiim.org'),
  namespace('pdfaExtension', 'pdfa/ns/extension/', 'www.aiim.org'),
  namespace('pdfaSchema', 'pdfa/ns/schema#', 'www.aiim.org'),
  namespace('pdfaProperty', 'pdfa/ns/property#', 'www.aiim.org'),
]

const resource = (fields: string) => `<rdf:li rdf:parseType="Resource">${fields}</rdf:li>`

const schema = (
  name: string,
  uri: string,
  prefix: string,
  properties: [name: string, category: string, is: string][],
) =>
  resource(
    `<pdfaSchema:schema>${name}</pdfaSchema:schema><pdfaSchema:namespaceURI>${uri}</pdfaSchema:namespaceURI>` +
      `<pdfaSchema:prefix>${prefix}</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq>${properties
        .map(([property, category, is]) =>
          resource(
            `<pdfaProperty:category>${category}</pdfaProperty:category>` +
              `<pdfaProperty:description>${is}</pdfaProperty:description>` +
              `<pdfaProperty:name>${property}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType>`,
          ),
        )
        .join('')}</rdf:Seq></pdfaSchema:property>`,
  )

// What PDF/A-3 does not know by itself of the properties that stand in Typst's metadata (ISO 19005-3, 6.6.2.3).
const SCHEMAS = `<pdfaExtension:schemas><rdf:Bag>${schema(
  'XMP Media Management schema',
  'http://ns.adobe.com/xap/1.0/mm/',
  'xmpMM',
  [['InstanceID', 'internal', 'UUID based identifier for specific incarnation of a document']],
)}${schema('Adobe PDF schema', 'http://ns.adobe.com/pdf/1.3/', 'pdf', [
  ['Keywords', 'external', 'Keywords associated with the document'],
  ['PDFVersion', 'internal', 'Version of the PDF specification to which the document conforms'],
  ['Producer', 'internal', 'Name of the application that created the PDF document'],
  ['Trapped', 'internal', 'Whether the document has been trapped'],
])}</rdf:Bag></pdfaExtension:schemas>`

function replaced(text: string, pattern: RegExp, replacement: (found: string) => string): string {
  if (!pattern.test(text)) throw new Error(`the metadata of the PDF lack ${pattern}`)
  return text.replace(pattern, replacement)
}

/** The metadata as they must stand in a PDF/A-3b, in the order and the words of Typst's own. `date` in ISO 8601. */
function metadataOf(xmp: string, date: string): string {
  const instance = /<xmpMM:InstanceID>(.*?)</.exec(xmp)?.[1]
  const tool = /<xmp:CreatorTool>(.*?)</.exec(xmp)?.[1]
  const step = (action: string, more = '') =>
    resource(
      `<stEvt:action>${action}</stEvt:action><stEvt:when>${date}</stEvt:when>${more}` +
        `<stEvt:instanceID>${instance}_source</stEvt:instanceID>`,
    )
  const history = `<xmpMM:History><rdf:Seq>${step('saved')}${step(
    'converted',
    `<stEvt:softwareAgent>${tool}</stEvt:softwareAgent>`,
  )}</rdf:Seq></xmpMM:History>`
  const dates = ['Modify', 'Create'].map((what) => `<xmp:${what}Date>${date}</xmp:${what}Date>`).join('')
  const standard = '<pdfaid:part>3</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>'
  const dated = replaced(xmp, /<xmp:ModifyDate>.*<\/xmp:CreateDate>/, () => dates + history + SCHEMAS + standard)
  return replaced(
    replaced(dated, / xmlns:xmpMM=/, (found) => ` ${namespace('stEvt', 'xap/1.0/sType/ResourceEvent#')} ${found}`),
    / xmlns:pdf="[^"]*"/,
    (found) => [found, ...PDFA_NAMESPACES].join('  '),
  )
}

function setDates({ context }: PDFDocument, date: PDFString) {
  const info = context.lookup(context.trailerInfo.Info, PDFDict)
  info.set(PDFName.of('ModDate'), date)
  info.set(PDFName.of('CreationDate'), date)
}

function setMetadata({ catalog, context }: PDFDocument, date: string) {
  const reference = catalog.get(PDFName.of('Metadata')) as PDFRef
  const metadata = context.lookup(reference) as PDFRawStream
  const xmp = metadataOf(Buffer.from(metadata.getContents()).toString(), date)
  context.assign(reference, PDFRawStream.of(metadata.dict, Buffer.from(xmp)))
}

function addOutputIntent({ catalog, context }: PDFDocument) {
  const present = context
    .enumerateIndirectObjects()
    .find(([, object]) => object instanceof PDFRawStream && SRGB.equals(object.getContents()))
  const outline = context.obj({ N: 3, Range: [0, 1, 0, 1, 0, 1], Filter: 'FlateDecode' })
  const intent = context.obj({
    Type: 'OutputIntent',
    DestOutputProfile: present?.[0] ?? context.register(PDFRawStream.of(outline as PDFDict, SRGB)),
    S: 'GTS_PDFA1',
    OutputConditionIdentifier: PDFString.of('Custom'),
    OutputCondition: PDFString.of('sRGB'),
    RegistryName: PDFString.of(''),
    Info: PDFString.of('sRGB v4.2'),
  })
  catalog.set(PDFName.of('OutputIntents'), context.register(context.obj([context.register(intent)])))
}

function relateFiles({ catalog, context }: PDFDocument, attachments: PdfAttachment[], date: PDFString) {
  const names = catalog
    .lookupMaybe(PDFName.of('Names'), PDFDict)
    ?.lookupMaybe(PDFName.of('EmbeddedFiles'), PDFDict)
    ?.lookupMaybe(PDFName.of('Names'), PDFArray)
  if (!names) return
  const references = names.asArray().filter((entry) => entry instanceof PDFRef)
  for (const reference of references) {
    const file = context.lookup(reference, PDFDict)
    const filename = file.lookup(PDFName.of('UF'), PDFString, PDFHexString).decodeText()
    const { relationship } = attachments.find((attachment) => attachment.filename === filename)!
    file.set(PDFName.of('AFRelationship'), PDFName.of(relationship[0]!.toUpperCase() + relationship.slice(1)))
    const content = file.lookup(PDFName.of('EF'), PDFDict).lookup(PDFName.of('F')) as PDFRawStream
    content.dict.lookup(PDFName.of('Params'), PDFDict).set(PDFName.of('ModDate'), date)
  }
  catalog.set(PDFName.of('AF'), context.obj(references))
}

/**
 * PDF/A-3b out of the plain PDF 1.7 of Typst 0.14, whose WebAssembly build cannot be asked for a standard.
 * Pages, fonts, colours and structure are the same in both; what is added is the colour profile of the output,
 * the metadata, and what each attachment is to the document. Every date becomes `createdAtSeconds`.
 * Rejects if the file is not as Typst writes it.
 */
export async function toPdfA3b(
  plain: Uint8Array,
  { attachments, createdAtSeconds }: Pick<Typesetting, 'attachments' | 'createdAtSeconds'>,
): Promise<Uint8Array> {
  const document = await PDFDocument.load(plain, { updateMetadata: false })
  const iso = new Date(createdAtSeconds * 1000).toISOString().slice(0, 19)
  const date = PDFString.of(`D:${iso.replace(/\D/g, '')}Z`)
  setDates(document, date)
  setMetadata(document, `${iso}+00:00`)
  addOutputIntent(document)
  relateFiles(document, attachments, date)
  return document.save({ useObjectStreams: false, addDefaultPage: false, updateFieldAppearances: false })
}
