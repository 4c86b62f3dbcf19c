import { describe, expect, it } from 'vitest'
import { aheadOf, withTyped, type Ahead } from './typed-ahead.ts'

const keys = (...names: string[]): Ahead[] => names.map((key) => ({ key, shiftKey: false }))
const press = (key: string, held: object = {}) => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  getModifierState: () => false,
  ...held,
})
const paragraph = (text: string) => ({ type: 'paragraph' as const, content: [{ type: 'text' as const, text }] })

describe('what is typed before the editor is there', () => {
  it('is letters, Enter and Backspace; no chord, no arrow, and AltGr writes', () => {
    expect(aheadOf(press('s', { ctrlKey: true }))).toBeNull()
    expect(aheadOf(press('ArrowLeft'))).toBeNull()
    expect(aheadOf(press('Tab'))).toBeNull()
    expect(aheadOf(press('ą', { ctrlKey: true, altKey: true, getModifierState: () => true }))).toMatchObject({
      key: 'ą',
    })
    expect(aheadOf(press('Enter', { shiftKey: true }))).toEqual({ key: 'Enter', shiftKey: true })
  })

  it('stands at the end of a text that is left before', () => {
    expect(
      withTyped([paragraph('One')], [...keys('a', 'b', 'Backspace', 'Enter'), { pasted: 'x\r\ny' }], false),
    ).toEqual([
      { type: 'paragraph', content: [...paragraph('One').content, { type: 'text', text: 'a' }] },
      paragraph('x'),
      paragraph('y'),
    ])
    const list = { type: 'bulletList' as const, content: [{ type: 'listItem' as const, content: [paragraph('1')] }] }
    expect(withTyped([list], keys('a'), false)).toEqual([list, paragraph('a')])
    expect(withTyped([], keys('a', 'Enter', 'b'), true)).toEqual([{ type: 'text', text: 'a b' }])
  })
})
