// How the countries themselves group them; elsewhere a blank behind the prefix.
const GROUPED: readonly (readonly [RegExp, string])[] = [
  [/^(ATU\d{8})$/, '$1'],
  [/^BE(\d{4})(\d{3})(\d{3})$/, 'BE $1.$2.$3'],
  [/^CHE(\d{3})(\d{3})(\d{3})(?:MWST|TVA|IVA)?$/, 'CHE-$1.$2.$3 MWST'],
  [/^DE(\d{3})(\d{3})(\d{3})$/, 'DE $1 $2 $3'],
  [/^FR([A-Z\d]{2})(\d{3})(\d{3})(\d{3})$/, 'FR $1 $2 $3 $4'],
  [/^GB(\d{3})(\d{4})(\d{2})$/, 'GB $1 $2 $3'],
  [/^NL(\d{9})(B\d{2})$/, 'NL $1 $2'],
  [/^NO(\d{3})(\d{3})(\d{3})(?:MVA)?$/, 'NO $1 $2 $3 MVA'],
  [/^PL(\d{3})(\d{3})(\d{2})(\d{2})$/, 'PL $1-$2-$3-$4'],
  [/^([A-Z]{2})([A-Z\d]+)$/, '$1 $2'],
]

const LEAST_DIGITS = 5

/**
 * A VAT number as it is shown and printed: its prefix and its digits in the groups of its country. What has no prefix
 * or is no number stays as it stands; null stays null.
 */
export function formatVatNumber<Written extends string | null>(vatNumber: Written): Written {
  if (vatNumber === null) return vatNumber
  const compact = vatNumber.toUpperCase().replace(/[^A-Z0-9]/g, '')
  if (compact.replace(/\D/g, '').length < LEAST_DIGITS) return vatNumber
  const form = GROUPED.find(([pattern]) => pattern.test(compact))
  return (form ? compact.replace(...(form as [RegExp, string])) : vatNumber) as Written
}
