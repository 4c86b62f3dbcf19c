import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { optionalText, reference } from '@waybill/contract/kit/fields'
import { parseReply } from './validation.ts'

const line = z.strictObject({ id: z.number().int(), title: optionalText(10), kind: z.enum(['a', 'b']).default('a') })
const view = z.object({
  id: z.number().int().positive(),
  owner: reference.nullable(),
  lines: z.array(line),
  note: z.string().max(3).optional(),
})

describe('a reply', () => {
  test('holds what its schema names and nothing else, at any depth', () => {
    const stored = {
      id: 1,
      passwordHash: 'secret',
      owner: { id: 2, title: 'T', email: 'secret' },
      lines: [{ id: 3, title: 'one', kind: 'b', cost: 5 }],
    }
    expect(parseReply(view, stored)).toEqual({
      id: 1,
      owner: { id: 2, title: 'T' },
      lines: [{ id: 3, title: 'one', kind: 'b' }],
    })
  })

  test('is refused where a field is missing or of another type', () => {
    expect(() => parseReply(view, { id: '1', owner: null, lines: [] })).toThrow()
    expect(() => parseReply(view, { id: 1, lines: [] })).toThrow()
    expect(() => parseReply(view, { id: 1, owner: null, lines: [{ id: 1, title: 5 }] })).toThrow()
    expect(() => parseReply(view, { id: 1, owner: null, lines: [{ id: 1, title: null, kind: 'c' }] })).toThrow()
  })

  test('shows a record that was stored before its limits became stricter', () => {
    expect(
      parseReply(view, { id: 1, owner: null, lines: [{ id: 1, title: 'longer than ten' }], note: 'long' }),
    ).toEqual({
      id: 1,
      owner: null,
      lines: [{ id: 1, title: 'longer than ten', kind: 'a' }],
      note: 'long',
    })
  })
})
