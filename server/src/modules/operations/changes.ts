import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Changes } from '@waybill/contract/operations/changes'
import { WAYBILL_VERSION } from '../../kit/context/version.ts'

const CHANGELOG = join(import.meta.dirname, '../../../../CHANGELOG.md')
let known: Promise<Changes['releases']> | null = null

/** Marks of Markdown are for the file's readers. */
const plain = (text: string): string => text.replaceAll(/[*`]|\[([^\]]*)\]\([^)]*\)/g, '$1').trim()

/** What stands under each version, the newest first: its lines, and what they begin with in bold. */
export function changesIn(markdown: string): Changes['releases'] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [version = '', ...lines] = section.split('\n')
      const notes = lines.flatMap((line) => {
        const [, title = '', text] = /^- (?:\*\*(.+?)\*\*)?(.*)$/.exec(line) ?? []
        return text === undefined ? [] : [{ title: plain(title), text: text.replace(/^:/, '').trim() }]
      })
      return { version: version.trim(), notes: notes.map(({ title, text }) => ({ title, text: plain(text) })) }
    })
}

/** What is new, version by version, as the changelog says it; nothing where it was not brought along. */
export async function changes(): Promise<Changes> {
  known ??= readFile(CHANGELOG, 'utf8').then(changesIn, () => [])
  return { version: WAYBILL_VERSION, releases: await known }
}
