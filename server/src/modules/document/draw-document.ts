import { inTransaction, nowOf, type Ctx } from '../../kit/context/context.ts'
import { keepFile, removeStray, type KeptFile } from './document.service.ts'
import { holdDocuments } from './document.repository.ts'
import { drawPages } from './draw-pages.ts'

/** False where somebody else was faster, or the file is gone. */
const keepDrawn = (ctx: Ctx, documentId: number, pages: readonly KeptFile[]): Promise<boolean> =>
  inTransaction(ctx, async (inner) => {
    if ((await holdDocuments(inner, [documentId])).length === 0) return false
    const { numInsertedOrUpdatedRows } = await inner.db
      .insertInto('drawn_document')
      .values({ documentId, pages: pages.length || null, drawnAt: nowOf(inner) })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows !== 1n) return false
    if (pages.length > 0)
      await inner.db
        .insertInto('drawn_document_page')
        .values(pages.map((page, index) => ({ ...page, documentId, page: index + 1 })))
        .execute()
    return true
  })

/**
 * Draws the pages of a PDF as pictures and keeps them, or that it cannot be drawn: once (decision 096). Call it outside
 * of any transaction. Errors: those of the store, `unavailable` where too many are drawn at once.
 */
export async function drawDocument(
  ctx: Ctx,
  { documentId, fileKey }: { documentId: number; fileKey: string },
  limits: { mostPages: number; mostBytes: number },
): Promise<void> {
  const answer = await drawPages(await ctx.ports.files.read(fileKey), limits)
  if ('refusal' in answer) {
    ctx.log.info({ documentId, refusal: answer.refusal }, 'a PDF cannot be drawn as pictures')
    await keepDrawn(ctx, documentId, [])
    return
  }
  const kept: KeptFile[] = []
  let isOurs = false
  try {
    for (const page of answer.pages) kept.push(await keepFile(ctx, Buffer.from(page)))
    isOurs = await keepDrawn(ctx, documentId, kept)
  } finally {
    if (!isOurs) for (const page of kept) await removeStray(ctx, page.fileKey)
  }
}
