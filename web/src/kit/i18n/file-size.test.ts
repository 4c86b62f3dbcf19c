import { expect, test } from 'vitest'
import { fileSize } from './file-size.ts'
import { createFormat } from './format.ts'

test.each([
  [10, '1 kB'],
  [184_200, '184 kB'],
  [2_460_000, '2.5 MB'],
])('%d bytes read as %s', (bytes, words) => {
  expect(fileSize(bytes, createFormat('en').number)).toBe(words)
})
