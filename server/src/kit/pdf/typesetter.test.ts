import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it, vi } from 'vitest'
import { openTypesetter } from './typesetter.ts'

const FONT = fileURLToPath(import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'))

// As on a platform that has no binary.
vi.mock('@myriaddreamin/typst-ts-node-compiler', () => {
  throw new Error('Failed to load native binding')
})

it('is the WebAssembly build where the native one does not load', async () => {
  const fonts = [readFileSync(FONT)]
  await expect(openTypesetter(fonts, 'native')).rejects.toThrow()
  const typesetter = await openTypesetter(fonts)
  typesetter.addFile('main.typ', Buffer.from('x'))
  const document = await typesetter.typeset({ inputs: {}, attachments: [], createdAtSeconds: 1_780_000_000 })
  expect(Buffer.from(document).toString('latin1')).toContain('<pdfaid:part>3<')
})
