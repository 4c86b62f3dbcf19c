import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useTestApp } from '../../../test/app.ts'
import { changesIn } from './changes.ts'

const test = useTestApp()

describe('what is new', () => {
  it('is told to who is signed in, and to nobody else', async () => {
    expect((await test.anonymous.get('changes')).status).toBe(401)
    const { caller } = await test.userWith()
    const { status, body } = await caller.get('changes')
    expect(status).toBe(200)
    // The version that runs stands in the changelog: who raises one writes down what it brings.
    expect(body.releases[0].version).toBe(body.version)
    expect(body.releases[0].notes).toContainEqual({
      title: 'Tracking links',
      text: expect.stringMatching(/^customers follow their order/),
    })
    expect(JSON.stringify(body)).not.toMatch(/\*\*|`/)
  })

  it('is every line of the changelog', async () => {
    const text = await readFile(join(import.meta.dirname, '../../../../CHANGELOG.md'), 'utf8')
    const told = changesIn(text).flatMap(({ notes }) => notes)
    expect(told).toHaveLength(text.match(/^- /gm)!.length)
    expect(told.filter(({ text: words, title }) => words === '' && title === '')).toEqual([])
  })

  it('keeps versions apart, and marks of Markdown to itself', () => {
    expect(
      changesIn(
        '# Changes\nFirst.\n\n## 0.2.0\n- **Orders**: with `cargo`, see [the guide](docs/x.md).\n\n' +
          '## 0.1.0\nAll:\n- one\n',
      ),
    ).toEqual([
      { version: '0.2.0', notes: [{ title: 'Orders', text: 'with cargo, see the guide.' }] },
      { version: '0.1.0', notes: [{ title: '', text: 'one' }] },
    ])
    expect(changesIn('')).toEqual([])
  })
})
