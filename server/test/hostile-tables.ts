import { crc32, deflateRawSync } from 'node:zlib'

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>'
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const RELATIONS = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'
const TYPES = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** The parts of a workbook with one sheet, given as the texts of sheet and shared strings. */
const workbook = (sheet: string | Buffer, sharedStrings: string | Buffer = `${HEAD}<sst ${MAIN}/>`) => ({
  '[Content_Types].xml':
    `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/></Types>',
  '_rels/.rels':
    `${HEAD}<Relationships ${RELATIONS}>` +
    `<Relationship Id="r1" Type="${TYPES}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml':
    `${HEAD}<workbook ${MAIN} xmlns:r="${TYPES}">` +
    '<sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    `${HEAD}<Relationships ${RELATIONS}><Relationship Id="r1" Type="${TYPES}/worksheet" ` +
    `Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="${TYPES}/sharedStrings" Target="sharedStrings.xml"/>` +
    '</Relationships>',
  'xl/worksheets/sheet1.xml': sheet,
  'xl/sharedStrings.xml': sharedStrings,
})

const sheetOf = (rows: string): string => `${HEAD}<worksheet ${MAIN}><sheetData>${rows}</sheetData></worksheet>`

/** `count` times the same bytes between a head and a tail. */
const repeated = (head: string, one: string, count: number, tail: string): Buffer =>
  Buffer.concat([Buffer.from(head), Buffer.alloc(Buffer.byteLength(one) * count, one), Buffer.from(tail)])

/** A ZIP archive of the given files; `saidSize` is what it says that each of them unpacks to. */
function zip(files: Record<string, string | Buffer>, saidSize?: number): Buffer {
  const locals: Buffer[] = []
  const entries: Buffer[] = []
  let at = 0
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes, { level: 9 })
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(saidSize ?? bytes.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    locals.push(Buffer.from('PK\u0003\u0004', 'latin1'), fields, Buffer.from(name), packed)
    const entry = Buffer.alloc(16)
    entry.writeUInt32LE(at, 12)
    entries.push(Buffer.from('PK\u0001\u0002\u0014\0', 'latin1'), fields, entry.subarray(2), Buffer.from(name))
    at += 30 + Buffer.byteLength(name) + packed.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 'latin1')
  end.writeUInt16LE(Object.keys(files).length, 8)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...locals, directory, end])
}

const LAUGHS = Array.from({ length: 9 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`).join('')

/**
 * Tables that are small to send and large to read, by what is wrong with them. `megabytes` is what the heavy ones
 * unpack to; `million` how many millions of cells the wide ones have. Each is made when it is asked for.
 */
export const hostileTables = ({ megabytes, million }: { megabytes: number; million: number }) => {
  const size = megabytes * 1_000_000
  const row = (number: number) => `<row r="${number}"><c r="A${number}" t="s"><v>0</v></c></row>`
  const text = sheetOf(row(1) + row(2))
  const strings = () =>
    repeated(`${HEAD}<sst ${MAIN}>`, '<si><t>aaaaaaaaaaaaaa</t></si>', Math.ceil(size / 31), '</sst>')
  return {
    'shared strings without end': () => zip(workbook(text, strings())),
    'shared strings that say they are short': () => zip(workbook(text, strings()), 1000),
    'one cell without end': () =>
      zip(
        workbook(
          repeated(
            `${HEAD}<worksheet ${MAIN}><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>`,
            'a',
            size,
            '</t></is></c></row></sheetData></worksheet>',
          ),
        ),
      ),
    'columns without end': () =>
      zip(
        workbook(
          repeated(
            `${HEAD}<worksheet ${MAIN}><sheetData><row r="1">`,
            '<c><v>1</v></c>',
            million * 1_000_000,
            '</row></sheetData></worksheet>',
          ),
        ),
      ),
    'a sheet of a billion laughs': () =>
      zip(
        workbook(
          `${HEAD}<!DOCTYPE worksheet [<!ENTITY l0 "ha">${LAUGHS}]><worksheet ${MAIN}><sheetData>` +
            '<row r="1"><c r="A1" t="inlineStr"><is><t>&l9;</t></is></c></row></sheetData></worksheet>',
        ),
      ),
    'an archive without its directory': () => zip(workbook(text)).subarray(0, 600),
    'a CSV of commas': () => Buffer.alloc(Math.min(size, 5_242_880), ','),
    'a CSV of lines of commas': () => Buffer.alloc(Math.min(size, 5_242_880), `${','.repeat(300)}\n`),
    'a CSV of quotes': () => Buffer.alloc(Math.min(size, 5_242_880), '"'),
    'a CSV of open quotes': () => Buffer.alloc(Math.min(size, 5_242_880), '"a,'),
    'a CSV of NUL': () => Buffer.alloc(Math.min(size, 5_242_880)),
    'a CSV of one word': () => Buffer.alloc(Math.min(size, 5_242_880), 'a'),
    'a CSV of line breaks': () => Buffer.alloc(Math.min(size, 5_242_880), '\n'),
  } satisfies Record<string, () => Buffer>
}
