// A file system takes 255 bytes; what a browser adds to a second file of a name must fit in as well.
const MAX_BYTES = 200
/** of the kind and of the number each: what tells papers apart is never cut for a long name of a firm */
const MAX_PART_BYTES = 80

const signs = new Intl.Segmenter('en')

/** The beginning of a text that fits into a number of bytes, without half a sign at its end. */
function fitting(text: string, maxBytes: number): string {
  let fits = ''
  let bytes = 0
  for (const { segment } of signs.segment(text)) {
    bytes += Buffer.byteLength(segment)
    if (bytes > maxBytes) break
    fits += segment
  }
  return fits.trim()
}

/** Without signs that a file system refuses, and without those that nobody sees or that turn the text around. */
const safe = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\\/:*?"<>|]+/g, '-')
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/gu, '')
    .trim()

/**
 * The file name of a paper that we make: `Kind_Number_Receiver.pdf`, the kind in the language of the paper. What tells
 * papers apart stays whole; a long name of a firm is cut. `receiver` is whom the paper shows: what goes to a carrier
 * never takes the customer's name (decision 120).
 */
export function pdfName(kind: string, number: string | null, receiver: string | null | undefined): string {
  const first = [kind, number]
    .filter((part) => part !== null)
    .map((part) => fitting(safe(part), MAX_PART_BYTES))
    .filter(Boolean)
    .join('_')
  const name = fitting(safe(receiver ?? ''), MAX_BYTES - Buffer.byteLength(`${first}_.pdf`))
  // Windows takes no dot before the ending of its own.
  return `${[first, name]
    .filter(Boolean)
    .join('_')
    .replace(/[. ]+$/, '')}.pdf`
}
