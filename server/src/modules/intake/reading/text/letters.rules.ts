const LETTERS: Readonly<Record<string, string>> = {
  ß: 's',
  æ: 'a',
  œ: 'o',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 't',
  ı: 'i',
  '\u2013': '-',
  '\u2014': '-',
  '\u2011': '-',
  '\u2212': '-',
  '\u00d7': 'x',
  '\u2019': "'",
}

const lowOf = new Map<string, string>()

/** One character in lower case and without its mark: always one for one. */
function lowLetter(letter: string): string {
  const known = lowOf.get(letter)
  if (known !== undefined) return known
  const small = letter.toLowerCase()
  const plain = LETTERS[small] ?? small.normalize('NFD')[0] ?? letter
  const low = plain.length === 1 ? plain : letter
  if (lowOf.size < 5_000) lowOf.set(letter, low)
  return low
}

/** The same text, lower case and without marks, of the same length. */
export const lowered = (text: string): string => {
  const parts: string[] = []
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    parts.push(code < 128 ? text[at]!.toLowerCase() : lowLetter(text[at]!))
  }
  return parts.join('')
}

/** Letters and figures alone, lower case and without marks: what is left of words that are written differently. */
export const lettersOf = (text: string): string => lowered(text).replace(/[^\p{L}\d]/gu, '')
