import { getSchema, type JSONContent } from '@tiptap/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RichText } from '@waybill/contract/kit/rich-text'
import { docOfLine, docOfText, lineOfDoc, textOfDoc } from './rich-doc.ts'
import { extensionsFor } from './text-extensions.ts'

const TEXT: RichText = [
  {
    type: 'paragraph',
    content: [
      { type: 'text', text: 'Driver ', marks: [{ type: 'bold' }, { type: 'italic' }] },
      { type: 'variable', attrs: { key: 'driver.name', fallback: 'not known' } },
      { type: 'hardBreak' },
      { type: 'text', text: 'here', marks: [{ type: 'link', attrs: { href: 'https://a.example' } }] },
    ],
  },
  { type: 'paragraph' },
  { type: 'orderedList', content: [{ type: 'listItem', content: [{ type: 'paragraph' }] }] },
]

describe('a text on its way through the editor', () => {
  it('comes back byte for byte', () => {
    expect(JSON.stringify(textOfDoc(docOfText(TEXT)))).toBe(JSON.stringify(TEXT))
    expect(textOfDoc(docOfText([]))).toEqual([{ type: 'paragraph' }])
  })

  it('leaves behind what only the editor knows', () => {
    const doc = {
      type: 'doc',
      content: [
        {
          type: 'orderedList',
          attrs: { start: 3, type: null },
          content: [
            {
              type: 'listItem',
              content: [
                {
                  type: 'paragraph',
                  content: [
                    {
                      type: 'text',
                      text: 'a',
                      marks: [{ type: 'link', attrs: { href: 'https://a.example', target: '_blank', rel: 'x' } }],
                    },
                    { type: 'variable', attrs: { key: 'order.number', fallback: '' } },
                  ],
                },
              ],
            },
          ],
        },
        { type: 'paragraph', content: [] },
      ],
    }
    const text = textOfDoc(doc)
    expect(RichText.safeParse(text).error).toBeUndefined()
    expect(JSON.stringify(text)).not.toMatch(/target|start|""/)
  })

  it('is one line where it is one, without looks and breaks', () => {
    const line = [
      { type: 'text' as const, text: 'For ' },
      { type: 'variable' as const, attrs: { key: 'order.number', fallback: null } },
    ]
    expect(lineOfDoc(docOfLine(line))).toEqual(line)
    expect(lineOfDoc(docOfLine([]))).toEqual([])
    expect(lineOfDoc(docOfText(TEXT.slice(0, 1)))).toEqual([
      { type: 'text', text: 'Driver ' },
      { type: 'variable', attrs: { key: 'driver.name', fallback: 'not known' } },
      { type: 'text', text: 'here' },
    ])
  })
})

describe('a running text in the editor', () => {
  const schema = getSchema(
    extensionsFor(
      false,
      { lookOf: (label) => ({ label, isKnown: true, title: '' }), className: '' },
      { withBlocks: false, onAsk: () => undefined, onKey: () => false },
    ),
  )
  const through = (text: RichText): RichText => textOfDoc(schema.nodeFromJSON(docOfText(text)).toJSON() as JSONContent)
  const wordsOf = (text: RichText): string =>
    JSON.stringify(text, (name, value: unknown) => (name === 'marks' ? undefined : value))
      .replaceAll('"},{"type":"text","text":"', '')
      .replaceAll(/"type":"(?:paragraph|text)",?/g, '')
  const letters = fc.constantFrom('ä', 'Łódź', ' ', '{', '<b>', '😀', '  ')
  const marks = fc.subarray<{ type: 'bold' } | { type: 'italic' }>([{ type: 'bold' }, { type: 'italic' }], {
    minLength: 1,
  })
  const inline = fc.oneof(
    fc.record({ type: fc.constant('text' as const), text: letters }),
    fc.record({ type: fc.constant('text' as const), text: letters, marks }),
    fc.constant({ type: 'hardBreak' as const }),
    fc.record({
      type: fc.constant('variable' as const),
      attrs: fc.record({ key: fc.constantFrom('order.number', 'a.b'), fallback: fc.constantFrom(null, 'x') }),
    }),
  )
  const paragraph = fc.record({
    type: fc.constant('paragraph' as const),
    content: fc.array(inline, { minLength: 1, maxLength: 6 }),
  })
  const list = fc.record({
    type: fc.constantFrom('bulletList' as const, 'orderedList' as const),
    content: fc.array(
      fc.record({
        type: fc.constant('listItem' as const),
        content: fc.array(paragraph, { minLength: 1, maxLength: 2 }),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  })

  it('comes out as it went in, and the second time letter by letter', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(paragraph, list), { minLength: 1, maxLength: 5 }), (text) => {
        const once = through(text)
        expect(JSON.stringify(through(once))).toBe(JSON.stringify(once))
        expect(wordsOf(once)).toBe(wordsOf(text))
        expect(RichText.safeParse(once).success).toBe(true)
      }),
    )
  })
})
