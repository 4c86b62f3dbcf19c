import { addSnippet, listSnippets, putSnippet, removeSnippet, type Snippet } from '@waybill/contract/email/snippet'
import { refusal, server } from '../kit/fake-server.ts'
import { ANNA } from './master-data.ts'

const edited = { editedAt: '2026-11-24T09:00:00Z', editedBy: ANNA }

/** What there is to know at a dock. */
export const snippetOf = (given: Partial<Snippet> = {}): Snippet => ({
  id: 500,
  version: 1,
  name: 'Dock rules',
  language: 'en',
  text: [{ type: 'paragraph', content: [{ type: 'text', text: 'Dock 4' }] }],
  ...edited,
  ...given,
})

/** The snippets of a department: these, and what the page keeps, renames and deletes. */
export function answerSnippets(items: Snippet[] = []): void {
  const put = (snippet: Snippet) => {
    items = [...items.filter(({ id }) => id !== snippet.id), snippet].toSorted((a, b) => a.name.localeCompare(b.name))
    return snippet
  }
  let last = 500
  server.answer(listSnippets, () => ({ items }))
  server.answer(addSnippet, ({ body }) => put({ id: (last += 1), version: 1, ...body, ...edited }))
  server.answer(putSnippet, ({ params, body, version }) => {
    const before = items.find(({ id }) => id === params.snippetId)
    if (before === undefined) return refusal('not_found')
    if (before.version !== version) return refusal('stale_version', { current: before })
    return put({ ...before, ...body, ...edited, version: version + 1 })
  })
  server.answer(removeSnippet, ({ params, version }) => {
    const before = items.find(({ id }) => id === params.snippetId)
    if (before === undefined) return refusal('not_found')
    if (before.version !== version) return refusal('stale_version', { current: before })
    items = items.filter((one) => one !== before)
    return {}
  })
}
