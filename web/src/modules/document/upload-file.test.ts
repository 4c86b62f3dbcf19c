import { MAX_FILE_BYTES } from '@waybill/contract/document'
import { expect, test } from 'vitest'
import { createFormat } from '../../kit/i18n/format.ts'
import { fileSize, isTooLarge } from './upload-file.ts'

test('25 MB may travel, one byte more may not', () => {
  expect([isTooLarge({ size: MAX_FILE_BYTES }), isTooLarge({ size: MAX_FILE_BYTES + 1 })]).toEqual([false, true])
})

test.each([
  [10, '1 kB'],
  [184_200, '184 kB'],
  [2_460_000, '2.5 MB'],
])('%d bytes read as %s', (bytes, words) => {
  expect(fileSize(bytes, createFormat('en').number)).toBe(words)
})
