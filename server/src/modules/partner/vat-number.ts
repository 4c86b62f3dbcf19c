import { isCountryCode } from '@waybill/contract/kit/intl'
import { sql } from 'kysely'
import { checkVAT, countries } from 'jsvat-next'
import type { Ctx } from '../../kit/context/context.ts'
import { fieldError } from '../../kit/context/errors.ts'

/** EU member states as VIES writes them, and Northern Ireland. Greece is EL. */
const VIES_PREFIXES = new Set(
  'AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI'.split(' '),
)

// Where the prefix of a VAT number is not the country's code.
const PREFIXES: Record<string, string> = { GR: 'EL', CH: 'CHE' }

/** As it is compared and sent: spaces, dots and case do not matter. Greece writes EL, whatever its country code. */
const compact = (vatNumber: string): string =>
  vatNumber
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .replace(/^GR(?=\d)/, 'EL')

const countryOf = (code: string) => countries.find(({ codes }) => codes.includes(code === 'EL' ? 'GR' : code))

/**
 * `fits`: the shape is right; `doubtful`: its check digits are not; `wrong`: not the shape; `not_checked`: nobody
 * here knows the country's shape.
 */
export type VatNumberShape = 'fits' | 'doubtful' | 'wrong' | 'not_checked'

/**
 * The shape of a VAT number in the country of its address, with or without the country's prefix; else in the country
 * that its prefix names, since a firm may be registered abroad. `countryCode` is ISO 3166-1 alpha-2.
 */
export function vatNumberShape(vatNumber: string, countryCode: string): VatNumberShape {
  const given = compact(vatNumber)
  const home = countryOf(countryCode)
  if (home) {
    const shape = shapeIn(home, countryCode, given)
    if (shape !== 'wrong') return shape
  }
  const prefix = given.slice(0, 2)
  if (prefix === countryCode || prefix === PREFIXES[countryCode]) return home ? 'wrong' : 'not_checked'
  const abroad = countryOf(prefix)
  if (abroad) return shapeIn(abroad, prefix, given)
  // The prefix of a country whose shape is not known here; anything else is a number of the country itself.
  if (/^[A-Z]{2}[A-Z]?\d/.test(given) && isCountryCode(prefix)) return 'not_checked'
  return home ? 'wrong' : 'not_checked'
}

function shapeIn(country: (typeof countries)[number], code: string, given: string): VatNumberShape {
  // Norway has no prefix but a suffix, which not everybody writes.
  const forms =
    code === 'NO'
      ? [`${given.replace(/^NO/, '').replace(/MVA$/, '')}MVA`]
      : [given, `${PREFIXES[code] ?? code}${given}`]
  const checked = forms.map((form) => checkVAT(form, [country]))
  if (checked.some(({ isValid }) => isValid)) return 'fits'
  return checked.some(({ isValidFormat }) => isValidFormat) ? 'doubtful' : 'wrong'
}

/**
 * A VAT number as it is stored: capitals and digits, with the prefix of the country whose shape it has, and without
 * the words that the Swiss put behind theirs in three languages. What has no known shape stays as it was typed.
 * `countryCode` is that of the address.
 */
export function normalVatNumber(vatNumber: string, countryCode: string): string {
  if (vatNumberShape(vatNumber, countryCode) === 'wrong') return vatNumber
  const given = compact(vatNumber)
  const prefix = PREFIXES[countryCode] ?? countryCode
  if (/^CHE\d{9}/.test(given)) return given.slice(0, 'CHE'.length + 9)
  if (/^NO\d{9}(MVA)?$/.test(given)) return `${given.replace(/MVA$/, '')}MVA`
  if (countryCode === 'NO' && /^\d{9}(MVA)?$/.test(given)) return `NO${given.replace(/MVA$/, '')}MVA`
  if (given.startsWith(prefix)) return given
  const abroad = countryOf(given.slice(0, 2))
  if (abroad && shapeIn(abroad, given.slice(0, 2), given) !== 'wrong') return given
  const home = countryOf(countryCode)
  const isBare = home ? checkVAT(`${prefix}${given}`, [home]).isValidFormat : /^\d/.test(given)
  if (!isBare) return given
  return normalVatNumber(`${prefix}${given}`, countryCode)
}

/** What VIES is asked for, or null where it knows nothing of the number's country. */
export function viesNumber(vatNumber: string, countryCode: string): { countryCode: string; vatNumber: string } | null {
  const given = compact(vatNumber)
  const prefix = given.slice(0, 2)
  if (VIES_PREFIXES.has(prefix)) return { countryCode: prefix, vatNumber: given.slice(2) }
  const home = PREFIXES[countryCode] ?? countryCode
  // A prefix of a country outside of the EU is none of VIES's.
  if (!VIES_PREFIXES.has(home) || (/^[A-Z]{2}\d/.test(given) && isCountryCode(prefix))) return null
  return { countryCode: home, vatNumber: given }
}

/** A country's ISO code; empty for one that does not exist. */
export async function countryCodeOf(ctx: Ctx, id: number): Promise<string> {
  const { rows } = await sql<{ code: string }>`select code from country where id = ${id}`.execute(ctx.db)
  return rows[0]?.code ?? ''
}

interface Registered {
  vatNumber: string | null
  countryId: number
}

/**
 * The body with its VAT number as it is stored. One that was stored otherwise, because another record has its normal
 * form or nobody knew its shape, stays until it is changed.
 */
export async function withNormalVatNumber<Body extends Registered>(
  ctx: Ctx,
  body: Body,
  before: Registered | null,
): Promise<Body> {
  if (body.vatNumber === null) return body
  const isSame =
    before?.vatNumber != null &&
    before.countryId === body.countryId &&
    compact(before.vatNumber) === compact(body.vatNumber)
  const vatNumber = isSame
    ? before.vatNumber
    : normalVatNumber(body.vatNumber, await countryCodeOf(ctx, body.countryId))
  return { ...body, vatNumber }
}

/**
 * A number that is new must have the shape of its country's; one that an old record holds keeps nobody from saving
 * the rest.
 */
export async function checkVatNumber(
  ctx: Ctx,
  { vatNumber, countryId }: Registered,
  before: Registered | null,
): Promise<void> {
  if (vatNumber === null || (before?.vatNumber === vatNumber && before.countryId === countryId)) return
  if (vatNumberShape(vatNumber, await countryCodeOf(ctx, countryId)) === 'wrong')
    throw fieldError('vatNumber', 'invalid_vat_number')
}
