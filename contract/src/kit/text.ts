// Letters that are their own and not a base letter with a mark: Unicode's decomposition leaves them alone,
// PostgreSQL's unaccent does not.
const OWN_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
}

/**
 * Text as searches compare it: lower case, without accents (`Łódź` → `lodz`, `Straße` → `strasse`). Folding twice
 * changes nothing.
 */
export const fold = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßæœøłđðþıħŧŋ]/g, (letter) => OWN_LETTERS[letter] ?? letter)

/** False for what cannot be stored or sent: NUL (PostgreSQL) and lone surrogates (not UTF-8). Design §9, rule 2. */
export const isPlainText = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed()
