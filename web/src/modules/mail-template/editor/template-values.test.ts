import type { TemplateWrite } from '@waybill/contract/email/template'
import { describe, expect, it } from 'vitest'
import { compared, fieldsOf, linesOf, previewOf, withField } from './template-values.ts'

const variable = (key: string) => ({ type: 'variable' as const, attrs: { key, fallback: null } })
const TEXT: TemplateWrite = {
  subject: [{ type: 'text', text: 'For ' }, variable('order.costumerRef')],
  blocks: [
    {
      id: 'a',
      kind: 'paragraph',
      onlyIf: null,
      text: [{ type: 'paragraph', content: [variable('order.costumerRef')] }],
    },
    { id: 'b', kind: 'facts', onlyIf: null, rows: [{ label: 'Ref', variable: 'order.costumerRef' }] },
    { id: 'c', kind: 'divider', onlyIf: { variable: 'order.costumerRef', equals: null } },
    { id: 'd', kind: 'button', onlyIf: null, label: '', target: 'tracking_link' },
  ],
  replyTo: 'caseWorker',
  isOn: true,
}
const isKnown = (key: string) => key !== 'order.costumerRef'

describe('a text that is being written', () => {
  it('is mended wherever the wrong field stands', () => {
    expect(fieldsOf(TEXT)).toHaveLength(4)
    expect(fieldsOf(withField(TEXT, 'order.costumerRef', 'order.number')).map(({ key }) => key)).toEqual(
      Array.from({ length: 4 }, () => 'order.number'),
    )
  })

  it('shows what can be shown of it already', () => {
    const shown = previewOf(TEXT, isKnown, 'unknown field')!
    expect(shown.blocks.map(({ id }) => id)).toEqual(['a', 'c'])
    expect(JSON.stringify(shown)).not.toContain('costumerRef')
    expect(shown.subject.at(-1)).toEqual({ type: 'text', text: '⟦unknown field⟧' })
    expect(previewOf({ ...TEXT, blocks: [TEXT.blocks[3]!] }, isKnown, 'unknown field')).toBeNull()
  })

  it('is compared line by line', () => {
    const lines = linesOf(
      TEXT,
      (key) => key,
      ({ kind }) => kind,
    )
    expect(lines).toEqual([
      'For {order.costumerRef}',
      '{order.costumerRef}',
      'Ref: {order.costumerRef}',
      '[order.costumerRef]',
      'divider',
      'button',
    ])
    expect(compared(['a', 'b', 'c'], ['a', 'x', 'c'])).toEqual([
      { text: 'a', is: 'same' },
      { text: 'b', is: 'gone' },
      { text: 'x', is: 'new' },
      { text: 'c', is: 'same' },
    ])
  })
})
