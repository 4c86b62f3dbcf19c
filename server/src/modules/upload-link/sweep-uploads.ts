import type { Ctx } from '../../kit/context/context.ts'
import type { JobDefinition } from '../../kit/context/jobs.ts'
import { removeStray } from '../document/index.ts'
import './upload-link.table.ts'

declare module '../../kit/context/jobs.ts' {
  interface JobData {
    sweep_uploads: Record<string, never>
  }
}

const DRAFT_MS = 7 * 86_400_000
const TRIES_MS = 3_600_000

/** Removes what a carrier uploaded and has not sent for a week, and forgets who was counted when. */
export const sweepUploads: JobDefinition<'sweep_uploads'> = {
  async handle(ctx) {
    const before = (milliseconds: number) => new Date(ctx.clock.now().getTime() - milliseconds).toISOString()
    const gone = await ctx.db
      .deleteFrom('upload_file')
      .where('state', '=', 'draft')
      .where('createdAt', '<', before(DRAFT_MS))
      .returning('fileKey')
      .execute()
    for (const { fileKey } of gone) if (fileKey !== null) await removeStray(ctx as Ctx, fileKey)
    if (gone.length > 0) ctx.log.info({ files: gone.length }, 'removed what carriers had not sent for a week')
    await ctx.db.deleteFrom('upload_try').where('minute', '<', before(TRIES_MS)).execute()
  },
  timetable: { cron: '7 2 * * *', data: {} },
}
