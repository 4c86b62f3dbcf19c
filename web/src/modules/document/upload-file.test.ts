import { MAX_FILE_BYTES } from '@waybill/contract/document'
import { expect, test } from 'vitest'
import { isTooLarge } from './upload-file.ts'

test('25 MB may travel, one byte more may not', () => {
  expect([isTooLarge({ size: MAX_FILE_BYTES }), isTooLarge({ size: MAX_FILE_BYTES + 1 })]).toEqual([false, true])
})
