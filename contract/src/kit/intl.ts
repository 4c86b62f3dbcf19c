/*
 * Formatters are made once and kept. Making one costs a hundred times what using it costs; and each holds objects of
 * the engine's library for languages, which are freed all at once, in the middle of the work: those of 300 invoices
 * held up everybody for one to two seconds.
 */
const kept = <Options extends object, Formatter>(make: (locale: string, options: Options) => Formatter) => {
  const known = new Map<string, Formatter>()
  return (locale: string, options: Options): Formatter => {
    const key = `${locale} ${JSON.stringify(options)}`
    const found = known.get(key) ?? make(locale, options)
    known.set(key, found)
    return found
  }
}

/** `Intl.DateTimeFormat`, kept. Throws a RangeError for a time zone that nobody knows. */
export const dateTimeFormat = kept(
  (locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
)

/** `Intl.NumberFormat`, kept. */
export const numberFormat = kept((locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options))

const pluralRules = kept((locale, options: Intl.PluralRulesOptions) => new Intl.PluralRules(locale, options))
const regionNames = kept((locale, options: Intl.DisplayNamesOptions) => new Intl.DisplayNames(locale, options))

/** The form that a number asks for in a language: `one`, `few`, `many`, `other`. */
export const pluralForm = (locale: string, count: number): Intl.LDMLPluralRule => pluralRules(locale, {}).select(count)

const nameOf = (code: string, locale: string): string | undefined =>
  regionNames(locale, { type: 'region', fallback: 'none' }).of(code)

/** `DE` in Polish is `Niemcy`; the code itself where no country has it. Throws a RangeError for what is no code. */
export const countryName = (code: string, locale: string): string => nameOf(code, locale) ?? code

/** Whether a country has this code of two letters. */
export const isCountryCode = (code: string): boolean => nameOf(code, 'en') !== undefined

let zones: ReadonlySet<string> | undefined

/** Whether a time zone of this name is known here; also an older name, and any case. */
export function isTimeZone(name: string): boolean {
  zones ??= new Set(Intl.supportedValuesOf('timeZone'))
  if (zones.has(name)) return true
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}
