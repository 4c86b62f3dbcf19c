import { describe, expect, it } from 'vitest'
import { RichText } from '@waybill/contract/kit/rich-text'
import { docOfLine, docOfText, lineOfDoc, textOfDoc } from './rich-doc.ts'

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
