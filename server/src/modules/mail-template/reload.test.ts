import { beforeAll, describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { CARGO_COLUMNS, SIGNATURE_LINES, STOP_COLUMNS } from '@waybill/contract/mail-blocks'
import { REPLY_TO, templateWriteFor } from '@waybill/contract/email/template'
import { variablesOf } from '@waybill/contract/email/variables'
import { useTestApp } from '../../../test/app.ts'
import { modelRuns } from '../../../test/model-runs.ts'
import { orderWorld } from '../../../test/order-examples.ts'

const test = useTestApp()
let path: string

beforeAll(async () => {
  const { departmentId } = await orderWorld(test)
  path = `departments/${departmentId}/email-templates/driver_information.first.de`
})

const MAIL = { type: 'driver_information', variant: 'first' } as const

// Letters of our languages, quotes, what a database or JSON might take for its own, and a face of two code units.
const words = fc
  .array(fc.constantFrom('ä', 'Łódź', ' ', '"', "'", '\\', '{', '}', '<b>', '$1', '\u00a0', '😀', 'x', '  '), {
    minLength: 1,
    maxLength: 12,
  })
  .map((parts) => parts.join(''))
const key = fc.constantFrom(...variablesOf(MAIL.type, MAIL.variant))
const variable = fc.record({
  type: fc.constant('variable'),
  attrs: fc.record({ key, fallback: fc.option(words, { nil: null }) }),
})
const plain = fc.record({ type: fc.constant('text'), text: words })
const marks = fc.subarray(
  [{ type: 'bold' }, { type: 'italic' }, { type: 'link', attrs: { href: 'https://waybill.example/ä?a=1&b=%20' } }],
  { minLength: 1 },
)
const marked = fc.record({ type: fc.constant('text'), text: words, marks })
const line = fc.array(fc.oneof(plain, variable), { minLength: 1, maxLength: 5 })
const inline = fc.oneof(plain, marked, variable, fc.constant({ type: 'hardBreak' }))
const paragraph = fc.record(
  { type: fc.constant('paragraph'), content: fc.array(inline, { maxLength: 5 }) },
  { requiredKeys: ['type'] },
)
const list = fc.record({
  type: fc.constantFrom('bulletList', 'orderedList'),
  content: fc.array(
    fc.record({ type: fc.constant('listItem'), content: fc.array(paragraph, { minLength: 1, maxLength: 2 }) }),
    { minLength: 1, maxLength: 3 },
  ),
})
const label = fc.constantFrom('Kennzeichen', 'Tel. "Fahrer"', 'Łódź: od', 'a\\b')
const content = fc.oneof(
  fc.record({ kind: fc.constant('heading'), text: line }),
  fc.record({ kind: fc.constant('paragraph'), text: fc.array(fc.oneof(paragraph, list), { maxLength: 4 }) }),
  fc.record({
    kind: fc.constant('facts'),
    rows: fc.array(fc.record({ label, variable: key }), { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ kind: fc.constant('stops'), columns: fc.shuffledSubarray([...STOP_COLUMNS], { minLength: 1 }) }),
  fc.record({ kind: fc.constant('cargo'), columns: fc.shuffledSubarray([...CARGO_COLUMNS], { minLength: 1 }) }),
  fc.record({
    kind: fc.constant('button'),
    label,
    target: fc.constantFrom('upload_link', 'tracking_link', 'https://waybill.example/a?b=1'),
  }),
  fc.record({ kind: fc.constantFrom('picture', 'divider') }),
  fc.record({ kind: fc.constant('signature'), lines: fc.shuffledSubarray([...SIGNATURE_LINES], { minLength: 1 }) }),
)
const onlyIf = fc.option(
  fc.record({
    variable: key,
    equals: fc.option(fc.array(fc.constantFrom('UN 4711', 'ja', '"'), { maxLength: 2 }), { nil: null }),
  }),
  { nil: null },
)
const template = fc
  .record({
    subject: line,
    blocks: fc.array(fc.tuple(content, onlyIf), { minLength: 1, maxLength: 6 }),
    replyTo: fc.constantFrom(...REPLY_TO),
    isOn: fc.boolean(),
  })
  .map(({ blocks, ...rest }) => ({
    ...rest,
    blocks: blocks.map(([own, condition], index) => ({ id: `b${index}`, onlyIf: condition, ...own })),
  }))
  .filter((body) => templateWriteFor(MAIL).safeParse(body).success)

/** What the text says, letter by letter. */
const said = ({ subject, blocks, replyTo, isOn }: Record<string, unknown>) =>
  JSON.stringify({ subject, blocks, replyTo, isOn })

describe('a text that is read and saved again', () => {
  it('is the same letter by letter, whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(template, async (given) => {
        const { version } = (await test.admin.get(path)).body
        const saved = await test.admin.put(path, given, { version })
        expect([saved.status, saved.body.errors]).toEqual([200, undefined])
        const read = (await test.admin.get(path)).body
        expect(said(read)).toBe(said(saved.body))
        expect(read).toMatchObject(given)
        const { subject, blocks, replyTo, isOn } = read
        await test.admin.put(path, { subject, blocks, replyTo, isOn }, { version: read.version })
        expect(said((await test.admin.get(path)).body)).toBe(said(read))
      }),
      { numRuns: modelRuns(25, 300) },
    )
  }, 120_000)
})
