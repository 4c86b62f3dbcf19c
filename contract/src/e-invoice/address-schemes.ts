/** What an electronic address is, as its field names it. */
type SchemeKind = 'email' | 'leitweg' | 'gln' | 'duns' | 'vat' | 'register'

interface AddressScheme {
  code: string
  kind: SchemeKind
  /** of a number that a country gives */
  countryCode?: string
}

const vat = (code: string, countryCode: string): AddressScheme => ({ code, kind: 'vat', countryCode })
const register = (code: string, countryCode: string): AddressScheme => ({ code, kind: 'register', countryCode })

/**
 * Kinds of electronic addresses (BT-34-1, BT-49-1): what firms in Europe have of the code list *Electronic Address
 * Scheme* (EAS) as published in November 2025.
 */
export const ADDRESS_SCHEMES: readonly AddressScheme[] = [
  { code: 'EM', kind: 'email' },
  { code: '0204', kind: 'leitweg', countryCode: 'DE' },
  { code: '0088', kind: 'gln' },
  { code: '0060', kind: 'duns' },
  vat('9914', 'AT'),
  vat('9925', 'BE'),
  vat('9926', 'BG'),
  vat('9927', 'CH'),
  vat('9928', 'CY'),
  vat('9929', 'CZ'),
  vat('9930', 'DE'),
  vat('9920', 'ES'),
  vat('9957', 'FR'),
  vat('9932', 'GB'),
  vat('9933', 'GR'),
  vat('9934', 'HR'),
  vat('9910', 'HU'),
  vat('9935', 'IE'),
  vat('0211', 'IT'),
  vat('9936', 'LI'),
  vat('9937', 'LT'),
  vat('9938', 'LU'),
  vat('9939', 'LV'),
  vat('9943', 'MT'),
  vat('9944', 'NL'),
  vat('9945', 'PL'),
  vat('9946', 'PT'),
  vat('9947', 'RO'),
  vat('9948', 'RS'),
  vat('9955', 'SE'),
  vat('9949', 'SI'),
  vat('9950', 'SK'),
  vat('9952', 'TR'),
  register('0208', 'BE'),
  register('0183', 'CH'),
  register('0184', 'DK'),
  register('0191', 'EE'),
  register('0009', 'FR'),
  register('0037', 'FI'),
  register('0200', 'LT'),
  register('0106', 'NL'),
  register('0192', 'NO'),
  register('0007', 'SE'),
]

const CODES = ADDRESS_SCHEMES.map(({ code }) => code)

/** True of a kind of address that can be chosen. */
export const isAddressScheme = (code: string): boolean => CODES.includes(code)

/** The kind of address of a Leitweg-ID. */
export const LEITWEG_SCHEME = '0204'
