import type { FastifyReply } from 'fastify'
import type { ExportFormat, Page, PageSize } from '@waybill/contract/kit/paging'
import type { ListApi, ListQueryOf, RowOf } from '@waybill/contract/kit/resource'
import type { Ctx } from '../context/context.ts'
import { sendSheet } from './send-sheet.ts'
import type { SheetOf } from './sheet.ts'

// More than a screen's page, because each page costs its count as well; few enough to be nothing in memory.
const ROWS_AT_A_TIME = 1000 as PageSize

type ExportQuery<Api extends ListApi> = Omit<ListQueryOf<Api>, 'page' | 'cursor' | 'perPage'> & {
  format: ExportFormat
  timeZone: string
}

/**
 * Answers with the whole list as a file (api, Lists), walked by its own cursor: what the list hides, the file does
 * not hold. The first page is read before anything is sent, so that a refusal is still a proper one; what breaks
 * later breaks the download.
 */
export async function exportList<Api extends ListApi>(
  ctx: Ctx,
  api: Api,
  list: (ctx: Ctx, query: ListQueryOf<Api>) => Promise<Page<RowOf<Api>>>,
  sheet: SheetOf<RowOf<Api>>,
  query: ExportQuery<Api>,
  reply: FastifyReply,
): Promise<void> {
  const { format, timeZone, ...narrowing } = query
  const pageFrom = (cursor?: string) =>
    list(ctx, { ...narrowing, perPage: ROWS_AT_A_TIME, cursor } as unknown as ListQueryOf<Api>)
  const first = await pageFrom()

  async function* rows(): AsyncGenerator<RowOf<Api>> {
    let page = first
    for (;;) {
      yield* page.items
      if (page.nextCursor === null) return
      page = await pageFrom(page.nextCursor)
    }
  }

  await sendSheet(ctx, reply, sheet, rows(), { name: api.path, format, timeZone })
}
