/** Where lorries of ours go: Europe and its neighbours. An address may name any other. */
const COUNTRIES = [
  'AD AL AM AT AZ BA BE BG BY CH CY CZ DE DK DZ EE EG ES FI FR GB GE GR HR HU IE IL IS IT KZ LI',
  'LT LU LV MA MC MD ME MK MT NL NO PL PT RO RS RU SE SI SK SM TN TR UA UZ XK',
].flatMap((codes) => codes.split(' '))

/** Countries to choose from by their names in a language, in the order of these; the value is the ISO code. */
export function countryChoices(language: string): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(language, { type: 'region' })
  return COUNTRIES.map((value) => ({ value, label: names.of(value) ?? value })).toSorted((a, b) =>
    a.label.localeCompare(b.label, language),
  )
}
