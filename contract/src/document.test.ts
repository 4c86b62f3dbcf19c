import { expect, test } from 'vitest'
import { DOCUMENT_OWNERS, DOCUMENT_TYPES, DOCUMENT_TYPES_OF } from './document.ts'

test('every type has a record that may hold it', () => {
  const held = new Set(DOCUMENT_OWNERS.flatMap((owner) => DOCUMENT_TYPES_OF[owner]))
  expect(DOCUMENT_TYPES.filter((type) => !held.has(type))).toEqual([])
})
