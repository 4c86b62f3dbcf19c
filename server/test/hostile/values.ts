// Texts that break what is careless with them, and a caller that brings them through the edge of the interface.
import fc from 'fast-check'
import { expect } from 'vitest'
import { isPlainText } from '@waybill/contract/kit/text'

/** Texts, each of which breaks something that is careless with it. */
export const KNOWN = [
  '"<dringend>"',
  '',
  ' ',
  'Betreff\r\nBcc: dieb@evil.example',
  'eins\rzwei\nX-Evil: 1\n\nzweiter Teil',
  '=?utf-8?B?QmNjOiBkaWViQGV2aWwuZXhhbXBsZQ==?=',
  '%0d%0aBcc: dieb@evil.example',
  '<dieb@evil.example>, "Dieb" <dieb@evil.example>',
  '</td></tr></table><script>steal()</script><p onclick="steal()">',
  '"><img src=x onerror=steal()>',
  '<!-- --><style>*{display:none}</style>',
  '&lt;b&gt;&#60;b&#62;&amp;amp;',
  '{order.nothing} {{footer}} {{html}} ${x} $& $1',
  '#import "x.typ": * #{panic()} $ \\ `raw` *x* _y_ @ref <label> // */ "',
  'javascript:steal() data:text/html,x http://evil.example//x',
  '\u202Egnirtsdlo\u202C \u200Frtl\u200E \u2066x\u2069',
  'שלום עולם مرحبا',
  '👩🏽‍🚒🚚🇵🇱 e\u0301 \u{1F9D1}\u200D\u{1F692}',
  '\u0000Ende',
  'halb \uD83D',
  '\uDE9A halb',
  'Zeile\u2028Absatz\u2029weiter\u0085neu\u000Bab\u000Cab',
  '\u0001\u0007\u001B[31mrot\u007F',
  '\uFEFF\u200B\uFFFE\uFFFF\u{10FFFF}',
  'N'.repeat(300),
  'Wort '.repeat(60),
  '名'.repeat(300),
  '--\nUnterschrift',
  '.\r\n.\r\nQUIT',
  '𝕎𝕒𝕪𝕓𝕚𝕝𝕝 Łódź-Größe',
]
/** Any text, most of them of the kind that breaks something. */
export const hostile = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...KNOWN) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...KNOWN), fc.constantFrom(...KNOWN)).map((two) => two.join('')) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 300 }) },
)
export type Body = Record<string, unknown>

function put(body: Body, path: string, value: string): void {
  const steps = path.split('.')
  const last = steps.pop()!
  const target = steps.reduce((part, step) => part[step] as Body, body)
  target[last] = value
}

/** Cut between two characters, so that what is cut is as good or bad as it was. */
export const cut = (value: string, most: number): string => {
  const short = value.slice(0, most)
  return value.isWellFormed() ? short.toWellFormed().replace(/\uFFFD$/, '') : short
}

export interface Kept {
  body: Body
  /** what the edge took, by its path */
  taken: Map<string, string>
}

/** Sends a body; what the edge refuses is replaced by a word, and must have been what no text may be. */
export async function send(
  call: (body: Body) => Promise<{ status: number; body: Body }>,
  body: Body,
  values: ReadonlyMap<string, string>,
  limits: Readonly<Record<string, number>>,
): Promise<Kept> {
  const taken = new Map(values)
  for (const [path, value] of values) put(body, path, value)
  let answer = await call(body)
  if (answer.status === 422) {
    for (const { path } of answer.body.errors as { path: string }[]) {
      const value = values.get(path)
      if (value === undefined) throw new Error(`refused at ${path}: ${JSON.stringify(answer.body.errors)}`)
      const isRefusable = !isPlainText(value) || value.trim().length > limits[path]! || value.trim() === ''
      expect([path, value, isRefusable]).toEqual([path, value, true])
      put(body, path, 'refused')
      taken.set(path, 'refused')
    }
    answer = await call(body)
  }
  expect([answer.status, answer.body.errors]).toEqual([expect.toBeOneOf([200, 201]), undefined])
  return { body: answer.body, taken }
}

/** A mail as it is shown. */
interface Shown {
  html?: string | undefined
}

/** How often each element stands in the HTML, with its attributes and its look; line breaks come from values. */
export function elementsOf({ html }: Shown): Map<string, number> {
  const found = new Map<string, number>()
  for (const [, name, attributes] of html!.matchAll(/<([a-z][a-z0-9-]*)((?:[^<>"]|"[^"]*")*)>/gi)) {
    if (name === 'br') continue
    const look = [...attributes!.matchAll(/([a-z-]+)="([^"]*)"/gi)].map(([, key, value]) =>
      key === 'aria-label' ? key : `${key}=${value}`,
    )
    // A long word may break where a short one may not.
    const element = [name, ...look].join(' ').replace('valueLong', 'value').replace('word-break:normal;', '')
    found.set(element, (found.get(element) ?? 0) + 1)
  }
  return found
}
export const angles = ({ html }: Shown) => html!.replaceAll(/<br\s*\/?>/g, '').split('<').length
/** Without white space, which lines break at. */
export const closed = (text: string) => text.replaceAll(/[\s\u200B\uFEFF]+/g, '')
