import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const { LONG_PARTS, PARTS_ASKED_FOR } = await import(new URL('./long-parts.js', import.meta.url).href)

it('every file of the long tests is run by exactly one part', () => {
  const files = readdirSync(join(import.meta.dirname, '../server/test/long'))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => name.slice(0, -'.test.ts'.length))
  expect(
    Object.values({ ...LONG_PARTS, ...PARTS_ASKED_FOR })
      .flat()
      .toSorted(),
  ).toEqual([...files, 'new-entity'].toSorted())
})
