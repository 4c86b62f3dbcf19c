import { PAPER_TYPES, paperKey, readPaperKey } from '@waybill/contract/email/paper-key'
import {
  getPaperTemplate,
  isStandardPaper,
  listPaperOrders,
  listPaperTemplates,
  listPaperVersions,
  previewPaper,
  putPaperTemplate,
  removePaperTemplate,
  type PaperTemplate,
  type PaperWrite,
} from '@waybill/contract/email/paper-template'
import { LANGUAGES } from '@waybill/contract/errors'
import { refusal, server } from '../kit/fake-server.ts'
import { ANNA, FTL_WEST } from './master-data.ts'

const EDITED = { editedAt: '2026-11-24T09:00:00Z', editedBy: ANNA }
const NOT_EDITED = { editedAt: null, editedBy: null }

/**
 * The texts of the documents of a department: each says nothing of its own until it is written, and a version that is
 * not the newest is refused.
 */
export function answerPapers(): void {
  const texts = new Map<string, PaperWrite & { version: number }>()
  let versions: { key: string; version: number; mode: PaperWrite['mode']; body: PaperWrite['body'] }[] = []
  const viewOf = (key: string): PaperTemplate => {
    const own = texts.get(key)
    return {
      key,
      department: FTL_WEST,
      ...readPaperKey(key)!,
      ...(own ?? { version: 0, mode: 'standard', body: [] }),
      isOwn: own !== undefined,
      ...(own === undefined ? NOT_EDITED : EDITED),
      standard: ['Carriage is governed by the CMR and, beside it, by the law of the carrier’s seat.'],
    }
  }
  server.answer(getPaperTemplate, ({ params }) => viewOf(params.key))
  server.answer(listPaperTemplates, () => ({
    items: PAPER_TYPES.map((type) => ({
      type,
      texts: LANGUAGES.map((language) => {
        const { key, isOwn, mode, editedAt, editedBy } = viewOf(paperKey({ type, language }))
        return { key, language, isOwn, mode, editedAt, editedBy }
      }),
    })),
  }))
  server.answer(putPaperTemplate, ({ params: { key }, body, version }) => {
    const before = viewOf(key)
    if (before.version !== version) return refusal('stale_version', { current: before })
    if (isStandardPaper(body)) texts.delete(key)
    else {
      const next = versions.filter((one) => one.key === key).length + 1
      versions = [{ key, version: next, ...body }, ...versions]
      texts.set(key, { version: next, ...body })
    }
    return viewOf(key)
  })
  server.answer(removePaperTemplate, ({ params: { key }, version }) => {
    const before = viewOf(key)
    if (!before.isOwn) return refusal('not_found')
    if (before.version !== version) return refusal('stale_version', { current: before })
    texts.delete(key)
    return {}
  })
  server.answer(listPaperVersions, ({ params }) => ({
    items: versions
      .filter(({ key }) => key === params.key)
      .map(({ version, mode, body }) => ({ version, mode, body, ...EDITED })),
  }))
  server.answer(previewPaper, { pdf: btoa('%PDF-1.4'), holes: [], values: {}, order: null })
  server.answer(listPaperOrders, { items: [] })
}
