import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fold, isPlainText } from './text.ts'

describe('plain text', () => {
  test.each([['a\u0000b'], ['\ud800'], ['x\udc00y'], ['\udc00\ud800']])('%j is refused', (text) => {
    expect(isPlainText(text)).toBe(false)
  })

  test.each([[''], ['SZG-„Ostsee“/26 & Co <dringend>'], ['line\nbreak\ttab'], ['🚚']])('%j is allowed', (text) => {
    expect(isPlainText(text)).toBe(true)
  })

  test('whatever is allowed survives UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        if (isPlainText(text)) expect(decodeURIComponent(encodeURIComponent(text))).toBe(text)
        else expect(() => encodeURIComponent(text.replaceAll('\u0000', '\ud800'))).toThrow(URIError)
      }),
    )
  })
})

describe('folding', () => {
  test.each([
    ['Łódź', 'lodz'],
    ['ŻÓŁĆ', 'zolc'],
    ['Straße', 'strasse'],
    ['STRASSE', 'strasse'],
    ['Ærøskøbing', 'aeroskobing'],
    ['Kröger Möbelhaus', 'kroger mobelhaus'],
    ['Öztürk', 'ozturk'],
    ['İzmir', 'izmir'],
    ['Wrocław 52-326', 'wroclaw 52-326'],
    ['Žďár nad Sázavou', 'zdar nad sazavou'],
    ['Đakovo', 'dakovo'],
  ])('%s becomes %s', (text, folded) => {
    expect(fold(text)).toBe(folded)
  })

  test('composed and decomposed letters are the same', () => {
    expect(fold('Mo\u0308bel')).toBe(fold('M\u00f6bel'))
  })

  test('twice is once', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void expect(fold(fold(text))).toBe(fold(text))))
  })
})
