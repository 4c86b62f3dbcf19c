import { describe, expect, it } from 'vitest'
import { variablesOfBlocks } from '@waybill/contract/mail-blocks'
import { templateKey } from '@waybill/contract/email/template'
import { readStandardText } from './standard-text.rules.ts'
import { STANDARD_TEXT_NAMES, standardText, strayTexts } from './standard-texts.ts'

describe('the standard texts', () => {
  it.each(STANDARD_TEXT_NAMES.map((name) => [templateKey({ ...name, id: null }), name] as const))(
    '%s is there, and speaks only of what its mail knows',
    (_key, name) => {
      const { subject, blocks } = standardText(name)
      expect(subject.some((node) => node.type === 'variable' || node.text.length > 10)).toBe(true)
      expect(blocks.at(-1)?.kind).toBe('signature')
      // Beside the salutation there is something that only this order has.
      expect(variablesOfBlocks(blocks, []).length).toBeGreaterThan(0)
    },
  )

  it('have no file that no mail asks for', () => {
    expect(strayTexts()).toEqual([])
  })
})

describe('a standard text', () => {
  it('is refused without a subject, with a block that there is not, and with a list inside a paragraph', () => {
    expect(() => readStandardText('Hello')).toThrow('begins with its subject')
    expect(() => readStandardText('Subject: A\n\n= table a b')).toThrow('no block of this name')
    expect(() => readStandardText('Subject: A\n\nFirst\n- second')).toThrow('a list is a block of its own')
  })

  it('is read into blocks', () => {
    const { subject, blocks } = readStandardText(
      [
        'Subject: Order {order.number}',
        '# Dear {contact.fullName|colleagues}',
        'One **bold** word\nand a second line',
        '- first\n- second {order.number}',
        '= if order.adr\n= facts\nUN: order.adr\nTime: from: order.weight',
        '= stops number time',
        '= button https://waybill.example/a: Open it',
        '= signature caseWorker phone',
      ].join('\n\n'),
    )
    expect(subject).toEqual([
      { type: 'text', text: 'Order ' },
      { type: 'variable', attrs: { key: 'order.number', fallback: null } },
    ])
    expect(blocks).toEqual([
      {
        id: 's1',
        kind: 'heading',
        onlyIf: null,
        text: [
          { type: 'text', text: 'Dear ' },
          { type: 'variable', attrs: { key: 'contact.fullName', fallback: 'colleagues' } },
        ],
      },
      {
        id: 's2',
        kind: 'paragraph',
        onlyIf: null,
        text: [
          {
            type: 'paragraph',
            content: [
              { type: 'text', text: 'One ' },
              { type: 'text', text: 'bold', marks: [{ type: 'bold' }] },
              { type: 'text', text: ' word' },
              { type: 'hardBreak' },
              { type: 'text', text: 'and a second line' },
            ],
          },
        ],
      },
      {
        id: 's3',
        kind: 'paragraph',
        onlyIf: null,
        text: [
          {
            type: 'bulletList',
            content: [
              { type: 'listItem', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'first' }] }] },
              {
                type: 'listItem',
                content: [
                  {
                    type: 'paragraph',
                    content: [
                      { type: 'text', text: 'second ' },
                      { type: 'variable', attrs: { key: 'order.number', fallback: null } },
                    ],
                  },
                ],
              },
            ],
          },
        ],
      },
      {
        id: 's4',
        kind: 'facts',
        onlyIf: { variable: 'order.adr', equals: null },
        rows: [
          { label: 'UN', variable: 'order.adr' },
          { label: 'Time: from', variable: 'order.weight' },
        ],
      },
      { id: 's5', kind: 'stops', onlyIf: null, columns: ['number', 'time'] },
      { id: 's6', kind: 'button', onlyIf: null, label: 'Open it', target: 'https://waybill.example/a' },
      { id: 's7', kind: 'signature', onlyIf: null, lines: ['caseWorker', 'phone'] },
    ])
  })
})
