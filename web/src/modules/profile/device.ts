// The first that fits: Edge and Opera call themselves Chrome, too, and Chrome calls itself Safari.
const BROWSERS: readonly [string, RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:(?:Headless)?Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
]

// An iPad or Android device names a desktop system as well.
const SYSTEMS: readonly [string, RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
]

/**
 * What a user agent says of browser and system, enough to know one's own devices apart; null
 * where it says nothing we know.
 */
export function deviceOf(userAgent: string | null): { browser: string | null; system: string | null } {
  const find = (names: readonly [string, RegExp][]) =>
    names.find(([, pattern]) => pattern.test(userAgent ?? ''))?.[0] ?? null
  return { browser: find(BROWSERS), system: find(SYSTEMS) }
}
