import { describe, expect, it } from 'vitest'
import { FIELD_ERRORS } from './errors/all.ts'
import { ERRORS, LANGUAGES, type ErrorCode, type FieldErrorCode, type Texts } from './errors.ts'

const holesIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted()
const all: [string, Texts][] = [
  ...Object.entries(ERRORS).map(([code, { text }]): [string, Texts] => [code, text]),
  ...Object.entries(FIELD_ERRORS),
]

describe('the texts of errors', () => {
  it.each(all)('are there in every language, with the same holes: %s', (_code, texts) => {
    for (const language of LANGUAGES) {
      expect(texts[language].trim()).not.toBe('')
      expect(holesIn(texts[language])).toEqual(holesIn(texts.en))
    }
  })

  it('cannot be left out: what lacks one does not compile', () => {
    // @ts-expect-error Polish is missing
    const withoutPolish: Texts = { en: 'A text', de: 'Ein Text' }
    const text: { en: string; de: string } = withoutPolish
    // @ts-expect-error so it is here, in an error's own shape
    const error: Record<string, { status: number; text: Texts }> = { ...ERRORS, new_code: { status: 409, text } }
    // @ts-expect-error a code that has no texts at all
    const code: ErrorCode = 'new_code'
    // @ts-expect-error nor has this one
    const fieldCode: FieldErrorCode = 'new_code'
    expect([withoutPolish, error, code, fieldCode]).toHaveLength(4)
  })
})
